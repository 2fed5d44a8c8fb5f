// Composites whose parts read what others make.
// RUN: fusion-opt %s -fusion-outline-groups -split-input-file -verify-diagnostics

// What each block computes for itself may never be in memory.
func.func @main(%x: tensor<8xf32> {fusion.name = "x"}) -> (tensor<8xf32> {fusion.name = "r"}, tensor<i1> {fusion.name = "p"}) {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected nothing to read result 0, which parts of the group read: it may never be in memory}}
  %r:2 = fusion.group "c" kinds [] ins(%x : tensor<8xf32>) outs(%e, %d : tensor<i1>, tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %e0: tensor<i1>, %d0: tensor<8xf32>):
    %p0 = fusion.group "p" kinds ["vertical"] ins(%x0 : tensor<8xf32>) outs(%e0 : tensor<i1>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<i1>):
      %zero = arith.constant 0.0 : f32
      %s = tensor.empty() : tensor<f32>
      %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
          ins(%a : tensor<8xf32>) outs(%f : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = arith.addf %in, %out : f32
        linalg.yield %2 : f32
      } -> tensor<f32>
      %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
          ins(%0 : tensor<f32>) outs(%b : tensor<i1>) {
      ^bb0(%in: f32, %out: i1):
        %2 = arith.cmpf ogt, %in, %zero : f32
        linalg.yield %2 : i1
      } -> tensor<i1>
      fusion.yield %1 : tensor<i1>
    } : tensor<i1>
    %0 = fusion.if %p0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
      ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
        %v = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
        fusion.yield %v : tensor<8xf32>
      } : tensor<8xf32>
      fusion.yield %1 : tensor<8xf32>
    } else {
      fusion.yield %d0 : tensor<8xf32>
    }
    fusion.yield %p0, %0 : tensor<i1>, tensor<8xf32>
  } : tensor<i1>, tensor<8xf32>
  return %r#1, %r#0 : tensor<8xf32>, tensor<i1>
}

// -----

// A destination that nothing has written is no predicate.
func.func @main(%x: tensor<8xf32> {fusion.name = "x"}) -> (tensor<8xf32> {fusion.name = "r"}) {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  %r:2 = fusion.group "c" kinds [] ins(%x : tensor<8xf32>) outs(%e, %d : tensor<i1>, tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %e0: tensor<i1>, %d0: tensor<8xf32>):
    // expected-error @below {{expected a condition that is an argument of the enclosing group, or made before}}
    %0 = fusion.if %e0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
      ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
        %v = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
        fusion.yield %v : tensor<8xf32>
      } : tensor<8xf32>
      fusion.yield %1 : tensor<8xf32>
    } else {
      fusion.yield %d0 : tensor<8xf32>
    }
    fusion.yield %e0, %0 : tensor<i1>, tensor<8xf32>
  } : tensor<i1>, tensor<8xf32>
  return %r#1 : tensor<8xf32>
}

// -----

// Blocks see of one another's tensors nothing: only single elements are computed
// by each.
func.func @main(%x: tensor<8xf32> {fusion.name = "x"}) -> (tensor<8xf32> {fusion.name = "r"}) {
  %d = tensor.empty() : tensor<8xf32>
  %r:2 = fusion.group "c" kinds [] ins(%x : tensor<8xf32>) outs(%d, %d : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>, %d1: tensor<8xf32>):
    %0 = fusion.group "g" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %v = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %v : tensor<8xf32>
    } : tensor<8xf32>
    // expected-error @below {{expected inputs that are arguments of the enclosing group, or of rank 0 and made before}}
    %1 = fusion.group "h" kinds [] ins(%0 : tensor<8xf32>) outs(%d1 : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %v = linalg.tanh ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %v : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %0, %1 : tensor<8xf32>, tensor<8xf32>
  } : tensor<8xf32>, tensor<8xf32>
  return %r#1 : tensor<8xf32>
}
