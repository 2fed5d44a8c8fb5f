// What a few cheap ops make from one element is computed where it is read.

// RUN: fusion-opt %s -fusion-inline-reads -split-input-file | FileCheck %s

// The example of the pass: a slice, read at a position that is computed.
// CHECK-LABEL: func.func @slice(
// CHECK-SAME:      %[[X:.*]]: tensor<8x4xf32>
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[J:.*]] = linalg.index 1
// CHECK:           %[[R:.*]] = arith.addi %[[J]], %c4
// CHECK:           tensor.extract %[[X]][%[[R]], %[[I]]]
#id = affine_map<(i, j) -> (i, j)>
func.func @slice(%x: tensor<8x4xf32>, %d: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%d : tensor<4x4xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c4 = arith.constant 4 : index
    %r = arith.addi %i, %c4 : index
    %v = tensor.extract %x[%r, %j] : tensor<8x4xf32>
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%d : tensor<4x4xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %s[%j, %i] : tensor<4x4xf32>
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  return %t : tensor<4x4xf32>
}

// -----

// Under a condition: memory is read under it, the negation computed in any case.
// CHECK-LABEL: func.func @guarded(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<4xf16>,
// CHECK:           %[[C:.*]] = arith.cmpi ult
// CHECK:           %[[E:.*]] = scf.if %[[C]] -> (f16) {
// CHECK-NEXT:        tensor.extract %[[X]]
// CHECK-NEXT:        scf.yield
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield
// CHECK:           %[[N:.*]] = arith.negf %[[E]]
// CHECK:           arith.select %[[C]], %[[N]], %{{.*}}
#one = affine_map<(i) -> (i)>
func.func @guarded(%x: tensor<4xf16>, %d: tensor<4xf16>, %o: tensor<8xf16>) -> tensor<8xf16> {
  %n = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<4xf16>) outs(%d : tensor<4xf16>) {
  ^bb0(%a: f16, %z: f16):
    %0 = arith.negf %a : f16
    linalg.yield %0 : f16
  } -> tensor<4xf16>
  %t = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%o : tensor<8xf16>) {
  ^bb0(%z: f16):
    %i = linalg.index 0 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f16
    %c = arith.cmpi ult, %i, %c4 : index
    %v = scf.if %c -> (f16) {
      %e = tensor.extract %n[%i] : tensor<4xf16>
      scf.yield %e : f16
    } else {
      scf.yield %one : f16
    }
    linalg.yield %v : f16
  } -> tensor<8xf16>
  return %t : tensor<8xf16>
}

// -----

// A row of constants says which element: both dims of an enlarged image are read at
// once.
// CHECK-LABEL: func.func @tables(
// CHECK-SAME:      %[[X:.*]]: tensor<2x2xf32>
// CHECK-DAG:       %[[ROWS:.*]] = arith.constant dense<[0, 0, 1]>
// CHECK-DAG:       %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 1]>
// CHECK:           linalg.generic {{.*}} ins(%[[COLUMNS]] : tensor<3xindex>)
// CHECK:           ^bb0(%[[C:.*]]: index,
// CHECK:             %[[I:.*]] = linalg.index 0
// CHECK:             %[[R:.*]] = tensor.extract %[[ROWS]][%[[I]]]
// CHECK:             tensor.extract %[[X]][%[[R]], %[[C]]]
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @tables(%x: tensor<2x2xf32>, %d: tensor<3x2xf32>, %e: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %rows = arith.constant dense<[0, 0, 1]> : tensor<3xindex>
  %columns = arith.constant dense<[0, 1, 1]> : tensor<3xindex>
  %s = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<3xindex>) outs(%d : tensor<3x2xf32>) {
  ^bb0(%r: index, %z: f32):
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%r, %j] : tensor<2x2xf32>
    linalg.yield %v : f32
  } -> tensor<3x2xf32>
  %t = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]} ins(%columns : tensor<3xindex>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%c: index, %z: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %s[%i, %c] : tensor<3x2xf32>
    linalg.yield %v : f32
  } -> tensor<3x3xf32>
  return %t : tensor<3x3xf32>
}

// -----

// Elements that are picked from rows: what rows have in common becomes an
// operand, which the kernel that makes it may keep.
// CHECK-LABEL: func.func @picked(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: tensor<?x37xf32>
// CHECK-SAME:      %[[L:[a-z0-9]+]]: tensor<?xi32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}}"reduction"
// CHECK:         linalg.generic {{.*}} ins(%[[L]], %[[R]] : tensor<?xi32>, tensor<?xf32>)
// CHECK-NEXT:    ^bb0(%[[LABEL:.*]]: i32, %[[OF:.*]]: f32,
// CHECK-DAG:       %[[I:.*]] = linalg.index 0
// CHECK-DAG:       %[[J:.*]] = arith.index_cast %[[LABEL]]
// CHECK:           %[[E:.*]] = tensor.extract %[[X]][%[[I]], %[[J]]]
// CHECK:           arith.subf %[[E]], %[[OF]]
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#own = affine_map<(i) -> (i)>
func.func @picked(%x: tensor<?x37xf32> {fusion.dims = ["n", ""]}, %m: tensor<?xf32> {fusion.dims = ["n"]}, %l: tensor<?xi32> {fusion.dims = ["n"]}, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x37xf32>) outs(%m : tensor<?xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.maximumf %o, %i : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %all = tensor.empty(%n) : tensor<?x37xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<?x37xf32>, tensor<?xf32>) outs(%all : tensor<?x37xf32>) {
  ^bb0(%i: f32, %o: f32, %z: f32):
    %0 = arith.subf %i, %o : f32
    linalg.yield %0 : f32
  } -> tensor<?x37xf32>
  %r = linalg.generic {indexing_maps = [#own, #own], iterator_types = ["parallel"]}
      ins(%l : tensor<?xi32>) outs(%m : tensor<?xf32>) {
  ^bb0(%label: i32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %label : i32 to index
    %v = tensor.extract %d[%i, %j] : tensor<?x37xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Labels of a length of their own: the row's element is read where it lies.
// CHECK-LABEL: func.func @other_length(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<?xi32>)
// CHECK-COUNT-2: tensor.extract
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#own = affine_map<(i) -> (i)>
func.func @other_length(%x: tensor<?x37xf32> {fusion.dims = ["n", ""]}, %m: tensor<?xf32> {fusion.dims = ["n"]}, %l: tensor<?xi32> {fusion.dims = ["k"]}, %e: tensor<?xf32> {fusion.dims = ["k"]}, %n: index) -> tensor<?xf32> {
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x37xf32>) outs(%m : tensor<?xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.maximumf %o, %i : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %all = tensor.empty(%n) : tensor<?x37xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<?x37xf32>, tensor<?xf32>) outs(%all : tensor<?x37xf32>) {
  ^bb0(%i: f32, %o: f32, %z: f32):
    %0 = arith.subf %i, %o : f32
    linalg.yield %0 : f32
  } -> tensor<?x37xf32>
  %r = linalg.generic {indexing_maps = [#own, #own], iterator_types = ["parallel"]}
      ins(%l : tensor<?xi32>) outs(%e : tensor<?xf32>) {
  ^bb0(%label: i32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %label : i32 to index
    %v = tensor.extract %d[%i, %j] : tensor<?x37xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// What joins sums of its own is one op, behind a reshape too: each element is read
// once, so that none is computed again. Rows of two are its quotient and remainder.
// CHECK-LABEL: func.func @interleave(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-COUNT-1: linalg.generic
// CHECK:           %[[C:.*]] = arith.cmpi ult
// CHECK:           scf.if %[[C]]
// CHECK-NEXT:        tensor.extract %[[X]]
// CHECK:           scf.if %[[C]]
// CHECK-NEXT:        tensor.extract %[[Y]]
// CHECK:           arith.addf
// CHECK:           arith.select %[[C]]
// CHECK-NOT:     linalg.generic
#id = affine_map<(i) -> (i)>
func.func @interleave(%x: tensor<4xf32>, %y: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %q = tensor.expand_shape %p [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : f32
    %i = linalg.index 0 : index
    %r = arith.remsi %i, %c2 : index
    %h = arith.divsi %i, %c2 : index
    %c = arith.cmpi ult, %r, %c1 : index
    %v = scf.if %c -> (f32) {
      %w = tensor.extract %q[%h, %r] : tensor<4x1xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// Tensors joined and joined again, then read in another shape: one op, each read
// under the conditions of both.
// CHECK-LABEL: func.func @joined_twice(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: tensor<2x3xf32>, %[[Y:[a-z0-9]+]]: tensor<4x3xf32>
// CHECK-COUNT-1: linalg.generic
// CHECK:           scf.if
// CHECK-NEXT:        tensor.extract %[[X]]
// CHECK:           scf.if
// CHECK-NEXT:        tensor.extract %[[Y]]
// CHECK:           linalg.yield
// CHECK-NOT:     linalg.generic
#m = affine_map<(i, j) -> (i, j)>
#in = affine_map<(i, j, k) -> (i, j, k)>
#turned = affine_map<(i, j, k) -> (j, i, k)>
func.func @joined_twice(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>, %d: tensor<6x3xf32>, %e: tensor<3x2x3xf32>) -> tensor<3x2x3xf32> {
  %p = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%d : tensor<6x3xf32>) {
  ^bb0(%o: f32):
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ult, %i, %c2 : index
    %v = scf.if %c -> (f32) {
      %w = tensor.extract %x[%i, %j] : tensor<2x3xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %i, %c2 : index
    %f = arith.cmpi ult, %k, %c4 : index
    %u = scf.if %f -> (f32) {
      %w = tensor.extract %y[%k, %j] : tensor<4x3xf32>
      scf.yield %w : f32
    } else {
      scf.yield %v : f32
    }
    linalg.yield %u : f32
  } -> tensor<6x3xf32>
  %q = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 3, 3] : tensor<6x3xf32> into tensor<2x3x3xf32>
  %t = linalg.generic {indexing_maps = [#turned, #in], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<2x3x3xf32>) outs(%e : tensor<3x2x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x2x3xf32>
  return %t : tensor<3x2x3xf32>
}
