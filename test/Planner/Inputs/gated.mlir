func.func @main(%x: tensor<ROWSx1536xf32> {fusion.name = "x"},
                %g: tensor<8960x1536xf32> {fusion.name = "g", fusion.weight},
                %u: tensor<8960x1536xf32> {fusion.name = "u", fusion.weight})
    -> (tensor<ROWSx8960xf32> {fusion.name = "y"}) {
  %0 = fusion.matmul %x, %g {transpose_b} : tensor<ROWSx1536xf32>, tensor<8960x1536xf32> -> tensor<ROWSx8960xf32> loc("gate")
  %1 = fusion.matmul %x, %u {transpose_b} : tensor<ROWSx1536xf32>, tensor<8960x1536xf32> -> tensor<ROWSx8960xf32> loc("up")
  %2 = fusion.silu %0 : tensor<ROWSx8960xf32> loc("silu")
  %3 = fusion.mul %2, %1 : tensor<ROWSx8960xf32> loc("mul")
  return %3 : tensor<ROWSx8960xf32>
}
