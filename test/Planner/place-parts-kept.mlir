// Concatenations that stay elementwise ops, each with its reason where it has one.

// RUN: fusion-opt %s -fusion-place-parts -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-place-parts -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

#id = affine_map<(i, j) -> (i, j)>

// Nothing makes the parts.
// CHECK-LABEL: func.func @arguments(
// CHECK-NOT:     tensor.concat
func.func @arguments(%a: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<8x10xf32>
  // expected-remark @below {{Reason="no kernel makes a part of the concatenation that could write it there"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// An elementwise op is no kernel by itself: one kernel computes and joins.
// CHECK-LABEL: func.func @elementwise(
// CHECK-NOT:     tensor.concat
func.func @elementwise(%a: tensor<8x4xf32>, %y: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%y : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    %n = arith.negf %p : f32
    linalg.yield %n : f32
  } -> tensor<8x6xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  // expected-remark @below {{Reason="no kernel makes a part of the concatenation that could write it there"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// What moves a product is not at its positions.
// CHECK-LABEL: func.func @moved(
// CHECK-NOT:     tensor.concat
func.func @moved(%x: tensor<4x16xf32>, %u: tensor<16x8xf32>, %g: tensor<4x8xf32>, %d: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %t0 = linalg.matmul ins(%x, %u : tensor<4x16xf32>, tensor<16x8xf32>) outs(%g : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = linalg.transpose ins(%t0 : tensor<4x8xf32>) outs(%d : tensor<8x4xf32>) permutation = [1, 0]
  %f = tensor.empty() : tensor<8x10xf32>
  // expected-remark @below {{Reason="no kernel makes a part of the concatenation that could write it there"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A slice of a product, which is not all of it.
// CHECK-LABEL: func.func @a_slice(
// CHECK-NOT:     tensor.concat
func.func @a_slice(%x: tensor<8x16xf32>, %u: tensor<16x6xf32>, %e: tensor<8x6xf32>, %b: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %w = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %h = tensor.empty() : tensor<8x4xf32>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<8x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %l = tensor.extract %w[%i, %j] : tensor<8x6xf32>
    linalg.yield %l : f32
  } -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  // expected-remark @below {{Reason="no kernel makes a part of the concatenation that could write it there"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %p[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// What makes the part gets a kernel of its own.
// CHECK-LABEL: func.func @no_fuse_producer(
// CHECK-NOT:     tensor.concat
func.func @no_fuse_producer(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul {fusion.no_fuse} ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  // expected-remark @below {{Reason="no kernel makes a part of the concatenation that could write it there"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A directive places the op.
// CHECK-LABEL: func.func @marked_no_fuse(
// CHECK-NOT:     tensor.concat
func.func @marked_no_fuse(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  // expected-remark @below {{Reason="the concatenation is marked with fusion.no_fuse"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) attrs = {fusion.no_fuse} {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A directive places the op.
// CHECK-LABEL: func.func @marked_fuse_with(
// CHECK-NOT:     tensor.concat
func.func @marked_fuse_with(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  // expected-remark @below {{Reason="the concatenation is marked with fusion.fuse_with"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) attrs = {fusion.fuse_with = "x"} {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A directive places the op.
// CHECK-LABEL: func.func @marked_schedule(
// CHECK-NOT:     tensor.concat
func.func @marked_schedule(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  // expected-remark @below {{Reason="the concatenation is marked with fusion.schedule"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) attrs = {fusion.schedule = {}} {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The kernel of what reads it reads the parts.
// CHECK-LABEL: func.func @computed_with(
// CHECK-NOT:     tensor.concat
func.func @computed_with(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  // expected-remark @below {{Reason="what computes with the concatenation reads its parts in its own kernel"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<8x10xf32>) outs(%f : tensor<8x10xf32>) {
  ^bb0(%p: f32, %q: f32):
    %n = arith.negf %p : f32
    linalg.yield %n : f32
  } -> tensor<8x10xf32>
  return %z : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Two parts would be copied, one of them what another op makes.
// CHECK-LABEL: func.func @two_copies(
// CHECK-NOT:     tensor.concat
func.func @two_copies(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %g: tensor<8x4xf32>, %y: tensor<8x6xf32>) -> tensor<8x14xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %c10 = arith.constant 10 : index
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%y : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    %n = arith.negf %p : f32
    linalg.yield %n : f32
  } -> tensor<8x6xf32>
  %f = tensor.empty() : tensor<8x14xf32>
  // expected-remark @below {{Reason="several parts of the concatenation would be copied, each by a launch"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x14xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    %m = arith.subi %j, %c10 : index
    %in3 = arith.cmpi ult, %m, %c4 : index
    %v = scf.if %in3 -> f32 {
      %l = tensor.extract %g[%i, %m] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %t : f32
    }
    linalg.yield %v : f32
  } -> tensor<8x14xf32>
  return %r : tensor<8x14xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Not the own position along the other dim: no concatenation.
// CHECK-LABEL: func.func @other_positions(
// CHECK-NOT:     tensor.concat
func.func @other_positions(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%k, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The second part begins behind a gap.
// CHECK-LABEL: func.func @a_gap(
// CHECK-NOT:     tensor.concat
func.func @a_gap(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<8x5xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %c5 = arith.constant 5 : index
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c5 : index
    %in2 = arith.cmpi ult, %k, %c5 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x5xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Columns behind the parts hold zeros.
// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     tensor.concat
func.func @padded(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<8x11xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x11xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x11xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x11xf32>
  return %r : tensor<8x11xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The elements are changed as they are joined.
// CHECK-LABEL: func.func @computed(
// CHECK-NOT:     tensor.concat
func.func @computed(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    %n = arith.negf %t : f32
    linalg.yield %n : f32
  } -> tensor<8x10xf32>
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A part of unknown size.
// CHECK-LABEL: func.func @unknown_size(
// CHECK-NOT:     tensor.concat
func.func @unknown_size(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<8x?xf32>, %n: index) -> tensor<8x?xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %f = tensor.empty(%n) : tensor<8x?xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %n : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<8x?xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<8x?xf32>
  return %r : tensor<8x?xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
// A kernel that makes the part runs only where its side is taken.
// CHECK-LABEL: func.func @in_a_branch(
// CHECK-NOT:     tensor.concat
func.func @in_a_branch(%c: tensor<i1>, %a: tensor<8x4xf32>, %x: tensor<8x5xf32>, %y: tensor<5x6xf32>, %o: tensor<8x10xf32>) -> tensor<8x10xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<8x10xf32> {
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %zero = arith.constant 0.0 : f32
    %d = tensor.empty() : tensor<8x6xf32>
    %z = linalg.fill ins(%zero : f32) outs(%d : tensor<8x6xf32>) -> tensor<8x6xf32>
    %b = linalg.matmul ins(%x, %y : tensor<8x5xf32>, tensor<5x6xf32>) outs(%z : tensor<8x6xf32>) -> tensor<8x6xf32>
    %f = tensor.empty() : tensor<8x10xf32>
    // expected-remark @below {{Reason="a branch may leave the parts of a concatenation unwritten"}}
    %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x10xf32>) {
    ^bb0(%u: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %in = arith.cmpi ult, %j, %c4 : index
      %s = scf.if %in -> f32 {
        %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
        scf.yield %l : f32
      } else {
        scf.yield %zero : f32
      }
      %k = arith.subi %j, %c4 : index
      %in2 = arith.cmpi ult, %k, %c6 : index
      %t = scf.if %in2 -> f32 {
        %l = tensor.extract %b[%i, %k] : tensor<8x6xf32>
        scf.yield %l : f32
      } else {
        scf.yield %s : f32
      }
      linalg.yield %t : f32
    } -> tensor<8x10xf32>
    fusion.yield %r : tensor<8x10xf32>
  } else {
    fusion.yield %o : tensor<8x10xf32>
  }
  return %r : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
// Nothing is written at all.
// CHECK-LABEL: func.func @no_elements(
// CHECK-NOT:     tensor.concat
func.func @no_elements(%a: tensor<0x4xf32>, %x: tensor<0x5xf32>, %y: tensor<5x6xf32>) -> tensor<0x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<0x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%d : tensor<0x6xf32>) -> tensor<0x6xf32>
  %b = linalg.matmul ins(%x, %y : tensor<0x5xf32>, tensor<5x6xf32>) outs(%z : tensor<0x6xf32>) -> tensor<0x6xf32>
  %f = tensor.empty() : tensor<0x10xf32>
  // expected-remark @below {{Reason="the concatenation has no elements"}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<0x10xf32>) {
  ^bb0(%u: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %j, %c4 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %a[%i, %j] : tensor<0x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %j, %c4 : index
    %in2 = arith.cmpi ult, %k, %c6 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %b[%i, %k] : tensor<0x6xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    linalg.yield %t : f32
  } -> tensor<0x10xf32>
  return %r : tensor<0x10xf32>
}
