// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100 fuse=vertical,-prologue}))' -split-input-file \
// RUN:   | FileCheck %s --check-prefix=OFF

// What computes the operands of contractions, in their kernels.

// OFF-NOT: contraction{{.*}}kinds ["vertical"]

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Weights of 8 bits, a factor for each column. The value has one reader.
// CHECK-LABEL: func.func @dequantize(
// CHECK:         fusion.group "elementwise+contraction" kinds ["vertical"] ins(%{{.*}} : tensor<512x256xi8>, tensor<256xf16>, tensor<16x512xf16>)
// CHECK-NOT:     fusion.group
func.func @dequantize(%x: tensor<16x512xf16>, %w: tensor<512x256xi8>, %s: tensor<256xf16>) -> tensor<16x256xf32> {
  %e = tensor.empty() : tensor<512x256xf16>
  %0 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<512x256xi8>, tensor<256xf16>) outs(%e : tensor<512x256xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %2 = arith.sitofp %a : i8 to f16
    %3 = arith.mulf %2, %b : f16
    linalg.yield %3 : f16
  } -> tensor<512x256xf16>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<16x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<16x256xf32>) -> tensor<16x256xf32>
  // expected-remark @below {{fused with elementwise}}
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %0 : tensor<16x512xf16>, tensor<512x256xf16>) outs(%f : tensor<16x256xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %2 = arith.extf %a : f16 to f32
    %3 = arith.extf %b : f16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<16x256xf32>
  return %1 : tensor<16x256xf32>
}

// -----

// Both operands, and what follows: one kernel.
// CHECK-LABEL: func.func @both(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
// OFF-LABEL: func.func @both(
// OFF-COUNT-3: fusion.group
func.func @both(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.negf ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.abs ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @+2 {{fused with negf}}
  // expected-remark @+1 {{fused with abs}}
  %2 = linalg.matmul ins(%0, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{fused with matmul}}
  %3 = linalg.exp ins(%2 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

// Two contractions of one computed operand: first they join, then it joins them.
// CHECK-LABEL: func.func @shared(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical", "horizontal"]
// CHECK-NOT:     fusion.group
func.func @shared(%x: tensor<8x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.negf ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{fused with negf}}
  %1 = linalg.matmul ins(%0, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{fused with negf}}
  %2 = linalg.matmul ins(%0, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{fused with matmul}}
  %3 = linalg.mul ins(%1, %2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

// Rows that are reduced first, before the steps of k.
// CHECK-LABEL: func.func @norm(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @norm(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %r = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<64x64xf32>) outs(%g : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{fused with}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<64x64xf32>
  // expected-remark @below {{fused with elementwise}}
  %2 = linalg.matmul ins(%1, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// Two dims of k that are one for the contraction: a factor of the inner one alone
// is read at positions modulo its size.
// CHECK-LABEL: func.func @heads(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @heads(%x: tensor<16x4x8xf32>, %s: tensor<8xf32>, %w: tensor<4x8x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x4x8xf32>
  %d = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, h, j) -> (i, h, j)>, affine_map<(i, h, j) -> (j)>, affine_map<(i, h, j) -> (i, h, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<16x4x8xf32>, tensor<8xf32>) outs(%e : tensor<16x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<16x4x8xf32>
  // expected-remark @below {{fused with elementwise}}
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n, h, j) -> (m, h, j)>, affine_map<(m, n, h, j) -> (h, j, n)>, affine_map<(m, n, h, j) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%0, %w : tensor<16x4x8xf32>, tensor<4x8x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}

// -----

// Places of several images are rows of one product, and lie apart in the array, with
// the channels in between: they are found again from the rows.
// CHECK-LABEL: func.func @images(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @images(%x: tensor<?x40x8x8xf32>, %s: tensor<?x40xf32>, %w: tensor<24x40xf32>, %n: index) -> tensor<?x24x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x40x8x8xf32>
  %d = tensor.empty(%n) : tensor<?x24x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x24x8x8xf32>) -> tensor<?x24x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<?x40x8x8xf32>, tensor<?x40xf32>) outs(%e : tensor<?x40x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<?x40x8x8xf32>
  // expected-remark @below {{fused with elementwise}}
  %1 = linalg.generic {indexing_maps = [affine_map<(n, o, h, w, c) -> (n, c, h, w)>, affine_map<(n, o, h, w, c) -> (o, c)>, affine_map<(n, o, h, w, c) -> (n, o, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %w : tensor<?x40x8x8xf32>, tensor<24x40xf32>) outs(%f : tensor<?x24x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x24x8x8xf32>
  return %1 : tensor<?x24x8x8xf32>
}
