// RUN: fusion-opt %s -split-input-file -fusion-to-linalg -canonicalize | FileCheck %s

// One parallel op over the result, whose body computes what to read.
// CHECK-LABEL: func.func @slice(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[S:.*]]: index
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<4x3xf32>)
// CHECK-DAG:       %[[I:.*]] = linalg.index 0
// CHECK-DAG:       %[[J:.*]] = linalg.index 1
// CHECK-DAG:       %[[ROW:.*]] = arith.subi %c3, %[[I]]
// CHECK-DAG:       %[[STEP:.*]] = arith.muli %[[J]], %c2
// CHECK-DAG:       %[[COLUMN:.*]] = arith.addi %[[STEP]], %[[S]]
// CHECK:           tensor.extract %[[X]][%[[ROW]], %[[COLUMN]]]
func.func @slice(%x: tensor<4x8xf32>, %s: index) -> tensor<4x3xf32> {
  %0 = fusion.slice %x starts = [3, %s] steps = [-1, 2] : tensor<4x8xf32> to tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// Each input is read inside of its part only; one without elements never.
// CHECK-LABEL: func.func @concat(
// CHECK-SAME:    %[[X:.*]]: tensor<2xf32>, %[[NONE:.*]]: tensor<0xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK:         linalg.generic
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[IN_X:.*]] = arith.cmpi ult, %[[I]], %c2
// CHECK:           %[[FIRST:.*]] = scf.if %[[IN_X]]
// CHECK:             tensor.extract %[[X]][%[[I]]]
// CHECK:           %[[REST:.*]] = arith.subi %[[I]], %c2
// CHECK:           %[[IN_Y:.*]] = arith.cmpi ult, %[[REST]], %{{.*}}
// CHECK:           %[[BOTH:.*]] = scf.if %[[IN_Y]]
// CHECK:             tensor.extract %[[Y]][%[[REST]]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[FIRST]]
// CHECK:           linalg.yield %[[BOTH]]
func.func @concat(%x: tensor<2xf32>, %none: tensor<0xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fusion.concat %x, %none, %y dim = 0 : tensor<2xf32>, tensor<0xf32>, tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The index is an operand, so that what computes it may be fused.
// CHECK:       #[[$INDEX:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @gather(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[IDS:.*]]: tensor<3xi32>
// CHECK:         linalg.generic {indexing_maps = [#[[$INDEX]], #{{.*}}], {{.*}} ins(%[[IDS]]
// CHECK:         ^bb0(%[[ID:.*]]: i32, %{{.*}}: f32):
// CHECK:           %[[I:.*]] = arith.index_cast %[[ID]]
// CHECK:           %[[NEGATIVE:.*]] = arith.cmpi slt, %[[I]], %c0
// CHECK:           %[[END:.*]] = arith.addi %[[I]], %c8
// CHECK:           %[[EITHER:.*]] = arith.select %[[NEGATIVE]], %[[END]], %[[I]]
// CHECK:           %[[LOW:.*]] = arith.maxsi %[[EITHER]], %c0
// CHECK:           %[[POSITION:.*]] = arith.minsi %[[LOW]], %c7
// CHECK:           tensor.extract %[[X]][%{{.*}}, %[[POSITION]]]
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<3xi32>) -> tensor<4x3xf32> {
  %0 = fusion.gather %x, %i dim = 1 : tensor<4x8xf32>, tensor<3xi32> -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @iota(
// CHECK:         %[[I:.*]] = linalg.index 1
// CHECK:         %[[N:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK:         arith.sitofp %[[N]] : i64 to f16
func.func @iota() -> tensor<2x3xf16> {
  %0 = fusion.iota dim = 1 : tensor<2x3xf16>
  return %0 : tensor<2x3xf16>
}
