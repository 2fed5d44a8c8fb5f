// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-prepare-conditionals))' -split-input-file -verify-diagnostics

func.func @names(%c: tensor<i1>,
                 %x: tensor<?xf32> {fusion.name = "x", fusion.dims = ["m"]},
                 %y: tensor<?xf32> {fusion.name = "y", fusion.dims = ["n"]}) -> tensor<?xf32> {
  // expected-error @below {{expected both regions to give results of one size, which the host must know, but got 'm' and 'n' for dim 0 of result 0}}
  %r = fusion.if %c : tensor<i1> -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %m = tensor.dim %x, %c0 : tensor<?xf32>
    %e = tensor.empty(%m) : tensor<?xf32>
    %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    fusion.yield %0 : tensor<?xf32>
  } else {
    fusion.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @number(%c: tensor<i1>, %x: tensor<2x?xf32> {fusion.name = "x", fusion.dims = ["", "m"]}, %y: tensor<2x8xf32>) -> tensor<2x?xf32> {
  %z = tensor.cast %y : tensor<2x8xf32> to tensor<2x?xf32>
  // expected-error @below {{but got 'm' and '8' for dim 1 of result 0}}
  %r = fusion.if %c : tensor<i1> -> tensor<2x?xf32> {
    fusion.yield %x : tensor<2x?xf32>
  } else {
    fusion.yield %z : tensor<2x?xf32>
  }
  return %r : tensor<2x?xf32>
}
