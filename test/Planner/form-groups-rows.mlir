// Reductions over the same rows, with elementwise work around them.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @softmax(
// CHECK-COUNT-1: fusion.group "max+exp+sum+div" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty(%m) : tensor<?xf32>
  %full = tensor.empty(%m, %n) : tensor<?x?xf32>
  %i1 = linalg.fill ins(%ninf : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.reduce ins(%x : tensor<?x?xf32>) outs(%i1 : tensor<?xf32>) dimensions = [1]
    (%a: f32, %acc: f32) { %0 = arith.maximumf %a, %acc : f32 linalg.yield %0 : f32 } loc("max")
  %ex = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%full : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32> loc("exp")
  %i2 = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.reduce ins(%ex : tensor<?x?xf32>) outs(%i2 : tensor<?xf32>) dimensions = [1]
    (%a: f32, %acc: f32) { %0 = arith.addf %a, %acc : f32 linalg.yield %0 : f32 } loc("sum")
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ex, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%full : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32> loc("div")
  return %y : tensor<?x?xf32>
}

// -----

// An elementwise producer of the row, per-row work that leaves, per-column
// operands: one group with results of two shapes.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @norm(
// CHECK:         %[[G:.*]]:2 = fusion.group "exp+reduce+rsqrt+elementwise" kinds ["vertical"]
// CHECK:         } : tensor<64xf32>, tensor<64x256xf32>
// CHECK:         return %[[G]]#1, %[[G]]#0
func.func @norm(%x: tensor<64x256xf32>, %scale: tensor<256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<64xf32>
  %full = tensor.empty() : tensor<64x256xf32>
  %e = linalg.exp ins(%x : tensor<64x256xf32>) outs(%full : tensor<64x256xf32>) -> tensor<64x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.reduce ins(%e : tensor<64x256xf32>) outs(%init : tensor<64xf32>) dimensions = [1]
    (%a: f32, %acc: f32) { %0 = arith.addf %a, %acc : f32 linalg.yield %0 : f32 }
  %inv = linalg.rsqrt ins(%sum : tensor<64xf32>) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %inv, %scale : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) outs(%full : tensor<64x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<64x256xf32>
  return %y, %inv : tensor<64x256xf32>, tensor<64xf32>
}

// -----

// A reduced dim that is kept with size one is the same row.
#id = affine_map<(i, j) -> (i, j)>
#kept = affine_map<(i, j) -> (i, 0)>

// CHECK-LABEL: func.func @kept_dim(
// CHECK-COUNT-1: fusion.group "elementwise+reduction" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @kept_dim(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<64x1xf32>
  %full = tensor.empty() : tensor<64x256xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x256xf32>) outs(%full : tensor<64x256xf32>) {
  ^bb0(%p: f32, %d: f32):
    %0 = math.absf %p : f32
    linalg.yield %0 : f32
  } -> tensor<64x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<64x1xf32>) -> tensor<64x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x256xf32>) outs(%init : tensor<64x1xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %0 = arith.addf %acc, %p : f32
    linalg.yield %0 : f32
  } -> tensor<64x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #kept, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %sum : tensor<64x256xf32>, tensor<64x1xf32>) outs(%full : tensor<64x256xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %0 = arith.divf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<64x256xf32>
  return %y : tensor<64x256xf32>
}

// -----

// A cast to f32 belongs to the row that computes in f32, not to the matmul
// before it: what crosses memory stays f16.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @widening_stays(
// CHECK:         %[[MM:.*]] = fusion.group "matmul" kinds []
// CHECK:         } : tensor<64x512xf16>
// CHECK:         fusion.group "widen+reduce" kinds ["vertical"] ins(%[[MM]] : tensor<64x512xf16>)
func.func @widening_stays(%a: tensor<64x64xf16>, %b: tensor<64x512xf16>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %full = tensor.empty() : tensor<64x512xf32>
  %half = tensor.empty() : tensor<64x512xf16>
  %rows = tensor.empty() : tensor<64xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%full : tensor<64x512xf32>) -> tensor<64x512xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x512xf16>)
                      outs(%i1 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mm : tensor<64x512xf32>) outs(%half : tensor<64x512xf16>) {
  ^bb0(%p: f32, %d: f16):
    %0 = arith.truncf %p {fusion.rounding} : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<64x512xf16>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<64x512xf16>) outs(%full : tensor<64x512xf32>) {
  ^bb0(%p: f16, %d: f32):
    %0 = arith.extf %p : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<64x512xf32> loc("widen")
  %i2 = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.reduce ins(%w : tensor<64x512xf32>) outs(%i2 : tensor<64xf32>) dimensions = [1]
    (%p: f32, %acc: f32) { %0 = arith.addf %p, %acc : f32 linalg.yield %0 : f32 }
  return %sum : tensor<64xf32>
}

// -----

// A sum of columns, and what reads it for every row.
// CHECK-LABEL: func.func @sums_of_columns(
// CHECK:         fusion.group "exp+reduce+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @sums_of_columns(%x: tensor<64x96xf32>, %d: tensor<96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.exp ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<64x96xf32>) outs(%d : tensor<96xf32>) dimensions = [0]
  %2 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<64x96xf32>, tensor<96xf32>) outs(%e : tensor<64x96xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %v = arith.subf %p, %q : f32
    linalg.yield %v : f32
  } -> tensor<64x96xf32>
  return %2 : tensor<64x96xf32>
}
