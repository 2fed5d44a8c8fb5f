// What no pass was asked about has a reason too: remarks on what crosses memory.
//
// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fusion-explain-edges))' \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null
// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fusion-explain-edges))' | FileCheck %s

// A value that is returned twice: the second array is a copy.
// CHECK:       func.func @main(
// CHECK-SAME:    fusion.not_fused = [{consumer = "elementwise", producer = "elementwise", reason = "each result has an array of its own
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %d = tensor.empty() : tensor<8xf32>
  %r = fusion.group "abs" kinds [] ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %y = math.absf %a : f32
      linalg.yield %y : f32
    } -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  // expected-remark @below {{Reason="each result has an array of its own, and this value is returned or needed in another form too: it is copied"}}
  return %r, %r : tensor<8xf32>, tensor<8xf32>
}

// -----

// A launch under a condition: the predicate, and what comes from before the branch.
// CHECK:       func.func @branch(
// CHECK-DAG:     reason = "a predicate is computed once, and read from memory by what runs under it"
// CHECK-DAG:     reason = "what crosses the border of a branch lies in memory"
func.func @branch(%x: tensor<f32>) -> tensor<f32> {
  %d = tensor.empty() : tensor<f32>
  %e = tensor.empty() : tensor<i1>
  %p = fusion.group "p" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) {
  ^bb0(%x0: tensor<f32>, %e0: tensor<i1>):
    %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%x0 : tensor<f32>) outs(%e0 : tensor<i1>) {
    ^bb0(%a: f32, %o: i1):
      %y = arith.cmpf one, %a, %a : f32
      linalg.yield %y : i1
    } -> tensor<i1>
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  %r = fusion.group "abs" kinds [] ins(%x : tensor<f32>) outs(%d : tensor<f32>) {
  ^bb0(%x0: tensor<f32>, %d0: tensor<f32>):
    %0 = linalg.abs ins(%x0 : tensor<f32>) outs(%d0 : tensor<f32>) -> tensor<f32>
    fusion.yield %0 : tensor<f32>
  } : tensor<f32>
  %s = fusion.group "then" kinds ["conditional"] ins(%p, %r : tensor<i1>, tensor<f32>) outs(%d : tensor<f32>) {
  ^bb0(%p0: tensor<i1>, %r0: tensor<f32>, %d0: tensor<f32>):
    %0 = fusion.if %p0 : tensor<i1> -> tensor<f32> {
      %1 = fusion.group "then" kinds [] ins(%r0 : tensor<f32>) outs(%d0 : tensor<f32>) {
      ^bb0(%r1: tensor<f32>, %d1: tensor<f32>):
        // expected-remark @below {{Reason="what crosses the border of a branch lies in memory"}}
        // expected-remark @below {{Reason="a predicate is computed once, and read from memory by what runs under it"}}
        %2 = linalg.exp ins(%r1 : tensor<f32>) outs(%d1 : tensor<f32>) -> tensor<f32>
        fusion.yield %2 : tensor<f32>
      } : tensor<f32>
      fusion.yield %1 : tensor<f32>
    } else {
      fusion.yield %d0 : tensor<f32>
    }
    fusion.yield %0 : tensor<f32>
  } : tensor<f32>
  return %s : tensor<f32>
}

// -----

// Parts of a joined tensor; a reshape between two kernels.
// CHECK:       func.func @joined(
// CHECK-DAG:     reason = "what reads a joined tensor waits for all of its parts"
// CHECK-DAG:     consumer = "tanh", producer = "abs", reason = "a reshape is between them
func.func @joined(%x: tensor<4x2xf32>) -> (tensor<8x2xf32>, tensor<8xf32>) {
  %d = tensor.empty() : tensor<4x2xf32>
  %e = tensor.empty() : tensor<8x2xf32>
  %f = tensor.empty() : tensor<8xf32>
  %a = fusion.group "a" kinds [] ins(%x : tensor<4x2xf32>) outs(%d : tensor<4x2xf32>) {
  ^bb0(%x0: tensor<4x2xf32>, %d0: tensor<4x2xf32>):
    %0 = linalg.abs ins(%x0 : tensor<4x2xf32>) outs(%d0 : tensor<4x2xf32>) -> tensor<4x2xf32>
    fusion.yield %0 : tensor<4x2xf32>
  } : tensor<4x2xf32>
  %j = tensor.concat dim(0) %a, %a : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %b = fusion.group "b" kinds [] ins(%j : tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) {
  ^bb0(%x0: tensor<8x2xf32>, %d0: tensor<8x2xf32>):
    // expected-remark @below {{Reason="what reads a joined tensor waits for all of its parts"}}
    %0 = linalg.exp ins(%x0 : tensor<8x2xf32>) outs(%d0 : tensor<8x2xf32>) -> tensor<8x2xf32>
    fusion.yield %0 : tensor<8x2xf32>
  } : tensor<8x2xf32>
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %c = fusion.group "c" kinds [] ins(%r : tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    // expected-remark @below {{Reason="a reshape is between them, which the loops of both cannot follow"}}
    %0 = linalg.tanh ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %b, %c : tensor<8x2xf32>, tensor<8xf32>
}

// -----

// What a pass has recorded stays as it is; where two kernels could have been one, the
// planner is to be asked, not this pass.
// CHECK:       func.func @known(
// CHECK-SAME:    fusion.not_fused = [{consumer = "exp", producer = "abs", reason = "it was said before"}]}
func.func @known(%x: tensor<8xf32>) -> tensor<8xf32> attributes {fusion.not_fused = [{producer = "abs", consumer = "exp", reason = "it was said before"}]} {
  %d = tensor.empty() : tensor<8xf32>
  %a = fusion.group "a" kinds [] ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.abs ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %b = fusion.group "b" kinds [] ins(%a : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.exp ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %c = fusion.group "c" kinds [] ins(%b : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.tanh ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// Two edges between two kernels: what was decided about one of them is so of both.
// CHECK:       func.func @decided(
// CHECK-SAME:    {consumer = "square", producer = "exp", reason = "they were tried"}
// CHECK-SAME:    {consumer = "add", producer = "exp", reason = "they were tried"}
func.func @decided(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {fusion.not_fused = [{consumer = "square", producer = "exp", reason = "they were tried"}]} {
  %d = tensor.empty() : tensor<8xf32>
  %r = fusion.group "exp" kinds [] ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.exp ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %s = fusion.group "square+add" kinds ["vertical"] ins(%r : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%r0: tensor<8xf32>, %d0: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.square ins(%r0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // expected-remark @below {{Producer=exp, Reason="they were tried"}}
    %1 = linalg.add ins(%r0, %0 : tensor<8xf32>, tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %1 : tensor<8xf32>
  } : tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// A cheap op is in two kernels; in one of them it reads what it is fused with in the
// other.
// CHECK:       func.func @again(
// CHECK-SAME:    {consumer = "negf", producer = "exp", reason = "what reads it is computed again in this kernel, from the value in memory"}
func.func @again(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
    attributes {fusion.fused = [{consumer = "negf", producer = "exp"}]} {
  %d = tensor.empty() : tensor<8xf32>
  %r:2 = fusion.group "exp+negf" kinds ["vertical"] ins(%x : tensor<8xf32>) outs(%d, %d : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>, %d1: tensor<8xf32>):
    %0 = linalg.exp ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.negf ins(%0 : tensor<8xf32>) outs(%d1 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0, %1 : tensor<8xf32>, tensor<8xf32>
  } : tensor<8xf32>, tensor<8xf32>
  %s = fusion.group "negf+abs" kinds ["vertical"] ins(%r#0 : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%r0: tensor<8xf32>, %d0: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    // expected-remark @below {{Producer=exp, Reason="what reads it is computed again in this kernel}}
    %0 = linalg.negf ins(%r0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.abs ins(%0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %1 : tensor<8xf32>
  } : tensor<8xf32>
  return %r#0, %r#1, %s : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// A launch that does nothing but fill runs under its predicate too.
// CHECK:       func.func @filled(
// CHECK-SAME:    {consumer = "fill", producer = "elementwise", reason = "a predicate is computed once, and read from memory by what runs under it"}
func.func @filled(%x: tensor<f32>) -> tensor<f32> {
  %d = tensor.empty() : tensor<f32>
  %e = tensor.empty() : tensor<i1>
  %p = fusion.group "p" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) {
  ^bb0(%x0: tensor<f32>, %e0: tensor<i1>):
    %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%x0 : tensor<f32>) outs(%e0 : tensor<i1>) {
    ^bb0(%a: f32, %o: i1):
      %y = arith.cmpf one, %a, %a : f32
      linalg.yield %y : i1
    } -> tensor<i1>
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  %s = fusion.group "then" kinds ["conditional"] ins(%p : tensor<i1>) outs(%d : tensor<f32>) {
  ^bb0(%p0: tensor<i1>, %d0: tensor<f32>):
    %0 = fusion.if %p0 : tensor<i1> -> tensor<f32> {
      %1 = fusion.group "fill" kinds [] outs(%d0 : tensor<f32>) {
      ^bb0(%d1: tensor<f32>):
        %zero = arith.constant 0.0 : f32
        // expected-remark @below {{Reason="a predicate is computed once, and read from memory by what runs under it"}}
        %2 = linalg.fill ins(%zero : f32) outs(%d1 : tensor<f32>) -> tensor<f32>
        fusion.yield %2 : tensor<f32>
      } : tensor<f32>
      fusion.yield %1 : tensor<f32>
    } else {
      fusion.yield %d0 : tensor<f32>
    }
    fusion.yield %0 : tensor<f32>
  } : tensor<f32>
  return %s : tensor<f32>
}

// -----

// A kernel that chooses what it reads: both sides and the predicate lie in memory.
// CHECK-LABEL: func.func @chosen(
// CHECK:         fusion.group "p" kinds []
// CHECK:         fusion.group "a" kinds []
// CHECK:         fusion.group "b" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @chosen(%x: tensor<8xf32>, %y: tensor<8xf32>, %m: tensor<f32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<i1>
  %p = fusion.group "p" kinds [] ins(%m : tensor<f32>) outs(%e : tensor<i1>) {
  ^bb0(%m0: tensor<f32>, %e0: tensor<i1>):
    %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%m0 : tensor<f32>) outs(%e0 : tensor<i1>) {
    ^bb0(%a: f32, %o: i1):
      %h = arith.cmpf one, %a, %a : f32
      linalg.yield %h : i1
    } -> tensor<i1>
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  %a = fusion.group "a" kinds [] ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.exp ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %b = fusion.group "b" kinds ["conditional"] ins(%p, %a, %y : tensor<i1>, tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%p0: tensor<i1>, %a0: tensor<8xf32>, %y0: tensor<8xf32>, %d0: tensor<8xf32>):
    %h = tensor.extract %p0[] : tensor<i1>
    %t = arith.select %h, %a0, %y0 : tensor<8xf32>
    // expected-remark @+2 {{Producer=exp, Reason="a choice is one between places in memory, by a predicate that lies there"}}
    // expected-remark @+1 {{Producer=elementwise, Reason="a predicate is computed once, and read from memory by what runs under it"}}
    %0 = linalg.negf ins(%t : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

// An arm gives what was there before: it is copied to where the other arm writes.
// CHECK-LABEL: func.func @copied(
// CHECK:         fusion.group "a" kinds []
// CHECK:         fusion.group "then" kinds ["conditional"]
// CHECK:         fusion.group "else" kinds ["conditional"]
// CHECK:         fusion.group "abs" kinds []
// CHECK-NOT:     fusion.group
func.func @copied(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %a = fusion.group "a" kinds [] ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.exp ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %s = fusion.group "then" kinds ["conditional"] ins(%c, %a : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %a0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "copy" kinds [] ins(%a0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
      ^bb0(%a1: tensor<8xf32>, %d1: tensor<8xf32>):
        // expected-remark @below {{Producer=exp, Reason="both sides of a branch write one array, and the value is in another one: it is copied"}}
        %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a1 : tensor<8xf32>) outs(%d1 : tensor<8xf32>) {
        ^bb0(%p: f32, %o: f32):
          linalg.yield %p : f32
        } -> tensor<8xf32>
        fusion.yield %2 : tensor<8xf32>
      } : tensor<8xf32>
      fusion.yield %1 : tensor<8xf32>
    } else {
      fusion.yield %d0 : tensor<8xf32>
    }
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %t = fusion.group "else" kinds ["conditional"] ins(%c, %y : tensor<i1>, tensor<8xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %y0: tensor<8xf32>, %s0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      fusion.yield %s0 : tensor<8xf32>
    } else {
      %1 = fusion.group "else" kinds [] ins(%y0 : tensor<8xf32>) outs(%s0 : tensor<8xf32>) {
      ^bb0(%y1: tensor<8xf32>, %s1: tensor<8xf32>):
        %2 = linalg.negf ins(%y1 : tensor<8xf32>) outs(%s1 : tensor<8xf32>) -> tensor<8xf32>
        fusion.yield %2 : tensor<8xf32>
      } : tensor<8xf32>
      fusion.yield %1 : tensor<8xf32>
    }
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %d2 = tensor.empty() : tensor<8xf32>
  %u = fusion.group "abs" kinds [] ins(%t : tensor<8xf32>) outs(%d2 : tensor<8xf32>) {
  ^bb0(%t0: tensor<8xf32>, %d0: tensor<8xf32>):
    // expected-remark @+2 {{Producer=negf, Reason="what crosses the border of a branch lies in memory"}}
    // expected-remark @+1 {{Producer=elementwise, Reason="what crosses the border of a branch lies in memory"}}
    %0 = linalg.abs ins(%t0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %u : tensor<8xf32>
}

// -----

// Elements at positions that are data.
// CHECK-LABEL: func.func @computed(
// CHECK:         fusion.group "a" kinds []
// CHECK:         fusion.group "b" kinds []
// CHECK-NOT:     fusion.group
func.func @computed(%x: tensor<8xf32>, %i: tensor<4xindex>) -> tensor<4xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = fusion.group "a" kinds [] ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.exp ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %b = fusion.group "b" kinds [] ins(%i, %a : tensor<4xindex>, tensor<8xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i0: tensor<4xindex>, %a0: tensor<8xf32>, %e0: tensor<4xf32>):
    // expected-remark @below {{Producer=exp, Reason="the value is read at computed positions: it lies in memory unless it is computed again at each of them"}}
    %0 = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> (j)>], iterator_types = ["parallel"]} ins(%i0 : tensor<4xindex>) outs(%e0 : tensor<4xf32>) {
    ^bb0(%k: index, %o: f32):
      %r = tensor.extract %a0[%k] : tensor<8xf32>
      linalg.yield %r : f32
    } -> tensor<4xf32>
    fusion.yield %0 : tensor<4xf32>
  } : tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// A slice between the two, which is no kernel.
// CHECK-LABEL: func.func @sliced(
// CHECK:         fusion.group "a" kinds []
// CHECK:         tensor.extract_slice
// CHECK:         fusion.group "b" kinds []
// CHECK-NOT:     fusion.group
func.func @sliced(%x: tensor<8xf32>) -> tensor<4xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = fusion.group "a" kinds [] ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.exp ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %s = tensor.extract_slice %a[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = fusion.group "b" kinds [] ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%s0: tensor<4xf32>, %e0: tensor<4xf32>):
    // expected-remark @below {{Producer=exp, Reason="an operation between the two needs the one and feeds the other"}}
    %0 = linalg.abs ins(%s0 : tensor<4xf32>) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %0 : tensor<4xf32>
  } : tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// Rows of a product's result that were given another shape, for a second product.
// CHECK-LABEL: func.func @reshaped_operand(
// CHECK:         fusion.group "a" kinds []
// CHECK:         fusion.group "b" kinds []
// CHECK-NOT:     fusion.group
func.func @reshaped_operand(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x8xf32> {
  %d = tensor.empty() : tensor<4x8xf32>
  %e = tensor.empty() : tensor<2x8xf32>
  %a = fusion.group "a" kinds [] ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%d : tensor<4x8xf32>) {
  ^bb0(%x0: tensor<4x8xf32>, %w0: tensor<8x8xf32>, %d0: tensor<4x8xf32>):
    %0 = linalg.matmul ins(%x0, %w0 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%d0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    fusion.yield %0 : tensor<4x8xf32>
  } : tensor<4x8xf32>
  %r = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  %b = fusion.group "b" kinds [] ins(%r, %w : tensor<2x2x8xf32>, tensor<8x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%r0: tensor<2x2x8xf32>, %w0: tensor<8x8xf32>, %e0: tensor<2x8xf32>):
    // expected-remark @below {{Producer=matmul, Reason="a contraction's operand would be the result of another contraction"}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, k, l)>, affine_map<(i, j, k, l) -> (l, j)>, affine_map<(i, j, k, l) -> (i, j)>],
        iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%r0, %w0 : tensor<2x2x8xf32>, tensor<8x8xf32>) outs(%e0 : tensor<2x8xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %m = arith.mulf %p, %q : f32
      %n = arith.addf %o, %m : f32
      linalg.yield %n : f32
    } -> tensor<2x8xf32>
    fusion.yield %0 : tensor<2x8xf32>
  } : tensor<2x8xf32>
  return %b : tensor<2x8xf32>
}
