// Reductions whose results depend on each other, or whose body is not associative:
// each thread walks along a row, and gets the bits that the CPU gets.
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s

// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<5x37xf32> {fusion.name = "x"})
    -> (tensor<5xf32> {fusion.name = "largest"}, tensor<5xi64> {fusion.name = "place"},
        tensor<5xf32> {fusion.name = "decayed"}, tensor<37xf32> {fusion.name = "columns"}) {
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i64
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %values = tensor.empty() : tensor<5xf32>
  %places = tensor.empty() : tensor<5xi64>
  %wide = tensor.empty() : tensor<37xf32>
  %v = linalg.fill ins(%low : f32) outs(%values : tensor<5xf32>) -> tensor<5xf32>
  %p = linalg.fill ins(%none : i64) outs(%places : tensor<5xi64>) -> tensor<5xi64>
  %z = linalg.fill ins(%zero : f32) outs(%values : tensor<5xf32>) -> tensor<5xf32>
  %w = linalg.fill ins(%zero : f32) outs(%wide : tensor<37xf32>) -> tensor<37xf32>
  // The largest element and its place.
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<5x37xf32>) outs(%v, %p : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%e: f32, %a: f32, %b: i64):
    %n = linalg.index 1 : index
    %k = arith.index_cast %n : index to i64
    %g = arith.cmpf ogt, %e, %a : f32
    %s = arith.select %g, %e, %a : f32
    %t = arith.select %g, %k, %b : i64
    linalg.yield %s, %t : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  // Older elements count less.
  %h = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<5x37xf32>) outs(%z : tensor<5xf32>) {
  ^bb0(%e: f32, %a: f32):
    %s = arith.mulf %a, %half : f32
    %t = arith.addf %s, %e : f32
    linalg.yield %t : f32
  } -> tensor<5xf32>
  // The same along columns.
  %c = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : tensor<5x37xf32>) outs(%w : tensor<37xf32>) {
  ^bb0(%e: f32, %a: f32):
    %s = arith.mulf %a, %half : f32
    %t = arith.addf %s, %e : f32
    linalg.yield %t : f32
  } -> tensor<37xf32>
  return %r#0, %r#1, %h, %c : tensor<5xf32>, tensor<5xi64>, tensor<5xf32>, tensor<37xf32>
}
