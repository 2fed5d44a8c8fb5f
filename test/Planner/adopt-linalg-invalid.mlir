// Effects in a branch are neither dropped nor moved: they are refused. Case B041.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-linalg-to-groups)' -split-input-file -verify-diagnostics

func.func private @log(tensor<4xf32>)
func.func @unused(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<4xf32> {
    // expected-error @below {{'func.call' op expected no effects in a branch}}
    func.call @log(%x) : (tensor<4xf32>) -> ()
    fusion.yield %x : tensor<4xf32>
  } else {
    fusion.yield %x : tensor<4xf32>
  }
  return %x : tensor<4xf32>
}

// -----

func.func private @log(tensor<4xf32>)
func.func @nested(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<4xf32> {
    %q = fusion.if %c : tensor<i1> -> tensor<4xf32> {
      fusion.yield %x : tensor<4xf32>
    } else {
      // expected-error @below {{'func.call' op expected no effects in a branch}}
      func.call @log(%x) : (tensor<4xf32>) -> ()
      fusion.yield %x : tensor<4xf32>
    }
    fusion.yield %q : tensor<4xf32>
  } else {
    fusion.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
