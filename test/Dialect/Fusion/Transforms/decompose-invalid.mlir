// RUN: fusion-opt %s -fusion-decompose -verify-diagnostics

func.func @too_much(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a loop of at most 1048576 operations in all, but got 10000000 times 3}}
  %0 = fusion.loop 10000000 iter(%x) : tensor<4xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    %e = fusion.exp %a : tensor<4xf32>
    fusion.yield %e : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
