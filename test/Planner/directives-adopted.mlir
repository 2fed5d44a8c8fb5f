// Directives on ops that become linalg ops: arithmetic on tensors, slices,
// aggregates.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-linalg-to-groups{target=sm_90a})' | FileCheck %s
// CHECK-LABEL: func.func @main(
// CHECK-DAG:     fusion.group "exp" kinds []
// CHECK-DAG:     fusion.group "{{.*}}neg{{.*}}" kinds []
// CHECK-DAG:     fusion.group "slice" kinds []
// CHECK-DAG:     fusion.group "softmax" kinds ["vertical"]
func.func @main(%x: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.exp ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32> loc("exp")
  %1 = arith.negf %0 {fusion.no_fuse} : tensor<8x16xf32> loc("neg")
  %2 = tensor.extract_slice %1[2, 0] [4, 16] [1, 1] {fusion.no_fuse} : tensor<8x16xf32> to tensor<4x16xf32> loc("slice")
  %f = tensor.empty() : tensor<4x16xf32>
  %3 = linalg.softmax dimension(1) ins(%2 : tensor<4x16xf32>) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32> loc("softmax")
  return %3 : tensor<4x16xf32>
}
