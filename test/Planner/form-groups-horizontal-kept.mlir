// Contractions that meet in an elementwise op, and do not share a kernel.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Two poolings of one image: windows have no tiles of an operand.
// CHECK-LABEL: func.func @poolings(
// CHECK:         fusion.group "pooling_nchw_sum" kinds []
// CHECK:         fusion.group "pooling_nchw_max+add" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @poolings(%x: tensor<1x4x18x18xf32>, %d: tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.pooling_nchw_max ins(%x, %w : tensor<1x4x18x18xf32>, tensor<3x3xf32>) outs(%d : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %1 = linalg.pooling_nchw_sum ins(%x, %w : tensor<1x4x18x18xf32>, tensor<3x3xf32>) outs(%d : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  // expected-remark @below {{Remark="fused with pooling_nchw_max"}}
  // expected-remark @below {{Reason="one of the two reduces over windows, which share no operand's tiles"}}
  %2 = linalg.add ins(%0, %1 : tensor<1x4x16x16xf32>, tensor<1x4x16x16xf32>) outs(%d : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  return %2 : tensor<1x4x16x16xf32>
}

// -----

// The weights of one lie along k, those of the other along n: tiles of another layout.
// CHECK-LABEL: func.func @other_layout(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul+mul" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @other_layout(%x: tensor<32x64xf16>, %w: tensor<64x48xf16>, %v: tensor<48x64xf16>, %d: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %e = tensor.empty() : tensor<32x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf16>, tensor<64x48xf16>) outs(%d : tensor<32x48xf32>) -> tensor<32x48xf32>
  %1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %v : tensor<32x64xf16>, tensor<48x64xf16>) outs(%d : tensor<32x48xf32>) -> tensor<32x48xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  // expected-remark @below {{Reason="the contractions of the two kernels, matmul and matmul, differ in shape, types or layout"}}
  %2 = linalg.mul ins(%0, %1 : tensor<32x48xf32>, tensor<32x48xf32>) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %2 : tensor<32x48xf32>
}

// -----

// One of the two keeps its sums in halves.
// CHECK-LABEL: func.func @other_sums(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @other_sums(%x: tensor<32x64xf16>, %w: tensor<64x48xf16>, %v: tensor<64x48xf16>, %d: tensor<32x48xf32>, %h: tensor<32x48xf16>) -> tensor<32x48xf32> {
  %e = tensor.empty() : tensor<32x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf16>, tensor<64x48xf16>) outs(%d : tensor<32x48xf32>) -> tensor<32x48xf32>
  %1 = linalg.matmul ins(%x, %v : tensor<32x64xf16>, tensor<64x48xf16>) outs(%h : tensor<32x48xf16>) -> tensor<32x48xf16>
  // expected-remark @below {{Remark="fused with matmul"}}
  // expected-remark @below {{Reason="the contractions of the two kernels, matmul and matmul, differ in shape, types or layout"}}
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<32x48xf32>, tensor<32x48xf16>) outs(%e : tensor<32x48xf32>) {
  ^bb0(%p: f32, %q: f16, %o: f32):
    %3 = arith.extf %q : f16 to f32
    %4 = arith.mulf %p, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32x48xf32>
  return %2 : tensor<32x48xf32>
}

// -----

// A person keeps one of the two apart.
// CHECK-LABEL: func.func @marked(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul+mul" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @marked(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>, %v: tensor<64x48xf32>, %d: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %e = tensor.empty() : tensor<32x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x48xf32>) outs(%d : tensor<32x48xf32>) -> tensor<32x48xf32>
  %1 = linalg.matmul {fusion.no_fuse} ins(%x, %v : tensor<32x64xf32>, tensor<64x48xf32>) outs(%d : tensor<32x48xf32>) -> tensor<32x48xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %2 = linalg.mul ins(%0, %1 : tensor<32x48xf32>, tensor<32x48xf32>) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %2 : tensor<32x48xf32>
}

// -----

// The second starts from what a call makes of the first.
// CHECK-LABEL: func.func @called_between(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul+mul" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func private @other(tensor<32x48xf32>) -> tensor<32x48xf32>
func.func @called_between(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>, %v: tensor<64x48xf32>, %d: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %e = tensor.empty() : tensor<32x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x48xf32>) outs(%d : tensor<32x48xf32>) -> tensor<32x48xf32>
  %c = func.call @other(%0) : (tensor<32x48xf32>) -> tensor<32x48xf32>
  %1 = linalg.matmul ins(%x, %v : tensor<32x64xf32>, tensor<64x48xf32>) outs(%c : tensor<32x48xf32>) -> tensor<32x48xf32>
  // expected-remark @below {{Reason="an operation between the two needs the one and feeds the other"}}
  // expected-remark @below {{Remark="fused with matmul"}}
  %2 = linalg.mul ins(%0, %1 : tensor<32x48xf32>, tensor<32x48xf32>) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %2 : tensor<32x48xf32>
}

// -----

// They meet in what reads one of the two batches backwards, and is a kernel by itself.
// CHECK-LABEL: func.func @batches(
// CHECK:         fusion.group "batch_matmul" kinds []
// CHECK:         fusion.group "batch_matmul" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
func.func @batches(%x: tensor<4x16x32xf32>, %w: tensor<4x32x16xf32>, %v: tensor<4x32x16xf32>, %d: tensor<4x16x16xf32>) -> tensor<4x16x16xf32> {
  %e = tensor.empty() : tensor<4x16x16xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<4x16x32xf32>, tensor<4x32x16xf32>) outs(%d : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %1 = linalg.batch_matmul ins(%x, %v : tensor<4x16x32xf32>, tensor<4x32x16xf32>) outs(%d : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: an operand is read at computed positions"}}
  %2 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (3 - b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %1 : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<4x16x16xf32>
  return %2 : tensor<4x16x16xf32>
}

// -----

// Matrices that meet turned: the products share a kernel, what joins them another.
// CHECK-LABEL: func.func @turned_batches(
// CHECK:         fusion.group "batch_matmul" kinds ["horizontal"]
// CHECK:         fusion.group "elementwise" kinds []
// CHECK-NOT:     fusion.group
func.func @turned_batches(%x: tensor<4x16x32xf32>, %w: tensor<4x32x16xf32>, %v: tensor<4x32x16xf32>, %d: tensor<4x16x16xf32>) -> tensor<4x16x16xf32> {
  %e = tensor.empty() : tensor<4x16x16xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<4x16x32xf32>, tensor<4x32x16xf32>) outs(%d : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  // expected-remark @below {{Remark="fused with batch_matmul"}}
  %1 = linalg.batch_matmul ins(%x, %v : tensor<4x16x32xf32>, tensor<4x32x16xf32>) outs(%d : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %2 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, j, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %1 : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%e : tensor<4x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<4x16x16xf32>
  return %2 : tensor<4x16x16xf32>
}

// -----

// The other makes one column, which is repeated where they meet.
// CHECK-LABEL: func.func @other_width(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @other_width(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>, %v: tensor<64x1xf32>, %d: tensor<32x48xf32>, %f: tensor<32x1xf32>) -> tensor<32x48xf32> {
  %e = tensor.empty() : tensor<32x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x48xf32>) outs(%d : tensor<32x48xf32>) -> tensor<32x48xf32>
  %1 = linalg.matmul ins(%x, %v : tensor<32x64xf32>, tensor<64x1xf32>) outs(%f : tensor<32x1xf32>) -> tensor<32x1xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  // expected-remark @below {{Reason="the contractions of the two kernels, matmul and matmul, differ in shape, types or layout"}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<32x48xf32>, tensor<32x1xf32>) outs(%e : tensor<32x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<32x48xf32>
  return %2 : tensor<32x48xf32>
}

// -----

// A convolution and a product of one tensor: windows of the one are tiles of no other.
// CHECK-LABEL: func.func @windows_and_places(
// CHECK:         fusion.group "conv_2d_nhwc_hwcf" kinds []
// CHECK:         fusion.group "conv_2d_nhwc_hwcf+add" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @windows_and_places(%x: tensor<1x8x8x16xf32>, %w: tensor<3x3x16x16xf32>, %v: tensor<1x1x16x16xf32>, %d: tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32> {
  %e = tensor.empty() : tensor<1x6x6x16xf32>
  %s = tensor.extract_slice %x[0, 1, 1, 0] [1, 6, 6, 16] [1, 1, 1, 1] : tensor<1x8x8x16xf32> to tensor<1x6x6x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x16xf32>, tensor<3x3x16x16xf32>) outs(%d : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%s, %v : tensor<1x6x6x16xf32>, tensor<1x1x16x16xf32>) outs(%d : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  // expected-remark @below {{Remark="fused with conv_2d_nhwc_hwcf"}}
  // expected-remark @below {{Reason="the contractions of the two kernels, conv_2d_nhwc_hwcf and conv_2d_nhwc_hwcf, differ in shape, types or layout"}}
  %2 = linalg.add ins(%0, %1 : tensor<1x6x6x16xf32>, tensor<1x6x6x16xf32>) outs(%e : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  return %2 : tensor<1x6x6x16xf32>
}

// -----

// Two products, one after the other, are one kernel; a third shares their first operand.
// CHECK-LABEL: func.func @chain_beside(
// CHECK:         fusion.group "matmul" kinds ["vertical"]
// CHECK:         fusion.group "matmul+mul" kinds ["vertical"]
// CHECK-NOT:     fusion.group
#ij = affine_map<(i, j) -> (i, j)>
func.func @chain_beside(%x: tensor<4096x64xf16>, %w: tensor<64x64xf16>, %v: tensor<64x64xf16>, %u: tensor<64x64xf16>) -> tensor<4096x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  %h = tensor.empty() : tensor<4096x64xf16>
  // expected-remark-re @below {{Remark="one kernel with matmul: {{[0-9.]+}} us instead of {{[0-9.]+}}"}}
  %0 = linalg.matmul ins(%x, %w : tensor<4096x64xf16>, tensor<64x64xf16>) outs(%f : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4096x64xf32>) outs(%h : tensor<4096x64xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4096x64xf16>
  %2 = linalg.matmul ins(%1, %v : tensor<4096x64xf16>, tensor<64x64xf16>) outs(%f : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  // expected-remark @below {{Reason="contractions one after the other have their loops for themselves"}}
  %3 = linalg.matmul ins(%x, %u : tensor<4096x64xf16>, tensor<64x64xf16>) outs(%f : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  // expected-remark @below {{Reason="contractions one after the other have their loops for themselves"}}
  %4 = linalg.mul ins(%2, %3 : tensor<4096x64xf32>, tensor<4096x64xf32>) outs(%e : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  return %4 : tensor<4096x64xf32>
}
