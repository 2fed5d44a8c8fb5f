// A convolution that no tile of products fits is a loop for each element.
//
// RUN: fusion-compile %s --target=sm_90a --device-limits=registers=12 --emit=tiles --remarks -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REASON
// REASON: Reason="no kernel holds both: expected at most 12 registers of a thread for tiles
// REASON: Group=contraction, Reason="a smaller schedule was taken: {{.*}}", Schedule="{columns = {{[0-9]+}} : i64, kind = "elementwise"
// RUN: fusion-run %s --device=emulator --verify --target=sm_80 --device-limits=registers=12 | FileCheck %s
// RUN: fusion-run %s --device=emulator --verify --target=sm_90a --device-limits=registers=12,grid=3 | FileCheck %s
// CHECK: verify: all {{[2-9]}} results of groups agree with the unfused program
func.func @main(%x: tensor<1x16x9x9xf16> {fusion.name = "x"}, %k: tensor<32x16x3x3xf16> {fusion.name = "k"})
    -> (tensor<1x32x9x9xf16> {fusion.name = "y"}) {
  %0 = fusion.conv %x, %k strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 1
    : tensor<1x16x9x9xf16>, tensor<32x16x3x3xf16> -> tensor<1x32x9x9xf16>
  %1 = fusion.relu %0 : tensor<1x32x9x9xf16>
  return %1 : tensor<1x32x9x9xf16>
}
