func.func @main(%x: tensor<4xf32> {fusion.name = "x"})
    -> (tensor<4xf32> {fusion.name = "y"}, tensor<4xf32> {fusion.name = "z"}) {
  %0 = fusion.exp %x : tensor<4xf32>
  %1 = fusion.neg %0 {fusion.no_fuse} : tensor<4xf32>
  %2 = fusion.tanh %1 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
