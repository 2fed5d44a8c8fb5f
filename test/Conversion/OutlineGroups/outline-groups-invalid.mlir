// RUN: fusion-opt %s -fusion-outline-groups -split-input-file -verify-diagnostics

// expected-error @below {{expected a function 'main'}}
module {
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{expected only groups, renaming reshapes, concatenations, sizes and constants outside of groups, but got 'linalg.exp'}}
  // expected-note @+1 {{what computes stands in groups, which fusion-form-groups makes}}
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{expected arguments and results that are ranked tensors, but got 'f32'}}
func.func @main(%x: f32) {
  return
}

// -----

func.func @main() -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{expected a reshape of a value, but got one of 'tensor.empty'}}
  %r = tensor.expand_shape %e [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// It is not known where the second part begins.
func.func @main(%x: tensor<?x4xf32>, %y: tensor<2x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{expected parts of known sizes along dim 0, but got 'tensor<?x4xf32>'}}
  %r = tensor.concat dim(0) %x, %y : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

// A number of rows is known of the result alone.
func.func @main(%x: tensor<?x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x8xf32> {
  // expected-error @below {{expected parts of the result's shape along other dims, but got 'tensor<?x4xf32>' in 'tensor<2x8xf32>'}}
  %r = tensor.concat dim(1) %x, %y : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// -----

// expected-error @below {{expected dense tensors without an encoding, but got 'tensor<4xf32, "packed">'}}
func.func @main(%x: tensor<4xf32, "packed">) -> tensor<4xf32, "packed"> {
  return %x : tensor<4xf32, "packed">
}

// -----

// What cannot stand outside, and what can in its place.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error @+2 {{but got 'scf.for'}}
  // expected-note @+1 {{a loop around operations on tensors is not compiled: write out each of its steps, or a linalg operation in its place}}
  %r = scf.for %i = %c0 to %c4 step %c4 iter_args(%a = %x) -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func private @there(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{but got 'func.call'}}
  // expected-note @+1 {{a call is compiled where the function's body is in this module, and does not call itself}}
  %r = func.call @there(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant true
  // expected-error @+2 {{but got 'scf.if'}}
  // expected-note @+1 {{a branch is compiled where it gives tensors of known rank only (a scalar can be a tensor of one element), has no effects, and its condition is made of elements of tensors by simple code}}
  %r = scf.if %c -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
