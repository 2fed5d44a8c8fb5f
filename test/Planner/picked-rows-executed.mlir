// Elements picked from what a softmax makes of its rows, a sum of one product
// of vectors and code after it, a transposed convolution's places: each with
// the kernel that makes what it reads.

// RUN: rm -rf %t && mkdir %t
// RUN: fusion-compile %s --target=sm_90a --emit=groups | FileCheck %s
// RUN: fusion-run %s --device=cpu --fuse=none --dim batch=11 --input labels=randint:0:37:3 --save-outputs %t/expected
// RUN: fusion-run %s --device=emulator --target=sm_90a --dim batch=11 --input labels=randint:0:37:3 --verify --save-outputs %t/sm_90a | FileCheck %s --check-prefix=VERIFY
// RUN: fusion-run %s --device=emulator --target=sm_80 --dim batch=11 --input labels=randint:0:37:3 --verify --save-outputs %t/sm_80 | FileCheck %s --check-prefix=VERIFY
// RUN: %python %S/Inputs/same-outputs.py %t/expected %t/sm_90a %t/sm_80

// One launch.
// CHECK-COUNT-1: fusion.group {{.*}}kinds ["vertical", "horizontal"]

// VERIFY: verify: all {{[0-9]+}} results of groups agree

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#own = affine_map<(d0) -> (d0)>
#none = affine_map<() -> ()>
#image = affine_map<(f, y, x, c, j, i) -> (c, y + j, x + i)>
#filters = affine_map<(f, y, x, c, j, i) -> (f, c, j, i)>
#places = affine_map<(f, y, x, c, j, i) -> (f, y, x)>
func.func @main(%x: tensor<?x37xf32> {fusion.name = "x", fusion.dims = ["batch", ""]},
                %labels: tensor<?xi32> {fusion.name = "labels", fusion.dims = ["batch"]},
                %a: tensor<1x53xf32> {fusion.name = "a"}, %b: tensor<53x1xf32> {fusion.name = "b"},
                %image: tensor<5x6x8xf32> {fusion.name = "image"}, %w: tensor<12x5x2x2xf32> {fusion.name = "w"})
    -> (tensor<?xf32> {fusion.name = "loss", fusion.dims = ["batch"]}, tensor<f32> {fusion.name = "dot"},
        tensor<3x5x2x7x2xf32> {fusion.name = "places"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %n = tensor.dim %x, %c0 : tensor<?x37xf32>
  %rows = tensor.empty(%n) : tensor<?xf32>
  %all = tensor.empty(%n) : tensor<?x37xf32>
  %m0 = linalg.fill ins(%inf : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x37xf32>) outs(%m0 : tensor<?xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.maximumf %o, %i : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<?x37xf32>, tensor<?xf32>) outs(%all : tensor<?x37xf32>) {
  ^bb0(%i: f32, %m: f32, %o: f32):
    %0 = arith.subf %i, %m : f32
    linalg.yield %0 : f32
  } -> tensor<?x37xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<?x37xf32>) outs(%s0 : tensor<?xf32>) {
  ^bb0(%i: f32, %o: f32):
    %e = math.exp %i : f32
    %0 = arith.addf %o, %e : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %log = linalg.generic {indexing_maps = [#own, #own], iterator_types = ["parallel"]}
      ins(%sum : tensor<?xf32>) outs(%rows : tensor<?xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.log %i : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d, %log : tensor<?x37xf32>, tensor<?xf32>) outs(%all : tensor<?x37xf32>) {
  ^bb0(%i: f32, %l: f32, %o: f32):
    %0 = arith.subf %i, %l : f32
    linalg.yield %0 : f32
  } -> tensor<?x37xf32>
  %loss = linalg.generic {indexing_maps = [#own, #own], iterator_types = ["parallel"]}
      ins(%labels : tensor<?xi32>) outs(%rows : tensor<?xf32>) {
  ^bb0(%label: i32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %label : i32 to index
    %e = tensor.extract %p[%i, %j] : tensor<?x37xf32>
    %0 = arith.negf %e : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>

  %one = tensor.empty() : tensor<1x1xf32>
  %t0 = linalg.fill ins(%zero : f32) outs(%one : tensor<1x1xf32>) -> tensor<1x1xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<1x53xf32>, tensor<53x1xf32>) outs(%t0 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %scalar = tensor.collapse_shape %ab [] : tensor<1x1xf32> into tensor<f32>
  %e = tensor.empty() : tensor<f32>
  %dot = linalg.generic {indexing_maps = [#none, #none], iterator_types = []}
      ins(%scalar : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = math.tanh %i : f32
    linalg.yield %0 : f32
  } -> tensor<f32>

  %y = tensor.empty() : tensor<12x5x7xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%y : tensor<12x5x7xf32>) -> tensor<12x5x7xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filters, #places], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %w : tensor<5x6x8xf32>, tensor<12x5x2x2xf32>) outs(%y0 : tensor<12x5x7xf32>) {
  ^bb0(%i: f32, %f: f32, %o: f32):
    %0 = arith.mulf %i, %f : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<12x5x7xf32>
  %parts = tensor.expand_shape %conv [[0, 1, 2], [3], [4]] output_shape [3, 2, 2, 5, 7] : tensor<12x5x7xf32> into tensor<3x2x2x5x7xf32>
  %z = tensor.empty() : tensor<3x5x2x7x2xf32>
  %turned = linalg.transpose ins(%parts : tensor<3x2x2x5x7xf32>) outs(%z : tensor<3x5x2x7x2xf32>) permutation = [0, 3, 1, 4, 2]
  return %loss, %dot, %turned : tensor<?xf32>, tensor<f32>, tensor<3x5x2x7x2xf32>
}
