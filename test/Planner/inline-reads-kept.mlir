// Reads of what other ops make that stay reads, each with its reason.

// RUN: fusion-opt %s -fusion-inline-reads -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-inline-reads -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// An exponential for each of the reads would cost more than the tensor.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @exponential(
// CHECK:         %[[E:.*]] = linalg.generic
// CHECK:           math.exp
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[E]]
func.func @exponential(%x: tensor<4xf16>, %d: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf16>) outs(%d : tensor<4xf16>) {
  ^bb0(%a: f16, %o: f16):
    %0 = math.exp %a : f16
    linalg.yield %0 : f16
  } -> tensor<4xf16>
  // expected-remark @below {{Reason="an element takes more than a few cheap ops"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf16>
    linalg.yield %e : f16
  } -> tensor<4xf16>
  return %t, %p : tensor<4xf16>, tensor<4xf16>
}

// -----

// More bytes would be read.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @wider_source(
// CHECK:         %[[E:.*]] = linalg.generic
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[E]]
func.func @wider_source(%x: tensor<4xf32>, %d: tensor<4xf16>) -> tensor<4xf16> {
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%d : tensor<4xf16>) {
  ^bb0(%a: f32, %o: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<4xf16>
  // expected-remark @below {{Reason="the tensor is narrower than what it is made from"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf16>
    linalg.yield %e : f16
  } -> tensor<4xf16>
  return %t : tensor<4xf16>
}

// -----

// Two reads would take the place of one.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @two_sources(
// CHECK:         %[[E:.*]] = linalg.generic
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[E]]
func.func @two_sources(%x: tensor<4xf16>, %y: tensor<4xf16>, %d: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf16>, tensor<4xf16>) outs(%d : tensor<4xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %0 = arith.addf %a, %b : f16
    linalg.yield %0 : f16
  } -> tensor<4xf16>
  // expected-remark @below {{Reason="an element is made of more or less than one element of another tensor"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf16>
    linalg.yield %e : f16
  } -> tensor<4xf16>
  return %t, %p : tensor<4xf16>, tensor<4xf16>
}

// -----

// A sum is no element of another tensor.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @reduction(
// CHECK:         %[[E:.*]] = linalg.reduce
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[E]]
func.func @reduction(%x: tensor<4x4xf16>, %d: tensor<4xf16>) -> tensor<4xf16> {
  %p = linalg.reduce { arith.addf } ins(%x : tensor<4x4xf16>) outs(%d : tensor<4xf16>) dimensions = [1]
  // expected-remark @below {{Reason="what makes the tensor is not elementwise"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf16>
    linalg.yield %e : f16
  } -> tensor<4xf16>
  return %t : tensor<4xf16>
}

// -----

// A person keeps the producer apart.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @marked(
// CHECK:         %[[E:.*]] = linalg.negf
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[E]]
func.func @marked(%x: tensor<4xf16>, %d: tensor<4xf16>) -> tensor<4xf16> {
  %p = linalg.negf {fusion.no_fuse} ins(%x : tensor<4xf16>) outs(%d : tensor<4xf16>) -> tensor<4xf16>
  // expected-remark @below {{Reason="a directive of the graph places what makes the tensor"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf16>
    linalg.yield %e : f16
  } -> tensor<4xf16>
  return %t : tensor<4xf16>
}

// -----

// A branch that does more than read: what it reads stays under its condition.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @branch_with_more(
// CHECK:         %[[E:.*]] = linalg.negf
// CHECK:         scf.if
// CHECK-NEXT:      tensor.extract %[[E]]
// CHECK-NEXT:      math.exp
func.func @branch_with_more(%x: tensor<4xf16>, %d: tensor<4xf16>) -> tensor<4xf16> {
  %p = linalg.negf ins(%x : tensor<4xf16>) outs(%d : tensor<4xf16>) -> tensor<4xf16>
  // expected-remark @below {{Reason="the read is not all that its branch does"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : f16
    %c = arith.cmpi ult, %i, %c2 : index
    %v = scf.if %c -> (f16) {
      %e = tensor.extract %p[%i] : tensor<4xf16>
      %f = math.exp %e : f16
      scf.yield %f : f16
    } else {
      scf.yield %zero : f16
    }
    linalg.yield %v : f16
  } -> tensor<4xf16>
  return %t : tensor<4xf16>
}

// -----

// What joins or pads, and is needed as a whole, is not computed again.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @branching_producer(
// CHECK:         %[[E:.*]] = linalg.generic
// CHECK:           scf.if
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[E]]
func.func @branching_producer(%x: tensor<4xf16>, %d: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : f16
    %c = arith.cmpi ult, %i, %c2 : index
    %v = scf.if %c -> (f16) {
      %e = tensor.extract %x[%i] : tensor<4xf16>
      scf.yield %e : f16
    } else {
      scf.yield %zero : f16
    }
    linalg.yield %v : f16
  } -> tensor<4xf16>
  // expected-remark @below {{Reason="what joins or pads tensors is needed as a whole, too"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf16>
    linalg.yield %e : f16
  } -> tensor<4xf16>
  return %t, %p : tensor<4xf16>, tensor<4xf16>
}

// -----

// Whatever is read to find the element is another tensor, where it is no constant.
// CHECK-LABEL: func.func @a_computed_table(
// CHECK-COUNT-2: linalg.generic
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @a_computed_table(%x: tensor<2x2xf32>, %rows: tensor<3xindex>, %columns: tensor<3xindex>, %d: tensor<3x2xf32>, %e: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %s = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%d : tensor<3x2xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = tensor.extract %rows[%i] : tensor<3xindex>
    %v = tensor.extract %x[%r, %j] : tensor<2x2xf32>
    linalg.yield %v : f32
  } -> tensor<3x2xf32>
  // expected-remark @below {{Reason="an element is made of more or less than one element of another tensor"}}
  %t = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]} ins(%columns : tensor<3xindex>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%c: index, %z: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %s[%i, %c] : tensor<3x2xf32>
    linalg.yield %v : f32
  } -> tensor<3x3xf32>
  return %t : tensor<3x3xf32>
}

// -----

// A matrix of constants is a tensor as others are.
// CHECK-LABEL: func.func @a_matrix_of_constants(
// CHECK-COUNT-2: linalg.generic
#id = affine_map<(i, j) -> (i, j)>
func.func @a_matrix_of_constants(%x: tensor<3xf32>, %d: tensor<2x2xf32>, %e: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %table = arith.constant dense<[[0, 1], [2, 0]]> : tensor<2x2xindex>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%table : tensor<2x2xindex>) outs(%d : tensor<2x2xf32>) {
  ^bb0(%r: index, %z: f32):
    %v = tensor.extract %x[%r] : tensor<3xf32>
    linalg.yield %v : f32
  } -> tensor<2x2xf32>
  // expected-remark @below {{Reason="the tensor is narrower than what it is made from"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x2xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %s[%j, %i] : tensor<2x2xf32>
    linalg.yield %v : f32
  } -> tensor<2x2xf32>
  return %t : tensor<2x2xf32>
}

// -----

// Rows are read twice, each time all of them: their kernel makes them.
#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @halves_of_rows(
// CHECK:         %[[E:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4xf32>)
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[E]]
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[E]]
func.func @halves_of_rows(%x: tensor<4x8xf32>, %s: tensor<4xf32>, %d: tensor<4x8xf32>, %e: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %p = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%d : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  // expected-remark @below {{Reason="an element is made of more or less than one element of another tensor"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %p[%i, %j] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  // expected-remark @below {{Reason="an element is made of more or less than one element of another tensor"}}
  %u = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c4 = arith.constant 4 : index
    %k = arith.addi %j, %c4 : index
    %v = tensor.extract %p[%i, %k] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  return %t, %u : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What a sum ends in stays in the kernel of the sum.
#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @end_of_rows(
// CHECK:         %[[E:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>)
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[E]]
func.func @end_of_rows(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %s: tensor<4xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#id, #id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y, %r : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>) outs(%d : tensor<4x8xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  // expected-remark @below {{Reason="the kernel of a reduction or a product makes the tensor"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%d : tensor<4x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %p[%i, %j] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %t : tensor<4x8xf32>
}

// -----

// A product's own kernel adds what is added to it.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @behind_a_product(
// CHECK:         linalg.matvec
// CHECK:         linalg.generic
// CHECK:           tensor.extract
func.func @behind_a_product(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %b: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.matvec ins(%x, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %b : tensor<4xf32>, tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %1 = arith.addf %a, %c : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  // expected-remark @below {{Reason="the kernel of a product makes the tensor"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// Many ops on two elements, even if each is needed once.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @long_chain(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:           tensor.extract
func.func @long_chain(%x: tensor<4xf32>, %y: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %0, %a : f32
    %2 = arith.mulf %1, %a : f32
    %3 = arith.mulf %2, %a : f32
    %4 = arith.mulf %3, %a : f32
    %5 = arith.mulf %4, %a : f32
    %6 = arith.mulf %5, %a : f32
    %7 = arith.mulf %6, %a : f32
    %8 = arith.mulf %7, %a : f32
    %9 = arith.mulf %8, %a : f32
    %10 = arith.mulf %9, %a : f32
    %11 = arith.mulf %10, %a : f32
    %12 = arith.mulf %11, %a : f32
    %13 = arith.mulf %12, %a : f32
    %14 = arith.mulf %13, %a : f32
    %15 = arith.mulf %14, %a : f32
    %16 = arith.mulf %15, %a : f32
    %17 = arith.mulf %16, %a : f32
    %18 = arith.mulf %17, %a : f32
    %19 = arith.mulf %18, %a : f32
    %20 = arith.mulf %19, %a : f32
    %21 = arith.mulf %20, %a : f32
    %22 = arith.mulf %21, %a : f32
    %23 = arith.mulf %22, %a : f32
    %24 = arith.mulf %23, %a : f32
    %25 = arith.mulf %24, %a : f32
    %26 = arith.mulf %25, %a : f32
    %27 = arith.mulf %26, %a : f32
    %28 = arith.mulf %27, %a : f32
    %29 = arith.mulf %28, %a : f32
    %30 = arith.mulf %29, %a : f32
    %31 = arith.mulf %30, %a : f32
    %32 = arith.mulf %31, %a : f32
    %33 = arith.mulf %32, %a : f32
    %34 = arith.mulf %33, %a : f32
    %35 = arith.mulf %34, %a : f32
    %36 = arith.mulf %35, %a : f32
    %37 = arith.mulf %36, %a : f32
    %38 = arith.mulf %37, %a : f32
    %39 = arith.mulf %38, %a : f32
    %40 = arith.mulf %39, %a : f32
    linalg.yield %40 : f32
  } -> tensor<4xf32>
  // expected-remark @below {{Reason="an element takes more than a few ops"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// It adds to what its destination holds.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @accumulates(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:           tensor.extract
func.func @accumulates(%x: tensor<4xf32>, %y: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  // expected-remark @below {{Reason="an element is made of more or less than one element of another tensor"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// A fuse_with set is one kernel, whatever reads of it.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @in_a_set(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:           tensor.extract
func.func @in_a_set(%x: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) attrs = {fusion.fuse_with = "set"} {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  // expected-remark @below {{Reason="a directive of the graph places what makes the tensor"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// One op makes two tensors.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @two_results(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:           tensor.extract
func.func @two_results(%x: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %p, %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%d, %d : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32, %r: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0, %a : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  // expected-remark @below {{Reason="what makes the tensor is not elementwise"}}
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %p[%i] : tensor<4xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// A condition chooses what the tensor is made of.
// CHECK-LABEL: func.func @chosen(
// CHECK:         linalg.negf
// CHECK:         tensor.extract
func.func @chosen(%p: i1, %x: tensor<64xf32>, %y: tensor<64xf32>, %i: tensor<16xi64>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %e16 = tensor.empty() : tensor<16xf32>
  %c = arith.select %p, %x, %y : tensor<64xf32>
  %0 = linalg.negf ins(%c : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below {{Reason="a condition chooses what the tensor is made from"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<16xi64>) outs(%e16 : tensor<16xf32>) {
  ^bb0(%a: i64, %d: f32):
    %n = arith.index_cast %a : i64 to index
    %t = tensor.extract %0[%n] : tensor<64xf32>
    linalg.yield %t : f32
  } -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

// CHECK-LABEL: func.func @branches(
// CHECK:         scf.if
// CHECK:         tensor.extract
func.func @branches(%x: tensor<64xf32>, %i: tensor<16xi64>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %e16 = tensor.empty() : tensor<16xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %d: f32):
    %q = arith.cmpf olt, %a, %zero : f32
    %t = scf.if %q -> f32 {
      %u = math.exp %a : f32
      scf.yield %u : f32
    } else {
      scf.yield %a : f32
    }
    linalg.yield %t : f32
  } -> tensor<64xf32>
  // expected-remark @below {{Reason="what makes the tensor has branches"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<16xi64>) outs(%e16 : tensor<16xf32>) {
  ^bb0(%a: i64, %d: f32):
    %n = arith.index_cast %a : i64 to index
    %t = tensor.extract %0[%n] : tensor<64xf32>
    linalg.yield %t : f32
  } -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
