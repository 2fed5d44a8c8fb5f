// Other compilers compute on scalars that they take out of tensors, and put them into
// tensors again. On a GPU that is done in a kernel: the host reads no element.
//
// RUN: fusion-compile %s --target=sm_90a --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// HOST-LABEL:   func.func @main(
// HOST-NOT:     memref.load
// HOST-COUNT-1: tile.launch
// HOST-NOT:     {{tile.launch|memref.load}}
// HOST:         gpu.module
//
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{flags} =
// DEFINE: %{run} = fusion-run %s --dim m=2 --input x=%t/x.npy --save-outputs %t %{flags}
// DEFINE: %{show} = %{npy} show %t/s.npy %t/z.npy %t/w.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy f32:2x2 0 2 3 5
// REDEFINE: %{flags} = --device=cpu
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{flags} = --device=emulator --target=sm_80
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{flags} = --device=emulator --target=sm_90a
// RUN: %{run} && %{show} | FileCheck %s
// CHECK:      i64 (2,) 2 2
// CHECK-NEXT: f32 () 10
// CHECK-NEXT: f32 (2, 3) 2 5 10 5 2 10
func.func @main(%x: tensor<?x2xf32> {fusion.name = "x", fusion.dims = ["m", ""]})
    -> (tensor<2xi64> {fusion.name = "s"}, tensor<f32> {fusion.name = "z"}, tensor<2x3xf32> {fusion.name = "w"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?x2xf32>
  %i = arith.index_cast %d : index to i64
  %k = arith.constant 2 : i64
  %s = tensor.from_elements %i, %k : tensor<2xi64>
  %a = tensor.extract %x[%c0, %c1] : tensor<?x2xf32>
  %b = tensor.extract %x[%c1, %c1] : tensor<?x2xf32>
  %ab = arith.mulf %a, %b : f32
  %z = tensor.from_elements %ab : tensor<f32>
  %w = tensor.from_elements %a, %b, %ab, %b, %a, %ab : tensor<2x3xf32>
  return %s, %z, %w : tensor<2xi64>, tensor<f32>, tensor<2x3xf32>
}
