// A product with one column is sums of rows. What its kernel computes for it is
// rounded to f16 before it is multiplied, as in the kernel of any product, and in the
// reference: results that cancel show the difference.
//
// RUN: fusion-run %s --dim=b=7 --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --emit=tiles | FileCheck %s --check-prefix=TILES
// CHECK: verify: group 0 {{.*}}: largest error 0.00e+00 absolute
// CHECK: verify: all 1 results of groups agree with the unfused program
// TILES: kind = "rows"
// TILES: arith.truncf {{.*}} : tensor<[[R:[0-9]+]]x64xf32, #{{.*}}> to tensor<[[R]]x64xf16
// TILES: tile.reduce
func.func @main(%x: tensor<1x?x64xf16> {fusion.name = "x", fusion.dims = ["", "b", ""]}, %s: tensor<1x?xf16> {fusion.name = "s", fusion.dims = ["", "b"]}, %u: tensor<f16> {fusion.name = "u", fusion.dims = []}, %w: tensor<1x64xf16> {fusion.name = "w", fusion.dims = ["", ""]}) -> (tensor<?x1x1xf16> {fusion.name = "y"}) {
  %ci = arith.constant 1 : index
  %dy = tensor.dim %x, %ci : tensor<1x?x64xf16>
  %ea = tensor.empty(%dy) : tensor<1x?x64xf16>
  %ey = tensor.empty(%dy) : tensor<?x1x1xf32>
  %eh = tensor.empty(%dy) : tensor<?x1x1xf16>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%ey : tensor<?x1x1xf32>) -> tensor<?x1x1xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(a, b, k) -> (a, b, k)>, affine_map<(a, b, k) -> (a, b)>, affine_map<(a, b, k) -> (a, b, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<1x?x64xf16>, tensor<1x?xf16>) outs(%ea : tensor<1x?x64xf16>) attrs = {fusion.fuse_with = "all"} {
  ^bb0(%i: f16, %j: f16, %o: f16):
    %ie = arith.extf %i : f16 to f32
    %je = arith.extf %j : f16 to f32
    %v = arith.mulf %ie, %je : f32
    %v2 = math.exp2 %v : f32
    %r = arith.truncf %v2 {fusion.rounding} : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x?x64xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, n, k) -> (a, b, k)>, affine_map<(a, b, n, k) -> (n, k)>, affine_map<(a, b, n, k) -> (b, a, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %w : tensor<1x?x64xf16>, tensor<1x64xf16>) outs(%f : tensor<?x1x1xf32>) attrs = {fusion.fuse_with = "all"} {
  ^bb0(%i: f16, %j: f16, %o: f32):
    %ie = arith.extf %i : f16 to f32
    %je = arith.extf %j : f16 to f32
    %v = arith.mulf %ie, %je : f32
    %v2 = arith.addf %o, %v : f32
    linalg.yield %v2 : f32
  } -> tensor<?x1x1xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(b, a, n) -> (b, a, n)>, affine_map<(b, a, n) -> (b, a, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y : tensor<?x1x1xf32>) outs(%eh : tensor<?x1x1xf16>) {
  ^bb0(%i: f32, %o: f16):
    %r = arith.truncf %i {fusion.rounding} : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x1x1xf16>
  return %z : tensor<?x1x1xf16>
}