// Products with a residual and a gate behind them: whole tiles, tiles that are
// cut off, one step of k and several, rings that wrap.
// RUN: %gpu-tests --device=emulator --target=sm_80,sm_90a %s | FileCheck %s
// RUN: env FUSION_EMULATOR_SEED=3 %gpu-tests --device=emulator --target=sm_90a %s | FileCheck %s
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// CASE-STATIC: m=128 n=128 k=64
// CASE-STATIC: m=200 n=264 k=328
// CASE-STATIC: m=64 n=320 k=640
// CASE: m=129 n=136 k=200

func.func @main(%a: tensor<?x?xbf16> {fusion.name = "a", fusion.dims = ["m", "k"]},
                %b: tensor<?x?xbf16> {fusion.name = "b", fusion.dims = ["k", "n"]},
                %r: tensor<?x?xbf16> {fusion.name = "r", fusion.dims = ["m", "n"]})
    -> (tensor<?x?xbf16> {fusion.name = "y"}) {
  %0 = fusion.matmul %a, %b : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xbf16>
  %1 = fusion.silu %0 : tensor<?x?xbf16>
  %2 = fusion.mul %1, %r : tensor<?x?xbf16>
  %3 = fusion.add %2, %r : tensor<?x?xbf16>
  return %3 : tensor<?x?xbf16>
}
