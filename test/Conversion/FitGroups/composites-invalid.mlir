// Composites that a person wrote: what stage 3 does not allow.
// RUN: fusion-opt %s -fusion-fit-groups=target=sm_80 -split-input-file -verify-diagnostics
// RUN: fusion-opt %s -fusion-fit-groups=target=sm_90a -split-input-file -verify-diagnostics
// RUN: fusion-opt %s -fusion-outline-groups -split-input-file -verify-diagnostics

// Parts have no order: only one may write a destination in a run.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %d = tensor.empty() : tensor<4xf32>
  %r = fusion.group "twice" kinds ["horizontal"] ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%x0: tensor<4xf32>, %d0: tensor<4xf32>):
    // expected-note @below {{the other part is here}}
    %0 = fusion.group "exp" kinds [] ins(%x0 : tensor<4xf32>) outs(%d0 : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %2 : tensor<4xf32>
    } : tensor<4xf32>
    // expected-error @below {{expected a destination that no other part of the launch writes in the same run}}
    %1 = fusion.group "neg" kinds [] ins(%x0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %2 = linalg.negf ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %2 : tensor<4xf32>
    } : tensor<4xf32>
    fusion.yield %1 : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// What a launch may leave as it was, others of it do not read.
func.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %d = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = fusion.group "exp" kinds [] ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%x0: tensor<4xf32>, %d0: tensor<4xf32>):
    %0 = linalg.exp ins(%x0 : tensor<4xf32>) outs(%d0 : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %0 : tensor<4xf32>
  } : tensor<4xf32>
  %r:2 = fusion.group "reads" kinds ["conditional", "horizontal"] ins(%c, %x, %a : tensor<i1>, tensor<4xf32>, tensor<4xf32>) outs(%a, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%p: tensor<i1>, %x0: tensor<4xf32>, %a0: tensor<4xf32>, %d0: tensor<4xf32>, %e0: tensor<4xf32>):
    // expected-error @below {{expected no input that is destination 0 of the launch: parts write it at the same time}}
    %0 = fusion.group "neg" kinds [] ins(%a0 : tensor<4xf32>) outs(%e0 : tensor<4xf32>) {
    ^bb0(%f: tensor<4xf32>, %b: tensor<4xf32>):
      %2 = linalg.negf ins(%f : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %2 : tensor<4xf32>
    } : tensor<4xf32>
    %1 = fusion.if %p : tensor<i1> -> tensor<4xf32> {
      %3 = fusion.group "abs" kinds [] ins(%x0 : tensor<4xf32>) outs(%d0 : tensor<4xf32>) {
      ^bb0(%f: tensor<4xf32>, %b: tensor<4xf32>):
        %2 = linalg.abs ins(%f : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
        fusion.yield %2 : tensor<4xf32>
      } : tensor<4xf32>
      fusion.yield %3 : tensor<4xf32>
    } else {
      fusion.yield %d0 : tensor<4xf32>
    }
    fusion.yield %1, %0 : tensor<4xf32>, tensor<4xf32>
  } : tensor<4xf32>, tensor<4xf32>
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Nor does what comes after the launch.
func.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %d = tensor.empty() : tensor<4xf32>
  %a = fusion.group "exp" kinds [] ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%x0: tensor<4xf32>, %d0: tensor<4xf32>):
    %0 = linalg.exp ins(%x0 : tensor<4xf32>) outs(%d0 : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %0 : tensor<4xf32>
  } : tensor<4xf32>
  // expected-note @below {{result 0 of this launch is there}}
  %r = fusion.group "writes" kinds ["conditional"] ins(%c, %x : tensor<i1>, tensor<4xf32>) outs(%a : tensor<4xf32>) {
  ^bb0(%p: tensor<i1>, %x0: tensor<4xf32>, %d0: tensor<4xf32>):
    %1 = fusion.if %p : tensor<i1> -> tensor<4xf32> {
      %3 = fusion.group "abs" kinds [] ins(%x0 : tensor<4xf32>) outs(%d0 : tensor<4xf32>) {
      ^bb0(%f: tensor<4xf32>, %b: tensor<4xf32>):
        %2 = linalg.abs ins(%f : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
        fusion.yield %2 : tensor<4xf32>
      } : tensor<4xf32>
      fusion.yield %3 : tensor<4xf32>
    } else {
      fusion.yield %d0 : tensor<4xf32>
    }
    fusion.yield %1 : tensor<4xf32>
  } : tensor<4xf32>
  // expected-error @below {{expected no use of what was in a destination before a launch wrote it further}}
  return %r, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// Parts read nothing of one another but single elements.
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %d = tensor.empty() : tensor<4xf32>
  %r:2 = fusion.group "chain" kinds ["horizontal"] ins(%x : tensor<4xf32>) outs(%d, %d : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x0: tensor<4xf32>, %d0: tensor<4xf32>, %d1: tensor<4xf32>):
    %0 = fusion.group "exp" kinds [] ins(%x0 : tensor<4xf32>) outs(%d0 : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %2 : tensor<4xf32>
    } : tensor<4xf32>
    // expected-error @below {{expected inputs that are arguments of the enclosing group, or of rank 0 and made before}}
    %1 = fusion.group "neg" kinds [] ins(%0 : tensor<4xf32>) outs(%d1 : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %2 = linalg.negf ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %2 : tensor<4xf32>
    } : tensor<4xf32>
    fusion.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  } : tensor<4xf32>, tensor<4xf32>
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Ops stand in parts.
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %d = tensor.empty() : tensor<4xf32>
  %r:2 = fusion.group "mixed" kinds ["horizontal"] ins(%x : tensor<4xf32>) outs(%d, %d : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x0: tensor<4xf32>, %d0: tensor<4xf32>, %d1: tensor<4xf32>):
    %0 = fusion.group "exp" kinds [] ins(%x0 : tensor<4xf32>) outs(%d0 : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %2 : tensor<4xf32>
    } : tensor<4xf32>
    // expected-error @below {{expected only groups and branches beside groups}}
    %1 = linalg.negf ins(%x0 : tensor<4xf32>) outs(%d1 : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  } : tensor<4xf32>, tensor<4xf32>
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Results are in the order of the destinations.
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %d = tensor.empty() : tensor<4xf32>
  // expected-error @below {{expected result 0 to be what its destination became}}
  %r:2 = fusion.group "swapped" kinds ["horizontal"] ins(%x : tensor<4xf32>) outs(%d, %d : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x0: tensor<4xf32>, %d0: tensor<4xf32>, %d1: tensor<4xf32>):
    %0 = fusion.group "exp" kinds [] ins(%x0 : tensor<4xf32>) outs(%d0 : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %2 : tensor<4xf32>
    } : tensor<4xf32>
    fusion.yield %d1, %0 : tensor<4xf32>, tensor<4xf32>
  } : tensor<4xf32>, tensor<4xf32>
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A destination has another shape, not what a part reads.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %d = tensor.empty() : tensor<4xf32>
  %r = fusion.group "reads" kinds ["horizontal"] ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%x0: tensor<4xf32>, %d0: tensor<4xf32>):
    // expected-error @below {{expected a reshape of a destination of the enclosing group, or of a part's result back}}
    %v = tensor.expand_shape %x0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
    %0 = fusion.group "exp" kinds [] ins(%x0 : tensor<4xf32>) outs(%d0 : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %2 = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %2 : tensor<4xf32>
    } : tensor<4xf32>
    fusion.yield %0 : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}
