// Concatenations whose parts are written where they lie.

// RUN: fusion-opt %s -fusion-place-parts -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-place-parts -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

#id = affine_map<(i, j) -> (i, j)>

// A product, and an elementwise op on one. The second copy says that the graph has
// one op for both.
// CHECK-LABEL: func.func @two_products(
// CHECK:         %[[A:.*]] = linalg.matmul
// CHECK:         %[[B:.*]] = linalg.matmul
// CHECK:         %[[C:.*]] = linalg.generic {{.*}} ins(%[[B]] :
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<8x4xf32>) outs({{.*}} : tensor<8x4xf32>) {
// CHECK:         %[[Q:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<8x6xf32>) outs({{.*}} : tensor<8x6xf32>) attrs =  {fusion.further_part} {
// CHECK:         %[[R:.*]] = tensor.concat dim(1) %[[P]], %[[Q]]
// CHECK:         return %[[R]]
func.func @two_products(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %v: tensor<16x6xf32>, %d: tensor<8x4xf32>, %e: tensor<8x6xf32>) -> tensor<8x10xf32> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %b = linalg.matmul ins(%x, %v : tensor<8x16xf32>, tensor<16x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    %n = arith.negf %p : f32
    linalg.yield %n : f32
  } -> tensor<8x6xf32>
  %f = tensor.empty() : tensor<8x10xf32>
  // expected-remark @below {{what makes the 2 parts writes them in place}}
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
      %l = tensor.extract %c[%i, %k] : tensor<8x6xf32>
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

// The halves of one product come one after the other: they are one part. An
// argument, of one row, is copied; what multiplies reads the array.
// CHECK-LABEL: func.func @halves_and_an_argument(
// CHECK-SAME:    %[[X:.*]]: tensor<8x16xf32>, %{{.*}}, %[[Y:.*]]: tensor<1x4xf32>
// CHECK:         %[[A:.*]] = linalg.matmul
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<1x4xf32>)
// CHECK:         %[[Q:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<8x4xf32>)
// CHECK:         %[[R:.*]] = tensor.concat dim(0) %[[P]], %[[Q]] : (tensor<1x4xf32>, tensor<8x4xf32>) -> tensor<9x4xf32>
// CHECK:         linalg.matmul ins(%[[R]]
func.func @halves_and_an_argument(%x: tensor<8x16xf32>, %u: tensor<16x4xf32>, %y: tensor<1x4xf32>, %w: tensor<4x5xf32>, %d: tensor<8x4xf32>, %e: tensor<9x5xf32>) -> tensor<9x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %g = tensor.empty() : tensor<3x4xf32>
  %top = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%g : tensor<3x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %l = tensor.extract %a[%i, %j] : tensor<8x4xf32>
    linalg.yield %l : f32
  } -> tensor<3x4xf32>
  %h = tensor.empty() : tensor<5x4xf32>
  %rest = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %c3 : index
    %l = tensor.extract %a[%k, %j] : tensor<8x4xf32>
    linalg.yield %l : f32
  } -> tensor<5x4xf32>
  %f = tensor.empty() : tensor<9x4xf32>
  // expected-remark @below {{what makes the 2 parts writes them in place}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<9x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi eq, %i, %c0 : index
    %s = scf.if %in -> f32 {
      %l = tensor.extract %y[%c0, %j] : tensor<1x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    %k = arith.subi %i, %c1 : index
    %in2 = arith.cmpi ult, %k, %c3 : index
    %t = scf.if %in2 -> f32 {
      %l = tensor.extract %top[%k, %j] : tensor<3x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %s : f32
    }
    %m = arith.subi %i, %c4 : index
    %in3 = arith.cmpi ult, %m, %c5 : index
    %v = scf.if %in3 -> f32 {
      %l = tensor.extract %rest[%m, %j] : tensor<5x4xf32>
      scf.yield %l : f32
    } else {
      scf.yield %t : f32
    }
    linalg.yield %v : f32
  } -> tensor<9x4xf32>
  %z = linalg.matmul ins(%r, %w : tensor<9x4xf32>, tensor<4x5xf32>) outs(%e : tensor<9x5xf32>) -> tensor<9x5xf32>
  return %z : tensor<9x5xf32>
}
