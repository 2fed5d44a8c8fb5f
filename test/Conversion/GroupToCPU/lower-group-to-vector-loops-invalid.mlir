// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-lower-group-to-vector-loops))' -verify-diagnostics

// Loops write to memory, of which a tensor is none.
func.func @tensors(%a: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  // expected-error @below {{expected a linalg op on memrefs}}
  %r = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
