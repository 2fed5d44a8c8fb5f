// Convolutions read channels side by side. A chain of them turns its image
// once; what needs the old order reads a transpose.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-lay-out-windows{always=true},canonicalize,cse))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-lay-out-windows{always=true},fusion-lay-out-windows{always=true},canonicalize,cse))' -split-input-file | FileCheck %s

// Padding turns with its image, bias and residual are read as they lie.
// CHECK-DAG:   #[[$PLACES:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
// CHECK-DAG:   #[[$FILTERS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
// CHECK-DAG:   #[[$RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG:   #[[$BIAS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG:   #[[$HOME:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
// CHECK-LABEL: func.func @padded(
// CHECK-SAME:      %[[X:.*]]: tensor<?x16x9x9xf16>, %[[W:.*]]: tensor<24x16x3x3xf16>, %[[B:.*]]: tensor<24xf16>, %[[R:.*]]: tensor<?x24x9x9xf16>,
// CHECK-DAG:     %[[F:.*]] = linalg.transpose ins(%[[W]] : {{.*}}) outs(%{{.*}} : tensor<24x3x3x16xf16>) permutation = [0, 2, 3, 1]
// CHECK-DAG:     %[[T:.*]] = linalg.transpose ins(%[[X]] : {{.*}}) outs(%{{.*}} : tensor<?x9x9x16xf16>) permutation = [0, 2, 3, 1]
// CHECK:         %[[P:.*]] = linalg.generic {indexing_maps = [#[[$ID]]], {{.*}} outs(%{{.*}} : tensor<?x11x11x16xf16>)
// CHECK-DAG:       %[[N:.*]] = linalg.index 0
// CHECK-DAG:       %[[C:.*]] = linalg.index 3
// CHECK:           tensor.extract %[[T]][%[[N]], %{{.*}}, %{{.*}}, %[[C]]]
// CHECK:         %[[Y:.*]] = linalg.generic {indexing_maps = [#[[$PLACES]], #[[$FILTERS]], #[[$RESULT]]], {{.*}} ins(%[[P]], %[[F]] : {{.*}}) outs(%{{.*}} : tensor<?x9x9x24xf32>)
// CHECK:         %[[Z:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$BIAS]], #[[$HOME]], #[[$ID]]], {{.*}} ins(%[[Y]], %[[B]], %[[R]] : {{.*}}) outs(%{{.*}} : tensor<?x9x9x24xf16>)
// CHECK:         %[[Q:.*]] = linalg.transpose ins(%[[Z]] : {{.*}}) outs(%{{.*}} : tensor<?x24x9x9xf16>) permutation = [0, 3, 1, 2]
// CHECK:         return %[[Q]]
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#bias = affine_map<(d0, d1, d2, d3) -> (d1)>
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @padded(%x: tensor<?x16x9x9xf16>, %w: tensor<24x16x3x3xf16>, %b: tensor<24xf16>, %r: tensor<?x24x9x9xf16>,
                  %n: index) -> tensor<?x24x9x9xf16> {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f16
  %zero32 = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x16x11x11xf16>
  %pad = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<?x16x11x11xf16>) {
  ^bb0(%out: f16):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %3 = linalg.index 3 : index
    %y = arith.subi %2, %c1 : index
    %x0 = arith.subi %3, %c1 : index
    %iny = arith.cmpi ult, %y, %c9 : index
    %inx = arith.cmpi ult, %x0, %c9 : index
    %in = arith.andi %iny, %inx : i1
    %v = scf.if %in -> (f16) {
      %read = tensor.extract %x[%0, %1, %y, %x0] : tensor<?x16x9x9xf16>
      scf.yield %read : f16
    } else {
      scf.yield %zero : f16
    }
    linalg.yield %v : f16
  } -> tensor<?x16x11x11xf16>
  %e32 = tensor.empty(%n) : tensor<?x24x9x9xf32>
  %f32 = linalg.fill ins(%zero32 : f32) outs(%e32 : tensor<?x24x9x9xf32>) -> tensor<?x24x9x9xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%pad, %w : tensor<?x16x11x11xf16>, tensor<24x16x3x3xf16>) outs(%f32 : tensor<?x24x9x9xf32>) {
  ^bb0(%a: f16, %c: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %c32 = arith.extf %c : f16 to f32
    %m = arith.mulf %a32, %c32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x24x9x9xf32>
  %e16 = tensor.empty(%n) : tensor<?x24x9x9xf16>
  %z = linalg.generic {indexing_maps = [#id, #bias, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %b, %r : tensor<?x24x9x9xf32>, tensor<24xf16>, tensor<?x24x9x9xf16>) outs(%e16 : tensor<?x24x9x9xf16>) {
  ^bb0(%a: f32, %c: f16, %d: f16, %out: f16):
    %c32 = arith.extf %c : f16 to f32
    %d32 = arith.extf %d : f16 to f32
    %s = arith.addf %a, %c32 : f32
    %t = arith.addf %s, %d32 : f32
    %h = arith.truncf %t : f32 to f16
    linalg.yield %h : f16
  } -> tensor<?x24x9x9xf16>
  return %z : tensor<?x24x9x9xf16>
}

// -----

// Two convolutions, strided, with a pooling behind them: the image is turned
// once, filters of one element lie right already, and the mean of all places
// reads what the second one makes.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:      %[[X:.*]]: tensor<2x8x11x11xf16>, %[[W:.*]]: tensor<16x8x3x3xf16>, %[[V:.*]]: tensor<32x16xf16>)
// CHECK-COUNT-2: linalg.transpose
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x5x5x16xf32>)
// CHECK:         %[[H:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x5x5x16xf16>)
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[H]], %[[V]] : {{.*}}) outs(%{{.*}} : tensor<2x3x3x32xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[S]] : {{.*}}) outs(%{{.*}} : tensor<2x32xf32>)
// CHECK-NOT:     linalg.transpose
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
#image1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 * 2, d3 * 2)>
#filters1 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d4)>
#result1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#mean = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
func.func @chain(%x: tensor<2x8x11x11xf16>, %w: tensor<16x8x3x3xf16>, %v: tensor<32x16xf16>) -> tensor<2x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x5x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x5x5xf32>) -> tensor<2x16x5x5xf32>
  %a = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x8x11x11xf16>, tensor<16x8x3x3xf16>) outs(%f : tensor<2x16x5x5xf32>) {
  ^bb0(%p: f16, %q: f16, %out: f32):
    %p32 = arith.extf %p : f16 to f32
    %q32 = arith.extf %q : f16 to f32
    %m = arith.mulf %p32, %q32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16x5x5xf32>
  %e16 = tensor.empty() : tensor<2x16x5x5xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<2x16x5x5xf32>) outs(%e16 : tensor<2x16x5x5xf16>) {
  ^bb0(%p: f32, %out: f16):
    %t = arith.truncf %p : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x16x5x5xf16>
  %e1 = tensor.empty() : tensor<2x32x3x3xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x32x3x3xf32>) -> tensor<2x32x3x3xf32>
  %b = linalg.generic {indexing_maps = [#image1, #filters1, #result1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %v : tensor<2x16x5x5xf16>, tensor<32x16xf16>) outs(%f1 : tensor<2x32x3x3xf32>) {
  ^bb0(%p: f16, %q: f16, %out: f32):
    %p32 = arith.extf %p : f16 to f32
    %q32 = arith.extf %q : f16 to f32
    %m = arith.mulf %p32, %q32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x32x3x3xf32>
  %e2 = tensor.empty() : tensor<2x32xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x32xf32>) -> tensor<2x32xf32>
  %c = linalg.generic {indexing_maps = [#id, #mean], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%b : tensor<2x32x3x3xf32>) outs(%f2 : tensor<2x32xf32>) {
  ^bb0(%p: f32, %out: f32):
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x32xf32>
  return %c : tensor<2x32xf32>
}

// -----

// Filters across an image whose channels lie side by side: they alone are turned.
// CHECK-LABEL: func.func @filters_across(
// CHECK-SAME:      %[[X:.*]]: tensor<2x11x11x16xf16>, %[[W:.*]]: tensor<24x16x3x3xf16>)
// CHECK:         %[[F:.*]] = linalg.transpose ins(%[[W]] : {{.*}}) outs(%{{.*}} : tensor<24x3x3x16xf16>) permutation = [0, 2, 3, 1]
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[F]] : {{.*}}) outs(%{{.*}} : tensor<2x9x9x24xf32>)
// CHECK-NOT:     linalg.transpose
// CHECK:         return
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
#filters = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
func.func @filters_across(%x: tensor<2x11x11x16xf16>, %w: tensor<24x16x3x3xf16>) -> tensor<2x9x9x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x9x9x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x9x9x24xf32>) -> tensor<2x9x9x24xf32>
  %a = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x11x11x16xf16>, tensor<24x16x3x3xf16>) outs(%f : tensor<2x9x9x24xf32>) {
  ^bb0(%p: f16, %q: f16, %out: f32):
    %p32 = arith.extf %p : f16 to f32
    %q32 = arith.extf %q : f16 to f32
    %m = arith.mulf %p32, %q32 : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x9x9x24xf32>
  return %a : tensor<2x9x9x24xf32>
}
