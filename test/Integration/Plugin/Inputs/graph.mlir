func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = fusion.exp %x : tensor<8x4xf32>
  %1 = fusion.neg %0 : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
