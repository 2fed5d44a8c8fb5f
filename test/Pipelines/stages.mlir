// Each stage's pipeline, as the list of its passes.
//
// RUN: fusion-opt %s -o /dev/null --dump-pass-pipeline -pass-pipeline='builtin.module(fusion-graph-to-linalg,fusion-linalg-to-groups{target=sm_80 fuse=vertical})' 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN:      builtin.module(fusion-decompose,canonicalize{{.*}},cse,fusion-to-linalg,canonicalize{{.*}},cse
// PLAN-SAME: func.func(fusion-form-groups{fuse=vertical target=sm_80})
//
// RUN: fusion-opt %s -o /dev/null --dump-pass-pipeline -pass-pipeline='builtin.module(fusion-groups-to-tiles{target=sm_90a},fusion-tile-programs-to-gpu{target=sm_90a})' 2>&1 | FileCheck %s --check-prefix=GPU
// GPU:      builtin.module(func.func(fusion-elide-roundings),fusion-outline-groups
// GPU-SAME: fusion-group-to-tiles{strict=false target=sm_90a}
// GPU-SAME: tile-assign-layouts
// GPU-SAME: tile-pipeline-copies
// GPU-SAME: fusion-tiles-to-gpu{target=sm_90a}
//
// Every value is rounded: no pass elides.
// RUN: fusion-opt %s -o /dev/null --dump-pass-pipeline -pass-pipeline='builtin.module(fusion-groups-to-tiles{target=sm_90a numerics=strict})' 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT-NOT:  fusion-elide-roundings
// STRICT:      fusion-outline-groups
// STRICT-SAME: fusion-group-to-tiles{strict=true target=sm_90a}
//
// RUN: fusion-opt %s -o /dev/null --dump-pass-pipeline -pass-pipeline='builtin.module(fusion-groups-to-tiles,fusion-tile-programs-to-gpu,fusion-gpu-to-llvm)' 2>&1 | FileCheck %s --check-prefix=CPU
// CPU-NOT:  tile-assign-layouts
// CPU:      fusion-outline-groups
// CPU-SAME: fusion-tile-group-for-cpu
// CPU-SAME: fusion-host-to-llvm

module {}
