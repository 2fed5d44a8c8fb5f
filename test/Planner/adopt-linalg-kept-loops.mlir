// Loops around operations on tensors, and changes of layout that would need them: nothing
// is made of these.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Loops of whole tensors, one in the other; a loop in a body is simple code.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @loops_of_tensors(
// CHECK:         scf.while
// CHECK:           scf.for
func.func @loops_of_tensors(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{Reason="a loop around operations on tensors is not compiled: write out each of its steps, or a linalg operation in its place"}}
  %r = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %v = tensor.extract %a[%c0] : tensor<4xf32>
    %c = arith.cmpf olt, %v, %one : f32
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    // expected-remark @below {{Reason="a loop around operations on tensors is not compiled: write out each of its steps, or a linalg operation in its place"}}
    %f = scf.for %i = %c0 to %n step %c1 iter_args(%g = %b) -> tensor<4xf32> {
      %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%g : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %d: f32):
        %t = scf.for %j = %c0 to %n step %c1 iter_args(%u = %p) -> f32 {
          %w = arith.mulf %u, %p : f32
          scf.yield %w : f32
        }
        linalg.yield %t : f32
      } -> tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    }
    scf.yield %f : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Threads that each insert a part.
// CHECK-LABEL: func.func @parts_in_parallel(
// CHECK:         scf.forall
// CHECK:           linalg.generic
func.func @parts_in_parallel(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-remark @below {{Reason="a loop around operations on tensors is not compiled: write out each of its steps, or a linalg operation in its place"}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> tensor<4x8xf32> {
    %0 = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    %1 = math.exp %0 : tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    }
  }
  return %r : tensor<4x8xf32>
}

// -----

// A loop whose bounds are known: the number of steps is one.
// CHECK-LABEL: func.func @one_step(
// CHECK:         affine.for
// CHECK:           linalg.add
func.func @one_step(%x: tensor<4xi32>, %e: tensor<4xi32>) -> tensor<4xi32> {
  // expected-remark @below {{Reason="a loop around operations on tensors is not compiled}}
  %r = affine.for %i = 0 to 1 iter_args(%a = %x) -> tensor<4xi32> {
    %0 = linalg.add ins(%a, %x : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    affine.yield %0 : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

// -----

// A sum in a loop over scalars: its result is the host's.
// CHECK-LABEL: func.func @sum_of_elements(
// CHECK:         scf.parallel
func.func @sum_of_elements(%x: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // expected-remark @below {{Reason="a loop around operations on tensors is not compiled}}
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    %v = tensor.extract %x[%i] : tensor<?xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}

// -----

// A loop in an arm; the branch around it is one of the device.
// CHECK-LABEL: func.func @in_an_arm(
// CHECK:         fusion.if
// CHECK:           scf.for
func.func @in_an_arm(%c: tensor<i1>, %x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.extract %c[] : tensor<i1>
  %r = scf.if %p -> tensor<4xf32> {
    // expected-remark @below {{Reason="a loop around operations on tensors is not compiled}}
    %q = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
      %0 = math.sqrt %a : tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    }
    scf.yield %q : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Tiles as large as the host says.
// CHECK-LABEL: func.func @packed_in_unknown_tiles(
// CHECK:         linalg.pack
// CHECK-NOT:     linalg.generic
func.func @packed_in_unknown_tiles(%x: tensor<?x16xf32>, %n: index, %e: tensor<?x1x?x16xf32>) -> tensor<?x1x?x16xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{Reason="the sizes of its tiles are not constants"}}
  %0 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [%n, 16] into %e
    : tensor<?x16xf32> -> tensor<?x1x?x16xf32>
  return %0 : tensor<?x1x?x16xf32>
}
