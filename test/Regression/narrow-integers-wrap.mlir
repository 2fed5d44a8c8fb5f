// Each operation's result is reduced to its own type, also where it is never
// stored. Case B014.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/u.npy u8 130 200 255
// RUN: %{npy} make %t/s.npy i8 100 -128 1
// RUN: fusion-run %s --device=cpu --input u=%t/u.npy --input s=%t/s.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input u=%t/u.npy --input s=%t/s.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input u=%t/u.npy --input s=%t/s.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input u=%t/u.npy --input s=%t/s.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/wide.npy %t/fused/signed.npy %t/fused/float.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/wide.npy %t/unfused/signed.npy %t/unfused/float.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/wide.npy %t/sm80/signed.npy %t/sm80/float.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/wide.npy %t/sm90/signed.npy %t/sm90/float.npy | FileCheck %s

// CHECK:      i16 (3,) 4 144 254
// CHECK-NEXT: i32 (3,) -56 0 2
// CHECK-NEXT: f32 (3,) 126 56 1
func.func @main(%u: tensor<3xui8> {fusion.name = "u"}, %s: tensor<3xi8> {fusion.name = "s"})
    -> (tensor<3xi16> {fusion.name = "wide"}, tensor<3xi32> {fusion.name = "signed"},
        tensor<3xf32> {fusion.name = "float"}) {
  %0 = fusion.add %u, %u : tensor<3xui8>
  %1 = fusion.cast %0 : tensor<3xui8> to tensor<3xi16>
  %2 = fusion.add %s, %s : tensor<3xi8>
  %3 = fusion.cast %2 : tensor<3xi8> to tensor<3xi32>
  %4 = fusion.neg %u : tensor<3xui8>
  %5 = fusion.cast %4 : tensor<3xui8> to tensor<3xf32>
  return %1, %3, %5 : tensor<3xi16>, tensor<3xi32>, tensor<3xf32>
}
