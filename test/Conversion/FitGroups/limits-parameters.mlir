// Two products in one launch need more tensor maps than the limit for parameters: two
// launches on sm_90a. Kernels for sm_80 take none, and other parameters go to a table.
//
// DEFINE: %{report} = fusion-compile %s --report=%t.json --emit=gpu -o %t.mlir
// DEFINE: %{run} = fusion-run %s --device=emulator --verify
//
// RUN: %{report} --target=sm_90a \
// RUN:   && FileCheck %s --input-file=%t.json --check-prefix=FREE
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=PLAIN
// FREE-NOT: holds both
// FREE:     "launches_after": 1,
// FREE-NOT: holds both
// PLAIN-NOT: table(
// PLAIN:     tile.launch
// PLAIN-NOT: table(
//
// RUN: %{report} --target=sm_90a --device-limits=parameters=512 \
// RUN:   && FileCheck %s --input-file=%t.json --check-prefix=MAPS
// MAPS-DAG: "launches_after": 2,
// MAPS-DAG: "reason": "no launch holds both: the kernel would take more tensor maps than its parameters hold"
//
// Not even one: another kind of schedule, which wants none.
// RUN: %{report} --target=sm_90a --device-limits=parameters=100 \
// RUN:   && FileCheck %s --input-file=%t.mlir --check-prefix=MAPLESS
// MAPLESS-NOT: tensor_map
// MAPLESS:     pipeline = "multistage"
// MAPLESS-NOT: tensor_map
//
// RUN: %{report} --target=sm_80 --device-limits=parameters=8 \
// RUN:   && FileCheck %s --input-file=%t.json --check-prefix=FREE
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=TABLE
// TABLE: tile.launch{{.*}}table(
//
// RUN: %{run} --target=sm_90a --device-limits=parameters=512 | FileCheck %s
// RUN: %{run} --target=sm_90a --device-limits=parameters=100 | FileCheck %s
// RUN: %{run} --target=sm_80 --device-limits=parameters=8 | FileCheck %s
// CHECK: verify: all 2 results of groups agree with the unfused program
func.func @main(%u: tensor<64x128xf16> {fusion.name = "u"}, %v: tensor<128x64xf16> {fusion.name = "v"},
                %w: tensor<128x64xf16> {fusion.name = "w"})
    -> (tensor<64x64xf16> {fusion.name = "p"}, tensor<64x64xf16> {fusion.name = "q"}) {
  %p = fusion.matmul %u, %v : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf16>
  %q = fusion.matmul %u, %w : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf16>
  return %p, %q : tensor<64x64xf16>, tensor<64x64xf16>
}
