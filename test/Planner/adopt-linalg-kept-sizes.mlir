// Branches that ask for sizes stay where they are more than a read of one tensor: the
// device cannot read the condition, and the host does not compute elements.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What is computed in an arm stays in one.
// CHECK-LABEL: func.func @computed(
// CHECK:         scf.if
// CHECK:           linalg.exp
func.func @computed(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %p = arith.cmpi eq, %d, %c1 : index
  // expected-remark @below {{Reason="the host knows the condition, and the sides are more than reads of one tensor, as it is or repeated"}}
  %r = scf.if %p -> tensor<?xf32> {
    %e = tensor.empty(%d) : tensor<?xf32>
    %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// Two tensors, each as it is.
// CHECK-LABEL: func.func @two_tensors(
// CHECK:         scf.if
// CHECK-NOT:     linalg.generic
func.func @two_tensors(%x: tensor<?x4xf16>, %y: tensor<?x4xf16>) -> tensor<?x4xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf16>
  %m = tensor.dim %y, %c0 : tensor<?x4xf16>
  %p = arith.cmpi ugt, %n, %m : index
  // expected-remark @below {{Reason="the host knows the condition, and the sides are more than reads of one tensor, as it is or repeated"}}
  %r = scf.if %p -> tensor<?x4xf16> {
    scf.yield %x : tensor<?x4xf16>
  } else {
    scf.yield %y : tensor<?x4xf16>
  }
  return %r : tensor<?x4xf16>
}

// -----

// Where the choice is one op it is made for each element, by what the host says.
// CHECK-LABEL: func.func @selected(
// CHECK-NOT:     fusion.if
// CHECK:         %[[P:.*]] = arith.cmpi ugt
// CHECK:         linalg.generic
// CHECK:           arith.select %[[P]]
// CHECK-NOT:     fusion.if
func.func @selected(%n: tensor<?xi8>, %x: tensor<5xi8>, %y: tensor<5xi8>) -> tensor<5xi8> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %d = tensor.dim %n, %c0 : tensor<?xi8>
  %p = arith.cmpi ugt, %d, %c5 : index
  // expected-remark @below {{Reason="the host knows the condition, and the sides are more than reads of one tensor, as it is or repeated"}}
  %r = arith.select %p, %x, %y : tensor<5xi8>
  return %r : tensor<5xi8>
}

// -----

// An arm reads the tensor in another order.
// CHECK-LABEL: func.func @transposed(
// CHECK:         scf.if
// CHECK:           linalg.generic
func.func @transposed(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %p = arith.cmpi eq, %n, %m : index
  // expected-remark @below {{Reason="the host knows the condition, and the sides are more than reads of one tensor, as it is or repeated"}}
  %r = scf.if %p -> tensor<?x?xf32> {
    %e = tensor.empty(%m, %n) : tensor<?x?xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<?x?xf32>
    scf.yield %0 : tensor<?x?xf32>
  } else {
    scf.yield %x : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// -----

// An arm repeats another row than the first.
// CHECK-LABEL: func.func @second_row(
// CHECK:         scf.if
// CHECK:           linalg.generic
func.func @second_row(%x: tensor<?x12xf32>) -> tensor<?x12xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c0 : tensor<?x12xf32>
  %p = arith.cmpi eq, %d, %c2 : index
  // expected-remark @below {{Reason="the host knows the condition, and the sides are more than reads of one tensor, as it is or repeated"}}
  %r = scf.if %p -> tensor<?x12xf32> {
    %e = tensor.empty(%d) : tensor<?x12xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (1, j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
         ins(%x : tensor<?x12xf32>) outs(%e : tensor<?x12xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<?x12xf32>
    scf.yield %0 : tensor<?x12xf32>
  } else {
    scf.yield %x : tensor<?x12xf32>
  }
  return %r : tensor<?x12xf32>
}

// -----

// One result is a read of one tensor, the other a choice between two.
// CHECK-LABEL: func.func @one_of_two(
// CHECK:         scf.if
// CHECK:           linalg.generic
func.func @one_of_two(%x: tensor<?xf32>, %n: index, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %p = arith.cmpi eq, %d, %c1 : index
  // expected-remark @below {{Reason="the host knows the condition, and the sides are more than reads of one tensor, as it is or repeated"}}
  %r:2 = scf.if %p -> (tensor<?xf32>, tensor<4xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
         ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<?xf32>
    scf.yield %0, %y : tensor<?xf32>, tensor<4xf32>
  } else {
    scf.yield %x, %z : tensor<?xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<4xf32>
}

// -----

// An arm that reads one tensor, but calls a function too.
func.func private @log(index)

// CHECK-LABEL: func.func @effects(
// CHECK:         scf.if
// CHECK:           call @log
func.func @effects(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %p = arith.cmpi eq, %d, %c0 : index
  // expected-remark @below {{Reason="'func.call' in the branch has effects"}}
  %r = scf.if %p -> tensor<?xf32> {
    func.call @log(%d) : (index) -> ()
    scf.yield %x : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
