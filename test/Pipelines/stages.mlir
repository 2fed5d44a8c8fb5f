// Each stage's pipeline, as the list of its passes.
//
// RUN: fusion-opt %s -o /dev/null --dump-pass-pipeline -pass-pipeline='builtin.module(fusion-graph-to-linalg,fusion-linalg-to-groups{target=sm_80 fuse=vertical})' 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN:      builtin.module(
// PLAN-NEXT:   fusion-decompose,
// PLAN-NEXT:   fusion-canonicalize
// PLAN-NEXT:   cse,
// PLAN-NEXT:   fusion-to-linalg,
// PLAN-NEXT:   fusion-canonicalize
// PLAN-NEXT:   cse,
// PLAN-NEXT:   func.func(
// PLAN-NEXT:     fusion-adopt-linalg
// PLAN-NEXT:   ),
// PLAN-NEXT:   func.func(
// PLAN-NEXT:     fusion-prepare-conditionals
// PLAN-NEXT:   ),
// PLAN-NEXT:   func.func(
// PLAN-NEXT:     fusion-merge-arms{fuse=vertical target=sm_80}
// PLAN-NEXT:   ),
// PLAN-NEXT:   func.func(
// PLAN-NEXT:     fusion-form-groups{fuse=vertical strict=false target=sm_80}
// PLAN-NEXT:   ),
// PLAN-NEXT:   fusion-fit-groups{composites-only=false strict=false target=sm_80},
// PLAN-NEXT:   func.func(
// PLAN-NEXT:     fusion-flatten-conditionals
// PLAN-NEXT:   ),
// PLAN-NEXT:   func.func(
// PLAN-NEXT:     fusion-place-predicates{fuse=vertical target=sm_80}
// PLAN-NEXT:   ),
// PLAN-NEXT:   func.func(
// PLAN-NEXT:     fusion-pack-launches{fuse=vertical target=sm_80}
// PLAN-NEXT:   ),
// PLAN-NEXT:   func.func(
// PLAN-NEXT:     fusion-inline-predicates
// PLAN-NEXT:   ),
// PLAN-NEXT:   cse,
// PLAN-NEXT:   fusion-fit-groups{composites-only=true strict=false target=sm_80},
// PLAN-NEXT:   func.func(
// PLAN-NEXT:     fusion-explain-edges
// PLAN-NEXT:   )
// PLAN-NEXT: )
//
// RUN: fusion-opt %s -o /dev/null --dump-pass-pipeline -pass-pipeline='builtin.module(fusion-graph-to-linalg,fusion-linalg-to-groups{target=sm_90a},fusion-groups-to-tiles{target=sm_90a},fusion-tile-programs-to-gpu{target=sm_90a})' 2>&1 | FileCheck %s --check-prefix=GPU
// GPU:      fusion-elide-roundings
// GPU:      fusion-outline-groups
// GPU:      fusion-group-to-tiles{strict=false target=sm_90a}
// GPU:      gpu.module(
// GPU-NEXT:   tile-assign-layouts
// GPU:      tile-pipeline-copies
// GPU:      gpu.module(
// GPU-NEXT:   fusion-tiles-to-gpu{target=sm_90a}
// GPU:      fusion-merge-launches
// GPU:      fusion-tabulate-parameters
//
// Limits come first.
// RUN: fusion-opt %s -o /dev/null --dump-pass-pipeline -pass-pipeline='builtin.module(fusion-graph-to-linalg{limits=shared=16384,grid=7})' 2>&1 | FileCheck %s --check-prefix=LIMITS
// LIMITS:      builtin.module(
// LIMITS-NEXT:   fusion-set-limits{limits=shared=16384,grid=7}
//
// Every value is rounded: no pass elides.
// RUN: fusion-opt %s -o /dev/null --dump-pass-pipeline -pass-pipeline='builtin.module(fusion-graph-to-linalg,fusion-linalg-to-groups,fusion-groups-to-tiles{target=sm_90a numerics=strict})' 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT-NOT: fusion-elide-roundings
// STRICT:     fusion-outline-groups
// STRICT:     fusion-group-to-tiles{strict=true target=sm_90a}
//
// RUN: fusion-opt %s -o /dev/null --dump-pass-pipeline -pass-pipeline='builtin.module(fusion-graph-to-linalg,fusion-linalg-to-groups,fusion-groups-to-tiles,fusion-tile-programs-to-gpu,fusion-gpu-to-llvm)' 2>&1 | FileCheck %s --check-prefix=CPU
// CPU-NOT: tile-assign-layouts
// CPU:     fusion-outline-groups
// CPU:     fusion-tile-group-for-cpu
// CPU:     fusion-plan-workspace
// CPU:     fusion-host-to-llvm

func.func @main(%x: tensor<64xf32> {fusion.name = "x"}) -> (tensor<64xf32> {fusion.name = "y"}) {
  %0 = fusion.exp %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}
