// RUN: fusion-opt %s -fusion-to-linalg -split-input-file -verify-diagnostics

func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'fusion-decompose' to have taken this operation apart}}
  %0 = fusion.softmax %x dim = 0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{expected dense tensors without an encoding, but got 'tensor<4xf32, "packed">'}}
func.func @encoded(%x: tensor<4xf32, "packed">) -> tensor<4xf32, "packed"> {
  %0 = fusion.exp %x : tensor<4xf32, "packed">
  return %0 : tensor<4xf32, "packed">
}
