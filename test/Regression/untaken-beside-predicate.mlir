// The predicate is computed in the launch of the branch; what is not taken is not
// computed there either: a division by zero, a gather far out of its table, the
// logarithm of a negative number, and a product that would take minutes.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{run} = fusion-run %s --input d=zeros --input i=%t/i.npy --input x=%t/x.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/i.npy i64:1 1000000
// RUN: %{npy} make %t/x.npy f32:2x3 -1 2 -3 4 -5 0
// RUN: %{run} --device=cpu --save-outputs %t/cpu
// RUN: %{run} --device=cpu --fuse=none --save-outputs %t/unfused
// RUN: %{run} --device=emulator --target=sm_90a --save-outputs %t/sm90
// RUN: %{run} --device=emulator --target=sm_80 --save-outputs %t/sm80
// DEFINE: %{folder} =
// DEFINE: %{show} = %{npy} show %t/%{folder}/q.npy %t/%{folder}/g.npy %t/%{folder}/y.npy
// REDEFINE: %{folder} = cpu
// RUN: %{show} | FileCheck %s
// REDEFINE: %{folder} = unfused
// RUN: %{show} | FileCheck %s
// REDEFINE: %{folder} = sm90
// RUN: %{show} | FileCheck %s
// REDEFINE: %{folder} = sm80
// RUN: %{show} | FileCheck %s

// CHECK: i32 () 0
// CHECK: f32 (1, 4) 0 0 0 0
// CHECK: f32 (2, 3) -1 2 -3 4 -5 0
func.func @main(%d: tensor<i32> {fusion.name = "d"}, %i: tensor<1xi64> {fusion.name = "i"},
                %t: tensor<8x4xf32> {fusion.name = "t"}, %x: tensor<2x3xf32> {fusion.name = "x"})
    -> (tensor<i32> {fusion.name = "q"}, tensor<1x4xf32> {fusion.name = "g"},
        tensor<2x3xf32> {fusion.name = "y"}) {
  %zero = fusion.constant dense<0> : tensor<i32>
  %zeros = fusion.constant dense<0.0> : tensor<1x4xf32>
  // -3 > 0
  %sum = fusion.reduce sum, %x dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
  %limit = fusion.constant dense<0.0> : tensor<f32>
  %p = fusion.compare gt, %sum, %limit : tensor<f32>
  %q, %g = fusion.if %p : tensor<i1> -> tensor<i32>, tensor<1x4xf32> {
    %seven = fusion.constant dense<7> : tensor<i32>
    %0 = fusion.div %seven, %d : tensor<i32>
    %1 = fusion.gather %t, %i dim = 0 : tensor<8x4xf32>, tensor<1xi64> -> tensor<1x4xf32>
    fusion.yield %0, %1 : tensor<i32>, tensor<1x4xf32>
  } else {
    fusion.yield %zero, %zeros : tensor<i32>, tensor<1x4xf32>
  }
  %y = fusion.if %p : tensor<i1> -> tensor<2x3xf32> {
    %l = fusion.log %x : tensor<2x3xf32>
    %s = fusion.reduce sum, %l dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
    %a = fusion.broadcast %s dims = [] : tensor<f32> to tensor<8192x8192xf32>
    %e = fusion.exp %a : tensor<8192x8192xf32>
    %m = fusion.matmul %e, %a : tensor<8192x8192xf32>, tensor<8192x8192xf32> -> tensor<8192x8192xf32>
    %r = fusion.reduce sum, %m dims = [0, 1] : tensor<8192x8192xf32> to tensor<f32>
    %b = fusion.broadcast %r dims = [] : tensor<f32> to tensor<2x3xf32>
    fusion.yield %b : tensor<2x3xf32>
  } else {
    fusion.yield %x : tensor<2x3xf32>
  }
  return %q, %g, %y : tensor<i32>, tensor<1x4xf32>, tensor<2x3xf32>
}
