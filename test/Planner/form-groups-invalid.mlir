// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_10}))' -verify-diagnostics
// RUN: not fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=diagonal}))' 2>&1 | FileCheck %s

// CHECK: error: expected 'all', 'none' or some of 'vertical', 'horizontal', 'conditional', 'prologue' and 'recompute' to fuse, '-' before what is left out, but got 'diagonal'

// expected-error @below {{expected a known target, but got 'sm_10'}}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expected one block, but got 2}}
func.func @two_blocks(%x: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<8xf32>
}
