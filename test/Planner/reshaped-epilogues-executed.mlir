// An MLP whose result is added in another order, and a sum behind a product whose
// residual comes from another one: two launches each. They compute what they did.

// RUN: fusion-compile %s --target=sm_90a --report=- --emit=groups -o /dev/null | FileCheck %s --check-prefix=REPORT
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s

// REPORT: launches become 2,
// REPORT-NOT: alone
// CHECK:  verify: all {{[0-9]+}} results of groups agree

func.func @main(%x: tensor<2x21x24xf16>, %r: tensor<2x24x21xf16>, %w: tensor<24x40xf16>, %v: tensor<40x24xf16>,
                %y: tensor<2x15x9xf32>, %s: tensor<2x9x15xf32>, %u: tensor<9x9xf32>, %t: tensor<15x15xf32>)
    -> (tensor<2x24x21xf16>, tensor<2x9x15xf32>) {
  %0 = fusion.reshape %x : tensor<2x21x24xf16> to tensor<42x24xf16>
  %1 = fusion.matmul %0, %w : tensor<42x24xf16>, tensor<24x40xf16> -> tensor<42x40xf16>
  %2 = fusion.gelu %1 : tensor<42x40xf16>
  %3 = fusion.matmul %2, %v : tensor<42x40xf16>, tensor<40x24xf16> -> tensor<42x24xf16>
  %4 = fusion.reshape %3 : tensor<42x24xf16> to tensor<2x21x24xf16>
  %5 = fusion.transpose %4 perm = [0, 2, 1] : tensor<2x21x24xf16> to tensor<2x24x21xf16>
  %6 = fusion.add %r, %5 : tensor<2x24x21xf16>
  %7 = fusion.reshape %y : tensor<2x15x9xf32> to tensor<30x9xf32>
  %8 = fusion.matmul %7, %u : tensor<30x9xf32>, tensor<9x9xf32> -> tensor<30x9xf32>
  %9 = fusion.reshape %8 : tensor<30x9xf32> to tensor<2x15x9xf32>
  %10 = fusion.transpose %9 perm = [0, 2, 1] : tensor<2x15x9xf32> to tensor<2x9x15xf32>
  %11 = fusion.add %s, %10 : tensor<2x9x15xf32>
  %12 = fusion.tanh %11 : tensor<2x9x15xf32>
  %13 = fusion.reshape %12 : tensor<2x9x15xf32> to tensor<18x15xf32>
  %14 = fusion.matmul %13, %t : tensor<18x15xf32>, tensor<15x15xf32> -> tensor<18x15xf32>
  %15 = fusion.reshape %14 : tensor<18x15xf32> to tensor<2x9x15xf32>
  %16 = fusion.add %11, %15 : tensor<2x9x15xf32>
  return %6, %16 : tensor<2x24x21xf16>, tensor<2x9x15xf32>
}
