// Arms of another compiler's branch may give other numbers of rows: what has one
// buffer for both would be read and written beyond an end. Refused with the reason,
// where the sizes have no names too.
// RUN: not fusion-compile %s --target=cpu --emit=groups -o - 2>&1 | FileCheck %s
// RUN: not fusion-compile %s --target=sm_90a --emit=groups -o - 2>&1 | FileCheck %s
// RUN: not fusion-run %s --dim x.0=3 --dim y.0=5 2>&1 | FileCheck %s
// CHECK: error: {{.*}}expected both sides to give results of one size, which the host must know, but got sizes that may differ for dim 0 of result 0
//
// With one name for both they are computed.
// RUN: sed 's/"x"}/"x", fusion.dims = ["n", ""]}/; s/"y"}/"y", fusion.dims = ["n", ""]}/' %s > %t.mlir
// RUN: fusion-run %t.mlir --dim n=3 --verify --input c=ones | FileCheck %s --check-prefix=ONE
// RUN: fusion-run %t.mlir --dim n=3 --verify --input c=zeros --device=emulator --target=sm_80 | FileCheck %s --check-prefix=ONE
// ONE: verify: all {{.*}} agree
func.func @main(%c: tensor<i1> {fusion.name = "c"}, %x: tensor<?x4xf32> {fusion.name = "x"},
                %y: tensor<?x4xf32> {fusion.name = "y"}) -> tensor<?x4xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  %r = scf.if %p -> tensor<?x4xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %x, %c0 : tensor<?x4xf32>
    %e = tensor.empty(%n) : tensor<?x4xf32>
    %0 = linalg.exp ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %0 : tensor<?x4xf32>
  } else {
    scf.yield %y : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}
