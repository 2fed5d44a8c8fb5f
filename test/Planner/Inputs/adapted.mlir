// A linear layer with a low-rank term: x·W + 2 (x·A)·B.
func.func @main(%x: tensor<40x256xf32> {fusion.name = "x"}, %w: tensor<256x256xf32> {fusion.name = "w"},
                %a: tensor<256x8xf32> {fusion.name = "a"}, %b: tensor<8x256xf32> {fusion.name = "b"})
    -> (tensor<40x256xf32> {fusion.name = "y"}) {
  %two = fusion.constant dense<2.0> : tensor<40x256xf32>
  %0 = fusion.matmul %x, %w : tensor<40x256xf32>, tensor<256x256xf32> -> tensor<40x256xf32> loc("wide")
  %1 = fusion.matmul %x, %a : tensor<40x256xf32>, tensor<256x8xf32> -> tensor<40x8xf32> loc("down")
  %2 = fusion.matmul %1, %b : tensor<40x8xf32>, tensor<8x256xf32> -> tensor<40x256xf32> loc("up")
  %3 = fusion.mul %2, %two : tensor<40x256xf32> loc("twice")
  %4 = fusion.add %0, %3 : tensor<40x256xf32> loc("sum")
  return %4 : tensor<40x256xf32>
}
