// Stacks whose parts kernels write in place, with other dims: rows of a number known
// at run time, whole tensors one after the other, heads, and a stack that a product
// reads.
//
// DEFINE: %{run} = fusion-run %s --verify --dim n=13
// RUN: %{run} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_80 | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_90a | FileCheck %s
// CHECK: verify: all {{.*}} results of groups agree
func.func @main(%x: tensor<?x16xf32> {fusion.name = "x", fusion.dims = ["n", ""]}, %h: tensor<?x32xf32> {fusion.name = "h", fusion.dims = ["n", ""]},
                %w: tensor<32x16xf32> {fusion.name = "w"}, %p: tensor<5x16xf32> {fusion.name = "p"}, %q: tensor<5x32xf32> {fusion.name = "q"},
                %g: tensor<5x2x16xf32> {fusion.name = "g"}, %u: tensor<32x48xf32> {fusion.name = "u"}, %v: tensor<16x7xf32> {fusion.name = "v"})
    -> (tensor<?x2x16xf32> {fusion.name = "rows"}, tensor<2x5x16xf32> {fusion.name = "tensors"},
        tensor<5x5x16xf32> {fusion.name = "heads"}, tensor<10x7xf32> {fusion.name = "read"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %y = fusion.matmul %h, %w : tensor<?x32xf32>, tensor<32x16xf32> -> tensor<?x16xf32>
  %a = fusion.reshape %x sizes(%n) : tensor<?x16xf32> to tensor<?x1x16xf32>
  %b = fusion.reshape %y sizes(%n) : tensor<?x16xf32> to tensor<?x1x16xf32>
  %rows = fusion.concat %b, %a dim = 1 : tensor<?x1x16xf32>, tensor<?x1x16xf32> -> tensor<?x2x16xf32>
  %s = fusion.matmul %q, %w : tensor<5x32xf32>, tensor<32x16xf32> -> tensor<5x16xf32>
  %c = fusion.reshape %p : tensor<5x16xf32> to tensor<1x5x16xf32>
  %d = fusion.reshape %s : tensor<5x16xf32> to tensor<1x5x16xf32>
  %tensors = fusion.concat %c, %d dim = 0 : tensor<1x5x16xf32>, tensor<1x5x16xf32> -> tensor<2x5x16xf32>
  %m = fusion.matmul %q, %u : tensor<5x32xf32>, tensor<32x48xf32> -> tensor<5x48xf32>
  %e = fusion.reshape %m : tensor<5x48xf32> to tensor<5x3x16xf32>
  %heads = fusion.concat %g, %e dim = 1 : tensor<5x2x16xf32>, tensor<5x3x16xf32> -> tensor<5x5x16xf32>
  %t = fusion.matmul %q, %w : tensor<5x32xf32>, tensor<32x16xf32> -> tensor<5x16xf32>
  %i = fusion.reshape %p : tensor<5x16xf32> to tensor<5x1x16xf32>
  %j = fusion.reshape %t : tensor<5x16xf32> to tensor<5x1x16xf32>
  %k = fusion.concat %i, %j dim = 1 : tensor<5x1x16xf32>, tensor<5x1x16xf32> -> tensor<5x2x16xf32>
  %l = fusion.reshape %k : tensor<5x2x16xf32> to tensor<10x16xf32>
  %read = fusion.matmul %l, %v : tensor<10x16xf32>, tensor<16x7xf32> -> tensor<10x7xf32>
  return %rows, %tensors, %heads, %read : tensor<?x2x16xf32>, tensor<2x5x16xf32>, tensor<5x5x16xf32>, tensor<10x7xf32>
}
