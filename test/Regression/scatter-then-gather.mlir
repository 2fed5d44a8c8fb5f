// A gather that reads the sums of a scatter reads them when all are done: no kernel
// holds both. Every update goes to one place; then the last goes to another. Then the
// same along a dim of a matrix, with products and an elementwise op between.
// Case B004.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{device} =
// DEFINE: %{run} = fusion-run %s --device=%{device} --input f=%t/f.npy --input idx=%t/idx.npy --input last=%t/last.npy --save-outputs %t/out
// DEFINE: %{show} = %{npy} tally %t/out/one.npy %t/out/two.npy %t/out/rows.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/f.npy f32:2048x1 1
// RUN: %{npy} make %t/idx.npy i64:2048x1 0
// RUN: %{npy} make %t/last.npy i64:1x1 1
// REDEFINE: %{device} = cpu
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = cpu --fuse=none
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_80
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_90a
// RUN: %{run} && %{show} | FileCheck %s
// RUN: fusion-compile %s --target=sm_90a --emit=groups | FileCheck %s --check-prefix=GROUPS

// Exactly 2^-11; 1.5 / 3070.5 and 1; 1 / (number of rows in the place).
// CHECK:      f32 (2048, 1) 2048 times 0.00048828125{{$}}
// CHECK-NEXT: f32 (2048, 1) 2047 times 0.00048851978, 1 times 1{{$}}
// CHECK-NEXT: f32 (6, 2) 8 times 0.25, 4 times 0.5{{$}}

// The sums are results of one launch and operands of the next.
// GROUPS: %[[SUMS:.*]]:3 = fusion.group "other | other | other"
// GROUPS: fusion.group "elementwise | elementwise | elementwise" {{.*}}%[[SUMS]]#0{{.*}}%[[SUMS]]#1{{.*}}%[[SUMS]]#2
func.func @main(%f: tensor<2048x1xf32> {fusion.name = "f"}, %idx: tensor<2048x1xi64> {fusion.name = "idx"},
                %last: tensor<1x1xi64> {fusion.name = "last"})
    -> (tensor<2048x1xf32> {fusion.name = "one"}, tensor<2048x1xf32> {fusion.name = "two"},
        tensor<6x2xf32> {fusion.name = "rows"}) {
  %half = fusion.constant dense<0.5> : tensor<2048x1xf32>
  %zero1 = fusion.constant dense<0.0> : tensor<1x1xf32>
  %zero2 = fusion.constant dense<0.0> : tensor<2x1xf32>
  %ff = fusion.mul %f, %f : tensor<2048x1xf32>
  %g = fusion.add %ff, %half : tensor<2048x1xf32>
  %s = fusion.scatter_elements add, %zero1, %idx, %g dim = 0 : tensor<1x1xf32>, tensor<2048x1xi64>, tensor<2048x1xf32>
  %t = fusion.gather_elements %s, %idx dim = 0 : tensor<1x1xf32>, tensor<2048x1xi64> -> tensor<2048x1xf32>
  %one = fusion.div %g, %t : tensor<2048x1xf32>

  %first = fusion.slice %idx starts = [0, 0] steps = [1, 1] : tensor<2048x1xi64> to tensor<2047x1xi64>
  %mixed = fusion.concat %first, %last dim = 0 : tensor<2047x1xi64>, tensor<1x1xi64> -> tensor<2048x1xi64>
  %s2 = fusion.scatter_elements add, %zero2, %mixed, %g dim = 0 : tensor<2x1xf32>, tensor<2048x1xi64>, tensor<2048x1xf32>
  %t2 = fusion.gather_elements %s2, %mixed dim = 0 : tensor<2x1xf32>, tensor<2048x1xi64> -> tensor<2048x1xf32>
  %two = fusion.div %g, %t2 : tensor<2048x1xf32>

  // Rows 0, 2, 3 and 5 meet in one place, 1 and 4 in another: how many meet?
  %places = fusion.constant dense<[[1], [3], [1], [1], [3], [1]]> : tensor<6x1xi64>
  %gather = fusion.reshape %places : tensor<6x1xi64> to tensor<6xi64>
  %zeros = fusion.constant dense<0.0> : tensor<4x2xf32>
  %part = fusion.slice %f starts = [0, 0] steps = [1, 1] : tensor<2048x1xf32> to tensor<12x1xf32>
  %rows0 = fusion.reshape %part : tensor<12x1xf32> to tensor<6x2xf32>
  %sums = fusion.scatter_nd add, %zeros, %places, %rows0 : tensor<4x2xf32>, tensor<6x1xi64>, tensor<6x2xf32>
  %inverse = fusion.reciprocal %sums : tensor<4x2xf32>
  %rows = fusion.gather %inverse, %gather dim = 0 : tensor<4x2xf32>, tensor<6xi64> -> tensor<6x2xf32>
  return %one, %two, %rows : tensor<2048x1xf32>, tensor<2048x1xf32>, tensor<6x2xf32>
}
