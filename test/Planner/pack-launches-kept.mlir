// Launches that stay apart for the device or the user, each with the reason.

// DEFINE: %{target} =
// DEFINE: %{fuse} = all
// DEFINE: %{pack} = fusion-opt %s -split-input-file -remarks-filter='fusion.*' -remark-format=emitRemark \
// DEFINE:   -pass-pipeline='builtin.module(func.func(fusion-prepare-conditionals,fusion-form-groups{fuse=all,-prologue %{target}},fusion-flatten-conditionals,fusion-pack-launches{fuse=%{fuse} %{target}}))' 2>&1
// REDEFINE: %{target} = target=cpu
// RUN: %{pack} | FileCheck %s --check-prefixes=CPU,APART
// REDEFINE: %{target} =
// REDEFINE: %{fuse} = all,-conditional
// RUN: %{pack} | FileCheck %s --check-prefixes=BRANCHES
// REDEFINE: %{fuse} = all,-horizontal
// RUN: %{pack} | FileCheck %s --check-prefixes=SIBLINGS,APART
// REDEFINE: %{fuse} = all
// RUN: %{pack} | FileCheck %s --check-prefix=ARMS
// REDEFINE: %{target} = target=l4
// RUN: %{pack} | FileCheck %s --check-prefix=SHARED

// CPU: Function=siblings | Other=matmul, Reason="on a CPU each group has all cores already"
// CPU: Function=sides | Other=exp, Reason="on a CPU each group has all cores already"
// SIBLINGS: Function=siblings | Other=matmul, Reason="horizontal fusion is switched off"
// APART-LABEL: func.func @siblings(
// APART:         fusion.group "matmul"
// APART:         fusion.group "matmul"
func.func @siblings(%x: tensor<64x96xf16>, %a: tensor<96x128xf16>, %b: tensor<96x32xf16>)
    -> (tensor<64x128xf32>, tensor<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x128xf32>
  %e = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x128xf32>) -> tensor<64x128xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %0 = linalg.matmul ins(%x, %a : tensor<64x96xf16>, tensor<96x128xf16>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  %1 = linalg.matmul ins(%x, %b : tensor<64x96xf16>, tensor<96x32xf16>) outs(%g : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<64x32xf32>
}

// -----

// BRANCHES: Function=sides | Other=exp, Reason="conditional fusion is switched off"
// BRANCHES-LABEL: func.func @sides(
// BRANCHES:         fusion.group
// BRANCHES:         fusion.group "tanh"
func.func @sides(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.tanh ins(%y : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Each run takes one arm, but both have the block size of the launch, in which blocks of
// products hand registers on. Others, which do not, go with rows of any length.
// ARMS: Function=arms | Other=reduce, Reason="the blocks of long rows are larger than those of matrix products"
// ARMS-LABEL: func.func @arms(
// ARMS:         = fusion.group "reduce" kinds ["conditional"]
// ARMS:         = fusion.group "matmul" kinds ["conditional"]
// SHARED-LABEL: func.func @arms(
// SHARED:         = fusion.group "reduce | matmul" kinds ["conditional"]
func.func @arms(%c: tensor<i1>, %x: tensor<2x2x8192xf32>, %a: tensor<2x64xf16>, %b: tensor<64x2xf16>) -> tensor<2x2xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<2x2xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x2xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
    %0 = linalg.reduce { arith.addf } ins(%x : tensor<2x2x8192xf32>) outs(%f : tensor<2x2xf32>) dimensions = [2]
    fusion.yield %0 : tensor<2x2xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x2xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<2x64xf16>, tensor<64x2xf16>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
    fusion.yield %0 : tensor<2x2xf32>
  }
  return %r : tensor<2x2xf32>
}
