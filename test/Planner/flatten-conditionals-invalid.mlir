// Branches between groups that are not in the form that grouping leaves.
//
// RUN: fusion-opt %s -fusion-flatten-conditionals -split-input-file -verify-diagnostics

// An argument is not a result of a group of the region.
func.func @argument(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected regions to yield results of their groups, each once}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %x : tensor<8xf32>
  } else {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Nor in the other region.
func.func @argument_of_the_other(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected regions to yield results of their groups, each once}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// One value cannot be two destinations.
func.func @twice(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected regions to yield results of their groups, each once}}
  %r:2 = fusion.if %c : tensor<i1> -> tensor<8xf32>, tensor<8xf32> {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g, %g : tensor<8xf32>, tensor<8xf32>
  } else {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    %h = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.negf ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g, %h : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Nor in the other region.
func.func @twice_in_the_other(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected regions to yield results of their groups, each once}}
  %r:2 = fusion.if %c : tensor<i1> -> tensor<8xf32>, tensor<8xf32> {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    %h = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.negf ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g, %h : tensor<8xf32>, tensor<8xf32>
  } else {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g, %g : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A group before the branch has written its result already.
func.func @outer_group(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %p = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
  // expected-error @below {{expected regions to yield results of their groups, each once}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %p : tensor<8xf32>
  } else {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// What only renames has no destination.
func.func @renamed(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected regions to yield results of their groups, each once}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    %s = tensor.expand_shape %g [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %q = tensor.collapse_shape %s [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
    fusion.yield %q : tensor<8xf32>
  } else {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.negf ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// An op that is in no group.
func.func @ungrouped(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected regions to yield results of their groups, each once}}
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Effects in the first region.
func.func private @log(tensor<8xf32>)
func.func @effects(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    // expected-error @below {{expected no effects in a branch}}
    func.call @log(%x) : (tensor<8xf32>) -> ()
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g : tensor<8xf32>
  } else {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.negf ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Effects in the second one.
func.func private @log(tensor<8xf32>)
func.func @effects_in_the_other(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    fusion.yield %g : tensor<8xf32>
  } else {
    %g = fusion.group "g" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %0 = linalg.negf ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } : tensor<8xf32>
    // expected-error @below {{expected no effects in a branch}}
    func.call @log(%x) : (tensor<8xf32>) -> ()
    fusion.yield %g : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
