// A contraction of Linalg may compute something of its factors, and the op that makes
// the exponentials of a softmax another result: neither is what tiles multiply, alone
// or in attention.

// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (j, k)>
#columns = affine_map<(i, j, k) -> (k, j)>
#made = affine_map<(i, j, k) -> (i, j)>
func.func @main(%q: tensor<23x16xf32>, %k: tensor<40x16xf32>, %v: tensor<40x16xf32>, %h: tensor<40x16xf16>, %w: tensor<23x16xf16>)
    -> (tensor<23x40xf32>, tensor<23x16xf32>, tensor<23x16xf32>, tensor<23x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %s0 = tensor.empty() : tensor<23x40xf32>
  %o0 = tensor.empty() : tensor<23x16xf32>
  %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<23x40xf32>) -> tensor<23x40xf32>
  %o1 = linalg.fill ins(%zero : f32) outs(%o0 : tensor<23x16xf32>) -> tensor<23x16xf32>

  // A product of halves, alone.
  %halves = linalg.generic {indexing_maps = [#left, #right, #made], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %h : tensor<23x16xf16>, tensor<40x16xf16>) outs(%s1 : tensor<23x40xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %0 = math.absf %x : f16
    %1 = arith.extf %0 : f16 to f32
    %2 = arith.extf %y : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %sum, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<23x40xf32>

  // Scores of magnitudes.
  %magnitudes = linalg.generic {indexing_maps = [#left, #right, #made], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<23x16xf32>, tensor<40x16xf32>) outs(%s1 : tensor<23x40xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = math.absf %x : f32
    %1 = arith.mulf %0, %y : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<23x40xf32>
  %p = fusion.softmax %magnitudes dim = 1 : tensor<23x40xf32>
  %a = fusion.matmul %p, %v : tensor<23x40xf32>, tensor<40x16xf32> -> tensor<23x16xf32>

  // Roots of the weights.
  %scores = fusion.matmul %q, %k {transpose_b} : tensor<23x16xf32>, tensor<40x16xf32> -> tensor<23x40xf32>
  %weights = fusion.softmax %scores dim = 1 : tensor<23x40xf32>
  %b = linalg.generic {indexing_maps = [#left, #columns, #made], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%weights, %v : tensor<23x40xf32>, tensor<40x16xf32>) outs(%o1 : tensor<23x16xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = math.sqrt %x : f32
    %1 = arith.mulf %0, %y : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<23x16xf32>

  // Exponentials, and the weights from another result of their op.
  %u = fusion.matmul %q, %v {transpose_b} : tensor<23x16xf32>, tensor<40x16xf32> -> tensor<23x40xf32>
  %m = fusion.reduce max, %u dims = [1] : tensor<23x40xf32> to tensor<23xf32>
  %e:2 = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u, %m : tensor<23x40xf32>, tensor<23xf32>) outs(%s0, %s0 : tensor<23x40xf32>, tensor<23x40xf32>) {
  ^bb0(%x: f32, %r: f32, %y0: f32, %y1: f32):
    %0 = arith.subf %x, %r : f32
    %1 = math.exp %0 : f32
    %2 = arith.mulf %1, %x : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<23x40xf32>, tensor<23x40xf32>)
  %l = fusion.reduce sum, %e#0 dims = [1] : tensor<23x40xf32> to tensor<23xf32>
  %lb = fusion.broadcast %l dims = [0] : tensor<23xf32> to tensor<23x40xf32>
  %d = fusion.div %e#1, %lb : tensor<23x40xf32>
  %c = fusion.matmul %d, %v : tensor<23x40xf32>, tensor<40x16xf32> -> tensor<23x16xf32>
  return %halves, %a, %b, %c : tensor<23x40xf32>, tensor<23x16xf32>, tensor<23x16xf32>, tensor<23x16xf32>
}
