// Positions that no tile of the loops makes a slice of, backwards or modulo, and
// sums over nothing: such ops are not cut into tiles on a CPU. (It refused them, or
// crashed.)
// RUN: fusion-run %s --verify | FileCheck %s
// RUN: fusion-run %s --numerics=strict --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree
func.func @main(%x: tensor<20000xf32>, %m: tensor<50x50xf32>, %k: tensor<300xf32>, %a: tensor<4x0xf32>, %b: tensor<0x4xf32>)
    -> (tensor<20000xf32>, tensor<20000xf32>, tensor<50x50xf32>, tensor<50xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<20000xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (19999 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<20000xf32>) outs(%e : tensor<20000xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<20000xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 300)>, affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%k, %0 : tensor<300xf32>, tensor<20000xf32>) outs(%e : tensor<20000xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<20000xf32>
  %f = tensor.empty() : tensor<50x50xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (49 - j, i)>, affine_map<(i, j) -> (i + 100)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%m, %k : tensor<50x50xf32>, tensor<300xf32>) outs(%f : tensor<50x50xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.mulf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<50x50xf32>
  %g = tensor.empty() : tensor<50xf32>
  %zero = arith.constant 0.0 : f32
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<50xf32>) -> tensor<50xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 49 - j)>, affine_map<(i, j) -> (j mod 7)>, affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%2, %k, %m : tensor<50x50xf32>, tensor<300xf32>, tensor<50x50xf32>) outs(%h : tensor<50xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
    %r = arith.mulf %p, %q : f32
    %t = arith.mulf %r, %s : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  } -> tensor<50xf32>
  %v = tensor.empty() : tensor<4x4xf32>
  %w = linalg.fill ins(%zero : f32) outs(%v : tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = linalg.matmul ins(%a, %b : tensor<4x0xf32>, tensor<0x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = linalg.exp ins(%4 : tensor<4x4xf32>) outs(%v : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3, %5 : tensor<20000xf32>, tensor<20000xf32>, tensor<50x50xf32>, tensor<50xf32>, tensor<4x4xf32>
}
