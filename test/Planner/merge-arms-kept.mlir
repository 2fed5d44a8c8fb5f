// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-merge-arms))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-merge-arms))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// An op without a counterpart: each arm stays a body of its own, of one launch.
// CHECK-LABEL: func.func @counterpart(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @counterpart(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
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
    %1 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %1 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Two of them against one.
// CHECK-LABEL: func.func @deeper(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @deeper(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'matmul' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%1, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
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

// Other roles.
// CHECK-LABEL: func.func @other_op(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @other_op(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
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
    %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%y, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Other element types: of one length in bytes, but not of one meaning.
// CHECK-LABEL: func.func @element_types(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @element_types(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xi32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="one arm passes a value through that the other computes"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%y : tensor<8x8xi32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%p: i32, %q: f32):
      %v = arith.sitofp %p : i32 to f32
      linalg.yield %v : f32
    } -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%g, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Other shapes: k differs.
// CHECK-LABEL: func.func @shapes(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @shapes(%c: tensor<i1>, %x: tensor<8x4xf32>, %y: tensor<8x16xf32>, %a: tensor<4x8xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'matmul' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %a : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%y, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Sizes that nothing says to be equal.
// CHECK-LABEL: func.func @sizes(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @sizes(%c: tensor<i1>, %x: tensor<8x?xf32>, %y: tensor<8x?xf32>, %a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="the arms have sizes that are not known to be equal"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %a : tensor<8x?xf32>, tensor<?x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%y, %b : tensor<8x?xf32>, tensor<?x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Nothing but elementwise code, which differs.
// CHECK-LABEL: func.func @only_elementwise(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @only_elementwise(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="the arms have nothing but elementwise code, which differs: each is a body of its own"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.tanh ins(%y : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// One arm passes its value through.
// CHECK-LABEL: func.func @passes_one(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @passes_one(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'matmul' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    fusion.yield %x : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Both do, to a result of the function, which has to be written.
// CHECK-LABEL: func.func @passes_both(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @passes_both(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="the arms only pass values through"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    fusion.yield %x : tensor<8x8xf32>
  } else {
    fusion.yield %y : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// An operand that one arm computes would be a copy in the other.
// CHECK-LABEL: func.func @computed_operand(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @computed_operand(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="one arm passes a value through that the other computes"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%g, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// A constant in the body of a reduction.
// CHECK-LABEL: func.func @scalars(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @scalars(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{Reason="the arms differ in a scalar"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %g = tensor.empty() : tensor<8xf32>
    %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8xf32>) -> tensor<8xf32>
    %k = arith.constant 2.0 : f32
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x8xf32>) outs(%h : tensor<8xf32>) {
    ^bb0(%p: f32, %q: f32):
      %v = arith.mulf %p, %k : f32
      %w = arith.addf %v, %q : f32
      linalg.yield %w : f32
    } -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %g = tensor.empty() : tensor<8xf32>
    %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8xf32>) -> tensor<8xf32>
    %k = arith.constant 3.0 : f32
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x8xf32>) outs(%h : tensor<8xf32>) {
    ^bb0(%p: f32, %q: f32):
      %v = arith.mulf %p, %k : f32
      %w = arith.addf %v, %q : f32
      linalg.yield %w : f32
    } -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Code whose positions are computed is not computed in vain: those of the
// other arm may lie outside.
// CHECK-LABEL: func.func @positions(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @positions(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %i: tensor<8x8xindex>, %t: tensor<4xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'elementwise' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%g, %i : tensor<8x8xf32>, tensor<8x8xindex>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%p: f32, %n: index, %q: f32):
      %u = tensor.extract %t[%n] : tensor<4xf32>
      %v = arith.addf %p, %u : f32
      linalg.yield %v : f32
    } -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
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

// A directive of one arm alone.
// CHECK-LABEL: func.func @directive(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @directive(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="'matmul' of one arm has no counterpart in the other"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul {fusion.no_fuse} ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
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

// A branch that stays in an arm.
// CHECK-LABEL: func.func @branch_inside(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @branch_inside(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="an arm holds an op that stays in it"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %e = tensor.empty() : tensor<8x8xf32>
    // expected-remark @below {{Reason="the arms have nothing but elementwise code, which differs: each is a body of its own"}}
    %0 = fusion.if %d : tensor<i1> -> tensor<8x8xf32> {
      %1 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      fusion.yield %1 : tensor<8x8xf32>
    } else {
      %1 = linalg.tanh ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      fusion.yield %1 : tensor<8x8xf32>
    }
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Only one arm reads the product: the other one's code is no epilogue of it.
// CHECK-LABEL: func.func @other_product(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @other_product(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Reason="the arms have nothing but elementwise code, which differs: each is a body of its own"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %e0 = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.exp ins(%m : tensor<8x8xf32>) outs(%e0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %e0 = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.tanh ins(%x : tensor<8x8xf32>) outs(%e0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// What an arm passes through is an argument: nothing saves a launch.
// CHECK-LABEL: func.func @passes_argument(
// CHECK:         fusion.if
// CHECK:         } else {
func.func @passes_argument(%c: tensor<i1>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{Reason="one arm passes a value through that the other computes"}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    fusion.yield %x : tensor<8x8xf32>
  } else {
    %e0 = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.tanh ins(%x : tensor<8x8xf32>) outs(%e0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Tensors of one value each are in the bodies, not in memory.
// CHECK-LABEL: func.func @constants(
// CHECK-COUNT-2: linalg.reduce
func.func @constants(%p: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e8 = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
  %c = arith.constant dense<2.0> : tensor<8x8xf32>
  %d = arith.constant dense<3.0> : tensor<8x8xf32>
  // expected-remark @below {{Reason="the arms differ in a constant"}}
  %r = fusion.if %p : tensor<i1> -> tensor<8xf32> {
    %0 = linalg.reduce { arith.addf } ins(%c : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
    fusion.yield %0 : tensor<8xf32>
  } else {
    %0 = linalg.reduce { arith.addf } ins(%d : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
    fusion.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
