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
