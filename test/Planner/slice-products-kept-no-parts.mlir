// Products that can be computed as a whole only, or of which not only parts are read.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-slice-products))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics | FileCheck %s

// The product adds to a matrix that is given, of which nobody makes parts.
// CHECK-LABEL: func.func @accumulates(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         tensor.extract
func.func @accumulates(%x: tensor<5x8xf16>, %w: tensor<8x6xf16>, %z: tensor<5x6xf32>) -> tensor<5x3xf32> {
  %h = tensor.empty() : tensor<5x3xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf16>, tensor<8x6xf16>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="the product adds to a tensor, of which no part is made"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// The whole product is a result, too.
// CHECK-LABEL: func.func @returned(
// CHECK:         %[[P:.*]] = linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf16>)
// CHECK-NOT:     linalg.matmul
// CHECK:         tensor.extract %[[P]]
// CHECK:         return %{{.*}}, %[[P]]
func.func @returned(%x: tensor<5x8xf16>, %w: tensor<8x6xf16>) -> (tensor<5x3xf16>, tensor<5x6xf16>) {
  %h = tensor.empty() : tensor<5x3xf16>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<5x6xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<5x6xf16>) -> tensor<5x6xf16>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf16>, tensor<8x6xf16>) outs(%z : tensor<5x6xf16>) -> tensor<5x6xf16>
  // expected-remark @below {{Reason="all of the product is read too"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf16>
    linalg.yield %t : f16
  } -> tensor<5x3xf16>
  return %0, %p : tensor<5x3xf16>, tensor<5x6xf16>
}

// -----

// The read stays where a person wants it: one that is marked,
// CHECK-LABEL: func.func @marked_part(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK-COUNT-2: tensor.extract
func.func @marked_part(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %c3 = arith.constant 3 : index
  %h = tensor.empty() : tensor<5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="a part is marked with a directive, and stays as it is"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) attrs = {fusion.no_fuse} {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c3 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0, %1 : tensor<5x3xf32>, tensor<5x3xf32>
}

// -----

// and one of a product whose schedule is given: it is one of the whole.
// CHECK-LABEL: func.func @pinned(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         tensor.extract
func.func @pinned(%x: tensor<5x8xf16>, %w: tensor<8x6xf16>) -> tensor<5x3xf32> {
  %h = tensor.empty() : tensor<5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul {fusion.schedule = {kind = "wgmma", bm = 64, bn = 64, bk = 64, stages = 4, warps = 4}} ins(%x, %w : tensor<5x8xf16>, tensor<8x6xf16>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="the product, or what follows it, is marked with a directive, and stays as it is"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// What is read is no part, and nobody thinks of one: the columns lie at places that a
// table says.
// CHECK-LABEL: func.func @gathered(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         tensor.extract
func.func @gathered(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>, %at: tensor<3xindex>) -> tensor<5x3xf32> {
  %h = tensor.empty() : tensor<5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<3xindex>) outs(%h : tensor<5x3xf32>) {
  ^bb0(%k: index, %o: f32):
    %i = linalg.index 0 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// Behind the product each column is scaled by its number, which parts would lose.
// CHECK-LABEL: func.func @numbered(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         tensor.extract
func.func @numbered(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> tensor<5x3xf32> {
  %c3 = arith.constant 3 : index
  %h = tensor.empty() : tensor<5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %f = arith.sitofp %n : i32 to f32
    %m = arith.mulf %a, %f : f32
    linalg.yield %m : f32
  } -> tensor<5x6xf32>
  // expected-remark @below {{Reason="what follows the product depends on where its elements lie"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c3 : index
    %t = tensor.extract %s[%i, %k] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
