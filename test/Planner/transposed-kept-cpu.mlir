// Tiles of a CPU run along rows and columns as they lie: loops that a transpose
// keeps apart stay apart. A GPU stores tiles by places of their own.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' | FileCheck %s --check-prefix=GPU
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=cpu}))' | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=cpu}))' \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// GPU-COUNT-1: fusion.group "{{.*}}" kinds ["vertical"]
// GPU-NOT:     fusion.group

// Images whose rows and columns change places: tiles run along both as one.
// CHECK-LABEL: func.func @image(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @image(%x: tensor<2x16x14x13xf32>, %w: tensor<24x16x1x1xf32>) -> tensor<2x24x13x14xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x24x14x13xf32>
  %f = tensor.empty() : tensor<2x24x13x14xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x24x14x13xf32>) -> tensor<2x24x14x13xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x16x14x13xf32>, tensor<24x16x1x1xf32>) outs(%i : tensor<2x24x14x13xf32>) -> tensor<2x24x14x13xf32>
  // expected-remark @below {{Reason="a transposed tensor keeps loops apart that the contraction's tiles run along as one"}}
  %1 = linalg.transpose ins(%0 : tensor<2x24x14x13xf32>) outs(%f : tensor<2x24x13x14xf32>) permutation = [0, 1, 3, 2]
  return %1 : tensor<2x24x13x14xf32>
}
