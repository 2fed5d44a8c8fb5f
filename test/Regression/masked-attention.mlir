// Attention of rows that see nothing is NaN, as the operators say, fused or not; a
// row that sees nothing in the first step of the walk, and something later, is not.
// Case B010 (b).
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{run} = fusion-run %s --input q=ones --input k=ones --input v=ones --input limit=%t/limit.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/limit.npy i32:4 0 100 99 -1
// RUN: %{run} --device=cpu --fuse=none --save-outputs %t/unfused
// RUN: %{run} --device=emulator --target=sm_80 --save-outputs %t/sm_80
// RUN: %{run} --device=emulator --target=sm_90a --save-outputs %t/sm_90a
// RUN: %{npy} show %t/unfused/first.npy | FileCheck %s
// RUN: %{npy} show %t/sm_80/first.npy | FileCheck %s
// RUN: %{npy} show %t/sm_90a/first.npy | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --emit=groups | FileCheck %s --check-prefix=GROUPS

// Columns from `limit` on are seen, of 100: all, none, the last, all.
// CHECK: f16 (4,) 1 nan 1 1
// GROUPS-COUNT-1: fusion.group "contraction
func.func @main(%q: tensor<4x16xf16> {fusion.name = "q"}, %k: tensor<100x16xf16> {fusion.name = "k"},
                %v: tensor<100x32xf16> {fusion.name = "v"}, %limit: tensor<4xi32> {fusion.name = "limit"})
    -> (tensor<4xf16> {fusion.name = "first"}) {
  %s = fusion.matmul %q, %k {transpose_b} : tensor<4x16xf16>, tensor<100x16xf16> -> tensor<4x100xf16>
  %j = fusion.iota dim = 1 : tensor<4x100xi32>
  %l = fusion.broadcast %limit dims = [0] : tensor<4xi32> to tensor<4x100xi32>
  %seen = fusion.compare ge, %j, %l : tensor<4x100xi32>
  %inf = fusion.constant dense<0xFC00> : tensor<f16>
  %ib = fusion.broadcast %inf dims = [] : tensor<f16> to tensor<4x100xf16>
  %x = fusion.select %seen, %s, %ib : tensor<4x100xf16>
  %p = fusion.softmax %x dim = 1 : tensor<4x100xf16>
  %o = fusion.matmul %p, %v : tensor<4x100xf16>, tensor<100x32xf16> -> tensor<4x32xf16>
  %f = fusion.slice %o starts = [0, 0] steps = [1, 1] : tensor<4x32xf16> to tensor<4x1xf16>
  %r = fusion.reshape %f : tensor<4x1xf16> to tensor<4xf16>
  return %r : tensor<4xf16>
}
