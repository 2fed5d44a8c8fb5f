func.func @main(%x: tensor<?x4xf32> {fusion.name = "x", fusion.dims = ["n", ""]})
    -> (tensor<?x4xf32> {fusion.name = "y"}) {
  %0 = fusion.add %x, %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
