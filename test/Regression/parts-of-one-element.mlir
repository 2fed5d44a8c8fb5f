// A sum in as many parts as its outer dim has elements: that dim is a parallel loop of
// the first step. Called a reduction it was summed in every part.
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify 2>&1 | FileCheck %s
// RUN: fusion-compile %s --target=sm_90a --emit=groups | FileCheck %s --check-prefix=GROUPS

// CHECK: verify: all 2 results of groups agree
// CHECK-NOT: error
// GROUPS: iterator_types = ["parallel", "reduction", "reduction"]
func.func @main(%x: tensor<65x17x65xf32> {fusion.name = "x"}) -> (tensor<f32> {fusion.name = "y"}) {
  %0 = fusion.reduce mean, %x dims = [0, 1, 2] : tensor<65x17x65xf32> to tensor<f32>
  return %0 : tensor<f32>
}
