// What an image is computed from, a convolution, and what follows it share a kernel.

// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' | FileCheck %s
// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null
// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=cpu}))' | FileCheck %s --check-prefix=CPU

#id = affine_map<(n, c, h) -> (n, c, h)>

// What pads the image, the convolution and what follows it are one kernel; on a
// CPU the padded copy stays by itself.
// CHECK-LABEL: func.func @conv(
// CHECK:         fusion.group {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<2x8x16xf32>
// CHECK:           scf.if
// CHECK:           iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK:           arith.maximumf
// CHECK-NOT:     fusion.group
// CPU-LABEL:   func.func @conv(
// CPU-COUNT-2:   fusion.group
func.func @conv(%x: tensor<2x8x16xf32>, %w: tensor<24x8x3xf32>, %r: tensor<2x24x16xf32>) -> tensor<2x24x16xf32> {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x18xf32>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<2x8x18xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %h = arith.subi %k, %c1 : index
    %in = arith.cmpi ult, %h, %c16 : index
    %v = scf.if %in -> (f32) {
      %t = tensor.extract %x[%i, %j, %h] : tensor<2x8x16xf32>
      scf.yield %t : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<2x8x18xf32>
  %d = tensor.empty() : tensor<2x24x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, i) -> (n, c, w + i)>, affine_map<(n, f, w, c, i) -> (f, c, i)>, affine_map<(n, f, w, c, i) -> (n, f, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<2x8x18xf32>, tensor<24x8x3xf32>) outs(%f : tensor<2x24x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x24x16xf32>
  // expected-remark @below {{fused with}}
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %r : tensor<2x24x16xf32>, tensor<2x24x16xf32>) outs(%d : tensor<2x24x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x24x16xf32>
  return %z : tensor<2x24x16xf32>
}
