// A result of each pipeline, one after the other.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-graph,fusion-graph-to-linalg)' | FileCheck %s --check-prefix=LINALG
// LINALG-LABEL: func.func @main
// LINALG-COUNT-2: linalg.generic
// LINALG-NOT:     linalg.generic
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-graph-to-linalg,fusion-linalg-to-groups)' | FileCheck %s --check-prefix=GROUPS
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-graph-to-linalg,fusion-linalg-to-groups{fuse=none})' | FileCheck %s --check-prefix=UNFUSED
// GROUPS:       fusion.group {{.*}}kinds ["vertical"]
// GROUPS-NOT:   fusion.group
// UNFUSED-COUNT-2: fusion.group
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-graph-to-linalg,fusion-linalg-to-groups{target=sm_90a},fusion-groups-to-tiles{target=sm_90a})' | FileCheck %s --check-prefix=TILES
// TILES:       func.func @main
// TILES:       call @group_0
// TILES:       tile.launch @kernels::@group_0
// TILES:       gpu.module @kernels
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-graph-to-linalg,fusion-linalg-to-groups,fusion-groups-to-tiles,fusion-tile-programs-to-gpu,fusion-gpu-to-llvm)' | FileCheck %s --check-prefix=LLVM
// LLVM-DAG: llvm.func @fusion_run
// LLVM-DAG: llvm.mlir.global {{.*}}@fusion_program

func.func @main(%x: tensor<64x128xf32> {fusion.name = "x"}) -> (tensor<64x128xf32> {fusion.name = "y"}) {
  %0 = fusion.exp %x : tensor<64x128xf32>
  %1 = fusion.neg %0 : tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
