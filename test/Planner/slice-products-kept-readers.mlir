// Products that stay whole for what reads their parts, or lies between.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-slice-products))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-slice-products))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A part is cut out of what is computed behind the product, and the product itself is a
// result.
// CHECK-LABEL: func.func @returned_before(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
func.func @returned_before(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> (tensor<5x3xf32>, tensor<5x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = linalg.exp ins(%p : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="all of the product is read too"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %y[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0, %p : tensor<5x3xf32>, tensor<5x6xf32>
}

// -----

// A sum along whole rows reads the product beside the part.
// CHECK-LABEL: func.func @rows_summed(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         linalg.reduce
func.func @rows_summed(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>, %r: tensor<5xf32>) -> (tensor<5x3xf32>, tensor<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="all of the product is read too"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  %1 = linalg.reduce { arith.addf } ins(%p : tensor<5x6xf32>) outs(%r : tensor<5xf32>) dimensions = [1]
  return %0, %1 : tensor<5x3xf32>, tensor<5xf32>
}

// -----

// A function that is called gets the product as a whole.
// CHECK-LABEL: func.func @called(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         call @other
func.func private @other(tensor<5x6xf32>)
func.func @called(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="all of the product is read too"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  func.call @other(%p) : (tensor<5x6xf32>) -> ()
  return %0 : tensor<5x3xf32>
}

// -----

// One arm of a branch cuts the part out: the other one does without it.
// CHECK-LABEL: func.func @in_a_branch(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         scf.if
func.func @in_a_branch(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>, %c: i1) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %0 = scf.if %c -> tensor<5x3xf32> {
    // expected-remark @below {{Reason="a part is cut out in a branch, and may not be needed"}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
      linalg.yield %t : f32
    } -> tensor<5x3xf32>
    scf.yield %1 : tensor<5x3xf32>
  } else {
    scf.yield %h : tensor<5x3xf32>
  }
  return %0 : tensor<5x3xf32>
}

// -----

// An arm computes with the product, and cuts its part out then.
// CHECK-LABEL: func.func @before_a_branch(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         scf.if
// CHECK:           linalg.exp {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
func.func @before_a_branch(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>, %c: i1) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %0 = scf.if %c -> tensor<5x3xf32> {
    %y = linalg.exp ins(%p : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
    // expected-remark @below {{Reason="the product is made before the branch that reads parts of it"}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %t = tensor.extract %y[%i, %j] : tensor<5x6xf32>
      linalg.yield %t : f32
    } -> tensor<5x3xf32>
    scf.yield %1 : tensor<5x3xf32>
  } else {
    scf.yield %h : tensor<5x3xf32>
  }
  return %0 : tensor<5x3xf32>
}

// -----

// The part belongs to a set of ops: products would stand for it.
// CHECK-LABEL: func.func @part_of_a_set(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         linalg.generic {{.*}} attrs = {{.*}}fusion.fuse_with = "set"
func.func @part_of_a_set(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="a part is marked with a directive, and stays as it is"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) attrs = {fusion.fuse_with = "set"} {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// What follows the product is marked: it would be done for each part.
// CHECK-LABEL: func.func @marked_end(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         linalg.exp {fusion.no_fuse}
func.func @marked_end(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = linalg.exp {fusion.no_fuse} ins(%p : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="the product, or what follows it, is marked with a directive, and stays as it is"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %y[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// The part is one of a sum with what lies in a tensor already.
// CHECK-LABEL: func.func @adds_behind(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
func.func @adds_behind(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>, %y: tensor<5x6xf32>) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<5x6xf32>) outs(%y : tensor<5x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  // expected-remark @below {{Reason="what follows the product is not elementwise, or adds to a tensor"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %s[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// Behind the product two tensors are made at once, one of them in parts.
// CHECK-LABEL: func.func @two_results(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
func.func @two_results(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> (tensor<5x3xf32>, tensor<5x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<5x6xf32>) outs(%e, %e : tensor<5x6xf32>, tensor<5x6xf32>) {
  ^bb0(%a: f32, %o: f32, %q: f32):
    %1 = math.sin %a : f32
    %2 = math.cos %a : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<5x6xf32>, tensor<5x6xf32>)
  %y = linalg.exp ins(%s#0 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="what follows the product has several results"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %y[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0, %s#1 : tensor<5x3xf32>, tensor<5x6xf32>
}

// -----

// Rows and columns of one product, of half floats: most elements are in both parts.
// CHECK-LABEL: func.func @rows_and_columns(
// CHECK-COUNT-1: linalg.matmul
// CHECK-NOT:     linalg.matmul
func.func @rows_and_columns(%x: tensor<5x8xf16>, %w: tensor<8x6xf16>) -> (tensor<4x6xf16>, tensor<5x3xf16>) {
  %g = tensor.empty() : tensor<4x6xf16>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<5x6xf16>
  %h = tensor.empty() : tensor<5x3xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<5x6xf16>) -> tensor<5x6xf16>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf16>, tensor<8x6xf16>) outs(%z : tensor<5x6xf16>) -> tensor<5x6xf16>
  // expected-remark @below {{Reason="parts that overlap would be computed more than once"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%g : tensor<4x6xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf16>
    linalg.yield %t : f16
  } -> tensor<4x6xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf16>
    linalg.yield %t : f16
  } -> tensor<5x3xf16>
  return %0, %1 : tensor<4x6xf16>, tensor<5x3xf16>
}

// -----

// A long way from the product to its part.
// CHECK-LABEL: func.func @far_behind(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK-COUNT-32: linalg.exp {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
func.func @far_behind(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y0 = linalg.exp ins(%p : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y1 = linalg.exp ins(%y0 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y2 = linalg.exp ins(%y1 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y3 = linalg.exp ins(%y2 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y4 = linalg.exp ins(%y3 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y5 = linalg.exp ins(%y4 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y6 = linalg.exp ins(%y5 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y7 = linalg.exp ins(%y6 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y8 = linalg.exp ins(%y7 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y9 = linalg.exp ins(%y8 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y10 = linalg.exp ins(%y9 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y11 = linalg.exp ins(%y10 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y12 = linalg.exp ins(%y11 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y13 = linalg.exp ins(%y12 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y14 = linalg.exp ins(%y13 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y15 = linalg.exp ins(%y14 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y16 = linalg.exp ins(%y15 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y17 = linalg.exp ins(%y16 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y18 = linalg.exp ins(%y17 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y19 = linalg.exp ins(%y18 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y20 = linalg.exp ins(%y19 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y21 = linalg.exp ins(%y20 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y22 = linalg.exp ins(%y21 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y23 = linalg.exp ins(%y22 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y24 = linalg.exp ins(%y23 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y25 = linalg.exp ins(%y24 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y26 = linalg.exp ins(%y25 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y27 = linalg.exp ins(%y26 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y28 = linalg.exp ins(%y27 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y29 = linalg.exp ins(%y28 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y30 = linalg.exp ins(%y29 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y31 = linalg.exp ins(%y30 : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="the parts are cut out behind more than 32 operations"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %y31[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
