// Every operation says the shape of its result in terms of its operands.
// RUN: fusion-opt %s -resolve-ranked-shaped-type-result-dims -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME:    %[[X:.*]]: tensor<4x?xf32>
func.func @elementwise(%x: tensor<4x?xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = fusion.exp %x : tensor<4x?xf32>
  %1 = fusion.compare lt, %0, %x : tensor<4x?xf32>
  %2 = fusion.softmax %0 dim = 1 : tensor<4x?xf32>
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<4x?xf32>
  %d0 = tensor.dim %1, %c0 : tensor<4x?xi1>
  %d1 = tensor.dim %1, %c1 : tensor<4x?xi1>
  %d2 = tensor.dim %2, %c1 : tensor<4x?xf32>
  // CHECK: return %[[C4]], %{{.*}}, %{{.*}}
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %[[A:.*]]: tensor<?x?x?xf32>, %[[B:.*]]: tensor<2x?x?xf32>
func.func @matmul(%a: tensor<?x?x?xf32>, %b: tensor<2x?x?xf32>) -> (index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = fusion.matmul %a, %b {transpose_a, transpose_b} : tensor<?x?x?xf32>, tensor<2x?x?xf32> -> tensor<2x?x?xf32>
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2
  // CHECK-DAG: %[[M:.*]] = tensor.dim %[[A]], %[[C2]]
  // CHECK-DAG: %[[N:.*]] = tensor.dim %[[B]], %[[C1]]
  %m = tensor.dim %0, %c1 : tensor<2x?x?xf32>
  %n = tensor.dim %0, %c2 : tensor<2x?x?xf32>
  // CHECK: return %[[M]], %[[N]]
  return %m, %n : index, index
}

// CHECK-LABEL: func.func @shapes(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>, %[[N:.*]]: index
func.func @shapes(%x: tensor<?x4xf32>, %n: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[D:.*]] = tensor.dim %[[X]]
  %0 = fusion.transpose %x perm = [1, 0] : tensor<?x4xf32> to tensor<4x?xf32>
  %d0 = tensor.dim %0, %c1 : tensor<4x?xf32>
  %1 = fusion.reduce max, %x dims = [1] : tensor<?x4xf32> to tensor<?xf32>
  %d1 = tensor.dim %1, %c0 : tensor<?xf32>
  %2 = fusion.broadcast %x dims = [1, 2] sizes(%n, %d0) : tensor<?x4xf32> to tensor<?x?x4xf32>
  %d2 = tensor.dim %2, %c0 : tensor<?x?x4xf32>
  %3 = fusion.reshape %x sizes(%n) : tensor<?x4xf32> to tensor<2x?xf32>
  %d3 = tensor.dim %3, %c1 : tensor<2x?xf32>
  // CHECK: return %[[D]], %{{.*}}, %[[N]], %[[N]]
  return %d0, %d1, %d2, %d3 : index, index, index, index
}

// CHECK-LABEL: func.func @group(
// CHECK-SAME:    %[[D:.*]]: tensor<?xf32>
func.func @group(%d: tensor<?xf32>) -> (index, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[N:.*]] = tensor.dim %[[D]]
  %0 = fusion.group "g" kinds [] outs(%d : tensor<?xf32>) {
  ^bb0(%a: tensor<?xf32>):
    fusion.yield %a : tensor<?xf32>
  } : tensor<?xf32>
  %n = tensor.dim %0, %c0 : tensor<?xf32>
  // CHECK: return %[[N]]
  return %n, %0 : index, tensor<?xf32>
}
