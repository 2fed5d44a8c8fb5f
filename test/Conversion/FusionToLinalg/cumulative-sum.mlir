// RUN: fusion-opt %s -split-input-file -fusion-to-linalg -canonicalize | FileCheck %s

// A short row: a sum for each element, of those that count.
// CHECK-LABEL: func.func @cumsum(
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-DAG:       %[[J:.*]] = linalg.index 2
// CHECK-DAG:       %[[I:.*]] = linalg.index 1
// CHECK:           %[[BEFORE:.*]] = arith.cmpi ult, %[[J]], %[[I]]
// CHECK:           %[[TERM:.*]] = arith.select %[[BEFORE]], %{{.*}}, %{{.*}} : f32
// CHECK:           arith.addf %{{.*}}, %[[TERM]]
func.func @cumsum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fusion.cumsum %x dim = 1 {exclusive} : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A long row: sums within blocks, running sums of their totals, and both added.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:    %[[X:.*]]: tensor<1000xi32>
// CHECK:         %[[PARTS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x128xi32>)
// CHECK:           scf.if
// CHECK:             tensor.extract %[[X]]
// CHECK:         %[[WITHIN:.*]] = linalg.generic {{.*}} ins(%[[PARTS]] : {{.*}}) outs(%{{.*}} : tensor<8x128xi32>)
// CHECK:           arith.cmpi ule
// CHECK:         %[[TOTALS:.*]] = linalg.generic {{.*}} ins(%[[PARTS]] : {{.*}}) outs(%{{.*}} : tensor<8xi32>)
// CHECK:         %[[BEFORE:.*]] = linalg.generic {{.*}} ins(%[[TOTALS]] : {{.*}}) outs(%{{.*}} : tensor<8xi32>)
// CHECK:           arith.cmpi ult
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1000xi32>)
// CHECK:           %[[BLOCK:.*]] = arith.divui
// CHECK:           %[[ELEMENT:.*]] = arith.remui
// CHECK-DAG:       tensor.extract %[[BEFORE]][%[[BLOCK]]]
// CHECK-DAG:       tensor.extract %[[WITHIN]][%[[BLOCK]], %[[ELEMENT]]]
func.func @blocks(%x: tensor<1000xi32>) -> tensor<1000xi32> {
  %0 = fusion.cumsum %x dim = 0 : tensor<1000xi32>
  return %0 : tensor<1000xi32>
}

// -----

// A row of dynamic length is divided twice.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         tensor.empty(%{{.*}}) : tensor<?x128x3xf16>
// CHECK:         tensor.empty(%{{.*}}) : tensor<?x128x3xf32>
// CHECK:         arith.cmpi ugt
// CHECK-NOT:     128x128
// CHECK:         arith.truncf %{{.*}} {fusion.rounding} : f32 to f16
func.func @dynamic(%x: tensor<?x3xf16>) -> tensor<?x3xf16> {
  %0 = fusion.cumsum %x dim = 0 {exclusive, reverse} : tensor<?x3xf16>
  return %0 : tensor<?x3xf16>
}
