// Values with several readers that are computed once and written, each with the reason.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=h200}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=h200}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// Many rows: each kernel would dequantize the weights often.
// CHECK-LABEL: func.func @many_rows(
// CHECK-COUNT-3: fusion.group
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
func.func @many_rows(%x: tensor<2048x1024xf16>, %u: tensor<4096x1024xf16>, %w: tensor<1024x2048xi8>, %s: tensor<2048xf16>) -> (tensor<2048x2048xf32>, tensor<4096x2048xf32>) {
  %e = tensor.empty() : tensor<1024x2048xf16>
  %0 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<1024x2048xi8>, tensor<2048xf16>) outs(%e : tensor<1024x2048xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %3 = arith.sitofp %a : i8 to f16
    %4 = arith.mulf %3, %b : f16
    linalg.yield %4 : f16
  } -> tensor<1024x2048xf16>
  %zero = arith.constant 0.0 : f32
  %d1 = tensor.empty() : tensor<2048x2048xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%d1 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %d2 = tensor.empty() : tensor<4096x2048xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%d2 : tensor<4096x2048xf32>) -> tensor<4096x2048xf32>
  // expected-remark-re @below {{Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %1 = linalg.matmul ins(%x, %0 : tensor<2048x1024xf16>, tensor<1024x2048xf16>) outs(%f1 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  // expected-remark-re @below {{Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %2 = linalg.matmul ins(%u, %0 : tensor<4096x1024xf16>, tensor<1024x2048xf16>) outs(%f2 : tensor<4096x2048xf32>) -> tensor<4096x2048xf32>
  return %1, %2 : tensor<2048x2048xf32>, tensor<4096x2048xf32>
}

// -----

// They are a result as well, so they are written; to read them costs less.
// CHECK-LABEL: func.func @returned(
// CHECK-COUNT-3: fusion.group
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
func.func @returned(%x: tensor<2048x1024xf16>, %u: tensor<32x1024xf16>, %w: tensor<1024x2048xi8>, %s: tensor<2048xf16>) -> (tensor<2048x2048xf32>, tensor<32x2048xf32>, tensor<1024x2048xf16>) {
  %e = tensor.empty() : tensor<1024x2048xf16>
  %0 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<1024x2048xi8>, tensor<2048xf16>) outs(%e : tensor<1024x2048xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %3 = arith.sitofp %a : i8 to f16
    %4 = arith.mulf %3, %b : f16
    linalg.yield %4 : f16
  } -> tensor<1024x2048xf16>
  %zero = arith.constant 0.0 : f32
  %d1 = tensor.empty() : tensor<2048x2048xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%d1 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %d2 = tensor.empty() : tensor<32x2048xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%d2 : tensor<32x2048xf32>) -> tensor<32x2048xf32>
  // expected-remark-re @below {{Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %1 = linalg.matmul ins(%x, %0 : tensor<2048x1024xf16>, tensor<1024x2048xf16>) outs(%f1 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  // expected-remark-re @below {{Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %2 = linalg.matmul ins(%u, %0 : tensor<32x1024xf16>, tensor<1024x2048xf16>) outs(%f2 : tensor<32x2048xf32>) -> tensor<32x2048xf32>
  return %1, %2, %0 : tensor<2048x2048xf32>, tensor<32x2048xf32>, tensor<1024x2048xf16>
}

// -----

// A directive places the weights.
// CHECK-LABEL: func.func @placed(
// CHECK-COUNT-3: fusion.group
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
func.func @placed(%x: tensor<16x1024xf16>, %u: tensor<32x1024xf16>, %w: tensor<1024x2048xi8>, %s: tensor<2048xf16>) -> (tensor<16x2048xf32>, tensor<32x2048xf32>) {
  %e = tensor.empty() : tensor<1024x2048xf16>
  %0 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<1024x2048xi8>, tensor<2048xf16>) outs(%e : tensor<1024x2048xf16>) attrs = {fusion.no_fuse} {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %3 = arith.sitofp %a : i8 to f16
    %4 = arith.mulf %3, %b : f16
    linalg.yield %4 : f16
  } -> tensor<1024x2048xf16>
  %zero = arith.constant 0.0 : f32
  %d1 = tensor.empty() : tensor<16x2048xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%d1 : tensor<16x2048xf32>) -> tensor<16x2048xf32>
  %d2 = tensor.empty() : tensor<32x2048xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%d2 : tensor<32x2048xf32>) -> tensor<32x2048xf32>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %1 = linalg.matmul ins(%x, %0 : tensor<16x1024xf16>, tensor<1024x2048xf16>) outs(%f1 : tensor<16x2048xf32>) -> tensor<16x2048xf32>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %2 = linalg.matmul ins(%u, %0 : tensor<32x1024xf16>, tensor<1024x2048xf16>) outs(%f2 : tensor<32x2048xf32>) -> tensor<32x2048xf32>
  return %1, %2 : tensor<16x2048xf32>, tensor<32x2048xf32>
}
