// A nest of loops of few steps each: unrolled as a whole it took minutes to compile.
// RUN: timeout 20 fusion-run %s --device=cpu --fuse=none | FileCheck %s
// CHECK: y: 7x32x7x1:bf16  (1568 infinite or NaN)
func.func @main() -> (tensor<7x32x7x1xbf16> {fusion.name = "y"}) {
  %zero = fusion.constant dense<0.0> : tensor<bf16>
  %0 = fusion.broadcast %zero dims = [] : tensor<bf16> to tensor<7x32x7x1xbf16>
  %1 = fusion.rsqrt %0 : tensor<7x32x7x1xbf16>
  return %1 : tensor<7x32x7x1xbf16>
}
