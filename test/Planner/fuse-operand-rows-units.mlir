// Rows of one element, whose reductions and whose products keep loops of one
// iteration: these run together as longer ones would.
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK-NOT: Reason=
// REMARK:     [Passed]
// REMARK-NOT: Reason=

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @columns(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @columns(%a: tensor<32x1xf32>, %b: tensor<1x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x1xf32>
  %d = tensor.empty() : tensor<32x64xf32>
  %r = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<32xf32>) -> tensor<32xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<32x1xf32>) outs(%g : tensor<32xf32>) {
  ^bb0(%x: f32, %s: f32):
    %3 = arith.mulf %x, %x : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<32x1xf32>, tensor<32xf32>) outs(%e : tensor<32x1xf32>) attrs = {fusion.fuse_with = "all"} {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<32x1xf32>
  %2 = linalg.matmul {fusion.fuse_with = "all"} ins(%1, %b : tensor<32x1xf32>, tensor<1x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Both operands are of one array of one element: its loops are k and the other's.
// CHECK-LABEL: func.func @squares(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @squares(%a: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) attrs = {fusion.fuse_with = "all"} {
  ^bb0(%x: f32, %o: f32):
    %3 = math.exp %x : f32
    linalg.yield %3 : f32
  } -> tensor<1x1xf32>
  %2 = linalg.matmul {fusion.fuse_with = "all"} ins(%1, %1 : tensor<1x1xf32>, tensor<1x1xf32>) outs(%f : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %2 : tensor<1x1xf32>
}
