// What makes operands of contractions, and is written to memory nevertheless.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A factor of the inner dim of k, whose size is not known: positions along k cannot be
// taken apart.
// CHECK-LABEL: func.func @parts(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @parts(%x: tensor<16x4x?xf32>, %s: tensor<?xf32>, %w: tensor<4x?x16xf32>, %c: index) -> tensor<16x16xf32> {
  %e = tensor.empty(%c) : tensor<16x4x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, h, j) -> (i, h, j)>, affine_map<(i, h, j) -> (j)>, affine_map<(i, h, j) -> (i, h, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<16x4x?xf32>, tensor<?xf32>) outs(%e : tensor<16x4x?xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<16x4x?xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{Reason="what the operand is computed from has parts of loops whose sizes are known only at run time"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, h, j) -> (m, h, j)>, affine_map<(m, n, h, j) -> (h, j, n)>, affine_map<(m, n, h, j) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%0, %w : tensor<16x4x?xf32>, tensor<4x?x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

// -----

// The other array has rows between the dims of k.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @apart(%x: tensor<16x4x8xf32>, %s: tensor<4x16x8xf32>, %w: tensor<4x8x16xf32>) -> tensor<16x16xf32> {
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
  // expected-remark @below {{Reason="what the operand is computed from keeps loops apart that the contraction takes as one"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, h, j) -> (m, h, j)>, affine_map<(m, n, h, j) -> (h, j, n)>, affine_map<(m, n, h, j) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%0, %w : tensor<16x4x8xf32>, tensor<4x8x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

// -----

// A factor for each of the outer dim of k, and weights that have these dims the
// other way round.
// CHECK-LABEL: func.func @weights_apart(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @weights_apart(%x: tensor<16x4x8xf32>, %s: tensor<4xf32>, %w: tensor<8x4x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, h, j) -> (i, h, j)>, affine_map<(i, h, j) -> (h)>, affine_map<(i, h, j) -> (i, h, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<16x4x8xf32>, tensor<4xf32>) outs(%e : tensor<16x4x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<16x4x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{Reason="what the operand is computed from keeps loops apart that the contraction takes as one"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, h, j) -> (m, h, j)>, affine_map<(m, n, h, j) -> (j, h, n)>, affine_map<(m, n, h, j) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%0, %w : tensor<16x4x8xf32>, tensor<8x4x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

// -----

// Places of several images lie apart, and how many an image has is known only at run
// time: rows do not tell them.
// CHECK-LABEL: func.func @images(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @images(%x: tensor<2x40x8x?xf32>, %s: tensor<2x40xf32>, %w: tensor<24x40xf32>, %n: index) -> tensor<2x24x8x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<2x40x8x?xf32>
  %d = tensor.empty(%n) : tensor<2x24x8x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x8x?xf32>) -> tensor<2x24x8x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x40x8x?xf32>, tensor<2x40xf32>) outs(%e : tensor<2x40x8x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<2x40x8x?xf32>
  // expected-remark @below {{Reason="what the operand is computed from keeps loops apart that the contraction takes as one"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(n, o, h, w, c) -> (n, c, h, w)>, affine_map<(n, o, h, w, c) -> (o, c)>, affine_map<(n, o, h, w, c) -> (n, o, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %w : tensor<2x40x8x?xf32>, tensor<24x40xf32>) outs(%f : tensor<2x24x8x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x24x8x?xf32>
  return %1 : tensor<2x24x8x?xf32>
}

// -----

// The operand is a result too: it is computed once, and written.
// CHECK-LABEL: func.func @escapes(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @escapes(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.negf ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Reason="the operand is needed outside of the group too: it is computed once, and written}}
  %1 = linalg.matmul ins(%0, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A function of the rows that each of many columns of blocks would compute again.
// CHECK-LABEL: func.func @expensive(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @expensive(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<4096x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf16>
  %d = tensor.empty() : tensor<4096x4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %0 = linalg.erf ins(%a : tensor<4096x4096xf16>) outs(%e : tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  // expected-remark-re @below {{Reason="estimated slower fused ({{[0-9.]+}} us) than apart ({{[0-9.]+}} us)"}}
  %1 = linalg.matmul ins(%0, %b : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%f : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}

// -----

// No tile is multiplied of integers.
// CHECK-LABEL: func.func @integers(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @integers(%a: tensor<8x8xi32>, %b: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  %0 = linalg.add ins(%a, %a : tensor<8x8xi32>, tensor<8x8xi32>) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  // expected-remark @below {{Reason="only operands of one type, f16, bf16 or f32, are computed inside of a contraction"}}
  %1 = linalg.matmul ins(%0, %b : tensor<8x8xi32>, tensor<8x8xi32>) outs(%f : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %1 : tensor<8x8xi32>
}

// -----

// One value is both operands: at two positions of each step.
// CHECK-LABEL: func.func @twice(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @twice(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.negf ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %1 = linalg.matmul ins(%0, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// The operand's rows are added to the result.
// CHECK-LABEL: func.func @residual(
// CHECK-COUNT-2: fusion.group
func.func @residual(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.negf ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %1 = linalg.matmul ins(%0, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @+2 {{fused with matmul}}
  // expected-remark @+1 {{Producer=negf}}
  %2 = linalg.add ins(%1, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// Halves by numbers in full: tiles of two types are not multiplied.
// CHECK-LABEL: func.func @mixed_types(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @mixed_types(%x: tensor<16x16xf16>, %w: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.exp ins(%w : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{Reason="only operands of one type, f16, bf16 or f32, are computed inside of a contraction"}}
  %1 = linalg.matmul ins(%x, %0 : tensor<16x16xf16>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}

// -----

// Doubles.
// CHECK-LABEL: func.func @doubles(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @doubles(%x: tensor<16x16xf64>, %w: tensor<16x16xf64>, %d: tensor<16x16xf64>) -> tensor<16x16xf64> {
  %e = tensor.empty() : tensor<16x16xf64>
  %0 = linalg.exp ins(%x : tensor<16x16xf64>) outs(%e : tensor<16x16xf64>) -> tensor<16x16xf64>
  // expected-remark @below {{Reason="only operands of one type, f16, bf16 or f32, are computed inside of a contraction"}}
  %1 = linalg.matmul ins(%0, %w : tensor<16x16xf64>, tensor<16x16xf64>) outs(%d : tensor<16x16xf64>) -> tensor<16x16xf64>
  return %1 : tensor<16x16xf64>
}

// -----

// A person keeps what makes the operand apart.
// CHECK-LABEL: func.func @marked_operand(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @marked_operand(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.exp {fusion.no_fuse} ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %1 = linalg.matmul ins(%0, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}

// -----

// What makes the operand reads its rows backwards.
// CHECK-LABEL: func.func @backwards(
// CHECK:         fusion.group "other" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @backwards(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (15 - i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %2 = math.exp %p : f32
    linalg.yield %2 : f32
  } -> tensor<16x16xf32>
  // expected-remark @below {{Reason="the producer is grouped alone: an operand is read at computed positions"}}
  %1 = linalg.matmul ins(%0, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}

// -----

// Something else than the product is computed from the operand.
// CHECK-LABEL: func.func @operand_and_more(
// CHECK:         fusion.group "exp+negf" kinds ["vertical"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @operand_and_more(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{Remark="fused with exp"}}
  %1 = linalg.negf ins(%0 : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark-re @below {{Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %2 = linalg.matmul ins(%0, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %2, %1 : tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

// Norms along the channels of images: places are rows of the product, and lie apart.
// CHECK-LABEL: func.func @channel_norms(
// CHECK:         fusion.group "reduce+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "contraction" kinds []
// CHECK-NOT:     fusion.group
func.func @channel_norms(%x: tensor<2x40x8x8xf32>, %r: tensor<2x8x8xf32>, %w: tensor<24x40xf32>) -> tensor<2x24x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x40x8x8xf32>
  %d = tensor.empty() : tensor<2x24x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x8x8xf32>) -> tensor<2x24x8x8xf32>
  %s = linalg.reduce { arith.maximumf } ins(%x : tensor<2x40x8x8xf32>) outs(%r : tensor<2x8x8xf32>) dimensions = [1]
  // expected-remark @below {{Remark="fused with reduce"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x40x8x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x40x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.divf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<2x40x8x8xf32>
  // expected-remark @below {{Reason="rows that are reduced first are no operand that is computed element by element"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(n, o, h, w, c) -> (n, c, h, w)>, affine_map<(n, o, h, w, c) -> (o, c)>, affine_map<(n, o, h, w, c) -> (n, o, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %w : tensor<2x40x8x8xf32>, tensor<24x40xf32>) outs(%f : tensor<2x24x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x24x8x8xf32>
  return %1 : tensor<2x24x8x8xf32>
}

// -----

// A column by a row: the column is added to the result as well.
// CHECK-LABEL: func.func @outer_product(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "matmul+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @outer_product(%x: tensor<16x1xf32>, %w: tensor<1x32xf32>, %d: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %e = tensor.empty() : tensor<16x1xf32>
  %g = tensor.empty() : tensor<16x32xf32>
  %0 = linalg.exp ins(%x : tensor<16x1xf32>) outs(%e : tensor<16x1xf32>) -> tensor<16x1xf32>
  // expected-remark @below {{Reason="the operand is needed for the result too"}}
  %1 = linalg.matmul ins(%0, %w : tensor<16x1xf32>, tensor<1x32xf32>) outs(%d : tensor<16x32xf32>) -> tensor<16x32xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  // expected-remark @below {{Reason="the operand is needed for the result too"}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%1, %0 : tensor<16x32xf32>, tensor<16x1xf32>) outs(%g : tensor<16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}

// -----

// How long the rows are is known of the result alone.
// CHECK-LABEL: func.func @larger(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "matmul+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @larger(%x: tensor<16x16xf32>, %w: tensor<16x1xf32>, %z: tensor<16x?xf32>, %d: tensor<16x1xf32>, %n: index) -> tensor<16x1xf32> {
  %g = tensor.empty() : tensor<16x1xf32>
  %e = tensor.empty(%n) : tensor<16x?xf32>
  %0 = linalg.exp ins(%z : tensor<16x?xf32>) outs(%e : tensor<16x?xf32>) -> tensor<16x?xf32>
  %1 = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x1xf32>) outs(%d : tensor<16x1xf32>) -> tensor<16x1xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  // expected-remark @below {{Reason="the producer is larger than the result of the contraction"}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%1, %0 : tensor<16x1xf32>, tensor<16x?xf32>) outs(%g : tensor<16x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<16x1xf32>
  return %2 : tensor<16x1xf32>
}

// -----

// A padded vector, of which a matrix takes each element.
// CHECK-LABEL: func.func @padded_vector(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "matvec" kinds []
// CHECK-NOT:     fusion.group
func.func @padded_vector(%x: tensor<8xf32>, %w: tensor<16x10xf32>, %d: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<10xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%pe : tensor<10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = arith.subi %i, %c1 : index
    %in = arith.cmpi ult, %at, %c8 : index
    %r = scf.if %in -> (f32) {
      %v = tensor.extract %0[%at] : tensor<8xf32>
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %r : f32
  } -> tensor<10xf32>
  // expected-remark @below {{Reason="only windows of matrix products are computed where they are read"}}
  %2 = linalg.matvec ins(%w, %1 : tensor<16x10xf32>, tensor<10xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}
