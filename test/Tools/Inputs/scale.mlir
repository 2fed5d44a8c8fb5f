func.func @main(%x: tensor<?x3xf32> {fusion.name = "x", fusion.dims = ["n", ""]})
    -> (tensor<?x3xf32> {fusion.name = "y"}) {
  %0 = fusion.add %x, %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
