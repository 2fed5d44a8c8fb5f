// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=h200}))' -split-input-file | FileCheck %s
// RUN: fusion-compile %s --target=sm_90a --device-model=h200 --emit=groups -o /dev/null --report=- | FileCheck %s --check-prefix=REPORT

// A plan is chosen by the time of all its kernels. In program order the sine would
// join the kernel that makes what it is of, which saves to read that once more; then
// the sums of columns read it from memory. With them it saves to write it as well.

// CHECK-LABEL: func.func @main(
// CHECK:         fusion.group "rows+scaled" kinds ["vertical"]
// CHECK:         fusion.group "sine+columns" kinds ["vertical"]
// REPORT:     not fused:
// REPORT:       scaled -> sine {{.*}}
// REPORT:     fused:
// REPORT-DAG:   rows -> scaled  {{ *}}estimated {{[0-9.]+}} us fused, {{[0-9.]+}} us apart
// REPORT-DAG:   sine -> columns {{ *}}estimated {{[0-9.]+}} us fused, {{[0-9.]+}} us apart
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<8192x4096xf32>) -> (tensor<8192x4096xf32>, tensor<4096xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8192x4096xf32>
  %r = tensor.empty() : tensor<8192xf32>
  %c = tensor.empty() : tensor<4096xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%r : tensor<8192xf32>) -> tensor<8192xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%c : tensor<4096xf32>) -> tensor<4096xf32>
  %rows = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8192x4096xf32>) outs(%fr : tensor<8192xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<8192xf32> loc("rows")
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %rows : tensor<8192x4096xf32>, tensor<8192xf32>) outs(%e : tensor<8192x4096xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<8192x4096xf32> loc("scaled")
  %sine = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%scaled : tensor<8192x4096xf32>) outs(%e : tensor<8192x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.sin %a : f32
    linalg.yield %0 : f32
  } -> tensor<8192x4096xf32> loc("sine")
  %columns = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%sine : tensor<8192x4096xf32>) outs(%fc : tensor<4096xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32> loc("columns")
  return %scaled, %columns : tensor<8192x4096xf32>, tensor<4096xf32>
}
