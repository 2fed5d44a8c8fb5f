// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What makes the image of a convolution, in its kernel: once for each element of each
// window.

// No padding.
// CHECK-LABEL: func.func @valid(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @valid(%x: tensor<2x16x8x8xf32>, %s: tensor<16xf32>, %k: tensor<24x16x3x3xf32>) -> tensor<2x24x6x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<2x16x8x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x24x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x6x6xf32>) -> tensor<2x24x6x6xf32>
  // expected-remark @below {{fused with elementwise}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf32>, tensor<24x16x3x3xf32>) outs(%f : tensor<2x24x6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x6x6xf32>
  return %y : tensor<2x24x6x6xf32>
}

// -----

// Every second place, windows of one element.
// CHECK-LABEL: func.func @strided(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @strided(%x: tensor<2x16x8x8xf32>, %s: tensor<16xf32>, %k: tensor<24x16x1x1xf32>) -> tensor<2x24x4x4xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<2x16x8x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x24x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x4x4xf32>) -> tensor<2x24x4x4xf32>
  // expected-remark @below {{fused with elementwise}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y * 2 + i, x * 2 + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf32>, tensor<24x16x1x1xf32>) outs(%f : tensor<2x24x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x4x4xf32>
  return %y : tensor<2x24x4x4xf32>
}

// -----

// Two ops, then padding: what pads moves into the kernel too.
// CHECK-LABEL: func.func @padded(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @padded(%x: tensor<2x16x8x8xf32>, %s: tensor<16xf32>, %k: tensor<24x16x3x3xf32>) -> tensor<2x24x8x8xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<2x16x8x8xf32>
  // expected-remark @below {{fused with elementwise}}
  %1 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<2x16x8x8xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %v = math.exp %p0 : f32
    linalg.yield %v : f32
  } -> tensor<2x16x8x8xf32>
  %c1 = arith.constant 1 : index
  %ch = arith.constant 8 : index
  %cw = arith.constant 8 : index
  %pz = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<2x16x10x10xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%pe : tensor<2x16x10x10xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %h0 = arith.subi %i2, %c1 : index
    %w0 = arith.subi %i3, %c1 : index
    %h1 = arith.cmpi ult, %h0, %ch : index
    %w1 = arith.cmpi ult, %w0, %cw : index
    %in = arith.andi %h1, %w1 : i1
    %r = scf.if %in -> (f32) {
      %g = tensor.extract %1[%i0, %i1, %h0, %w0] : tensor<2x16x8x8xf32>
      scf.yield %g : f32
    } else {
      scf.yield %pz : f32
    }
    linalg.yield %r : f32
  } -> tensor<2x16x10x10xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x24x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x8x8xf32>) -> tensor<2x24x8x8xf32>
  // expected-remark @below {{fused with elementwise}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%2, %k : tensor<2x16x10x10xf32>, tensor<24x16x3x3xf32>) outs(%f : tensor<2x24x8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x8x8xf32>
  return %y : tensor<2x24x8x8xf32>
}
