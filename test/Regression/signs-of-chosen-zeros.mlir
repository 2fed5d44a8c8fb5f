// Of -1 and -0 under a condition ptxas makes an integer, -1 or 0, and converts it: the
// zero loses its sign. Their bits are chosen instead.
// RUN: fusion-compile %s --target=sm_90a --emit=ptx | FileCheck %s

// CHECK-LABEL: .entry group_0(
// CHECK-NOT: selp.f32
// CHECK: selp.b32 {{%r[0-9]+}}, {{-1082130432, -2147483648|-2147483648, -1082130432}}
// CHECK-NOT: selp.f32
func.func @main(%c: tensor<64xi1> {fusion.name = "c"}) -> (tensor<64xf32> {fusion.name = "y"}) {
  %0 = fusion.constant dense<-1.0> : tensor<f32>
  %1 = fusion.broadcast %0 dims = [] : tensor<f32> to tensor<64xf32>
  %2 = fusion.constant dense<-0.0> : tensor<f32>
  %3 = fusion.broadcast %2 dims = [] : tensor<f32> to tensor<64xf32>
  %4 = fusion.select %c, %1, %3 : tensor<64xf32>
  return %4 : tensor<64xf32>
}
