// Arms that are no computation on chosen operands: each stays an arm.
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-merge-arms))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-merge-arms))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// The arms reduce in different ways: one body has one.
// CHECK-LABEL: func.func @reductions(
// CHECK:         fusion.if
func.func @reductions(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{Reason="'reduce' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %i = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%i : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.reduce ins(%x : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [1] (%a: f32, %b: f32) {
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    }
    fusion.yield %0 : tensor<8xf32>
  } else {
    %i = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%i : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.reduce ins(%y : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [1] (%a: f32, %b: f32) {
      %1 = arith.maximumf %a, %b : f32
      linalg.yield %1 : f32
    }
    fusion.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Nor along different dims.
// CHECK-LABEL: func.func @dims(
// CHECK:         fusion.if
func.func @dims(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{Reason="'reduce' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %i = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%i : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.reduce ins(%x : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [1] (%a: f32, %b: f32) {
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    }
    fusion.yield %0 : tensor<8xf32>
  } else {
    %i = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%i : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.reduce ins(%y : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [0] (%a: f32, %b: f32) {
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    }
    fusion.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// One arm multiplies by a transposed matrix.
// CHECK-LABEL: func.func @transposed(
// CHECK:         fusion.if
func.func @transposed(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'matmul' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%y, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// A product of a product has no counterpart in a product of an argument.
// CHECK-LABEL: func.func @longer(
// CHECK:         fusion.if
func.func @longer(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'matmul' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.matmul ins(%0, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %1 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%y, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// A matrix product beside a sum along rows.
// CHECK-LABEL: func.func @kinds(
// CHECK:         fusion.if
func.func @kinds(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'matmul' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.exp ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %1 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %g = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.reduce ins(%x : tensor<8x8xf32>) outs(%g : tensor<8xf32>) dimensions = [1] (%a: f32, %b: f32) {
      %2 = arith.addf %a, %b : f32
      linalg.yield %2 : f32
    }
    %d = tensor.empty() : tensor<8x8xf32>
    %1 = linalg.broadcast ins(%0 : tensor<8xf32>) outs(%d : tensor<8x8xf32>) dimensions = [1]
    fusion.yield %1 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Different code of both arms, of nothing that they have in common.
// CHECK-LABEL: func.func @three(
// CHECK:         fusion.if
func.func @three(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="the arms have nothing but elementwise code, which differs: each is a body of its own"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.add ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.mul ins(%z, %z : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.tanh ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %1 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// The arms multiply alike, but each reduces the product in a way of its own.
// CHECK-LABEL: func.func @needed(
// CHECK-NOT:     linalg.matmul
// CHECK:         fusion.if
func.func @needed(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
  // expected-remark @below {{Reason="a result that stays in the branch needs the same values"}}
  // expected-remark @below {{Reason="'reduce' of one arm has no counterpart in the other"}}
  %r:2 = fusion.if %c : tensor<i1> -> tensor<8x8xf32>, tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %e1 = tensor.empty() : tensor<8xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.reduce ins(%0 : tensor<8x8xf32>) outs(%f1 : tensor<8xf32>) dimensions = [1] (%a: f32, %b: f32) {
      %2 = arith.addf %a, %b : f32
      linalg.yield %2 : f32
    }
    fusion.yield %0, %1 : tensor<8x8xf32>, tensor<8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%y, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %e1 = tensor.empty() : tensor<8xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.reduce ins(%0 : tensor<8x8xf32>) outs(%f1 : tensor<8xf32>) dimensions = [0] (%a: f32, %b: f32) {
      %2 = arith.maximumf %a, %b : f32
      linalg.yield %2 : f32
    }
    fusion.yield %0, %1 : tensor<8x8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8xf32>
}

// -----

// Products of what is read from a table: one arm computes where, the other is given it.
// CHECK-LABEL: func.func @gathers(
// CHECK:         fusion.if
// CHECK:           linalg.matmul
// CHECK:         } else {
// CHECK:           linalg.matmul
func.func @gathers(%c: tensor<i1>, %i: tensor<8x8xindex>, %t: tensor<4xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'elementwise' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %d = tensor.empty() : tensor<8x8xindex>
    %k = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%i : tensor<8x8xindex>) outs(%d : tensor<8x8xindex>) {
    ^bb0(%p: index, %q: index):
      %v = arith.addi %p, %p : index
      linalg.yield %v : index
    } -> tensor<8x8xindex>
    %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%k : tensor<8x8xindex>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%p: index, %q: f32):
      %u = tensor.extract %t[%p] : tensor<4xf32>
      linalg.yield %u : f32
    } -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%g, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%i : tensor<8x8xindex>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%p: index, %q: f32):
      %u = tensor.extract %t[%p] : tensor<4xf32>
      linalg.yield %u : f32
    } -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%g, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Or each scales it by another number, in the body that reads.
// CHECK-LABEL: func.func @scaled_gathers(
// CHECK:         fusion.if
// CHECK:           linalg.matmul
// CHECK:         } else {
// CHECK:           linalg.matmul
func.func @scaled_gathers(%c: tensor<i1>, %i: tensor<8x8xindex>, %t: tensor<4xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'elementwise' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %k = arith.constant 2.0 : f32
    %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%i : tensor<8x8xindex>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%p: index, %q: f32):
      %u = tensor.extract %t[%p] : tensor<4xf32>
      %v = arith.mulf %u, %k : f32
      linalg.yield %v : f32
    } -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%g, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %k = arith.constant 3.0 : f32
    %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%i : tensor<8x8xindex>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%p: index, %q: f32):
      %u = tensor.extract %t[%p] : tensor<4xf32>
      %v = arith.mulf %u, %k : f32
      linalg.yield %v : f32
    } -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%g, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// One arm goes on with the sums, the other with the largest elements, of one reduction.
// CHECK-LABEL: func.func @results(
// CHECK:         fusion.if
// CHECK:           linalg.matmul
// CHECK:         } else {
// CHECK:           linalg.matmul
func.func @results(%c: tensor<i1>, %x: tensor<8x8x8xf32>, %y: tensor<8x8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'reduce' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g:2 = linalg.reduce ins(%x, %x : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%f, %f : tensor<8x8xf32>, tensor<8x8xf32>) dimensions = [2] (%p: f32, %q: f32, %s: f32, %t: f32) {
      %1 = arith.addf %p, %s : f32
      %2 = arith.maximumf %q, %t : f32
      linalg.yield %1, %2 : f32, f32
    }
    %0 = linalg.matmul ins(%g#0, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g:2 = linalg.reduce ins(%y, %y : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%f, %f : tensor<8x8xf32>, tensor<8x8xf32>) dimensions = [2] (%p: f32, %q: f32, %s: f32, %t: f32) {
      %1 = arith.addf %p, %s : f32
      %2 = arith.maximumf %q, %t : f32
      linalg.yield %1, %2 : f32, f32
    }
    %0 = linalg.matmul ins(%g#1, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Nothing is computed: each arm gives memory that it does not write.
// CHECK-LABEL: func.func @unwritten(
// CHECK:         fusion.if
// CHECK:           tensor.empty
// CHECK:         } else {
// CHECK:           tensor.empty
func.func @unwritten(%c: tensor<i1>, %n: index) -> tensor<?x8xf32> {
  // expected-remark @below {{Reason="the arms have no kernel in common"}}
  %r = fusion.if %c : tensor<i1> -> tensor<?x8xf32> {
    %0 = tensor.empty(%n) : tensor<?x8xf32>
    fusion.yield %0 : tensor<?x8xf32>
  } else {
    %0 = tensor.empty(%n) : tensor<?x8xf32>
    fusion.yield %0 : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// -----

// A part of a tensor is written by no linalg op.
// CHECK-LABEL: func.func @written_parts(
// CHECK:         fusion.if
// CHECK-COUNT-2:   tensor.insert_slice
func.func @written_parts(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>, %p: tensor<2xf32>) -> tensor<8xf32> {
  // expected-remark @below {{Reason="the arms have no kernel in common"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %0 = tensor.insert_slice %p into %x [2] [2] [1] : tensor<2xf32> into tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    %0 = tensor.insert_slice %p into %y [2] [2] [1] : tensor<2xf32> into tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// At another place in each arm.
// CHECK-LABEL: func.func @other_parts(
// CHECK:         fusion.if
// CHECK-COUNT-2:   tensor.insert_slice
func.func @other_parts(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>, %p: tensor<2xf32>) -> tensor<8xf32> {
  // expected-remark @below {{Reason="an arm holds an op that stays in it"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %0 = tensor.insert_slice %p into %x [2] [2] [1] : tensor<2xf32> into tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    %0 = tensor.insert_slice %p into %y [4] [2] [1] : tensor<2xf32> into tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
