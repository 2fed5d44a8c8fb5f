// gelu(a b + bias) as in gemm.mlir, by wgmma on stages that all warps fill.
func.func @main(%a: tensor<200x328xf16> {fusion.name = "a"},
                %b: tensor<328x264xf16> {fusion.name = "b"},
                %bias: tensor<264xf16> {fusion.name = "bias"})
    -> (tensor<200x264xf16> {fusion.name = "y"}) {
  %0 = fusion.matmul %a, %b {fusion.schedule = {kind = "wgmma", bm = 128, bn = 64, bk = 64, stages = 4, warps = 8, pipeline = "multistage"}}
       : tensor<200x328xf16>, tensor<328x264xf16> -> tensor<200x264xf16>
  %1 = fusion.broadcast %bias dims = [1] : tensor<264xf16> to tensor<200x264xf16>
  %2 = fusion.add %0, %1 : tensor<200x264xf16>
  %3 = fusion.gelu %2 approximate = none : tensor<200x264xf16>
  return %3 : tensor<200x264xf16>
}
