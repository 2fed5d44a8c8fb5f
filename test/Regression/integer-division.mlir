// Division and remainder never trap, and give what docs/Numerics.md says, at
// run time and folded. Case B028.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy i32 -2147483648 7 -7 5
// RUN: %{npy} make %t/y.npy i32 -1 2 2 0
// RUN: %{npy} make %t/u.npy u8 130 200 255 6
// RUN: %{npy} make %t/v.npy u8 3 0 255 7
// RUN: fusion-run %s --device=cpu --input x=%t/x.npy --input y=%t/y.npy --input u=%t/u.npy --input v=%t/v.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input x=%t/x.npy --input y=%t/y.npy --input u=%t/u.npy --input v=%t/v.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input x=%t/x.npy --input y=%t/y.npy --input u=%t/u.npy --input v=%t/v.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input x=%t/x.npy --input y=%t/y.npy --input u=%t/u.npy --input v=%t/v.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/div.npy %t/fused/rem.npy %t/fused/folded.npy %t/fused/wide.npy %t/fused/udiv.npy %t/fused/urem.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/div.npy %t/unfused/rem.npy %t/unfused/folded.npy %t/unfused/wide.npy %t/unfused/udiv.npy %t/unfused/urem.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/div.npy %t/sm80/rem.npy %t/sm80/folded.npy %t/sm80/wide.npy %t/sm80/udiv.npy %t/sm80/urem.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/div.npy %t/sm90/rem.npy %t/sm90/folded.npy %t/sm90/wide.npy %t/sm90/udiv.npy %t/sm90/urem.npy | FileCheck %s

// CHECK:      i32 (4,) -2147483648 3 -3 -1
// CHECK-NEXT: i32 (4,) 0 1 -1 5
// CHECK-NEXT: i32 (4,) -2147483648 3 -3 -1
// CHECK-NEXT: i64 (4,) 2147483648 3 -3 -1
// CHECK-NEXT: u8 (4,) 43 255 1 0
// CHECK-NEXT: u8 (4,) 1 200 0 6
func.func @main(%x: tensor<4xi32> {fusion.name = "x"}, %y: tensor<4xi32> {fusion.name = "y"},
                %u: tensor<4xui8> {fusion.name = "u"}, %v: tensor<4xui8> {fusion.name = "v"})
    -> (tensor<4xi32> {fusion.name = "div"}, tensor<4xi32> {fusion.name = "rem"},
        tensor<4xi32> {fusion.name = "folded"}, tensor<4xi64> {fusion.name = "wide"},
        tensor<4xui8> {fusion.name = "udiv"}, tensor<4xui8> {fusion.name = "urem"}) {
  %0 = fusion.div %x, %y : tensor<4xi32>
  %1 = fusion.rem %x, %y : tensor<4xi32>
  %a = fusion.constant dense<[-2147483648, 7, -7, 5]> : tensor<4xi32>
  %b = fusion.constant dense<[-1, 2, 2, 0]> : tensor<4xi32>
  %2 = fusion.div %a, %b : tensor<4xi32>
  %c = fusion.cast %x : tensor<4xi32> to tensor<4xi64>
  %d = fusion.cast %y : tensor<4xi32> to tensor<4xi64>
  %3 = fusion.div %c, %d : tensor<4xi64>
  %4 = fusion.div %u, %v : tensor<4xui8>
  %5 = fusion.rem %u, %v : tensor<4xui8>
  return %0, %1, %2, %3, %4, %5 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui8>
}
