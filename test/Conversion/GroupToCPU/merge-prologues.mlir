// What makes the operands of a contraction, into its body: packing then computes it.
// RUN: fusion-opt %s -fusion-merge-elementwise -canonicalize -split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// Weights of 8 bits with a factor for each column, and what is summed.
// CHECK-DAG:   #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG:   #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG:   #[[$N:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-DAG:   #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @dequantized(
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<16x8xi8>, %[[S:.*]]: tensor<16xf32>,
// CHECK-NOT:     linalg.generic
// CHECK:         linalg.generic {indexing_maps = [#[[$MK]], #[[$NK]], #[[$N]], #[[$MN]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME:      ins(%[[X]], %[[W]], %[[S]] : tensor<4x8xf32>, tensor<16x8xi8>, tensor<16xf32>)
// CHECK-SAME:      attrs = {fusion.computes_operands}
// CHECK-NEXT:    ^bb0(%[[XE:.*]]: f32, %[[WE:.*]]: i8, %[[SE:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:      %[[F:.*]] = arith.sitofp %[[WE]] : i8 to f32
// CHECK-NEXT:      %[[B:.*]] = arith.mulf %[[F]], %[[SE]] : f32
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[XE]], %[[B]] : f32
// CHECK-NEXT:      %[[T:.*]] = arith.addf %[[ACC]], %[[P]] : f32
// CHECK-NEXT:      linalg.yield %[[T]] : f32
// CHECK-NOT:     linalg.generic
func.func @dequantized(%x: tensor<4x8xf32>, %w: tensor<16x8xi8>, %s: tensor<16xf32>, %z: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #i, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<16x8xi8>, tensor<16xf32>) outs(%e : tensor<16x8xf32>) {
  ^bb0(%a: i8, %f: f32, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<16x8xf32>) outs(%z : tensor<4x16xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %0 = arith.mulf %a, %c : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// Both operands, of an op that has a name; products of an operand stay apart from
// the contraction's own.
// CHECK-LABEL: func.func @both(
// CHECK-NOT:     linalg.matmul
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8xf32>, tensor<8x16xf32>)
// CHECK-SAME:      attrs = {{{.*}}fusion.computes_operands
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %[[G:.*]]: f32, %[[Y:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-DAG:       %[[A:.*]] = arith.mulf %[[X]], %[[G]] : f32
// CHECK-DAG:       %[[B:.*]] = arith.mulf %[[Y]], %[[Y]] : f32
// CHECK:           %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK:           arith.addf %[[ACC]], %[[P]] : f32
// CHECK-NOT:     linalg.generic
func.func @both(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %y: tensor<8x16xf32>, %z: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #j, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %f = tensor.empty() : tensor<8x16xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<8x16xf32>) outs(%f : tensor<8x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.mulf %p, %p : f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A second reader needs the operand in memory.
// CHECK-LABEL: func.func @two_readers(
// CHECK:         linalg.generic
// CHECK:         linalg.generic {{.*}}"reduction"]
// CHECK-NOT:     fusion.computes_operands
func.func @two_readers(%x: tensor<4x8xf32>, %y: tensor<8x16xf32>, %z: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.mulf %p, %p : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %y : tensor<4x8xf32>, tensor<8x16xf32>) outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r, %a : tensor<4x16xf32>, tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>

// One array lies along rows, the other along columns: no line has both side by side.
// CHECK-LABEL: func.func @no_lines_in_common(
// CHECK:         linalg.generic
// CHECK:         linalg.generic {{.*}}"reduction"]
// CHECK-NOT:     fusion.computes_operands
func.func @no_lines_in_common(%x: tensor<4x8xf32>, %u: tensor<8x4xf32>, %y: tensor<8x16xf32>, %z: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #ji, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %u : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %y : tensor<4x8xf32>, tensor<8x16xf32>) outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// What the product reads itself is one operand of the merged op, not two with
// different maps.
// CHECK-LABEL: func.func @array_of_the_product(
// CHECK:         linalg.generic
// CHECK:         linalg.generic {{.*}}"reduction"]
// CHECK-NOT:     fusion.computes_operands
func.func @array_of_the_product(%x: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Code that asks where it is, and masks in bits, are not computed in vectors of lines.
// CHECK-LABEL: func.func @positions(
// CHECK:         linalg.index
// CHECK:         linalg.generic {{.*}}"reduction"]
// CHECK-NOT:     fusion.computes_operands
func.func @positions(%x: tensor<4x8xf32>, %y: tensor<8x16xf32>, %z: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ult, %i, %j : index
    %0 = arith.select %c, %p, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %y : tensor<4x8xf32>, tensor<8x16xf32>) outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// CHECK-LABEL: func.func @bits(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xi4>)
// CHECK:         linalg.generic {{.*}}"reduction"]
// CHECK-NOT:     fusion.computes_operands
func.func @bits(%x: tensor<4x8xf32>, %m: tensor<4x8xi4>, %y: tensor<8x16xf32>, %z: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<4x8xf32>, tensor<4x8xi4>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: i4, %o: f32):
    %1 = arith.sitofp %q : i4 to f32
    %0 = arith.mulf %p, %1 : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %r = linalg.matmul ins(%a, %y : tensor<4x8xf32>, tensor<8x16xf32>) outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}
