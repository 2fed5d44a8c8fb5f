// A reduction over a dynamic dim that only a computed tensor has: the host tells the
// kernel its size.
// RUN: fusion-run %s --device=cpu --dim n=3 --input x=randint:1:2 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --dim n=3 --input x=randint:1:2 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --dim n=300 --input x=randint:1:2 --verify | FileCheck %s
// CHECK: p: f32 least 8 most 8
// CHECK: q: f32 least 0.25 most 0.25
func.func @main(%x: tensor<?x3xf32> {fusion.name = "x", fusion.dims = ["n", ""]})
    -> (tensor<f32> {fusion.name = "p"}, tensor<f32> {fusion.name = "q"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %eight = fusion.constant dense<8.0> : tensor<f32>
  %0 = fusion.reduce min, %x dims = [1] : tensor<?x3xf32> to tensor<?xf32>
  %1 = fusion.broadcast %eight dims = [] sizes(%n) : tensor<f32> to tensor<?xf32>
  %2 = fusion.concat %0, %1 dim = 0 : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  %3 = fusion.reduce max, %2 dims = [0] : tensor<?xf32> to tensor<f32>
  // As many elements as the host says: the mean of n halves of x / 2 and n zeros.
  %half = fusion.constant dense<0.5> : tensor<f32>
  %zero = fusion.constant dense<0.0> : tensor<f32>
  %4 = fusion.broadcast %half dims = [] sizes(%n) : tensor<f32> to tensor<?xf32>
  %5 = fusion.broadcast %zero dims = [] sizes(%n) : tensor<f32> to tensor<?xf32>
  %6 = fusion.concat %4, %5 dim = 0 : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  %7 = fusion.reduce mean, %6 dims = [0] : tensor<?xf32> to tensor<f32>
  return %3, %7 : tensor<f32>, tensor<f32>
}
