// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-elide-roundings))' -split-input-file | FileCheck %s

#id = affine_map<(i) -> (i)>

// The example of the pass: only the last rounding is left.
// CHECK-LABEL: func.func @inside(
// CHECK:         %[[W:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf16>) outs(%[[W]] : tensor<8xf32>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f16, %{{.*}}: f32):
// CHECK-NEXT:      %[[E:.*]] = arith.extf %[[X]]
// CHECK-NEXT:      %[[R:.*]] = math.exp %[[E]]
// CHECK-NEXT:      linalg.yield %[[R]] : f32
// CHECK:         linalg.generic {{.*}} ins(%[[A]] : tensor<8xf32>) outs(%{{.*}} : tensor<8xf16>)
// CHECK-NEXT:    ^bb0(%[[Y:.*]]: f32, %{{.*}}: f16):
// CHECK-NEXT:      %[[N:.*]] = arith.negf %[[Y]] : f32
// CHECK-NEXT:      arith.truncf %[[N]] {fusion.rounding}
func.func @inside(%x: tensor<8xf16>) -> tensor<8xf16> {
  %o = tensor.empty() : tensor<8xf16>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf16>) outs(%o : tensor<8xf16>) {
  ^bb0(%a: tensor<8xf16>, %d: tensor<8xf16>):
    %e = tensor.empty() : tensor<8xf16>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xf16>) outs(%d : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = arith.negf %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    fusion.yield %1 : tensor<8xf16>
  } : tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// The value also leaves: its result is the rounding of what the reader sees.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @leaves(
// CHECK:         ^bb0(%{{.*}}: tensor<8xf16>, %[[D0:.*]]: tensor<8xf16>, %[[D1:.*]]: tensor<8xf32>):
// CHECK:         %[[V:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf16>) outs(%{{.*}} : tensor<8xf32>)
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[V]] : tensor<8xf32>) outs(%[[D0]] : tensor<8xf16>)
// CHECK:           arith.truncf {{.*}} {fusion.rounding}
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%[[V]] : tensor<8xf32>) outs(%[[D1]] : tensor<8xf32>)
// CHECK:         fusion.yield %[[R]], %[[N]]
func.func @leaves(%x: tensor<8xf16>) -> (tensor<8xf16>, tensor<8xf32>) {
  %o0 = tensor.empty() : tensor<8xf16>
  %o1 = tensor.empty() : tensor<8xf32>
  %r:2 = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf16>) outs(%o0, %o1 : tensor<8xf16>, tensor<8xf32>) {
  ^bb0(%a: tensor<8xf16>, %d0: tensor<8xf16>, %d1: tensor<8xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf16>) outs(%d0 : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xf16>) outs(%d1 : tensor<8xf32>) {
    ^bb0(%p: f16, %q: f32):
      %w = arith.extf %p : f16 to f32
      %v = arith.negf %w : f32
      linalg.yield %v : f32
    } -> tensor<8xf32>
    fusion.yield %0, %1 : tensor<8xf16>, tensor<8xf32>
  } : tensor<8xf16>, tensor<8xf32>
  return %r#0, %r#1 : tensor<8xf16>, tensor<8xf32>
}

// -----

// The rounding of a contraction's result goes away as an op.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @contraction(
// CHECK:         %[[MM:.*]] = linalg.matmul
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[MM]] : tensor<8x8xf32>)
// CHECK-NEXT:    ^bb0(%[[P:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      math.exp %[[P]]
func.func @contraction(%x: tensor<8x8xf16>) -> tensor<8x8xf32> {
  %o = tensor.empty() : tensor<8x8xf32>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8x8xf16>) outs(%o : tensor<8x8xf32>) {
  ^bb0(%a: tensor<8x8xf16>, %d: tensor<8x8xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %h = tensor.empty() : tensor<8x8xf16>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %mm = linalg.matmul ins(%a, %a : tensor<8x8xf16>, tensor<8x8xf16>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%mm : tensor<8x8xf32>) outs(%h : tensor<8x8xf16>) {
    ^bb0(%p: f32, %q: f16):
      %t = arith.truncf %p {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8x8xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%0 : tensor<8x8xf16>) outs(%d : tensor<8x8xf32>) {
    ^bb0(%p: f16, %q: f32):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      linalg.yield %v : f32
    } -> tensor<8x8xf32>
    fusion.yield %1 : tensor<8x8xf32>
  } : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i) -> (i)>

// A broadcast between a rounding and its reader moves the wide value.
// CHECK-LABEL: func.func @after_a_broadcast(
// CHECK-NOT:     arith.truncf
// CHECK:         math.exp
// CHECK-NOT:     arith.truncf
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}} : tensor<8x4xf32>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      linalg.yield %[[X]] : f32
// CHECK:           arith.negf
// CHECK-NEXT:      arith.truncf %{{.*}} {fusion.rounding} : f32 to f16
// CHECK-NOT:     arith.truncf
func.func @after_a_broadcast(%x: tensor<8xf16>) -> tensor<8x4xf16> {
  %o = tensor.empty() : tensor<8x4xf16>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf16>) outs(%o : tensor<8x4xf16>) {
  ^bb0(%a: tensor<8xf16>, %d: tensor<8x4xf16>):
    %e = tensor.empty() : tensor<8xf16>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %f = tensor.empty() : tensor<8x4xf16>
    %1 = linalg.generic {indexing_maps = [#row, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%0 : tensor<8xf16>) outs(%f : tensor<8x4xf16>) {
    ^bb0(%p: f16, %q: f16):
      linalg.yield %p : f16
    } -> tensor<8x4xf16>
    %2 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%1 : tensor<8x4xf16>) outs(%d : tensor<8x4xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = arith.negf %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8x4xf16>
    fusion.yield %2 : tensor<8x4xf16>
  } : tensor<8x4xf16>
  return %r : tensor<8x4xf16>
}
