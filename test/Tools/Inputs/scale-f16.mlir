func.func @main(%x: tensor<?x3xf16> {fusion.name = "x", fusion.dims = ["n", ""]})
    -> (tensor<?x3xf16> {fusion.name = "y"}) {
  %0 = fusion.add %x, %x : tensor<?x3xf16>
  return %0 : tensor<?x3xf16>
}
