// Parts of arrays along k as operands of products, with k no multiple of the
// steps: what lies behind a part is no part of a sum, be it NaN.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy f32:2x30 nan nan nan 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 nan nan nan \
// RUN:   nan nan nan 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 nan nan nan
// DEFINE: %{run} = fusion-run %s --input x=%t/x.npy --input o=%t/x.npy --input u=ones --input w=ones --input h=ones --input g=ones --verify
// RUN: %{run} --device=cpu | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_80 | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_90a | FileCheck %s
// RUN: fusion-compile %s --target=sm_90a --emit=groups -o - | FileCheck %s --check-prefix=PLAN

// PLAN:         fusion.group "elementwise+contraction | elementwise+contraction | elementwise+contraction"

// CHECK-DAG: y: 2x40:f32 least 24 most 24 mean 24
// CHECK-DAG: z: 2x8:f32 least 24 most 24 mean 24
// CHECK-DAG: v: 70x48:f16 least 72 most 72 mean 72
// CHECK: verify: all {{[1-9].*}} agree
func.func @main(%x: tensor<2x30xf32> {fusion.name = "x"}, %w: tensor<40x40xf32> {fusion.name = "w"},
                %o: tensor<2x30xf32> {fusion.name = "o"}, %u: tensor<24x8xf32> {fusion.name = "u"},
                %h: tensor<70x200xf16> {fusion.name = "h"}, %g: tensor<96x48xf16> {fusion.name = "g"})
    -> (tensor<2x40xf32> {fusion.name = "y"}, tensor<2x8xf32> {fusion.name = "z"}, tensor<70x48xf16> {fusion.name = "v"}) {
  %a = fusion.slice %x starts = [0, 3] steps = [1, 1] : tensor<2x30xf32> to tensor<2x24xf32>
  %b = fusion.slice %w starts = [8, 0] steps = [1, 1] : tensor<40x40xf32> to tensor<24x40xf32>
  %y = fusion.matmul %a, %b : tensor<2x24xf32>, tensor<24x40xf32> -> tensor<2x40xf32>
  // One side only.
  %c = fusion.slice %o starts = [0, 3] steps = [1, 1] : tensor<2x30xf32> to tensor<2x24xf32>
  %z = fusion.matmul %c, %u : tensor<2x24xf32>, tensor<24x8xf32> -> tensor<2x8xf32>
  // What bulk copies could fetch.
  %p = fusion.slice %h starts = [0, 8] steps = [1, 1] : tensor<70x200xf16> to tensor<70x72xf16>
  %q = fusion.slice %g starts = [16, 0] steps = [1, 1] : tensor<96x48xf16> to tensor<72x48xf16>
  %v = fusion.matmul %p, %q : tensor<70x72xf16>, tensor<72x48xf16> -> tensor<70x48xf16>
  return %y, %z, %v : tensor<2x40xf32>, tensor<2x8xf32>, tensor<70x48xf16>
}
