// RUN: fusion-opt %s -fusion-outline-groups -split-input-file -verify-diagnostics

// expected-error @below {{expected a function 'main'}}
module {
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected only groups, renaming reshapes, concatenations, sizes and constants outside of groups, but got 'linalg.exp'}}
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
