// Rows whose reduction joins the kernel after what it normalises has: neither the
// columns of the reduction nor those of the product are on an edge between the two.
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s --check-prefix=CPU

// CHECK: verify: group 0 'reduction+elementwise+matmul' 32x65:f32: {{.*}}, ok
// CHECK: verify: all 1 results of groups agree
// CPU: verify: all 2 results of groups agree

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @main(%a: tensor<32x37xf32> {fusion.name = "a"}, %b: tensor<37x65xf32> {fusion.name = "b"}) -> (tensor<32x65xf32> {fusion.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x37xf32>
  %d = tensor.empty() : tensor<32x65xf32>
  %r = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<32x65xf32>) -> tensor<32x65xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<32xf32>) -> tensor<32xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<32x37xf32>) outs(%g : tensor<32xf32>) {
  ^bb0(%x: f32, %s: f32):
    %3 = arith.mulf %x, %x : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<32x37xf32>, tensor<32xf32>) outs(%e : tensor<32x37xf32>) attrs = {fusion.fuse_with = "all"} {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<32x37xf32>
  %2 = linalg.matmul {fusion.fuse_with = "all"} ins(%1, %b : tensor<32x37xf32>, tensor<37x65xf32>) outs(%f : tensor<32x65xf32>) -> tensor<32x65xf32>
  return %2 : tensor<32x65xf32>
}
