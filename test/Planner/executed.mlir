// What the fused groups compute, beside the unfused program: rows, an epilogue
// with a residual, two contractions with their combine, a permuted epilogue.
// Under strict numerics the two agree bit for bit.

// RUN: fusion-run %s --device=cpu --verify | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --numerics=strict | FileCheck %s --check-prefix=STRICT
// RUN: fusion-compile %s --target=cpu --report=- | FileCheck %s --check-prefix=REPORT

// CHECK-DAG:   verify: group {{[0-9]+}} 'gate+up+silu'
// CHECK-DAG:   verify: group {{[0-9]+}} 'proj+residual+turn'
// CHECK-DAG:   verify: group {{[0-9]+}} 'max+exp+sum+div'
// CHECK:       verify: all {{[0-9]+}} results of groups agree

// STRICT-COUNT-3: verify: group {{.*}} largest error 0.00e+00 absolute, 0.00e+00 relative, ok
// STRICT:         verify: all 4 results of groups agree

// REPORT:      10 launches become 3
// REPORT-DAG:  vertical, horizontal {{.*}} gate, up, silu
// REPORT-DAG:  vertical {{.*}} proj, residual, turn
// REPORT-DAG:  vertical {{.*}} max, exp, sum, div
// REPORT:      not fused:
// REPORT-DAG:  silu -> proj {{.*}}a contraction's operand would be

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @main(%x: tensor<37x48xf16> {fusion.name = "x"}, %w: tensor<48x65xf16> {fusion.name = "w"},
                %v: tensor<48x65xf16> {fusion.name = "v"}, %p: tensor<65x48xf16> {fusion.name = "p"})
    -> (tensor<37x48xf16> {fusion.name = "softmax"}, tensor<48x37xf16> {fusion.name = "turned"}) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<37x65xf32>
  %h = tensor.empty() : tensor<37x65xf16>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<37x65xf32>) -> tensor<37x65xf32>
  %g0 = linalg.matmul ins(%x, %w : tensor<37x48xf16>, tensor<48x65xf16>) outs(%init : tensor<37x65xf32>) -> tensor<37x65xf32> loc("gate")
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g0 : tensor<37x65xf32>) outs(%h : tensor<37x65xf16>) {
  ^bb0(%a: f32, %d: f16):
    %0 = arith.truncf %a {fusion.rounding} : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<37x65xf16> loc("gate")
  %u0 = linalg.matmul ins(%x, %v : tensor<37x48xf16>, tensor<48x65xf16>) outs(%init : tensor<37x65xf32>) -> tensor<37x65xf32> loc("up")
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u0 : tensor<37x65xf32>) outs(%h : tensor<37x65xf16>) {
  ^bb0(%a: f32, %d: f16):
    %0 = arith.truncf %a {fusion.rounding} : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<37x65xf16> loc("up")
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u : tensor<37x65xf16>, tensor<37x65xf16>) outs(%h : tensor<37x65xf16>) {
  ^bb0(%a: f16, %b: f16, %d: f16):
    %one = arith.constant 1.0 : f32
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %neg = arith.negf %a32 : f32
    %exp = math.exp %neg : f32
    %sum = arith.addf %exp, %one : f32
    %sig = arith.divf %a32, %sum : f32
    %mul = arith.mulf %sig, %b32 : f32
    %0 = arith.truncf %mul {fusion.rounding} : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<37x65xf16> loc("silu")

  %f = tensor.empty() : tensor<37x48xf32>
  %k = tensor.empty() : tensor<37x48xf16>
  %pinit = linalg.fill ins(%zero : f32) outs(%f : tensor<37x48xf32>) -> tensor<37x48xf32>
  %p0 = linalg.matmul ins(%s, %p : tensor<37x65xf16>, tensor<65x48xf16>) outs(%pinit : tensor<37x48xf32>) -> tensor<37x48xf32> loc("proj")
  %p1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p0 : tensor<37x48xf32>) outs(%k : tensor<37x48xf16>) {
  ^bb0(%a: f32, %d: f16):
    %0 = arith.truncf %a {fusion.rounding} : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<37x48xf16> loc("proj")
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p1, %x : tensor<37x48xf16>, tensor<37x48xf16>) outs(%k : tensor<37x48xf16>) {
  ^bb0(%a: f16, %b: f16, %d: f16):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %sum = arith.addf %a32, %b32 : f32
    %0 = arith.truncf %sum {fusion.rounding} : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<37x48xf16> loc("residual")

  %rows = tensor.empty() : tensor<37xf32>
  %i1 = linalg.fill ins(%ninf : f32) outs(%rows : tensor<37xf32>) -> tensor<37xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%r : tensor<37x48xf16>) outs(%i1 : tensor<37xf32>) {
  ^bb0(%a: f16, %acc: f32):
    %a32 = arith.extf %a : f16 to f32
    %0 = arith.maximumf %a32, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<37xf32> loc("max")
  %ex = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %max : tensor<37x48xf16>, tensor<37xf32>) outs(%f : tensor<37x48xf32>) {
  ^bb0(%a: f16, %b: f32, %d: f32):
    %a32 = arith.extf %a : f16 to f32
    %0 = arith.subf %a32, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<37x48xf32> loc("exp")
  %i2 = linalg.fill ins(%zero : f32) outs(%rows : tensor<37xf32>) -> tensor<37xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%ex : tensor<37x48xf32>) outs(%i2 : tensor<37xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<37xf32> loc("sum")
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ex, %sum : tensor<37x48xf32>, tensor<37xf32>) outs(%k : tensor<37x48xf16>) {
  ^bb0(%a: f32, %b: f32, %d: f16):
    %q = arith.divf %a, %b : f32
    %0 = arith.truncf %q {fusion.rounding} : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<37x48xf16> loc("div")

  %t = tensor.empty() : tensor<48x37xf16>
  %turned = linalg.transpose ins(%r : tensor<37x48xf16>) outs(%t : tensor<48x37xf16>) permutation = [1, 0] loc("turn")
  return %y, %turned : tensor<37x48xf16>, tensor<48x37xf16>
}
