// Mean and variance of rows of 80000 elements: more than any shared memory holds,
// so they are read again, as rows of 320000 are. Case B032.
// DEFINE: %{run} = fusion-run %s --input x=ones --save-outputs %t/out
// DEFINE: %{show} = %python %S/Inputs/npy.py show %t/out/mean.npy %t/out/variance.npy %t/out/least.npy %t/out/most.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{run} --device=cpu && %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_80 && %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_90a && %{show} | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --emit=ptx -o %t/sm80.ptx && fusion-compile %s --target=sm_90a --emit=ptx -o %t/sm90.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/sm80.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/sm90.ptx
// RUN: sed 's/1x2x16x5000/1x24x16x20000/g; s/1x2x16x2500x2/1x24x16x10000x2/g; s/<1x2x/<1x24x/g' %s > %t/larger.mlir
// RUN: fusion-compile %t/larger.mlir --target=sm_80 --emit=ptx -o %t/sm80.ptx --report=%t/sm80.json && FileCheck %s --check-prefix=SHARED --input-file=%t/sm80.json
// RUN: fusion-compile %t/larger.mlir --target=sm_90a --emit=ptx -o %t/sm90.ptx --report=%t/sm90.json && FileCheck %s --check-prefix=SHARED --input-file=%t/sm90.json

// PTX: .entry
// No block takes more than 99999 bytes.
// SHARED:     "shared_bytes": {{[0-9]+}},
// SHARED-NOT: "shared_bytes": {{[0-9][0-9][0-9][0-9][0-9][0-9]}}
// CHECK:      f32 (1, 2) 0 0
// CHECK-NEXT: f32 (1, 2) 1 1
// CHECK-NEXT: f32 () -1
// CHECK-NEXT: f32 () 1
func.func @main(%x: tensor<1x2x16x5000xf32> {fusion.name = "x"})
    -> (tensor<1x2xf32> {fusion.name = "mean"}, tensor<1x2xf32> {fusion.name = "variance"},
        tensor<f32> {fusion.name = "least"}, tensor<f32> {fusion.name = "most"}) {
  // +1, -1, +1, ... times x, which is 1
  %pair = fusion.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %pairs = fusion.broadcast %pair dims = [4] : tensor<2xf32> to tensor<1x2x16x2500x2xf32>
  %signs = fusion.reshape %pairs : tensor<1x2x16x2500x2xf32> to tensor<1x2x16x5000xf32>
  %v = fusion.mul %x, %signs : tensor<1x2x16x5000xf32>
  %mean = fusion.reduce mean, %v dims = [2, 3] : tensor<1x2x16x5000xf32> to tensor<1x2xf32>
  %means = fusion.broadcast %mean dims = [0, 1] : tensor<1x2xf32> to tensor<1x2x16x5000xf32>
  %centred = fusion.sub %v, %means : tensor<1x2x16x5000xf32>
  %squares = fusion.mul %centred, %centred : tensor<1x2x16x5000xf32>
  %variance = fusion.reduce mean, %squares dims = [2, 3] : tensor<1x2x16x5000xf32> to tensor<1x2xf32>
  %root = fusion.sqrt %variance : tensor<1x2xf32>
  %roots = fusion.broadcast %root dims = [0, 1] : tensor<1x2xf32> to tensor<1x2x16x5000xf32>
  %y = fusion.div %centred, %roots : tensor<1x2x16x5000xf32>
  %least = fusion.reduce min, %y dims = [0, 1, 2, 3] : tensor<1x2x16x5000xf32> to tensor<f32>
  %most = fusion.reduce max, %y dims = [0, 1, 2, 3] : tensor<1x2x16x5000xf32> to tensor<f32>
  return %mean, %variance, %least, %most : tensor<1x2xf32>, tensor<1x2xf32>, tensor<f32>, tensor<f32>
}
