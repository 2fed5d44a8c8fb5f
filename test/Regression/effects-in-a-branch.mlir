// Effects are no part of a graph: what has some is refused by name, whether or not
// its branch's value is used; it is neither dropped, moved nor doubled. Case B041.
// RUN: split-file %s %t
// RUN: not fusion-compile %t/unused.mlir --target=cpu -o %t/a.so 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not fusion-compile %t/unused.mlir --target=sm_90a --emit=ptx -o - 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not fusion-compile %t/two.mlir --target=sm_80 --emit=ptx -o - 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not fusion-compile %t/scf.mlir --target=cpu -o %t/a.so 2>&1 | FileCheck %s --check-prefix=SCF
// RUN: not fusion-compile %t/outside.mlir --target=cpu -o %t/a.so 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// BRANCH:  error: 'func.call' op expected no effects in a branch
// SCF:     error: expected only groups, renaming reshapes, concatenations, sizes and constants outside of groups, but got '{{scf.if|tensor.extract}}'
// OUTSIDE: error: expected only groups, renaming reshapes, concatenations, sizes and constants outside of groups, but got 'func.call'

//--- unused.mlir
func.func private @log(tensor<4xf32>)
func.func @main(%p: tensor<i1> {fusion.name = "p"}, %x: tensor<4xf32> {fusion.name = "x"}) -> (tensor<4xf32> {fusion.name = "y"}) {
  %one = fusion.constant dense<1.0> : tensor<f32>
  %zero = fusion.constant dense<0.0> : tensor<f32>
  %r = fusion.if %p : tensor<i1> -> tensor<f32> {
    func.call @log(%x) : (tensor<4xf32>) -> ()
    fusion.yield %one : tensor<f32>
  } else {
    fusion.yield %zero : tensor<f32>
  }
  return %x : tensor<4xf32>
}

//--- two.mlir
func.func private @log(tensor<4xf32>)
func.func @main(%p: tensor<i1> {fusion.name = "p"}, %q: tensor<i1> {fusion.name = "q"}, %x: tensor<4xf32> {fusion.name = "x"}) -> (tensor<4xf32> {fusion.name = "y"}) {
  %r = fusion.if %p : tensor<i1> -> tensor<4xf32> {
    func.call @log(%x) : (tensor<4xf32>) -> ()
    fusion.yield %x : tensor<4xf32>
  } else {
    %n = fusion.neg %x : tensor<4xf32>
    fusion.yield %n : tensor<4xf32>
  }
  %s = fusion.if %q : tensor<i1> -> tensor<4xf32> {
    fusion.yield %r : tensor<4xf32>
  } else {
    func.call @log(%r) : (tensor<4xf32>) -> ()
    fusion.yield %x : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

//--- scf.mlir
func.func private @log(tensor<4xf32>)
func.func @main(%p: tensor<i1> {fusion.name = "p"}, %x: tensor<4xf32> {fusion.name = "x"}) -> (tensor<4xf32> {fusion.name = "y"}) {
  %c = tensor.extract %p[] : tensor<i1>
  scf.if %c {
    func.call @log(%x) : (tensor<4xf32>) -> ()
  }
  return %x : tensor<4xf32>
}

//--- outside.mlir
func.func private @log(tensor<4xf32>)
func.func @main(%x: tensor<4xf32> {fusion.name = "x"}) -> (tensor<4xf32> {fusion.name = "y"}) {
  func.call @log(%x) : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}
