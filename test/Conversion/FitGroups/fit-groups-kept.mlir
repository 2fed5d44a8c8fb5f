// Groups that stay as they are: nothing is said of them.
//
// RUN: fusion-opt %s -fusion-fit-groups=target=sm_80 -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-fit-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A number of the host goes into it, which no function takes to be tried with: it is
// left as it is, whatever it needs.
// CHECK-LABEL: func.func @opaque(
// CHECK:         %[[R:.*]] = fusion.group "rows+columns" kinds ["vertical"] ins(
// CHECK-NOT:     fusion.group
// CHECK:         return %[[R]]
func.func @opaque(%x: tensor<50000x50000xf32>, %s: f32) -> tensor<50000xf32> {
  %d = tensor.empty() : tensor<50000xf32>
  %r = fusion.group "rows+columns" kinds ["vertical"] ins(%x, %s : tensor<50000x50000xf32>, f32) outs(%d : tensor<50000xf32>) {
  ^bb0(%a: tensor<50000x50000xf32>, %low: f32, %b: tensor<50000xf32>):
    %e = tensor.empty() : tensor<50000xf32>
    %f = linalg.fill ins(%low : f32) outs(%e : tensor<50000xf32>) -> tensor<50000xf32>
    %rows = linalg.reduce { arith.maximumf } ins(%a : tensor<50000x50000xf32>) outs(%f : tensor<50000xf32>) dimensions = [1]
    %g = linalg.fill ins(%low : f32) outs(%b : tensor<50000xf32>) -> tensor<50000xf32>
    %columns = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>],
        iterator_types = ["reduction", "parallel"]}
        ins(%a, %rows : tensor<50000x50000xf32>, tensor<50000xf32>) outs(%g : tensor<50000xf32>) {
    ^bb0(%in: f32, %row: f32, %acc: f32):
      %s0 = arith.subf %in, %row : f32
      %m = arith.maximumf %s0, %acc : f32
      linalg.yield %m : f32
    } -> tensor<50000xf32>
    fusion.yield %columns : tensor<50000xf32>
  } : tensor<50000xf32>
  return %r : tensor<50000xf32>
}

// -----

// One op over rows that no tile holds, of which there is nothing to split: it reads
// them piece by piece.
// CHECK-LABEL: func.func @single(
// CHECK:         %[[R:.*]] = fusion.group "rows" kinds [] ins(
// CHECK-NOT:     fusion.group
// CHECK:         return %[[R]]
func.func @single(%x: tensor<?x50000xf16>, %n: index) -> tensor<?xf16> {
  %d = tensor.empty(%n) : tensor<?xf16>
  %r = fusion.group "rows" kinds [] ins(%x : tensor<?x50000xf16>) outs(%d : tensor<?xf16>) {
  ^bb0(%a: tensor<?x50000xf16>, %b: tensor<?xf16>):
    %low = arith.constant 0xFC00 : f16
    %f = linalg.fill ins(%low : f16) outs(%b : tensor<?xf16>) -> tensor<?xf16>
    %rows = linalg.reduce { arith.maximumf } ins(%a : tensor<?x50000xf16>) outs(%f : tensor<?xf16>) dimensions = [1]
    fusion.yield %rows : tensor<?xf16>
  } : tensor<?xf16>
  return %r : tensor<?xf16>
}

// -----

// Two reductions of the same dim: rows are read twice, piece by piece.
// CHECK-LABEL: func.func @one_direction(
// CHECK:         %[[R:.*]] = fusion.group "rows+rows" kinds ["vertical"] ins(
// CHECK-NOT:     fusion.group
// CHECK:         return %[[R]]
func.func @one_direction(%x: tensor<50000x50000xf32>) -> tensor<50000xf32> {
  %d = tensor.empty() : tensor<50000xf32>
  %r = fusion.group "rows+rows" kinds ["vertical"] ins(%x : tensor<50000x50000xf32>) outs(%d : tensor<50000xf32>) {
  ^bb0(%a: tensor<50000x50000xf32>, %b: tensor<50000xf32>):
    %low = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<50000xf32>
    %f = linalg.fill ins(%low : f32) outs(%e : tensor<50000xf32>) -> tensor<50000xf32>
    %rows = linalg.reduce { arith.maximumf } ins(%a : tensor<50000x50000xf32>) outs(%f : tensor<50000xf32>) dimensions = [1]
    %g = linalg.fill ins(%low : f32) outs(%b : tensor<50000xf32>) -> tensor<50000xf32>
    %again = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
        iterator_types = ["parallel", "reduction"]}
        ins(%a, %rows : tensor<50000x50000xf32>, tensor<50000xf32>) outs(%g : tensor<50000xf32>) {
    ^bb0(%in: f32, %row: f32, %acc: f32):
      %s0 = arith.subf %in, %row : f32
      %m = arith.maximumf %s0, %acc : f32
      linalg.yield %m : f32
    } -> tensor<50000xf32>
    fusion.yield %again : tensor<50000xf32>
  } : tensor<50000xf32>
  return %r : tensor<50000xf32>
}

// -----

// Limits of the module that are just what a kernel needs.
// CHECK-LABEL: func.func @limits(
// CHECK:         %[[R:.*]] = fusion.group "product+exp" kinds ["vertical"] ins(
// CHECK-NOT:     fusion.group
// CHECK:         return %[[R]]
module attributes {fusion.limits = {registers = 32 : i64, shared = 7168 : i64}} {
func.func @limits(%x: tensor<70x100xbf16>, %w: tensor<100x50xbf16>) -> tensor<70x50xf32> {
  %d = tensor.empty() : tensor<70x50xf32>
  %r = fusion.group "product+exp" kinds ["vertical"] ins(%x, %w : tensor<70x100xbf16>, tensor<100x50xbf16>) outs(%d : tensor<70x50xf32>) {
  ^bb0(%a: tensor<70x100xbf16>, %b: tensor<100x50xbf16>, %o: tensor<70x50xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<70x50xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x50xf32>) -> tensor<70x50xf32>
    %p = linalg.matmul ins(%a, %b : tensor<70x100xbf16>, tensor<100x50xbf16>) outs(%f : tensor<70x50xf32>) -> tensor<70x50xf32>
    %q = linalg.exp ins(%p : tensor<70x50xf32>) outs(%o : tensor<70x50xf32>) -> tensor<70x50xf32>
    fusion.yield %q : tensor<70x50xf32>
  } : tensor<70x50xf32>
  return %r : tensor<70x50xf32>
}
}

// -----

// A pinned schedule of a group that would be split: it is the user's.
// CHECK-LABEL: func.func @pinned_rows(
// CHECK:         %[[R:.*]] = fusion.group "rows+columns" kinds ["vertical"] schedule = {columns = 512 : i64, kind = "rows", rows = 1 : i64, warps = 4 : i64}
// CHECK-NOT:     fusion.group
// CHECK:         return %[[R]]
func.func @pinned_rows(%x: tensor<50000x50000xf32>) -> tensor<50000xf32> {
  %d = tensor.empty() : tensor<50000xf32>
  %r = fusion.group "rows+columns" kinds ["vertical"] schedule = {columns = 512 : i64, kind = "rows", rows = 1 : i64, warps = 4 : i64} ins(%x : tensor<50000x50000xf32>) outs(%d : tensor<50000xf32>) {
  ^bb0(%a: tensor<50000x50000xf32>, %b: tensor<50000xf32>):
    %low = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<50000xf32>
    %f = linalg.fill ins(%low : f32) outs(%e : tensor<50000xf32>) -> tensor<50000xf32>
    %rows = linalg.reduce { arith.maximumf } ins(%a : tensor<50000x50000xf32>) outs(%f : tensor<50000xf32>) dimensions = [1]
    %g = linalg.fill ins(%low : f32) outs(%b : tensor<50000xf32>) -> tensor<50000xf32>
    %columns = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>],
        iterator_types = ["reduction", "parallel"]}
        ins(%a, %rows : tensor<50000x50000xf32>, tensor<50000xf32>) outs(%g : tensor<50000xf32>) {
    ^bb0(%in: f32, %row: f32, %acc: f32):
      %s0 = arith.subf %in, %row : f32
      %m = arith.maximumf %s0, %acc : f32
      linalg.yield %m : f32
    } -> tensor<50000xf32>
    fusion.yield %columns : tensor<50000xf32>
  } : tensor<50000xf32>
  return %r : tensor<50000xf32>
}

// -----

// Parts of one launch, one of them in a branch, that fit.
// CHECK-LABEL: func.func @composite(
// CHECK:         %[[R:.*]]:2 = fusion.group "both | neg" kinds ["conditional", "horizontal"]
// CHECK:           fusion.group "neg" kinds []
// CHECK:           fusion.if
// CHECK:             fusion.group "both" kinds ["vertical"]
// CHECK-NOT:     fusion.group
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @composite(%c: tensor<i1>, %x: tensor<8x16xf16>, %v: tensor<300xf32>) -> (tensor<8xf16>, tensor<300xf32>) {
  %d0 = tensor.empty() : tensor<8xf16>
  %d1 = tensor.empty() : tensor<300xf32>
  %r:2 = fusion.group "both | neg" kinds ["conditional", "horizontal"] ins(%c, %x, %v : tensor<i1>, tensor<8x16xf16>, tensor<300xf32>) outs(%d0, %d1 : tensor<8xf16>, tensor<300xf32>) {
  ^bb0(%p: tensor<i1>, %x0: tensor<8x16xf16>, %v0: tensor<300xf32>, %e0: tensor<8xf16>, %e1: tensor<300xf32>):
    %neg = fusion.group "neg" kinds [] ins(%v0 : tensor<300xf32>) outs(%e1 : tensor<300xf32>) {
    ^bb0(%a: tensor<300xf32>, %b: tensor<300xf32>):
      %0 = linalg.negf ins(%a : tensor<300xf32>) outs(%b : tensor<300xf32>) -> tensor<300xf32>
      fusion.yield %0 : tensor<300xf32>
    } : tensor<300xf32>
    %s = fusion.if %p : tensor<i1> -> tensor<8xf16> {
      %t = fusion.group "both" kinds ["vertical"] ins(%x0 : tensor<8x16xf16>) outs(%e0 : tensor<8xf16>) {
      ^bb0(%a: tensor<8x16xf16>, %b: tensor<8xf16>):
        %low = arith.constant 0xFC00 : f16
        %e = tensor.empty() : tensor<8x16xf16>
        %exp = linalg.exp ins(%a : tensor<8x16xf16>) outs(%e : tensor<8x16xf16>) -> tensor<8x16xf16>
        %f = linalg.fill ins(%low : f16) outs(%b : tensor<8xf16>) -> tensor<8xf16>
        %rows = linalg.reduce { arith.maximumf } ins(%exp : tensor<8x16xf16>) outs(%f : tensor<8xf16>) dimensions = [1]
        fusion.yield %rows : tensor<8xf16>
      } : tensor<8xf16>
      fusion.yield %t : tensor<8xf16>
    } else {
      fusion.yield %e0 : tensor<8xf16>
    }
    fusion.yield %s, %neg : tensor<8xf16>, tensor<300xf32>
  } : tensor<8xf16>, tensor<300xf32>
  return %r#0, %r#1 : tensor<8xf16>, tensor<300xf32>
}
