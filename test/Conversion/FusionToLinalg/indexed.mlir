// RUN: fusion-opt %s -fusion-to-linalg -canonicalize -split-input-file | FileCheck %s

// A tuple of positions is read where it is needed; nothing is made of it before.
// CHECK-LABEL: func.func @gather_nd(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x7x3xf32>, %[[I:.*]]: tensor<2x4x2xi64>
func.func @gather_nd(%x: tensor<2x5x7x3xf32>, %i: tensor<2x4x2xi64>) -> tensor<2x4x3xf32> {
  // CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]}
  // CHECK: tensor.extract %[[I]]
  // CHECK: tensor.extract %[[I]]
  // CHECK: tensor.extract %[[X]]
  // CHECK-NOT: linalg.generic
  %0 = fusion.gather_nd %x, %i batch_dims = 1 : tensor<2x5x7x3xf32>, tensor<2x4x2xi64> -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// Which update is the last is a reduction over their numbers.
// CHECK-LABEL: func.func @scatter_replace(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %{{.*}}: tensor<4x3xi64>, %[[U:.*]]: tensor<4x3xf32>
func.func @scatter_replace(%x: tensor<4x8xf32>, %i: tensor<4x3xi64>, %u: tensor<4x3xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[T:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
  // CHECK: %[[LAST:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[T]]
  // CHECK: arith.maxsi
  // CHECK: linalg.generic {{.*}}ins(%[[LAST]], %[[X]]
  // CHECK: scf.if
  // CHECK: tensor.extract %[[U]]
  %0 = fusion.scatter_elements replace, %x, %i, %u dim = 1 : tensor<4x8xf32>, tensor<4x3xi64>, tensor<4x3xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Halves are combined in f32, and rounded once; x + -0 keeps the sign of a zero.
// CHECK-LABEL: func.func @scatter_add(
func.func @scatter_add(%x: tensor<8xf16>, %i: tensor<3xi64>, %u: tensor<3xf16>) -> tensor<8xf16> {
  // CHECK-DAG: %[[NONE:.*]] = arith.constant -0.000000e+00 : f32
  // CHECK: linalg.fill ins(%[[NONE]] : f32)
  // CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
  // CHECK: arith.extf
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[NONE]] : f32
  // CHECK: arith.addf {{.*}} : f32
  // CHECK: linalg.generic
  // CHECK: arith.addf {{.*}} : f32
  // CHECK: arith.truncf {{.*}} {fusion.rounding} : f32 to f16
  %0 = fusion.scatter_elements add, %x, %i, %u dim = 0 : tensor<8xf16>, tensor<3xi64>, tensor<3xf16>
  return %0 : tensor<8xf16>
}

// -----

// Tuples become numbers of slices; what decides runs over the slices only.
// CHECK-LABEL: func.func @scatter_nd(
// CHECK-SAME: %[[X:.*]]: tensor<5x7x3xf32>, %[[I:.*]]: tensor<2x?x2xi64>, %[[U:.*]]: tensor<2x?x3xf32>
func.func @scatter_nd(%x: tensor<5x7x3xf32>, %i: tensor<2x?x2xi64>, %u: tensor<2x?x3xf32>) -> tensor<5x7x3xf32> {
  // CHECK: %[[T:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x?xi64>)
  // CHECK-DAG: %[[FLAT:.*]] = tensor.collapse_shape %[[T]] {{\[}}[0, 1]] : tensor<2x?xi64> into tensor<?xi64>
  // CHECK-DAG: %[[V:.*]] = tensor.collapse_shape %[[U]] {{\[}}[0, 1], [2]] : tensor<2x?x3xf32> into tensor<?x3xf32>
  // CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[FLAT]] : tensor<?xi64>) outs(%{{.*}} : tensor<5x7xi64>)
  // CHECK: tensor.extract %[[V]]
  %0 = fusion.scatter_nd replace, %x, %i, %u : tensor<5x7x3xf32>, tensor<2x?x2xi64>, tensor<2x?x3xf32>
  return %0 : tensor<5x7x3xf32>
}
