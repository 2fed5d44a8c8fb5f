// Arithmetic of 64-bit integers has 64 bits, also on positions, which a kernel may count
// in 32. Case B016.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/k.npy i64 0 1 2 3 4 5 6 7 8 9 10 11
// RUN: fusion-run %s --device=cpu --input k=%t/k.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input k=%t/k.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input k=%t/k.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input k=%t/k.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/y.npy %t/fused/sum.npy %t/fused/places.npy %t/fused/total.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/y.npy %t/unfused/sum.npy %t/unfused/places.npy %t/unfused/total.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/y.npy %t/sm80/sum.npy %t/sm80/places.npy %t/sm80/total.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/y.npy %t/sm90/sum.npy %t/sm90/places.npy %t/sm90/total.npy | FileCheck %s

// CHECK:      i64 (12,) 0 700000000 1400000000 2100000000 2800000000 3500000000 4200000000 4900000000 5600000000 6300000000 7000000000 7700000000
// CHECK-NEXT: i64 () 46200000000
// CHECK-NEXT: i64 (12,) 0 700000000 1400000000 2100000000 2800000000 3500000000 4200000000 4900000000 5600000000 6300000000 7000000000 7700000000
// CHECK-NEXT: i64 () 46200000000
func.func @main(%k: tensor<12xi64> {fusion.name = "k"})
    -> (tensor<12xi64> {fusion.name = "y"}, tensor<i64> {fusion.name = "sum"},
        tensor<12xi64> {fusion.name = "places"}, tensor<i64> {fusion.name = "total"}) {
  %c = fusion.constant dense<700000000> : tensor<12xi64>
  %0 = fusion.mul %k, %c : tensor<12xi64>
  %1 = fusion.reduce sum, %0 dims = [0] : tensor<12xi64> to tensor<i64>
  %places = fusion.iota dim = 0 : tensor<12xi64>
  %2 = fusion.mul %places, %c : tensor<12xi64>
  %3 = fusion.reduce sum, %2 dims = [0] : tensor<12xi64> to tensor<i64>
  return %0, %1, %2, %3 : tensor<12xi64>, tensor<i64>, tensor<12xi64>, tensor<i64>
}
