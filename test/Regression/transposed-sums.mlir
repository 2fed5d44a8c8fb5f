// What follows a reduction (factors, another shape, a transpose) leaves it the kernel
// that it has alone: whole rows, one pass. Case B054.
// RUN: rm -rf %t && split-file %s %t
// RUN: fusion-compile %t/large.mlir --target=sm_90a --emit=groups -o - | FileCheck %s --check-prefix=ONE
// RUN: fusion-compile %t/large.mlir --target=sm_80 --emit=groups -o - | FileCheck %s --check-prefix=ONE
// The reduction's rows are whole, and what follows it is in its group or reads its
// 1024 results only.
// ONE:     fusion.group
// ONE:       iterator_types = ["parallel", "reduction"]{{.*}}1024x65536xf32>{{.*$}}
// ONE-NOT:   65536
// ONE:     return

// The same kernel as of the bare reduction: block, rows and columns.
// RUN: fusion-compile %t/bare.mlir --target=sm_90a --emit=tiles -o - | grep -o -m1 'fusion.schedule = {[^}]*}' > %t/bare.txt
// RUN: fusion-compile %t/large.mlir --target=sm_90a --emit=tiles -o - | grep -o -m1 'fusion.schedule = {[^}]*}' > %t/large.txt
// RUN: diff %t/bare.txt %t/large.txt

// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{device} =
// DEFINE: %{run} = fusion-run %t/small.mlir --device=%{device} --input x=%t/x.npy --input scale=%t/scale.npy --input bias=%t/bias.npy --save-outputs %t/out
// DEFINE: %{show} = %{npy} show %t/out/y.npy
// RUN: %python %S/Inputs/programs.py ramp 16x512 %t/x.npy
// RUN: %{npy} make %t/scale.npy f32: 0.5
// RUN: %{npy} make %t/bias.npy f32: 1
// REDEFINE: %{device} = cpu
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = cpu --fuse=none
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_80
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_90a
// RUN: %{run} && %{show} | FileCheck %s
// CHECK: f32 (4, 4) 65409 589697 1113985 1638273 196481 720769 1245057 1769345 327553 851841 1376129 1900417 458625 982913 1507201 2031489{{$}}

//--- large.mlir
func.func @main(%x: tensor<1024x65536xf32> {fusion.name = "x"}, %scale: tensor<f32> {fusion.name = "scale"}, %bias: tensor<f32> {fusion.name = "bias"})
    -> (tensor<32x32xf32> {fusion.name = "y"}) {
  %s = fusion.reduce sum, %x dims = [1] : tensor<1024x65536xf32> to tensor<1024xf32>
  %f = fusion.broadcast %scale dims = [] : tensor<f32> to tensor<1024xf32>
  %b = fusion.broadcast %bias dims = [] : tensor<f32> to tensor<1024xf32>
  %0 = fusion.mul %s, %f : tensor<1024xf32>
  %1 = fusion.add %0, %b : tensor<1024xf32>
  %2 = fusion.reshape %1 : tensor<1024xf32> to tensor<32x32xf32>
  %y = fusion.transpose %2 perm = [1, 0] : tensor<32x32xf32> to tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

//--- small.mlir
func.func @main(%x: tensor<16x512xf32> {fusion.name = "x"}, %scale: tensor<f32> {fusion.name = "scale"}, %bias: tensor<f32> {fusion.name = "bias"})
    -> (tensor<4x4xf32> {fusion.name = "y"}) {
  %s = fusion.reduce sum, %x dims = [1] : tensor<16x512xf32> to tensor<16xf32>
  %f = fusion.broadcast %scale dims = [] : tensor<f32> to tensor<16xf32>
  %b = fusion.broadcast %bias dims = [] : tensor<f32> to tensor<16xf32>
  %0 = fusion.mul %s, %f : tensor<16xf32>
  %1 = fusion.add %0, %b : tensor<16xf32>
  %2 = fusion.reshape %1 : tensor<16xf32> to tensor<4x4xf32>
  %y = fusion.transpose %2 perm = [1, 0] : tensor<4x4xf32> to tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

//--- bare.mlir
func.func @main(%x: tensor<1024x65536xf32> {fusion.name = "x"}) -> (tensor<1024xf32> {fusion.name = "y"}) {
  %s = fusion.reduce sum, %x dims = [1] : tensor<1024x65536xf32> to tensor<1024xf32>
  return %s : tensor<1024xf32>
}
