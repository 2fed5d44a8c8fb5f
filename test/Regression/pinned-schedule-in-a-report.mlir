// The schedule that the input asks for is in a report once, as each other one is.
// RUN: fusion-compile %s --target=sm_80 --emit=ptx -o /dev/null --report=%t.json
// RUN: FileCheck %s --input-file=%t.json
// CHECK:     "schedule": "{columns = 64 : i64, kind = {{.}}"elementwise{{.}}", rows = 1 : i64, warps = 2 : i64}",
// CHECK-NOT: "schedule"
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.exp {fusion.schedule = {kind = "elementwise", rows = 1, columns = 64, warps = 2}}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
