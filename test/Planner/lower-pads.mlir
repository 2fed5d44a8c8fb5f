// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a fuse=none}))' | FileCheck %s

// CHECK-LABEL: func.func @low_only(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32>
// CHECK:         fusion.group {{.*}} ins(%[[X]]
// CHECK:         ^bb0(%[[ARG:.*]]: tensor<?x8xf32>
// CHECK-DAG:       %[[PAD:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG:       %[[TWO:.*]] = arith.constant 2 : index
// CHECK:           linalg.generic
// CHECK:             %[[I:.*]] = linalg.index 0
// CHECK:             %[[J:.*]] = linalg.index 1
// CHECK:             %[[K:.*]] = arith.subi %[[J]], %[[TWO]]
// CHECK:             %[[IN:.*]] = arith.cmpi ult, %[[K]], %{{.*}}
// CHECK:             scf.if %[[IN]]
// CHECK:               tensor.extract %[[ARG]][%[[I]], %[[K]]]
// CHECK:             } else {
// CHECK:               scf.yield %[[PAD]]
func.func @low_only(%x: tensor<?x8xf32>) -> tensor<?x10xf32> {
  %v = arith.constant 0.5 : f32
  %p = tensor.pad %x low[0, 2] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<?x8xf32> to tensor<?x10xf32>
  return %p : tensor<?x10xf32>
}
