// A reduction over a dynamic dim that only a computed tensor has: the CPU runs it;
// GPU kernels have the dim's size from nowhere and are refused, not a crash.
// RUN: fusion-run %s --device=cpu --dim n=3 --verify | FileCheck %s --check-prefix=CPU
// RUN: not fusion-compile %s --target=sm_90a --emit=ptx -o %t 2>&1 | FileCheck %s
// CPU: p: f32
// CHECK: error: expected an array with the reduced dim {{[0-9]+}} of the group, whose size is dynamic
func.func @main(%x: tensor<?x3xf32> {fusion.name = "x", fusion.dims = ["n", ""]}) -> (tensor<f32> {fusion.name = "p"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %zero = fusion.constant dense<-0.0> : tensor<f32>
  %0 = fusion.reduce min, %x dims = [1] : tensor<?x3xf32> to tensor<?xf32>
  %1 = fusion.broadcast %zero dims = [] sizes(%n) : tensor<f32> to tensor<?xf32>
  %2 = fusion.concat %0, %1 dim = 0 : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  %3 = fusion.reduce prod, %2 dims = [0] : tensor<?xf32> to tensor<f32>
  return %3 : tensor<f32>
}
