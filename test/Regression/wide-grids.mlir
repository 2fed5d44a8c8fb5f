// More batches than a grid has room for along y and z (65535): blocks are counted along
// x alone.
// RUN: fusion-compile %s --target=sm_80 --emit=tiles | FileCheck %s --implicit-check-not=tile.launch
// RUN: fusion-compile %s --target=sm_90a --emit=tiles | FileCheck %s --implicit-check-not=tile.launch
// CHECK-COUNT-4: tile.launch {{.*}} grid(%{{[a-z0-9_]+}}, %c1{{(_[0-9]+)?}}, %c1{{(_[0-9]+)?}})
func.func @main(%a: tensor<70000x16x16xf16>, %b: tensor<70000x16x16xf16>, %x: tensor<70000x3x700x5xf32>)
    -> (tensor<70000x16x16xf16>, tensor<70000x3xf32>, tensor<3x700x5xf32>, tensor<5x700x3x70000xf32>) {
  %m = fusion.matmul %a, %b : tensor<70000x16x16xf16>, tensor<70000x16x16xf16> -> tensor<70000x16x16xf16>
  %0 = fusion.reduce sum, %x dims = [2, 3] : tensor<70000x3x700x5xf32> to tensor<70000x3xf32>
  %1 = fusion.reduce max, %x dims = [0] : tensor<70000x3x700x5xf32> to tensor<3x700x5xf32>
  %2 = fusion.transpose %x perm = [3, 2, 1, 0] : tensor<70000x3x700x5xf32> to tensor<5x700x3x70000xf32>
  return %m, %0, %1, %2 : tensor<70000x16x16xf16>, tensor<70000x3xf32>, tensor<3x700x5xf32>, tensor<5x700x3x70000xf32>
}
