// Branches that ask for sizes, as `tosa-to-linalg` writes them where dims are dynamic.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file | FileCheck %s

// The host says at which position is read.
// CHECK-LABEL: func.func @repeated(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x12xf32>
// CHECK:         %[[ONE:.*]] = arith.cmpi eq
// CHECK:         %[[SIZE:.*]] = arith.select %[[ONE]]
// CHECK-NOT:     scf.if
// CHECK:         tensor.empty(%[[SIZE]])
// CHECK:         linalg.generic
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[AT:.*]] = arith.select %[[ONE]], %{{.*}}, %[[I]] : index
// CHECK:           tensor.extract %[[X]][%[[AT]], %{{.*}}]
func.func @repeated(%x: tensor<?x12xf32>, %n: tensor<?x12xf32>) -> tensor<?x12xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?x12xf32>
  %p = arith.cmpi eq, %d, %c1 : index
  %r = scf.if %p -> tensor<?x12xf32> {
    %g = tensor.dim %n, %c0 : tensor<?x12xf32>
    %m = arith.maxui %d, %g : index
    %e = tensor.empty(%m) : tensor<?x12xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i, j)>],
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

// Of the sizes that are compared one is the other: nothing is repeated.
// CHECK-LABEL: func.func @one_size(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x12xf32>
// CHECK-NOT:     scf.if
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[X]]
func.func @one_size(%x: tensor<?x12xf32>) -> tensor<?x12xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?x12xf32>
  %e0 = tensor.empty(%d) : tensor<?x1xf32>
  %g = tensor.dim %e0, %c0 : tensor<?x1xf32>
  %m = arith.maxui %d, %g : index
  %p = arith.cmpi eq, %d, %c1 : index
  %r = scf.if %p -> tensor<?x12xf32> {
    %e = tensor.empty(%m) : tensor<?x12xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i, j)>],
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

// Not so where the condition is about another size, or a number.
// CHECK-LABEL: func.func @other_condition(
// CHECK:         linalg.generic
// CHECK:           tensor.extract
func.func @other_condition(%x: tensor<?x12xf32>) -> tensor<?x12xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c0 : tensor<?x12xf32>
  %p = arith.cmpi eq, %d, %c2 : index
  %r = scf.if %p -> tensor<?x12xf32> {
    %e = tensor.empty(%d) : tensor<?x12xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i, j)>],
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
