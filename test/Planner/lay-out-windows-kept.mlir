// Which convolutions keep the order of their images, each with the reason where
// another one was thought of.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-lay-out-windows))' -split-input-file -verify-diagnostics \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark | FileCheck %s
// RUN: not fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-lay-out-windows{target=abacus}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-lay-out-windows{target=cpu always=true}))' -split-input-file | FileCheck %s

// TARGET: error: expected a known target, but got 'abacus'

// Copies would cost more than they save.
// CHECK-LABEL: func.func @small(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @small(%x: tensor<1x16x11x11xf16>, %w: tensor<16x16x3x3xf16>, %f: tensor<1x16x9x9xf32>) -> tensor<1x16x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<1x16x9x9xf32>) -> tensor<1x16x9x9xf32>
  // expected-remark-re @below {{Reason="with channels side by side its loop is estimated at {{[0-9.]+}} us and the copies at {{[0-9.]+}} us, against {{[0-9.]+}} us"}}
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x11x11xf16>, tensor<16x16x3x3xf16>) outs(%i : tensor<1x16x9x9xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x9x9xf32>
  return %0 : tensor<1x16x9x9xf32>
}

// -----

// Scalar multiplies take longer than any way to fetch.
// CHECK-LABEL: func.func @of_f32(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @of_f32(%x: tensor<32x64x58x58xf32>, %w: tensor<64x64x3x3xf32>, %f: tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32>
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%i : tensor<32x64x56x56xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<32x64x56x56xf32>
  return %0 : tensor<32x64x56x56xf32>
}

// -----

// Three channels make no 16 bytes.
// CHECK-LABEL: func.func @few_channels(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @few_channels(%x: tensor<32x3x230x230xf16>, %w: tensor<64x3x7x7xf16>, %f: tensor<32x64x112x112xf32>) -> tensor<32x64x112x112xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<32x64x112x112xf32>) -> tensor<32x64x112x112xf32>
  // expected-remark @below {{Reason="its channels side by side are no whole pieces of 16 bytes"}}
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x3x230x230xf16>, tensor<64x3x7x7xf16>) outs(%i : tensor<32x64x112x112xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<32x64x112x112xf32>
  return %0 : tensor<32x64x112x112xf32>
}

// -----

// A pinned schedule is meant for the op as it stands.
// CHECK-LABEL: func.func @pinned(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @pinned(%x: tensor<32x64x58x58xf16>, %w: tensor<64x64x3x3xf16>, %f: tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32>
  // expected-remark @below {{Reason="it is marked with a directive, and stays as it is"}}
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x64x58x58xf16>, tensor<64x64x3x3xf16>) outs(%i : tensor<32x64x56x56xf32>)
      attrs = {fusion.schedule = {kind = "mma", bm = 64, bn = 64, bk = 32, stages = 3, warps = 4}} {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<32x64x56x56xf32>
  return %0 : tensor<32x64x56x56xf32>
}

// -----

// Channels lie side by side already.
// CHECK-LABEL: func.func @channels_last(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @channels_last(%x: tensor<32x58x58x64xf16>, %w: tensor<64x3x3x64xf16>, %f: tensor<32x56x56x64xf32>) -> tensor<32x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<32x56x56x64xf32>) -> tensor<32x56x56x64xf32>
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x58x58x64xf16>, tensor<64x3x3x64xf16>) outs(%i : tensor<32x56x56x64xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<32x56x56x64xf32>
  return %0 : tensor<32x56x56x64xf32>
}

// -----

// Images whose places are known only at run time may be small.
// CHECK-LABEL: func.func @any_size(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @any_size(%x: tensor<32x64x?x?xf16>, %w: tensor<64x64x3x3xf16>, %f: tensor<32x64x?x?xf32>) -> tensor<32x64x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<32x64x?x?xf32>) -> tensor<32x64x?x?xf32>
  // expected-remark @below {{the size of its image is known only at run time: small ones are not worth copies}}
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x64x?x?xf16>, tensor<64x64x3x3xf16>) outs(%i : tensor<32x64x?x?xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<32x64x?x?xf32>
  return %0 : tensor<32x64x?x?xf32>
}

// -----

// Nothing is moved for an op that the user wants alone,
// CHECK-LABEL: func.func @no_fuse(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @no_fuse(%x: tensor<32x64x58x58xf16>, %w: tensor<64x64x3x3xf16>, %f: tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32>
  // expected-remark @below {{Reason="it is marked with a directive, and stays as it is"}}
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x64x58x58xf16>, tensor<64x64x3x3xf16>) outs(%i : tensor<32x64x56x56xf32>) attrs = {fusion.no_fuse} {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<32x64x56x56xf32>
  return %0 : tensor<32x64x56x56xf32>
}

// -----

// or with others.
// CHECK-LABEL: func.func @in_a_set(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @in_a_set(%x: tensor<32x64x58x58xf16>, %w: tensor<64x64x3x3xf16>, %f: tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32>
  // expected-remark @below {{Reason="it is marked with a directive, and stays as it is"}}
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x64x58x58xf16>, tensor<64x64x3x3xf16>) outs(%i : tensor<32x64x56x56xf32>) attrs = {fusion.fuse_with = "set"} {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<32x64x56x56xf32>
  return %0 : tensor<32x64x56x56xf32>
}

// -----

// What a result starts from lies in the order of its type.
// CHECK-LABEL: func.func @adds_to_an_argument(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @adds_to_an_argument(%x: tensor<32x64x58x58xf16>, %w: tensor<64x64x3x3xf16>, %f: tensor<32x64x56x56xf32>) -> tensor<32x64x56x56xf32> {
  // expected-remark @below {{Reason="it adds to a tensor, which lies in the order of its dims"}}
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x64x58x58xf16>, tensor<64x64x3x3xf16>) outs(%f : tensor<32x64x56x56xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<32x64x56x56xf32>
  return %0 : tensor<32x64x56x56xf32>
}
