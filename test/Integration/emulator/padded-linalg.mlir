// Linalg that never saw our dialect: tensor.pad, a named convolution, channels
// last, and what follows it are one kernel.
//
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --dim n=2 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --dim n=1 | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --dim n=2 | FileCheck %s --check-prefix=CPU

// CHECK: verify: all 1 results of groups agree with the unfused program
// CPU:   verify: all 2 results of groups agree with the unfused program
#id = affine_map<(n, h, w, f) -> (n, h, w, f)>
func.func @main(%x: tensor<?x8x10x8xf32> {fusion.name = "x", fusion.dims = ["n", "", "", ""]},
                %w: tensor<3x3x8x16xf32> {fusion.name = "w", fusion.weight})
    -> (tensor<?x4x5x16xf32> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8x10x8xf32>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 0, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<?x8x10x8xf32> to tensor<?x9x12x8xf32>
  %e = tensor.empty(%n) : tensor<?x4x5x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4x5x16xf32>) -> tensor<?x4x5x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
       ins(%p, %w : tensor<?x9x12x8xf32>, tensor<3x3x8x16xf32>) outs(%f : tensor<?x4x5x16xf32>) -> tensor<?x4x5x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<?x4x5x16xf32>) outs(%e : tensor<?x4x5x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<?x4x5x16xf32>
  return %1 : tensor<?x4x5x16xf32>
}
