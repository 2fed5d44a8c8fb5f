// Arrays with a dim of size 0 beside a dynamic one, which kernels see as one dim:
// its size is not known to be 0 by the types.
// RUN: fusion-run %s --device=cpu --dim n=0 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --dim n=0 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --dim n=5 --verify | FileCheck %s
// CHECK-DAG: y: 7x0x{{[05]}}:u8
// CHECK-DAG: z: {{[05]}}x0x0:f32
func.func @main(%x: tensor<7x0x?xui8> {fusion.name = "x", fusion.dims = ["", "", "n"]},
                %a: tensor<?x?x0xf32> {fusion.name = "a", fusion.dims = ["n", "n", ""]},
                %b: tensor<?x?x0xf32> {fusion.name = "b", fusion.dims = ["n", "n", ""]})
    -> (tensor<7x0x?xui8> {fusion.name = "y"}, tensor<?x0x0xf32> {fusion.name = "z"}) {
  %0 = fusion.add %x, %x : tensor<7x0x?xui8>
  %1 = fusion.matmul %a, %b {transpose_a} : tensor<?x?x0xf32>, tensor<?x?x0xf32> -> tensor<?x0x0xf32>
  return %0, %1 : tensor<7x0x?xui8>, tensor<?x0x0xf32>
}
