// Names that would end the script, the element or the string that they stand in.
func.func @main(%x: tensor<8x4xf32> {fusion.name = "</script><b>x"}, %w: tensor<4x4xf32>)
    -> (tensor<8x4xf32> {fusion.name = "y & \22z\22"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32> loc("<img src=x onerror=alert(1)>")
  %1 = linalg.negf ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32> loc("a\22b\\c'd<!--")
  %2 = linalg.matmul {fusion.no_fuse} ins(%1, %w : tensor<8x4xf32>, tensor<4x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32> loc("\E7\9F\A9\E9\98\B5 \FF</script>")
  return %2 : tensor<8x4xf32>
}
