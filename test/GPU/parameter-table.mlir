// 70 independent ops on arrays of three dynamic dims: 4480 bytes of addresses and
// sizes, which one launch reads from a table in memory.
//
// RUN: %gpu-tests --device=emulator --target=sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: n=2 one=1 three=3
// GPU-CASE: n=1,67,4096 one=1 three=3
// GPU-CASE-STATIC: n=67 one=1 three=3

func.func @main(
    %x0: tensor<?x?x?xf32> {fusion.name = "x0", fusion.dims = ["one", "n", "three"]},
    %x1: tensor<?x?x?xf32> {fusion.name = "x1", fusion.dims = ["one", "n", "three"]},
    %x2: tensor<?x?x?xf32> {fusion.name = "x2", fusion.dims = ["one", "n", "three"]},
    %x3: tensor<?x?x?xf32> {fusion.name = "x3", fusion.dims = ["one", "n", "three"]},
    %x4: tensor<?x?x?xf32> {fusion.name = "x4", fusion.dims = ["one", "n", "three"]},
    %x5: tensor<?x?x?xf32> {fusion.name = "x5", fusion.dims = ["one", "n", "three"]},
    %x6: tensor<?x?x?xf32> {fusion.name = "x6", fusion.dims = ["one", "n", "three"]},
    %x7: tensor<?x?x?xf32> {fusion.name = "x7", fusion.dims = ["one", "n", "three"]},
    %x8: tensor<?x?x?xf32> {fusion.name = "x8", fusion.dims = ["one", "n", "three"]},
    %x9: tensor<?x?x?xf32> {fusion.name = "x9", fusion.dims = ["one", "n", "three"]},
    %x10: tensor<?x?x?xf32> {fusion.name = "x10", fusion.dims = ["one", "n", "three"]},
    %x11: tensor<?x?x?xf32> {fusion.name = "x11", fusion.dims = ["one", "n", "three"]},
    %x12: tensor<?x?x?xf32> {fusion.name = "x12", fusion.dims = ["one", "n", "three"]},
    %x13: tensor<?x?x?xf32> {fusion.name = "x13", fusion.dims = ["one", "n", "three"]},
    %x14: tensor<?x?x?xf32> {fusion.name = "x14", fusion.dims = ["one", "n", "three"]},
    %x15: tensor<?x?x?xf32> {fusion.name = "x15", fusion.dims = ["one", "n", "three"]},
    %x16: tensor<?x?x?xf32> {fusion.name = "x16", fusion.dims = ["one", "n", "three"]},
    %x17: tensor<?x?x?xf32> {fusion.name = "x17", fusion.dims = ["one", "n", "three"]},
    %x18: tensor<?x?x?xf32> {fusion.name = "x18", fusion.dims = ["one", "n", "three"]},
    %x19: tensor<?x?x?xf32> {fusion.name = "x19", fusion.dims = ["one", "n", "three"]},
    %x20: tensor<?x?x?xf32> {fusion.name = "x20", fusion.dims = ["one", "n", "three"]},
    %x21: tensor<?x?x?xf32> {fusion.name = "x21", fusion.dims = ["one", "n", "three"]},
    %x22: tensor<?x?x?xf32> {fusion.name = "x22", fusion.dims = ["one", "n", "three"]},
    %x23: tensor<?x?x?xf32> {fusion.name = "x23", fusion.dims = ["one", "n", "three"]},
    %x24: tensor<?x?x?xf32> {fusion.name = "x24", fusion.dims = ["one", "n", "three"]},
    %x25: tensor<?x?x?xf32> {fusion.name = "x25", fusion.dims = ["one", "n", "three"]},
    %x26: tensor<?x?x?xf32> {fusion.name = "x26", fusion.dims = ["one", "n", "three"]},
    %x27: tensor<?x?x?xf32> {fusion.name = "x27", fusion.dims = ["one", "n", "three"]},
    %x28: tensor<?x?x?xf32> {fusion.name = "x28", fusion.dims = ["one", "n", "three"]},
    %x29: tensor<?x?x?xf32> {fusion.name = "x29", fusion.dims = ["one", "n", "three"]},
    %x30: tensor<?x?x?xf32> {fusion.name = "x30", fusion.dims = ["one", "n", "three"]},
    %x31: tensor<?x?x?xf32> {fusion.name = "x31", fusion.dims = ["one", "n", "three"]},
    %x32: tensor<?x?x?xf32> {fusion.name = "x32", fusion.dims = ["one", "n", "three"]},
    %x33: tensor<?x?x?xf32> {fusion.name = "x33", fusion.dims = ["one", "n", "three"]},
    %x34: tensor<?x?x?xf32> {fusion.name = "x34", fusion.dims = ["one", "n", "three"]},
    %x35: tensor<?x?x?xf32> {fusion.name = "x35", fusion.dims = ["one", "n", "three"]},
    %x36: tensor<?x?x?xf32> {fusion.name = "x36", fusion.dims = ["one", "n", "three"]},
    %x37: tensor<?x?x?xf32> {fusion.name = "x37", fusion.dims = ["one", "n", "three"]},
    %x38: tensor<?x?x?xf32> {fusion.name = "x38", fusion.dims = ["one", "n", "three"]},
    %x39: tensor<?x?x?xf32> {fusion.name = "x39", fusion.dims = ["one", "n", "three"]},
    %x40: tensor<?x?x?xf32> {fusion.name = "x40", fusion.dims = ["one", "n", "three"]},
    %x41: tensor<?x?x?xf32> {fusion.name = "x41", fusion.dims = ["one", "n", "three"]},
    %x42: tensor<?x?x?xf32> {fusion.name = "x42", fusion.dims = ["one", "n", "three"]},
    %x43: tensor<?x?x?xf32> {fusion.name = "x43", fusion.dims = ["one", "n", "three"]},
    %x44: tensor<?x?x?xf32> {fusion.name = "x44", fusion.dims = ["one", "n", "three"]},
    %x45: tensor<?x?x?xf32> {fusion.name = "x45", fusion.dims = ["one", "n", "three"]},
    %x46: tensor<?x?x?xf32> {fusion.name = "x46", fusion.dims = ["one", "n", "three"]},
    %x47: tensor<?x?x?xf32> {fusion.name = "x47", fusion.dims = ["one", "n", "three"]},
    %x48: tensor<?x?x?xf32> {fusion.name = "x48", fusion.dims = ["one", "n", "three"]},
    %x49: tensor<?x?x?xf32> {fusion.name = "x49", fusion.dims = ["one", "n", "three"]},
    %x50: tensor<?x?x?xf32> {fusion.name = "x50", fusion.dims = ["one", "n", "three"]},
    %x51: tensor<?x?x?xf32> {fusion.name = "x51", fusion.dims = ["one", "n", "three"]},
    %x52: tensor<?x?x?xf32> {fusion.name = "x52", fusion.dims = ["one", "n", "three"]},
    %x53: tensor<?x?x?xf32> {fusion.name = "x53", fusion.dims = ["one", "n", "three"]},
    %x54: tensor<?x?x?xf32> {fusion.name = "x54", fusion.dims = ["one", "n", "three"]},
    %x55: tensor<?x?x?xf32> {fusion.name = "x55", fusion.dims = ["one", "n", "three"]},
    %x56: tensor<?x?x?xf32> {fusion.name = "x56", fusion.dims = ["one", "n", "three"]},
    %x57: tensor<?x?x?xf32> {fusion.name = "x57", fusion.dims = ["one", "n", "three"]},
    %x58: tensor<?x?x?xf32> {fusion.name = "x58", fusion.dims = ["one", "n", "three"]},
    %x59: tensor<?x?x?xf32> {fusion.name = "x59", fusion.dims = ["one", "n", "three"]},
    %x60: tensor<?x?x?xf32> {fusion.name = "x60", fusion.dims = ["one", "n", "three"]},
    %x61: tensor<?x?x?xf32> {fusion.name = "x61", fusion.dims = ["one", "n", "three"]},
    %x62: tensor<?x?x?xf32> {fusion.name = "x62", fusion.dims = ["one", "n", "three"]},
    %x63: tensor<?x?x?xf32> {fusion.name = "x63", fusion.dims = ["one", "n", "three"]},
    %x64: tensor<?x?x?xf32> {fusion.name = "x64", fusion.dims = ["one", "n", "three"]},
    %x65: tensor<?x?x?xf32> {fusion.name = "x65", fusion.dims = ["one", "n", "three"]},
    %x66: tensor<?x?x?xf32> {fusion.name = "x66", fusion.dims = ["one", "n", "three"]},
    %x67: tensor<?x?x?xf32> {fusion.name = "x67", fusion.dims = ["one", "n", "three"]},
    %x68: tensor<?x?x?xf32> {fusion.name = "x68", fusion.dims = ["one", "n", "three"]},
    %x69: tensor<?x?x?xf32> {fusion.name = "x69", fusion.dims = ["one", "n", "three"]})
    -> (tensor<?x?x?xf32> {fusion.name = "y0"},
        tensor<?x?x?xf32> {fusion.name = "y1"},
        tensor<?x?x?xf32> {fusion.name = "y2"},
        tensor<?x?x?xf32> {fusion.name = "y3"},
        tensor<?x?x?xf32> {fusion.name = "y4"},
        tensor<?x?x?xf32> {fusion.name = "y5"},
        tensor<?x?x?xf32> {fusion.name = "y6"},
        tensor<?x?x?xf32> {fusion.name = "y7"},
        tensor<?x?x?xf32> {fusion.name = "y8"},
        tensor<?x?x?xf32> {fusion.name = "y9"},
        tensor<?x?x?xf32> {fusion.name = "y10"},
        tensor<?x?x?xf32> {fusion.name = "y11"},
        tensor<?x?x?xf32> {fusion.name = "y12"},
        tensor<?x?x?xf32> {fusion.name = "y13"},
        tensor<?x?x?xf32> {fusion.name = "y14"},
        tensor<?x?x?xf32> {fusion.name = "y15"},
        tensor<?x?x?xf32> {fusion.name = "y16"},
        tensor<?x?x?xf32> {fusion.name = "y17"},
        tensor<?x?x?xf32> {fusion.name = "y18"},
        tensor<?x?x?xf32> {fusion.name = "y19"},
        tensor<?x?x?xf32> {fusion.name = "y20"},
        tensor<?x?x?xf32> {fusion.name = "y21"},
        tensor<?x?x?xf32> {fusion.name = "y22"},
        tensor<?x?x?xf32> {fusion.name = "y23"},
        tensor<?x?x?xf32> {fusion.name = "y24"},
        tensor<?x?x?xf32> {fusion.name = "y25"},
        tensor<?x?x?xf32> {fusion.name = "y26"},
        tensor<?x?x?xf32> {fusion.name = "y27"},
        tensor<?x?x?xf32> {fusion.name = "y28"},
        tensor<?x?x?xf32> {fusion.name = "y29"},
        tensor<?x?x?xf32> {fusion.name = "y30"},
        tensor<?x?x?xf32> {fusion.name = "y31"},
        tensor<?x?x?xf32> {fusion.name = "y32"},
        tensor<?x?x?xf32> {fusion.name = "y33"},
        tensor<?x?x?xf32> {fusion.name = "y34"},
        tensor<?x?x?xf32> {fusion.name = "y35"},
        tensor<?x?x?xf32> {fusion.name = "y36"},
        tensor<?x?x?xf32> {fusion.name = "y37"},
        tensor<?x?x?xf32> {fusion.name = "y38"},
        tensor<?x?x?xf32> {fusion.name = "y39"},
        tensor<?x?x?xf32> {fusion.name = "y40"},
        tensor<?x?x?xf32> {fusion.name = "y41"},
        tensor<?x?x?xf32> {fusion.name = "y42"},
        tensor<?x?x?xf32> {fusion.name = "y43"},
        tensor<?x?x?xf32> {fusion.name = "y44"},
        tensor<?x?x?xf32> {fusion.name = "y45"},
        tensor<?x?x?xf32> {fusion.name = "y46"},
        tensor<?x?x?xf32> {fusion.name = "y47"},
        tensor<?x?x?xf32> {fusion.name = "y48"},
        tensor<?x?x?xf32> {fusion.name = "y49"},
        tensor<?x?x?xf32> {fusion.name = "y50"},
        tensor<?x?x?xf32> {fusion.name = "y51"},
        tensor<?x?x?xf32> {fusion.name = "y52"},
        tensor<?x?x?xf32> {fusion.name = "y53"},
        tensor<?x?x?xf32> {fusion.name = "y54"},
        tensor<?x?x?xf32> {fusion.name = "y55"},
        tensor<?x?x?xf32> {fusion.name = "y56"},
        tensor<?x?x?xf32> {fusion.name = "y57"},
        tensor<?x?x?xf32> {fusion.name = "y58"},
        tensor<?x?x?xf32> {fusion.name = "y59"},
        tensor<?x?x?xf32> {fusion.name = "y60"},
        tensor<?x?x?xf32> {fusion.name = "y61"},
        tensor<?x?x?xf32> {fusion.name = "y62"},
        tensor<?x?x?xf32> {fusion.name = "y63"},
        tensor<?x?x?xf32> {fusion.name = "y64"},
        tensor<?x?x?xf32> {fusion.name = "y65"},
        tensor<?x?x?xf32> {fusion.name = "y66"},
        tensor<?x?x?xf32> {fusion.name = "y67"},
        tensor<?x?x?xf32> {fusion.name = "y68"},
        tensor<?x?x?xf32> {fusion.name = "y69"}) {
  %y0 = fusion.exp %x0 : tensor<?x?x?xf32>
  %y1 = fusion.neg %x1 : tensor<?x?x?xf32>
  %y2 = fusion.tanh %x2 : tensor<?x?x?xf32>
  %y3 = fusion.exp %x3 : tensor<?x?x?xf32>
  %y4 = fusion.neg %x4 : tensor<?x?x?xf32>
  %y5 = fusion.tanh %x5 : tensor<?x?x?xf32>
  %y6 = fusion.exp %x6 : tensor<?x?x?xf32>
  %y7 = fusion.neg %x7 : tensor<?x?x?xf32>
  %y8 = fusion.tanh %x8 : tensor<?x?x?xf32>
  %y9 = fusion.exp %x9 : tensor<?x?x?xf32>
  %y10 = fusion.neg %x10 : tensor<?x?x?xf32>
  %y11 = fusion.tanh %x11 : tensor<?x?x?xf32>
  %y12 = fusion.exp %x12 : tensor<?x?x?xf32>
  %y13 = fusion.neg %x13 : tensor<?x?x?xf32>
  %y14 = fusion.tanh %x14 : tensor<?x?x?xf32>
  %y15 = fusion.exp %x15 : tensor<?x?x?xf32>
  %y16 = fusion.neg %x16 : tensor<?x?x?xf32>
  %y17 = fusion.tanh %x17 : tensor<?x?x?xf32>
  %y18 = fusion.exp %x18 : tensor<?x?x?xf32>
  %y19 = fusion.neg %x19 : tensor<?x?x?xf32>
  %y20 = fusion.tanh %x20 : tensor<?x?x?xf32>
  %y21 = fusion.exp %x21 : tensor<?x?x?xf32>
  %y22 = fusion.neg %x22 : tensor<?x?x?xf32>
  %y23 = fusion.tanh %x23 : tensor<?x?x?xf32>
  %y24 = fusion.exp %x24 : tensor<?x?x?xf32>
  %y25 = fusion.neg %x25 : tensor<?x?x?xf32>
  %y26 = fusion.tanh %x26 : tensor<?x?x?xf32>
  %y27 = fusion.exp %x27 : tensor<?x?x?xf32>
  %y28 = fusion.neg %x28 : tensor<?x?x?xf32>
  %y29 = fusion.tanh %x29 : tensor<?x?x?xf32>
  %y30 = fusion.exp %x30 : tensor<?x?x?xf32>
  %y31 = fusion.neg %x31 : tensor<?x?x?xf32>
  %y32 = fusion.tanh %x32 : tensor<?x?x?xf32>
  %y33 = fusion.exp %x33 : tensor<?x?x?xf32>
  %y34 = fusion.neg %x34 : tensor<?x?x?xf32>
  %y35 = fusion.tanh %x35 : tensor<?x?x?xf32>
  %y36 = fusion.exp %x36 : tensor<?x?x?xf32>
  %y37 = fusion.neg %x37 : tensor<?x?x?xf32>
  %y38 = fusion.tanh %x38 : tensor<?x?x?xf32>
  %y39 = fusion.exp %x39 : tensor<?x?x?xf32>
  %y40 = fusion.neg %x40 : tensor<?x?x?xf32>
  %y41 = fusion.tanh %x41 : tensor<?x?x?xf32>
  %y42 = fusion.exp %x42 : tensor<?x?x?xf32>
  %y43 = fusion.neg %x43 : tensor<?x?x?xf32>
  %y44 = fusion.tanh %x44 : tensor<?x?x?xf32>
  %y45 = fusion.exp %x45 : tensor<?x?x?xf32>
  %y46 = fusion.neg %x46 : tensor<?x?x?xf32>
  %y47 = fusion.tanh %x47 : tensor<?x?x?xf32>
  %y48 = fusion.exp %x48 : tensor<?x?x?xf32>
  %y49 = fusion.neg %x49 : tensor<?x?x?xf32>
  %y50 = fusion.tanh %x50 : tensor<?x?x?xf32>
  %y51 = fusion.exp %x51 : tensor<?x?x?xf32>
  %y52 = fusion.neg %x52 : tensor<?x?x?xf32>
  %y53 = fusion.tanh %x53 : tensor<?x?x?xf32>
  %y54 = fusion.exp %x54 : tensor<?x?x?xf32>
  %y55 = fusion.neg %x55 : tensor<?x?x?xf32>
  %y56 = fusion.tanh %x56 : tensor<?x?x?xf32>
  %y57 = fusion.exp %x57 : tensor<?x?x?xf32>
  %y58 = fusion.neg %x58 : tensor<?x?x?xf32>
  %y59 = fusion.tanh %x59 : tensor<?x?x?xf32>
  %y60 = fusion.exp %x60 : tensor<?x?x?xf32>
  %y61 = fusion.neg %x61 : tensor<?x?x?xf32>
  %y62 = fusion.tanh %x62 : tensor<?x?x?xf32>
  %y63 = fusion.exp %x63 : tensor<?x?x?xf32>
  %y64 = fusion.neg %x64 : tensor<?x?x?xf32>
  %y65 = fusion.tanh %x65 : tensor<?x?x?xf32>
  %y66 = fusion.exp %x66 : tensor<?x?x?xf32>
  %y67 = fusion.neg %x67 : tensor<?x?x?xf32>
  %y68 = fusion.tanh %x68 : tensor<?x?x?xf32>
  %y69 = fusion.exp %x69 : tensor<?x?x?xf32>
  return
      %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11, %y12, %y13, %y14, %y15, %y16, %y17, %y18,
      %y19, %y20, %y21, %y22, %y23, %y24, %y25, %y26, %y27, %y28, %y29, %y30, %y31, %y32, %y33, %y34, %y35,
      %y36, %y37, %y38, %y39, %y40, %y41, %y42, %y43, %y44, %y45, %y46, %y47, %y48, %y49, %y50, %y51, %y52,
      %y53, %y54, %y55, %y56, %y57, %y58, %y59, %y60, %y61, %y62, %y63, %y64, %y65, %y66, %y67, %y68, %y69
      :
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>,
      tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>
}
