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

// CHECK-LABEL: func.func @movement(
// CHECK-SAME:    %[[X:.*]]: tensor<4x?xf32>, %[[I:.*]]: tensor<?xi64>, %[[N:.*]]: index
func.func @movement(%x: tensor<4x?xf32>, %i: tensor<?xi64>, %n: index) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = tensor.dim %[[X]], %c1
  // CHECK: %[[B:.*]] = tensor.dim %[[X]], %c1
  // CHECK: %[[TWICE:.*]] = arith.addi %[[A]], %[[B]]
  // CHECK: %[[C:.*]] = tensor.dim %[[X]], %c1
  // CHECK: %[[MORE:.*]] = arith.addi %[[C]], %c3
  // CHECK: %[[COUNT:.*]] = tensor.dim %[[I]], %c0
  // CHECK: %[[SIZE:.*]] = tensor.dim %[[X]], %c1
  %0 = fusion.slice %x starts = [0, 0] steps = [1, 1] sizes(%n) : tensor<4x?xf32> to tensor<4x?xf32>
  %1 = fusion.concat %x, %x dim = 1 : tensor<4x?xf32>, tensor<4x?xf32> -> tensor<4x?xf32>
  %2 = fusion.pad edge, %x low = [0, 1] high = [0, 2] : tensor<4x?xf32> to tensor<4x?xf32>
  %3 = fusion.gather %x, %i dim = 0 : tensor<4x?xf32>, tensor<?xi64> -> tensor<?x?xf32>
  %d0 = tensor.dim %0, %c1 : tensor<4x?xf32>
  %d1 = tensor.dim %1, %c1 : tensor<4x?xf32>
  %d2 = tensor.dim %2, %c1 : tensor<4x?xf32>
  %d3 = tensor.dim %3, %c0 : tensor<?x?xf32>
  %d4 = tensor.dim %3, %c1 : tensor<?x?xf32>
  // CHECK: return %[[N]], %[[TWICE]], %[[MORE]], %[[COUNT]], %[[SIZE]]
  return %d0, %d1, %d2, %d3, %d4 : index, index, index, index, index
}

// (size + 1 + 1 - 2 * 2 - 1) / 2 + 1
// CHECK-LABEL: func.func @window(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3x?xf32>
func.func @window(%x: tensor<?x3x?xf32>, %w: tensor<8x3x3xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // CHECK-DAG: %[[SIZE:.*]] = tensor.dim %[[X]], %c2
  // CHECK-DAG: %[[ROOM:.*]] = arith.addi %[[SIZE]], %c-3
  // CHECK-DAG: %[[STEPS:.*]] = arith.divsi %[[ROOM]], %c2
  // CHECK-DAG: %[[PLACES:.*]] = arith.addi %[[STEPS]], %c1
  // CHECK-DAG: %[[BATCH:.*]] = tensor.dim %[[X]], %c0
  %0 = fusion.conv %x, %w strides = [2] dilations = [2] low = [1] high = [1] groups = 1
       : tensor<?x3x?xf32>, tensor<8x3x3xf32> -> tensor<?x8x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x8x?xf32>
  %d1 = tensor.dim %0, %c2 : tensor<?x8x?xf32>
  // CHECK: return %[[BATCH]], %[[PLACES]]
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @conv_transpose(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4x?xf32>
func.func @conv_transpose(%x: tensor<?x4x?xf32>, %w: tensor<4x3x5xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = fusion.conv_transpose %x, %w strides = [3] dilations = [2] low = [1] high = [2] groups = 1
       : tensor<?x4x?xf32>, tensor<4x3x5xf32> -> tensor<?x3x?xf32>
  // size * 3 + (2 * 4 + 1 - 3 - 1 - 2)
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
  // CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c0
  // CHECK-DAG: %[[L:.*]] = tensor.dim %[[X]], %c2
  // CHECK:     %[[SCALED:.*]] = arith.muli %[[L]], %[[C3]]
  // CHECK:     %[[PLACES:.*]] = arith.addi %[[SCALED]], %[[C3]]
  %n = tensor.dim %0, %c0 : tensor<?x3x?xf32>
  %f = tensor.dim %0, %c1 : tensor<?x3x?xf32>
  %l = tensor.dim %0, %c2 : tensor<?x3x?xf32>
  // CHECK: return %[[N]], %[[C3]], %[[PLACES]]
  return %n, %f, %l : index, index, index
}
