// Launches that are none, written by hand, around predicates.

// RUN: fusion-opt %s -fusion-place-predicates -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What reads the predicate has a part inside of a part.
func.func @reader(%x: tensor<f32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="what reads it is no launch"}}
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) {
  ^bb0(%a: tensor<f32>, %b: tensor<i1>):
    %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%a : tensor<f32>) outs(%b : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %zero = arith.constant 0.0 : f32
      %1 = arith.cmpf ogt, %in, %zero : f32
      linalg.yield %1 : i1
    } -> tensor<i1>
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %y : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      // expected-error @below {{expected no parts inside of a part}}
      %2 = fusion.group "outer" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
      ^bb0(%x1: tensor<8xf32>, %d1: tensor<8xf32>):
        %1 = fusion.group "inner" kinds [] ins(%x1 : tensor<8xf32>) outs(%d1 : tensor<8xf32>) {
        ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
          %v = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
          fusion.yield %v : tensor<8xf32>
        } : tensor<8xf32>
        fusion.yield %1 : tensor<8xf32>
      } : tensor<8xf32>
      fusion.yield %2 : tensor<8xf32>
    } else {
      fusion.yield %d0 : tensor<8xf32>
    }
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// What makes the predicate gives its own input where the branch is not taken.
func.func @maker(%x: tensor<f32>, %q: tensor<i1>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="what makes it is no launch"}}
  %p = fusion.group "positive" kinds ["conditional"] ins(%q, %x : tensor<i1>, tensor<f32>) outs(%e : tensor<i1>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<f32>, %d0: tensor<i1>):
    // expected-error @below {{expected both regions to yield the same destination of the enclosing group}}
    %0 = fusion.if %c0 : tensor<i1> -> tensor<i1> {
      %1 = fusion.group "positive" kinds [] ins(%x0 : tensor<f32>) outs(%d0 : tensor<i1>) {
      ^bb0(%a: tensor<f32>, %b: tensor<i1>):
        %2 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
            ins(%a : tensor<f32>) outs(%b : tensor<i1>) {
        ^bb0(%in: f32, %out: i1):
          %zero = arith.constant 0.0 : f32
          %3 = arith.cmpf ogt, %in, %zero : f32
          linalg.yield %3 : i1
        } -> tensor<i1>
        fusion.yield %2 : tensor<i1>
      } : tensor<i1>
      fusion.yield %1 : tensor<i1>
    } else {
      fusion.yield %c0 : tensor<i1>
    }
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  %r = fusion.group "choice" kinds [] ins(%p, %y, %z : tensor<i1>, tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c: tensor<i1>, %a: tensor<8xf32>, %b: tensor<8xf32>, %f: tensor<8xf32>):
    %0 = tensor.extract %c[] : tensor<i1>
    %1 = arith.select %0, %a, %b : tensor<8xf32>
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %2 : tensor<8xf32>
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}
