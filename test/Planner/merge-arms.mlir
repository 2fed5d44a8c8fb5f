// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-merge-arms))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-merge-arms))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-merge-arms{fuse=vertical,horizontal}))' -split-input-file | FileCheck %s --check-prefix=OFF

// Equal ops on different operands are one op: tensors are chosen, not copied.
// CHECK-LABEL: func.func @operands(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<8x8xf32>, %[[Y:.*]]: tensor<8x8xf32>, %[[A:.*]]: tensor<8x8xf32>, %[[B:.*]]: tensor<8x8xf32>)
// CHECK-NOT:     fusion.if
// CHECK:         %[[P:.*]] = tensor.extract %[[C]][] : tensor<i1>
// CHECK:         %[[XY:.*]] = arith.select %[[P]], %[[X]], %[[Y]] : tensor<8x8xf32>
// CHECK:         %[[Q:.*]] = tensor.extract %[[C]][] : tensor<i1>
// CHECK:         %[[AB:.*]] = arith.select %[[Q]], %[[A]], %[[B]] : tensor<8x8xf32>
// CHECK:         %[[R:.*]] = linalg.matmul ins(%[[XY]], %[[AB]] :
// CHECK-NOT:     linalg.matmul
// CHECK:         return %[[R]]
// OFF-LABEL:   func.func @operands(
// OFF:           fusion.if
// OFF-COUNT-2:     linalg.matmul
func.func @operands(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>,
                    %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%y, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Elementwise code that differs is selected element by element, what both arms
// add (a bias each) is one addition; an operand that both share is read as it is.
// CHECK-LABEL: func.func @epilogues(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<8x8xf32>, %[[A:.*]]: tensor<8x8xf32>, %[[B:.*]]: tensor<8x8xf32>, %[[V:.*]]: tensor<8x8xf32>, %[[W:.*]]: tensor<8x8xf32>)
// CHECK-NOT:     fusion.if
// CHECK:         %[[AB:.*]] = arith.select %{{.*}}, %[[A]], %[[B]]
// CHECK:         %[[M:.*]] = linalg.matmul ins(%[[X]], %[[AB]] :
// CHECK:         %[[VW:.*]] = arith.select %{{.*}}, %[[V]], %[[W]]
// CHECK:         %[[S:.*]] = linalg.add ins(%[[M]], %[[VW]] :
// CHECK:         %[[E:.*]] = linalg.exp ins(%[[S]] :
// CHECK-NOT:     linalg.add
// CHECK:         %[[T:.*]] = linalg.tanh ins(%[[S]] :
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[C]], %[[E]], %[[T]] : tensor<i1>,
// CHECK:           arith.select
// CHECK:         return %[[R]]
func.func @epilogues(%c: tensor<i1>, %x: tensor<8x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>,
                     %v: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.add ins(%0, %v : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.exp ins(%1 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %2 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.add ins(%0, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.tanh ins(%1 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %2 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Code between that differs is selected too; an arm may have less of it.
// CHECK-LABEL: func.func @between(
// CHECK-NOT:     fusion.if
// CHECK:         %[[M:.*]] = linalg.matmul
// CHECK:         %[[E:.*]] = linalg.exp ins(%[[M]]
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[E]], %[[M]] :
// CHECK:         %[[N:.*]] = linalg.matmul ins(%[[S]],
// CHECK:         return %[[N]]
func.func @between(%c: tensor<i1>, %x: tensor<8x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.exp ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.matmul ins(%1, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %2 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.matmul ins(%0, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %2 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// A case of three ways: the inner branch first, whose predicate is computed in
// the arm, then the outer one. A choice may pick another choice.
// CHECK-LABEL: func.func @case(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[D:.*]]: tensor<i1>, %[[X:.*]]: tensor<8x8xf32>, %[[Y:.*]]: tensor<8x8xf32>, %[[Z:.*]]: tensor<8x8xf32>)
// CHECK-NOT:     fusion.if
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%[[D]] : tensor<i1>)
// CHECK:         %[[P:.*]] = tensor.extract %[[N]][]
// CHECK:         %[[YZ:.*]] = arith.select %[[P]], %[[Y]], %[[Z]]
// CHECK:         %[[Q:.*]] = tensor.extract %[[C]][]
// CHECK:         %[[XYZ:.*]] = arith.select %[[Q]], %[[X]], %[[YZ]]
// CHECK:         %[[R:.*]] = linalg.matmul ins(%[[XYZ]], %[[XYZ]]
// CHECK:         return %[[R]]
func.func @case(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %true = arith.constant true
    %g = tensor.empty() : tensor<i1>
    %n = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%d : tensor<i1>) outs(%g : tensor<i1>) {
    ^bb0(%p: i1, %q: i1):
      %t = arith.xori %p, %true : i1
      linalg.yield %t : i1
    } -> tensor<i1>
    // expected-remark @below {{both arms are one computation on chosen operands}}
    %s = fusion.if %n : tensor<i1> -> tensor<8x8xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x8xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %0 = linalg.matmul ins(%y, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
      fusion.yield %0 : tensor<8x8xf32>
    } else {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x8xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %0 = linalg.matmul ins(%z, %z : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
      fusion.yield %0 : tensor<8x8xf32>
    }
    fusion.yield %s : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// What both arms pass through is a choice where linalg ops alone read it, also
// through a reshape.
// CHECK-LABEL: func.func @passes(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<64xf32>, %[[Y:.*]]: tensor<64xf32>)
// CHECK-NOT:     fusion.if
// CHECK:         %[[XY:.*]] = arith.select %{{.*}}, %[[X]], %[[Y]] : tensor<64xf32>
// CHECK:         %[[V:.*]] = tensor.expand_shape %[[XY]]
// CHECK:         linalg.exp ins(%[[V]]
func.func @passes(%c: tensor<i1>, %x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %s = fusion.if %c : tensor<i1> -> tensor<64xf32> {
    fusion.yield %x : tensor<64xf32>
  } else {
    fusion.yield %y : tensor<64xf32>
  }
  %v = tensor.expand_shape %s [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.exp ins(%v : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Sizes of one name are equal; so are those of one value.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT:     fusion.if
// CHECK-COUNT-2: arith.select
// CHECK:         linalg.matmul
func.func @dynamic(%c: tensor<i1>,
                   %x: tensor<?x8xf32> {fusion.name = "x", fusion.dims = ["m", ""]},
                   %y: tensor<?x8xf32> {fusion.name = "y", fusion.dims = ["m", ""]},
                   %a: tensor<8x?xf32> {fusion.name = "a", fusion.dims = ["", "n"]},
                   %b: tensor<8x?xf32> {fusion.name = "b", fusion.dims = ["", "n"]}) -> tensor<?x?xf32> {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r = fusion.if %c : tensor<i1> -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %x, %c0 : tensor<?x8xf32>
    %n = tensor.dim %a, %c1 : tensor<8x?xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty(%m, %n) : tensor<?x?xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    %0 = linalg.matmul ins(%x, %a : tensor<?x8xf32>, tensor<8x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
    fusion.yield %0 : tensor<?x?xf32>
  } else {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %y, %c0 : tensor<?x8xf32>
    %n = tensor.dim %b, %c1 : tensor<8x?xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty(%m, %n) : tensor<?x?xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    %0 = linalg.matmul ins(%y, %b : tensor<?x8xf32>, tensor<8x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
    fusion.yield %0 : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// -----

// One op for two, whatever it does: reductions, bodies that read captured
// tensors, elementwise code without a rest.
// CHECK-LABEL: func.func @elementwise(
// CHECK-NOT:     fusion.if
// CHECK:         %[[XY:.*]] = arith.select
// CHECK:         linalg.exp ins(%[[XY]]
// CHECK-LABEL: func.func @gather(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[I:.*]]: tensor<4xindex>, %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>)
// CHECK-NOT:     fusion.if
// CHECK:         %[[XY:.*]] = arith.select %{{.*}}, %[[X]], %[[Y]]
// CHECK:         linalg.generic {{.*}} ins(%[[I]] :
// CHECK:           tensor.extract %[[XY]][
func.func @elementwise(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.exp ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func @gather(%c: tensor<i1>, %i: tensor<4xindex>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<4xf32> {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r = fusion.if %c : tensor<i1> -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%i : tensor<4xindex>) outs(%e : tensor<4xf32>) {
    ^bb0(%p: index, %q: f32):
      %v = tensor.extract %x[%p] : tensor<8xf32>
      linalg.yield %v : f32
    } -> tensor<4xf32>
    fusion.yield %0 : tensor<4xf32>
  } else {
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%i : tensor<4xindex>) outs(%e : tensor<4xf32>) {
    ^bb0(%p: index, %q: f32):
      %v = tensor.extract %y[%p] : tensor<8xf32>
      linalg.yield %v : f32
    } -> tensor<4xf32>
    fusion.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Of two results one is merged, the other stays in the branch.
// CHECK-LABEL: func.func @one_of_two(
// CHECK:         %[[M:.*]] = linalg.matmul
// CHECK:         %[[S:.*]] = fusion.if %{{.*}} -> tensor<8x8xf32> {
// CHECK:           linalg.exp
// CHECK:         } else {
// CHECK:           linalg.tanh
// CHECK-NOT:       linalg.matmul
// CHECK:         return %[[M]], %[[S]]
func.func @one_of_two(%c: tensor<i1>, %x: tensor<8x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  // expected-remark @below {{Reason="the arms have nothing but elementwise code, which differs: each is a body of its own"}}
  %r:2 = fusion.if %c : tensor<i1> -> tensor<8x8xf32>, tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.tanh ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Constants that differ are selected: a scale, a splat.
// CHECK-LABEL: func.func @constants(
// CHECK-NOT:     fusion.if
// CHECK:         %[[M:.*]] = linalg.matmul
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%[[M]] :
// CHECK:           arith.mulf
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%[[M]] :
// CHECK:           arith.mulf
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[A]], %[[B]] :
func.func @constants(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %two = arith.constant 2.0 : f32
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32):
      %v = arith.mulf %p, %two : f32
      linalg.yield %v : f32
    } -> tensor<8x8xf32>
    fusion.yield %1 : tensor<8x8xf32>
  } else {
    %three = arith.constant 3.0 : f32
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%y, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32):
      %v = arith.mulf %p, %three : f32
      linalg.yield %v : f32
    } -> tensor<8x8xf32>
    fusion.yield %1 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Elementwise code that differs follows a product from before the branch: once
// selected it is the product's epilogue. One arm may pass the product through.
// CHECK-LABEL: func.func @after_product(
// CHECK-NOT:     fusion.if
// CHECK:         %[[M:.*]] = linalg.matmul
// CHECK:         %[[A:.*]] = linalg.exp ins(%[[M]] :
// CHECK:         %[[B:.*]] = linalg.tanh ins(%[[M]] :
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[A]], %[[B]] :
// CHECK:           arith.select
// CHECK:         %[[C:.*]] = linalg.abs ins(%[[M]] :
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[M]], %[[C]] :
// CHECK:           arith.select
func.func @after_product(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r:2 = fusion.if %c : tensor<i1> -> tensor<8x8xf32>, tensor<8x8xf32> {
    %e0 = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.exp ins(%m : tensor<8x8xf32>) outs(%e0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0, %m : tensor<8x8xf32>, tensor<8x8xf32>
  } else {
    %e0 = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.tanh ins(%m : tensor<8x8xf32>) outs(%e0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.abs ins(%m : tensor<8x8xf32>) outs(%e0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// What is the same in both arms needs no branch, and the other result stays in it.
// CHECK-LABEL: func.func @same(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<8xf32>)
// CHECK:         %[[E:.*]] = linalg.exp ins(%[[X]]
// CHECK:         %[[S:.*]] = fusion.if %[[C]] : tensor<i1> -> tensor<8xf32> {
// CHECK:         return %[[S]], %[[E]]
func.func @same(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %d = tensor.empty() : tensor<8xf32>
  %e = linalg.exp ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{Reason="the arms have nothing but elementwise code, which differs: each is a body of its own"}}
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r:2 = fusion.if %c : tensor<i1> -> tensor<8xf32>, tensor<8xf32> {
    %0 = linalg.abs ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0, %e : tensor<8xf32>, tensor<8xf32>
  } else {
    %0 = linalg.tanh ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0, %e : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
