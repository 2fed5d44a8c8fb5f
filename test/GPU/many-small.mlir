// Forty independent little pieces of work, of three kinds: one launch.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: n=67
// GPU-CASE-STATIC: n=1,129,5000
// GPU-CASE: n=1,129,5000

func.func @main(
    %x0: tensor<?xf32> {fusion.name = "x0", fusion.dims = ["n"]},
    %x1: tensor<2x?xf16> {fusion.name = "x1", fusion.dims = ["", "n"]},
    %x2: tensor<?x4xf32> {fusion.name = "x2", fusion.dims = ["n", ""]},
    %x3: tensor<?xf32> {fusion.name = "x3", fusion.dims = ["n"]},
    %x4: tensor<5x?xf16> {fusion.name = "x4", fusion.dims = ["", "n"]},
    %x5: tensor<?x7xf32> {fusion.name = "x5", fusion.dims = ["n", ""]},
    %x6: tensor<?xf32> {fusion.name = "x6", fusion.dims = ["n"]},
    %x7: tensor<8x?xf16> {fusion.name = "x7", fusion.dims = ["", "n"]},
    %x8: tensor<?x10xf32> {fusion.name = "x8", fusion.dims = ["n", ""]},
    %x9: tensor<?xf32> {fusion.name = "x9", fusion.dims = ["n"]},
    %x10: tensor<11x?xf16> {fusion.name = "x10", fusion.dims = ["", "n"]},
    %x11: tensor<?x13xf32> {fusion.name = "x11", fusion.dims = ["n", ""]},
    %x12: tensor<?xf32> {fusion.name = "x12", fusion.dims = ["n"]},
    %x13: tensor<14x?xf16> {fusion.name = "x13", fusion.dims = ["", "n"]},
    %x14: tensor<?x16xf32> {fusion.name = "x14", fusion.dims = ["n", ""]},
    %x15: tensor<?xf32> {fusion.name = "x15", fusion.dims = ["n"]},
    %x16: tensor<17x?xf16> {fusion.name = "x16", fusion.dims = ["", "n"]},
    %x17: tensor<?x19xf32> {fusion.name = "x17", fusion.dims = ["n", ""]},
    %x18: tensor<?xf32> {fusion.name = "x18", fusion.dims = ["n"]},
    %x19: tensor<20x?xf16> {fusion.name = "x19", fusion.dims = ["", "n"]},
    %x20: tensor<?x22xf32> {fusion.name = "x20", fusion.dims = ["n", ""]},
    %x21: tensor<?xf32> {fusion.name = "x21", fusion.dims = ["n"]},
    %x22: tensor<23x?xf16> {fusion.name = "x22", fusion.dims = ["", "n"]},
    %x23: tensor<?x25xf32> {fusion.name = "x23", fusion.dims = ["n", ""]},
    %x24: tensor<?xf32> {fusion.name = "x24", fusion.dims = ["n"]},
    %x25: tensor<26x?xf16> {fusion.name = "x25", fusion.dims = ["", "n"]},
    %x26: tensor<?x28xf32> {fusion.name = "x26", fusion.dims = ["n", ""]},
    %x27: tensor<?xf32> {fusion.name = "x27", fusion.dims = ["n"]},
    %x28: tensor<29x?xf16> {fusion.name = "x28", fusion.dims = ["", "n"]},
    %x29: tensor<?x31xf32> {fusion.name = "x29", fusion.dims = ["n", ""]},
    %x30: tensor<?xf32> {fusion.name = "x30", fusion.dims = ["n"]},
    %x31: tensor<32x?xf16> {fusion.name = "x31", fusion.dims = ["", "n"]},
    %x32: tensor<?x34xf32> {fusion.name = "x32", fusion.dims = ["n", ""]},
    %x33: tensor<?xf32> {fusion.name = "x33", fusion.dims = ["n"]},
    %x34: tensor<35x?xf16> {fusion.name = "x34", fusion.dims = ["", "n"]},
    %x35: tensor<?x37xf32> {fusion.name = "x35", fusion.dims = ["n", ""]},
    %x36: tensor<?xf32> {fusion.name = "x36", fusion.dims = ["n"]},
    %x37: tensor<38x?xf16> {fusion.name = "x37", fusion.dims = ["", "n"]},
    %x38: tensor<?x40xf32> {fusion.name = "x38", fusion.dims = ["n", ""]},
    %x39: tensor<?xf32> {fusion.name = "x39", fusion.dims = ["n"]})
    -> (tensor<?xf32> {fusion.name = "y0"},
        tensor<2x?xf16> {fusion.name = "y1"},
        tensor<?xf32> {fusion.name = "y2"},
        tensor<?xf32> {fusion.name = "y3"},
        tensor<5x?xf16> {fusion.name = "y4"},
        tensor<?xf32> {fusion.name = "y5"},
        tensor<?xf32> {fusion.name = "y6"},
        tensor<8x?xf16> {fusion.name = "y7"},
        tensor<?xf32> {fusion.name = "y8"},
        tensor<?xf32> {fusion.name = "y9"},
        tensor<11x?xf16> {fusion.name = "y10"},
        tensor<?xf32> {fusion.name = "y11"},
        tensor<?xf32> {fusion.name = "y12"},
        tensor<14x?xf16> {fusion.name = "y13"},
        tensor<?xf32> {fusion.name = "y14"},
        tensor<?xf32> {fusion.name = "y15"},
        tensor<17x?xf16> {fusion.name = "y16"},
        tensor<?xf32> {fusion.name = "y17"},
        tensor<?xf32> {fusion.name = "y18"},
        tensor<20x?xf16> {fusion.name = "y19"},
        tensor<?xf32> {fusion.name = "y20"},
        tensor<?xf32> {fusion.name = "y21"},
        tensor<23x?xf16> {fusion.name = "y22"},
        tensor<?xf32> {fusion.name = "y23"},
        tensor<?xf32> {fusion.name = "y24"},
        tensor<26x?xf16> {fusion.name = "y25"},
        tensor<?xf32> {fusion.name = "y26"},
        tensor<?xf32> {fusion.name = "y27"},
        tensor<29x?xf16> {fusion.name = "y28"},
        tensor<?xf32> {fusion.name = "y29"},
        tensor<?xf32> {fusion.name = "y30"},
        tensor<32x?xf16> {fusion.name = "y31"},
        tensor<?xf32> {fusion.name = "y32"},
        tensor<?xf32> {fusion.name = "y33"},
        tensor<35x?xf16> {fusion.name = "y34"},
        tensor<?xf32> {fusion.name = "y35"},
        tensor<?xf32> {fusion.name = "y36"},
        tensor<38x?xf16> {fusion.name = "y37"},
        tensor<?xf32> {fusion.name = "y38"},
        tensor<?xf32> {fusion.name = "y39"}) {
  %y0 = fusion.exp %x0 : tensor<?xf32>
  %y1 = fusion.neg %x1 : tensor<2x?xf16>
  %y2 = fusion.reduce max, %x2 dims = [1] : tensor<?x4xf32> to tensor<?xf32>
  %y3 = fusion.exp %x3 : tensor<?xf32>
  %y4 = fusion.neg %x4 : tensor<5x?xf16>
  %y5 = fusion.reduce max, %x5 dims = [1] : tensor<?x7xf32> to tensor<?xf32>
  %y6 = fusion.exp %x6 : tensor<?xf32>
  %y7 = fusion.neg %x7 : tensor<8x?xf16>
  %y8 = fusion.reduce max, %x8 dims = [1] : tensor<?x10xf32> to tensor<?xf32>
  %y9 = fusion.exp %x9 : tensor<?xf32>
  %y10 = fusion.neg %x10 : tensor<11x?xf16>
  %y11 = fusion.reduce max, %x11 dims = [1] : tensor<?x13xf32> to tensor<?xf32>
  %y12 = fusion.exp %x12 : tensor<?xf32>
  %y13 = fusion.neg %x13 : tensor<14x?xf16>
  %y14 = fusion.reduce max, %x14 dims = [1] : tensor<?x16xf32> to tensor<?xf32>
  %y15 = fusion.exp %x15 : tensor<?xf32>
  %y16 = fusion.neg %x16 : tensor<17x?xf16>
  %y17 = fusion.reduce max, %x17 dims = [1] : tensor<?x19xf32> to tensor<?xf32>
  %y18 = fusion.exp %x18 : tensor<?xf32>
  %y19 = fusion.neg %x19 : tensor<20x?xf16>
  %y20 = fusion.reduce max, %x20 dims = [1] : tensor<?x22xf32> to tensor<?xf32>
  %y21 = fusion.exp %x21 : tensor<?xf32>
  %y22 = fusion.neg %x22 : tensor<23x?xf16>
  %y23 = fusion.reduce max, %x23 dims = [1] : tensor<?x25xf32> to tensor<?xf32>
  %y24 = fusion.exp %x24 : tensor<?xf32>
  %y25 = fusion.neg %x25 : tensor<26x?xf16>
  %y26 = fusion.reduce max, %x26 dims = [1] : tensor<?x28xf32> to tensor<?xf32>
  %y27 = fusion.exp %x27 : tensor<?xf32>
  %y28 = fusion.neg %x28 : tensor<29x?xf16>
  %y29 = fusion.reduce max, %x29 dims = [1] : tensor<?x31xf32> to tensor<?xf32>
  %y30 = fusion.exp %x30 : tensor<?xf32>
  %y31 = fusion.neg %x31 : tensor<32x?xf16>
  %y32 = fusion.reduce max, %x32 dims = [1] : tensor<?x34xf32> to tensor<?xf32>
  %y33 = fusion.exp %x33 : tensor<?xf32>
  %y34 = fusion.neg %x34 : tensor<35x?xf16>
  %y35 = fusion.reduce max, %x35 dims = [1] : tensor<?x37xf32> to tensor<?xf32>
  %y36 = fusion.exp %x36 : tensor<?xf32>
  %y37 = fusion.neg %x37 : tensor<38x?xf16>
  %y38 = fusion.reduce max, %x38 dims = [1] : tensor<?x40xf32> to tensor<?xf32>
  %y39 = fusion.exp %x39 : tensor<?xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11, %y12, %y13, %y14, %y15, %y16, %y17, %y18, %y19, %y20, %y21, %y22, %y23, %y24, %y25, %y26, %y27, %y28, %y29, %y30, %y31, %y32, %y33, %y34, %y35, %y36, %y37, %y38, %y39
      : tensor<?xf32>, tensor<2x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<5x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<8x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<11x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<14x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<17x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<20x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<23x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<26x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<29x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<32x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<35x?xf16>, tensor<?xf32>, tensor<?xf32>, tensor<38x?xf16>, tensor<?xf32>, tensor<?xf32>
}
