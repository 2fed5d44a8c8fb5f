// A model is one block: what branches between blocks is refused by name of the cause.
//
// RUN: not fusion-compile %s --emit=groups -o - 2>&1 | FileCheck %s
// CHECK: error: expected @main to be of one block, but got 3: write branches as 'scf.if'

func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c = tensor.extract %p[] : tensor<i1>
  cf.cond_br %c, ^taken, ^end(%x : tensor<4xf32>)
^taken:
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.tanh ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^end(%0 : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}
