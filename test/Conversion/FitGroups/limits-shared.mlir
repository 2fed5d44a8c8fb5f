// Two products in one kernel need more shared memory than the limit: they are split,
// and each has a tile that fits.
//
// DEFINE: %{report} = fusion-compile %s --report=%t.json --emit=gpu -o %t.mlir
// DEFINE: %{run} = fusion-run %s --device=emulator --verify
//
// RUN: %{report} --target=sm_80 \
// RUN:   && FileCheck %s --input-file=%t.json --check-prefix=FREE
// RUN: %{report} --target=sm_90a --device-limits=shared=32768 \
// RUN:   && FileCheck %s --input-file=%t.json --check-prefix=FREE
// FREE-NOT: holds both
// FREE:     "launches_after": 1,
// FREE-NOT: holds both
//
// RUN: %{report} --target=sm_80 --device-limits=shared=8192 \
// RUN:   && FileCheck %s --input-file=%t.json --check-prefix=SHARED
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=BYTES
// RUN: %{report} --target=sm_90a --device-limits=shared=8192 \
// RUN:   && FileCheck %s --input-file=%t.json --check-prefix=SHARED
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=BYTES
// SHARED-DAG: "launches_after": 2,
// SHARED-DAG: "reason": "no kernel holds both: no schedule fits: {{[0-9]+}} bytes of shared memory are more than 8192"
// BYTES-COUNT-2: fusion.shared_bytes = 7168
//
// RUN: %{run} --target=sm_80 --device-limits=shared=8192 | FileCheck %s
// RUN: %{run} --target=sm_90a --device-limits=shared=8192 | FileCheck %s
// CHECK: verify: all 2 results of groups agree with the unfused program
func.func @main(%x: tensor<64x64xf16> {fusion.name = "x"}, %a: tensor<64x16xf16> {fusion.name = "a"},
                %b: tensor<16x64xf16> {fusion.name = "b"}) -> (tensor<64x64xf16> {fusion.name = "y"}) {
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.matmul %0, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %1 : tensor<64x64xf16>
}
