// Functions that the model calls become part of it, and its kernels go across the
// calls; what nothing calls is dropped. (Either was refused: the call by its name,
// the function as not bufferized.)
// RUN: fusion-compile %s --target=sm_80 --emit=groups | FileCheck %s --check-prefix=GROUPS
// GROUPS-NOT:     func.func private
// GROUPS-COUNT-1: fusion.group "exp+abs+negf"
// GROUPS-NOT:     fusion.group
//
// RUN: fusion-run %s --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// CHECK: verify: all 1 results of groups agree
//
// A declaration has no code to make part of the model.
// RUN: sed 's/@twice(%0)/@elsewhere(%0)/' %s > %t.mlir
// RUN: not fusion-compile %t.mlir --emit=ptx --target=sm_80 2>&1 | FileCheck %s --check-prefix=DECLARED
// DECLARED: error: expected only groups, {{.*}} but got 'func.call'
func.func private @elsewhere(tensor<64xf32>) -> tensor<64xf32>
func.func private @unused(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.floor ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func private @once(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.abs ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @twice(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = call @once(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %1 = call @once(%0) : (tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %1 = call @twice(%0) : (tensor<64xf32>) -> tensor<64xf32>
  %2 = linalg.negf ins(%1 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
