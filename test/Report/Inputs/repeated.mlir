// Three kernels, two of equal code: they differ in names and operands.
func.func @main(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>, %z: tensor<16x4xf32>)
    -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<16x4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<16x4xf32>
  %0 = linalg.exp {fusion.no_fuse} ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32> loc("a")
  %1 = linalg.exp {fusion.no_fuse} ins(%y : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32> loc("b")
  %2 = linalg.exp {fusion.no_fuse} ins(%z : tensor<16x4xf32>) outs(%f : tensor<16x4xf32>) -> tensor<16x4xf32> loc("c")
  return %0, %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<16x4xf32>
}
