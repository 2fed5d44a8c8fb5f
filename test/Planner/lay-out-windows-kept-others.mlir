// More convolutions that keep the order of their images: of other ranks, types and
// layouts, and named ones.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-lay-out-windows))' -split-input-file -verify-diagnostics \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark | FileCheck %s

// The sums are half floats: kernels of tiles have none of these.
// CHECK-LABEL: func.func @sums_of_halves(
// CHECK-SAME:      %[[X:.*]]: tensor<8x64x66xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<8x64x64xf16>)
// CHECK-NOT:     linalg.transpose
func.func @sums_of_halves(%x: tensor<8x64x66xf16>, %w: tensor<64x64x3xf16>, %f: tensor<8x64x64xf16>) -> tensor<8x64x64xf16> {
  %zero = arith.constant 0.0 : f16
  %i = linalg.fill ins(%zero : f16) outs(%f : tensor<8x64x64xf16>) -> tensor<8x64x64xf16>
  // expected-remark @below {{Reason="its tiles are no product of matrices"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, p, c, w) -> (n, c, p + w)>, affine_map<(n, f, p, c, w) -> (f, c, w)>, affine_map<(n, f, p, c, w) -> (n, f, p)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<8x64x66xf16>, tensor<64x64x3xf16>) outs(%i : tensor<8x64x64xf16>) {
  ^bb0(%a: f16, %b: f16, %out: f16):
    %m = arith.mulf %a, %b : f16
    %s = arith.addf %out, %m : f16
    linalg.yield %s : f16
  } -> tensor<8x64x64xf16>
  return %0 : tensor<8x64x64xf16>
}

// -----

// With one filter the product is one of rows with a vector.
// CHECK-LABEL: func.func @one_filter(
// CHECK-SAME:      %[[X:.*]]: tensor<8x64x66xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<8x1x64xf32>)
// CHECK-NOT:     linalg.transpose
func.func @one_filter(%x: tensor<8x64x66xf16>, %w: tensor<1x64x3xf16>, %f: tensor<8x1x64xf32>) -> tensor<8x1x64xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  // expected-remark @below {{Reason="its tiles are no product of matrices"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, p, c, w) -> (n, c, p + w)>, affine_map<(n, f, p, c, w) -> (f, c, w)>, affine_map<(n, f, p, c, w) -> (n, f, p)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<8x64x66xf16>, tensor<1x64x3xf16>) outs(%i : tensor<8x1x64xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x1x64xf32>
  return %0 : tensor<8x1x64xf32>
}

// -----

// Nobody knows whether the channels are whole pieces.
// CHECK-LABEL: func.func @open_channels(
// CHECK-SAME:      %[[X:.*]]: tensor<8x?x66xbf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<8x64x64xf32>)
// CHECK-NOT:     linalg.transpose
func.func @open_channels(%x: tensor<8x?x66xbf16>, %w: tensor<64x?x3xbf16>, %f: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  // expected-remark @below {{Reason="how many channels it has is known only at run time"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, p, c, w) -> (n, c, p + w)>, affine_map<(n, f, p, c, w) -> (f, c, w)>, affine_map<(n, f, p, c, w) -> (n, f, p)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<8x?x66xbf16>, tensor<64x?x3xbf16>) outs(%i : tensor<8x64x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %out: f32):
    %a32 = arith.extf %a : bf16 to f32
    %b32 = arith.extf %b : bf16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x64x64xf32>
  return %0 : tensor<8x64x64xf32>
}

// -----

// Channels that two dims tell apart would have to lie last both.
// CHECK-LABEL: func.func @channels_in_two_dims(
// CHECK-SAME:      %[[X:.*]]: tensor<8x4x16x66xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<8x64x64xf32>)
// CHECK-NOT:     linalg.transpose
func.func @channels_in_two_dims(%x: tensor<8x4x16x66xf16>, %w: tensor<64x4x16x3xf16>, %f: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  // expected-remark @below {{Reason="its channels are several dims"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, p, g, c, w) -> (n, g, c, p + w)>, affine_map<(n, f, p, g, c, w) -> (f, g, c, w)>, affine_map<(n, f, p, g, c, w) -> (n, f, p)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<8x4x16x66xf16>, tensor<64x4x16x3xf16>) outs(%i : tensor<8x64x64xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x64x64xf32>
  return %0 : tensor<8x64x64xf32>
}

// -----

// Twelve channels are a piece of 16 bytes and half of another one.
// CHECK-LABEL: func.func @odd_channels(
// CHECK-SAME:      %[[X:.*]]: tensor<8x12x66xbf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<8x64x64xf32>)
// CHECK-NOT:     linalg.transpose
func.func @odd_channels(%x: tensor<8x12x66xbf16>, %w: tensor<64x12x3xbf16>, %f: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  // expected-remark @below {{Reason="its channels side by side are no whole pieces of 16 bytes"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, p, c, w) -> (n, c, p + w)>, affine_map<(n, f, p, c, w) -> (f, c, w)>, affine_map<(n, f, p, c, w) -> (n, f, p)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<8x12x66xbf16>, tensor<64x12x3xbf16>) outs(%i : tensor<8x64x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %out: f32):
    %a32 = arith.extf %a : bf16 to f32
    %b32 = arith.extf %b : bf16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x64x64xf32>
  return %0 : tensor<8x64x64xf32>
}

// -----

// Of a sequence whose length and number are known only at run time nobody knows the
// size.
// CHECK-LABEL: func.func @open_batch_and_places(
// CHECK-SAME:      %[[X:.*]]: tensor<?x64x?xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<?x64x?xf32>)
// CHECK-NOT:     linalg.transpose
func.func @open_batch_and_places(%x: tensor<?x64x?xf16>, %w: tensor<64x64x3xf16>, %f: tensor<?x64x?xf32>) -> tensor<?x64x?xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<?x64x?xf32>) -> tensor<?x64x?xf32>
  // expected-remark @below {{Reason="the size of its image is known only at run time: small ones are not worth copies"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, p, c, w) -> (n, c, p + w)>, affine_map<(n, f, p, c, w) -> (f, c, w)>, affine_map<(n, f, p, c, w) -> (n, f, p)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<?x64x?xf16>, tensor<64x64x3xf16>) outs(%i : tensor<?x64x?xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x64x?xf32>
  return %0 : tensor<?x64x?xf32>
}

// -----

// Short sequences, strided: the copies take longer than the loop.
// CHECK-LABEL: func.func @short_sequences(
// CHECK-SAME:      %[[X:.*]]: tensor<2x16x33xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<2x16x16xf32>)
// CHECK-NOT:     linalg.transpose
func.func @short_sequences(%x: tensor<2x16x33xf16>, %w: tensor<16x16x3xf16>, %f: tensor<2x16x16xf32>) -> tensor<2x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  // expected-remark-re @below {{Reason="with channels side by side its loop is estimated at {{[0-9.]+}} us and the copies at {{[0-9.]+}} us, against {{[0-9.]+}} us"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, p, c, w) -> (n, c, p * 2 + w)>, affine_map<(n, f, p, c, w) -> (f, c, w)>, affine_map<(n, f, p, c, w) -> (n, f, p)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x16x33xf16>, tensor<16x16x3xf16>) outs(%i : tensor<2x16x16xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16x16xf32>
  return %0 : tensor<2x16x16xf32>
}

// -----

// The image lies right, and the filters across it: they are as few as its places.
// CHECK-LABEL: func.func @few_filters_across(
// CHECK-SAME:      %[[X:.*]]: tensor<1x6x6x16xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<1x4x4x8xf32>)
// CHECK-NOT:     linalg.transpose
func.func @few_filters_across(%x: tensor<1x6x6x16xf16>, %w: tensor<8x16x3x3xf16>, %f: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  // expected-remark-re @below {{Reason="with channels side by side its loop is estimated at {{[0-9.]+}} us and the copies at {{[0-9.]+}} us, against {{[0-9.]+}} us"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, p, q, f, c, i, j) -> (n, p + i, q + j, c)>, affine_map<(n, p, q, f, c, i, j) -> (f, c, i, j)>, affine_map<(n, p, q, f, c, i, j) -> (n, p, q, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x6x6x16xf16>, tensor<8x16x3x3xf16>) outs(%i : tensor<1x4x4x8xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}

// -----

// What it adds to has the filters last, and comes from elsewhere.
// CHECK-LABEL: func.func @adds_to_its_rows(
// CHECK-SAME:      %[[X:.*]]: tensor<8x64x66xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<8x64x64xf32>)
// CHECK-NOT:     linalg.transpose
func.func @adds_to_its_rows(%x: tensor<8x64x66xf16>, %w: tensor<64x64x3xf16>, %f: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  // expected-remark @below {{Reason="it adds to a tensor, which lies in the order of its dims"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, f, p, c, w) -> (n, c, p + w)>, affine_map<(n, f, p, c, w) -> (f, c, w)>, affine_map<(n, f, p, c, w) -> (n, p, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<8x64x66xf16>, tensor<64x64x3xf16>) outs(%f : tensor<8x64x64xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x64x64xf32>
  return %0 : tensor<8x64x64xf32>
}

// -----

// An op that has a name keeps it.
// CHECK-LABEL: func.func @named(
// CHECK-SAME:      %[[X:.*]]: tensor<1x16x6x6xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.conv_2d_nchw_fchw ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<1x8x4x4xf32>)
// CHECK-NOT:     linalg.transpose
func.func @named(%x: tensor<1x16x6x6xf16>, %w: tensor<8x16x3x3xf16>, %f: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  // expected-remark-re @below {{Reason="with channels side by side its loop is estimated at {{[0-9.]+}} us and the copies at {{[0-9.]+}} us, against {{[0-9.]+}} us"}}
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x6x6xf16>, tensor<8x16x3x3xf16>) outs(%i : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}

// -----

// And what a person says of it.
// CHECK-LABEL: func.func @named_and_marked(
// CHECK-SAME:      %[[X:.*]]: tensor<1x16x6x6xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.conv_2d_nchw_fchw {fusion.no_fuse} ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<1x8x4x4xf32>)
// CHECK-NOT:     linalg.transpose
func.func @named_and_marked(%x: tensor<1x16x6x6xf16>, %w: tensor<8x16x3x3xf16>, %f: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  // expected-remark @below {{Reason="it is marked with a directive, and stays as it is"}}
  %0 = linalg.conv_2d_nchw_fchw {fusion.no_fuse} ins(%x, %w : tensor<1x16x6x6xf16>, tensor<8x16x3x3xf16>) outs(%i : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}

// -----

// What it adds to was there before.
// CHECK-LABEL: func.func @named_and_added(
// CHECK-SAME:      %[[X:.*]]: tensor<1x16x6x6xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.conv_2d_nchw_fchw ins(%[[X]], %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<1x8x4x4xf32>)
// CHECK-NOT:     linalg.transpose
func.func @named_and_added(%x: tensor<1x16x6x6xf16>, %w: tensor<8x16x3x3xf16>, %f: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  // expected-remark @below {{Reason="it adds to a tensor, which lies in the order of its dims"}}
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x6x6xf16>, tensor<8x16x3x3xf16>) outs(%f : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}
