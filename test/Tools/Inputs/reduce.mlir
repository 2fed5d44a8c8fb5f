func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fusion.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fusion.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
