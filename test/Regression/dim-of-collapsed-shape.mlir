// The size of a collapsed dim is the product of its parts, which were read from
// a list that was gone already.
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=none}))' | FileCheck %s

// CHECK-LABEL: func.func @collapsed(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3x?xf32>
// CHECK-DAG:     %[[A:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG:     %[[B:.*]] = arith.muli %[[A]], %c3
// CHECK:         return %{{.*}}, %[[B]]
func.func @collapsed(%x: tensor<?x3x?xf32>) -> (tensor<?x3x?xf32>, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %x, %c0 : tensor<?x3x?xf32>
  %n = tensor.dim %x, %c2 : tensor<?x3x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x3x?xf32>
  %y = linalg.exp ins(%x : tensor<?x3x?xf32>) outs(%e : tensor<?x3x?xf32>) -> tensor<?x3x?xf32>
  %c = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x3x?xf32> into tensor<?x?xf32>
  %d = tensor.dim %c, %c0 : tensor<?x?xf32>
  return %y, %d : tensor<?x3x?xf32>, index
}
