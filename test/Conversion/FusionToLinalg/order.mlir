// RUN: fusion-opt %s -fusion-to-linalg -split-input-file | FileCheck %s

// The extreme, then the first position that holds it.
// CHECK-LABEL: func.func @arg_max(
// CHECK-SAME: %[[X:.*]]: tensor<4x?xf16>
func.func @arg_max(%x: tensor<4x?xf16>) -> tensor<4xi64> {
  // CHECK: %[[M:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[X]]
  // CHECK: arith.maximumf {{.*}} : f32
  // CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[X]], %[[M]]
  // CHECK: arith.cmpf oeq
  // CHECK: arith.cmpf uno
  // CHECK: arith.minsi {{.*}} : i64
  %0 = fusion.arg_reduce max, %x dim = 1 : tensor<4x?xf16> to tensor<4xi64>
  return %0 : tensor<4xi64>
}

// -----

// Over no elements there is nothing to look at.
// CHECK-LABEL: func.func @arg_of_nothing(
// CHECK-NOT: linalg.generic
// CHECK: linalg.fill
func.func @arg_of_nothing(%x: tensor<4x0xf32>) -> tensor<4xi64> {
  %0 = fusion.arg_reduce min, %x dim = 1 last : tensor<4x0xf32> to tensor<4xi64>
  return %0 : tensor<4xi64>
}

// -----

// Short rows: the number of elements that come before one is its place.
// CHECK-LABEL: func.func @top_k(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: arith.cmpi ugt
// CHECK: arith.addi {{.*}} : i32
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: arith.maxsi {{.*}} : i64
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK: tensor.extract
func.func @top_k(%x: tensor<?x50xui8>) -> (tensor<?x8xui8>, tensor<?x8xi64>) {
  %0, %1 = fusion.top_k %x dim = 1 : tensor<?x50xui8> to tensor<?x8xui8>, tensor<?x8xi64>
  return %0, %1 : tensor<?x8xui8>, tensor<?x8xi64>
}

// -----

// Long ones: 12 * 13 / 2 steps of a network, two more to begin and end, one to read.
// CHECK-LABEL: func.func @sort_long(
// CHECK-NOT: "reduction"
// CHECK-COUNT-81: linalg.generic
// CHECK-NOT: linalg.generic
func.func @sort_long(%x: tensor<3000xf32>) -> (tensor<3000xf32>, tensor<3000xi64>) {
  %0, %1 = fusion.top_k %x dim = 0 smallest : tensor<3000xf32> to tensor<3000xf32>, tensor<3000xi64>
  return %0, %1 : tensor<3000xf32>, tensor<3000xi64>
}
