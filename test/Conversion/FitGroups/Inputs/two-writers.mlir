func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %d = tensor.empty() : tensor<4xf32>
  %r = fusion.group "twice" kinds ["horizontal"] ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%x0: tensor<4xf32>, %d0: tensor<4xf32>):
    // Both write %d0.
    %0 = fusion.group "exp" kinds [] ins(%x0 : tensor<4xf32>) outs(%d0 : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %2 : tensor<4xf32>
    } : tensor<4xf32>
    %1 = fusion.group "neg" kinds [] ins(%x0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %2 = linalg.negf ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %2 : tensor<4xf32>
    } : tensor<4xf32>
    fusion.yield %1 : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}
