// Norms and elementwise code of tensors that are reshaped before a product run on its
// rows, in its kernel: of batches known at run time, of one token, and beside a reader
// of the tensor that is not reshaped.
// RUN: rm -rf %t && split-file %s %t
// RUN: fusion-run %t/norm.mlir --dim batch=3 --dim time=7 --device=emulator --target=sm_90a --verify | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %t/norm.mlir --dim batch=3 --dim time=7 --device=emulator --target=sm_80 --verify | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %t/norm.mlir --dim batch=3 --dim time=7 --device=cpu --verify | FileCheck %s
// RUN: fusion-run %t/token.mlir --device=emulator --target=sm_90a --verify | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %t/token.mlir --device=emulator --target=sm_80 --verify | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %t/beside.mlir --device=emulator --target=sm_90a --verify | FileCheck %s
// RUN: fusion-run %t/beside.mlir --device=cpu --verify | FileCheck %s
// ONE: verify: all 1 results of groups agree
// CHECK: verify: all {{[0-9]+}} results of groups agree

//--- norm.mlir
func.func @main(%x: tensor<?x?x40xf16> {fusion.name = "x", fusion.dims = ["batch", "time", ""]}, %g: tensor<40xf16>, %b: tensor<40xf16>,
                %w: tensor<40x24xf16>) -> (tensor<?x24xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x?x40xf16>
  %n1 = tensor.dim %x, %c1 : tensor<?x?x40xf16>
  %m = arith.muli %n0, %n1 : index
  %n = fusion.layer_norm %x scale(%g : tensor<40xf16>) bias(%b : tensor<40xf16>) axis = 2 eps = 1.0e-5 : tensor<?x?x40xf16>
  %r = fusion.reshape %n sizes(%m) : tensor<?x?x40xf16> to tensor<?x40xf16>
  %y = fusion.matmul %r, %w : tensor<?x40xf16>, tensor<40x24xf16> -> tensor<?x24xf16>
  return %y : tensor<?x24xf16>
}

//--- token.mlir
func.func @main(%x: tensor<2x1x40xf32> {fusion.name = "x"}, %g: tensor<40xf32>, %w: tensor<40x24xf32>) -> (tensor<2x24xf32> {fusion.name = "y"}) {
  %n = fusion.rms_norm %x scale(%g : tensor<40xf32>) axis = 2 eps = 1.0e-5 : tensor<2x1x40xf32>
  %r = fusion.reshape %n : tensor<2x1x40xf32> to tensor<2x40xf32>
  %y = fusion.matmul %r, %w : tensor<2x40xf32>, tensor<40x24xf32> -> tensor<2x24xf32>
  return %y : tensor<2x24xf32>
}

//--- beside.mlir
func.func @main(%x: tensor<2x9x40xf16> {fusion.name = "x"}, %s: tensor<9x40xf16>, %w: tensor<40x24xf16>)
    -> (tensor<18x24xf16> {fusion.name = "y"}, tensor<2x9x40xf16> {fusion.name = "z"}) {
  %e = fusion.tanh %x : tensor<2x9x40xf16>
  %r = fusion.reshape %e : tensor<2x9x40xf16> to tensor<18x40xf16>
  %y = fusion.matmul %r, %w : tensor<18x40xf16>, tensor<40x24xf16> -> tensor<18x24xf16>
  %p = fusion.broadcast %s dims = [1, 2] : tensor<9x40xf16> to tensor<2x9x40xf16>
  %z = fusion.add %e, %p : tensor<2x9x40xf16>
  return %y, %z : tensor<18x24xf16>, tensor<2x9x40xf16>
}
