// relu(conv(x, k s)) with filters of 8 bits and a factor for each: one kernel that
// computes the filters and reads the image in windows.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// ARGS: --input k=randint:-20:20:1
// LAUNCHES: 1
// CASE-STATIC: n=2 h=6 w=7
// CASE: n=1 h=5 w=8
// GPU-CASE-STATIC: n=1,2,32 h=7,28 w=7,30
// GPU-CASE: n=1,5 h=7,30 w=8,33

func.func @main(%x: tensor<?x16x?x?xf16> {fusion.name = "x", fusion.dims = ["n", "", "h", "w"]},
                %k: tensor<24x16x3x3xi8> {fusion.name = "k"},
                %s: tensor<24xf16> {fusion.name = "s"})
    -> (tensor<?x24x?x?xf16> {fusion.name = "y"}) {
  %k0 = fusion.cast %k : tensor<24x16x3x3xi8> to tensor<24x16x3x3xf16>
  %sb = fusion.broadcast %s dims = [0] : tensor<24xf16> to tensor<24x16x3x3xf16>
  %k1 = fusion.mul %k0, %sb {fusion.fuse_with = "all"} : tensor<24x16x3x3xf16>
  %0 = fusion.conv %x, %k1 strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 1 {fusion.fuse_with = "all"}
       : tensor<?x16x?x?xf16>, tensor<24x16x3x3xf16> -> tensor<?x24x?x?xf16>
  %4 = fusion.relu %0 : tensor<?x24x?x?xf16>
  return %4 : tensor<?x24x?x?xf16>
}
