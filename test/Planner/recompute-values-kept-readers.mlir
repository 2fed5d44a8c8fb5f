// What reads a value cannot compute it again, or is given no more to compute.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=h200}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=h200}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// One of the products has the schedule that a person chose for its kernel as it is.
// CHECK-LABEL: func.func @pinned(
// CHECK:         fusion.group "negf" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
!t = tensor<64x64xf16>
!s = tensor<64x64xf32>
func.func @pinned(%x: !t, %u: !t, %w: !t) -> (!s, !s) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !t
  %d = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%d : !s) -> !s
  %n = linalg.negf ins(%w : !t) outs(%e : !t) -> !t
  // expected-remark-re @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %1 = linalg.matmul ins(%x, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; a directive keeps its reader as it is"}}
  %2 = linalg.matmul {fusion.schedule = {kind = "mma", bm = 64, bn = 64, bk = 32, stages = 3, warps = 4}} ins(%u, %n : !t, !t) outs(%f : !s) -> !s
  return %1, %2 : !s, !s
}

// -----

// To make the weights takes more code than a kernel is given a second time.
// CHECK-LABEL: func.func @many_operations(
// CHECK:         fusion.group "negf" kinds ["vertical"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
!t = tensor<64x64xf16>
!s = tensor<64x64xf32>
func.func @many_operations(%x: !t, %u: !t, %w: !t) -> (!s, !s) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !t
  %d = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%d : !s) -> !s
  %n0 = linalg.negf ins(%w : !t) outs(%e : !t) -> !t
  %n1 = linalg.negf ins(%n0 : !t) outs(%e : !t) -> !t
  %n2 = linalg.negf ins(%n1 : !t) outs(%e : !t) -> !t
  %n3 = linalg.negf ins(%n2 : !t) outs(%e : !t) -> !t
  %n4 = linalg.negf ins(%n3 : !t) outs(%e : !t) -> !t
  %n5 = linalg.negf ins(%n4 : !t) outs(%e : !t) -> !t
  %n6 = linalg.negf ins(%n5 : !t) outs(%e : !t) -> !t
  %n7 = linalg.negf ins(%n6 : !t) outs(%e : !t) -> !t
  %n8 = linalg.negf ins(%n7 : !t) outs(%e : !t) -> !t
  %n9 = linalg.negf ins(%n8 : !t) outs(%e : !t) -> !t
  %n10 = linalg.negf ins(%n9 : !t) outs(%e : !t) -> !t
  %n11 = linalg.negf ins(%n10 : !t) outs(%e : !t) -> !t
  %n12 = linalg.negf ins(%n11 : !t) outs(%e : !t) -> !t
  %n13 = linalg.negf ins(%n12 : !t) outs(%e : !t) -> !t
  %n14 = linalg.negf ins(%n13 : !t) outs(%e : !t) -> !t
  %n15 = linalg.negf ins(%n14 : !t) outs(%e : !t) -> !t
  %n16 = linalg.negf ins(%n15 : !t) outs(%e : !t) -> !t
  %n17 = linalg.negf ins(%n16 : !t) outs(%e : !t) -> !t
  %n18 = linalg.negf ins(%n17 : !t) outs(%e : !t) -> !t
  %n19 = linalg.negf ins(%n18 : !t) outs(%e : !t) -> !t
  %n20 = linalg.negf ins(%n19 : !t) outs(%e : !t) -> !t
  %n21 = linalg.negf ins(%n20 : !t) outs(%e : !t) -> !t
  %n22 = linalg.negf ins(%n21 : !t) outs(%e : !t) -> !t
  %n23 = linalg.negf ins(%n22 : !t) outs(%e : !t) -> !t
  %n24 = linalg.negf ins(%n23 : !t) outs(%e : !t) -> !t
  %n25 = linalg.negf ins(%n24 : !t) outs(%e : !t) -> !t
  %n26 = linalg.negf ins(%n25 : !t) outs(%e : !t) -> !t
  %n27 = linalg.negf ins(%n26 : !t) outs(%e : !t) -> !t
  %n28 = linalg.negf ins(%n27 : !t) outs(%e : !t) -> !t
  %n29 = linalg.negf ins(%n28 : !t) outs(%e : !t) -> !t
  %n30 = linalg.negf ins(%n29 : !t) outs(%e : !t) -> !t
  %n31 = linalg.negf ins(%n30 : !t) outs(%e : !t) -> !t
  %n32 = linalg.negf ins(%n31 : !t) outs(%e : !t) -> !t
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; it takes more than 32 operations to compute it again"}}
  %a = linalg.matmul ins(%x, %n32 : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; it takes more than 32 operations to compute it again"}}
  %b = linalg.matmul ins(%u, %n32 : !t, !t) outs(%f : !s) -> !s
  return %a, %b : !s, !s
}

// -----

// Nine products read the weights: a launch of their own costs each of them little.
// CHECK-LABEL: func.func @many_readers(
// CHECK:         fusion.group "negf" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
!t = tensor<64x64xf16>
!s = tensor<64x64xf32>
func.func @many_readers(%x0: !t, %x1: !t, %x2: !t, %x3: !t, %x4: !t, %x5: !t, %x6: !t, %x7: !t, %x8: !t, %w: !t) -> (!s, !s, !s, !s, !s, !s, !s, !s, !s) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !t
  %d = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%d : !s) -> !s
  %n = linalg.negf ins(%w : !t) outs(%e : !t) -> !t
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; more than 8 kernels read it"}}
  %0 = linalg.matmul ins(%x0, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; more than 8 kernels read it"}}
  %1 = linalg.matmul ins(%x1, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; more than 8 kernels read it"}}
  %2 = linalg.matmul ins(%x2, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; more than 8 kernels read it"}}
  %3 = linalg.matmul ins(%x3, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; more than 8 kernels read it"}}
  %4 = linalg.matmul ins(%x4, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; more than 8 kernels read it"}}
  %5 = linalg.matmul ins(%x5, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; more than 8 kernels read it"}}
  %6 = linalg.matmul ins(%x6, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; more than 8 kernels read it"}}
  %7 = linalg.matmul ins(%x7, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; more than 8 kernels read it"}}
  %8 = linalg.matmul ins(%x8, %n : !t, !t) outs(%f : !s) -> !s
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : !s, !s, !s, !s, !s, !s, !s, !s, !s
}

// -----

// One of the products adds the weights to its result too: of these a block has other
// elements than it multiplies. The other one alone gains nothing.
// CHECK-LABEL: func.func @also_added(
// CHECK:         fusion.group "negf" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
!t = tensor<64x64xf16>
!s = tensor<64x64xf32>
func.func @also_added(%x: !t, %u: !t, %w: !t) -> (!s, !s) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !t
  %d = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%d : !s) -> !s
  %n = linalg.negf ins(%w : !t) outs(%e : !t) -> !t
  // expected-remark-re @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %1 = linalg.matmul ins(%x, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @below {{Producer=negf, Reason="the consumer reads the value at other positions than the producer writes it"}}
  %2 = linalg.matmul ins(%u, %n : !t, !t) outs(%f : !s) -> !s
  // expected-remark @+2 {{Remark="fused with matmul"}}
  // expected-remark @+1 {{Producer=negf, Reason="the consumer reads the value at other positions than the producer writes it"}}
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%2, %n : !s, !t) outs(%d : !s) {
  ^bb0(%a: f32, %b: f16, %o: f32):
    %c = arith.extf %b : f16 to f32
    %g = arith.addf %a, %c : f32
    linalg.yield %g : f32
  } -> !s
  return %1, %3 : !s, !s
}

// -----

// A convolution reads it padded.
// CHECK-LABEL: func.func @padded(
// CHECK:         fusion.group "negf" kinds []
// CHECK:         fusion.group "conv_2d_nhwc_hwcf" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @padded(%x: tensor<1x8x8x16xf16>, %w: tensor<3x3x16x16xf16>, %v: tensor<16x32xf16>) -> (tensor<1x8x8x16xf32>, tensor<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x8x8x16xf16>
  %n = linalg.negf ins(%x : tensor<1x8x8x16xf16>) outs(%e : tensor<1x8x8x16xf16>) -> tensor<1x8x8x16xf16>
  %p = tensor.pad %n low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %g: index):
    tensor.yield %none : f16
  } : tensor<1x8x8x16xf16> to tensor<1x10x10x16xf16>
  %d = tensor.empty() : tensor<1x8x8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  // expected-remark-re @+2 {{Reason="with channels side by side its loop is estimated at {{[0-9.]+}} us and the copies at {{[0-9.]+}} us, against {{[0-9.]+}} us"}}
  // expected-remark @+1 {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; it is read through what pads or chooses"}}
  %1 = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x10x10x16xf16>, tensor<3x3x16x16xf16>) outs(%f : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %h = tensor.empty() : tensor<64x32xf32>
  %k = linalg.fill ins(%zero : f32) outs(%h : tensor<64x32xf32>) -> tensor<64x32xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %m = tensor.collapse_shape %n [[0, 1, 2], [3]] : tensor<1x8x8x16xf16> into tensor<64x16xf16>
  %2 = linalg.matmul ins(%m, %v : tensor<64x16xf16>, tensor<16x32xf16>) outs(%k : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1, %2 : tensor<1x8x8x16xf32>, tensor<64x32xf32>
}

// -----

// The product takes two dims as its k, which what makes the operand reads apart.
// CHECK-LABEL: func.func @apart(
// CHECK:         fusion.group "elementwise" kinds []
// CHECK:         fusion.group "contraction" kinds []
// CHECK-NOT:     fusion.group
func.func @apart(%x: tensor<16x4x8xf32>, %s: tensor<4x16x8xf32>, %w: tensor<4x8x16xf32>) -> (tensor<16x16xf32>, tensor<16x4x8xf32>) {
  %e = tensor.empty() : tensor<16x4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, h, j) -> (i, h, j)>, affine_map<(i, h, j) -> (h, i, j)>, affine_map<(i, h, j) -> (i, h, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<16x4x8xf32>, tensor<4x16x8xf32>) outs(%e : tensor<16x4x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<16x4x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; one kernel cannot compute it and its reader"}}
  %y = linalg.generic {indexing_maps = [affine_map<(i, n, h, j) -> (i, h, j)>, affine_map<(i, n, h, j) -> (h, j, n)>, affine_map<(i, n, h, j) -> (i, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%0, %w : tensor<16x4x8xf32>, tensor<4x8x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<16x16xf32>
  return %y, %0 : tensor<16x16xf32>, tensor<16x4x8xf32>
}

// -----

// An arm of a branch reads the weights too, which lie in memory for that.
// CHECK-LABEL: func.func @in_branch(
// CHECK:         fusion.group "negf" kinds []
// CHECK:         fusion.if
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
!t = tensor<64x64xf16>
!s = tensor<64x64xf32>
func.func @in_branch(%c: tensor<i1>, %x: !t, %w: !t) -> (!s, !t) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !t
  %d = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%d : !s) -> !s
  %n = linalg.negf ins(%w : !t) outs(%e : !t) -> !t
  %r = fusion.if %c : tensor<i1> -> !t {
    %1 = linalg.exp ins(%n : !t) outs(%e : !t) -> !t
    fusion.yield %1 : !t
  } else {
    %1 = linalg.tanh ins(%x : !t) outs(%e : !t) -> !t
    fusion.yield %1 : !t
  }
  // expected-remark-re @below {{Producer=negf, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %2 = linalg.matmul ins(%x, %n : !t, !t) outs(%f : !s) -> !s
  return %2, %r : !s, !t
}
