// RUN: fusion-opt %s -fusion-plan-workspace -canonicalize -split-input-file | FileCheck %s

// The third buffer takes the place of the first, whose last use is before. All
// offsets are multiples of 256.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[WS:[^:]*]]: memref<?xi8> {fusion.workspace}
// CHECK:         %[[A:.*]] = memref.view %[[WS]][%c0][] : memref<?xi8> to memref<100xf32>
// CHECK:         %[[B:.*]] = memref.view %[[WS]][%c512][] : memref<?xi8> to memref<10xf32>
// CHECK:         %[[C:.*]] = memref.view %[[WS]][%c0][] : memref<?xi8> to memref<50xf32>
// CHECK:         call @step(%[[A]], %[[B]])
// CHECK:         call @step2(%[[B]], %[[C]])
// CHECK-LABEL: func.func private @main_workspace_size(
// CHECK-SAME:      -> index
// CHECK:         return %c768 : index
func.func @main(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<100xf32>
  %b = memref.alloc() : memref<10xf32>
  func.call @step(%a, %b) : (memref<100xf32>, memref<10xf32>) -> ()
  %c = memref.alloc() : memref<50xf32>
  func.call @step2(%b, %c) : (memref<10xf32>, memref<50xf32>) -> ()
  return
}
func.func private @step(memref<100xf32>, memref<10xf32>)
func.func private @step2(memref<10xf32>, memref<50xf32>)

// -----

// Buffers of the same dynamic size share; a view keeps its source alive.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[X:[^:]*]]: memref<?x4xf32>, %[[WS:[^:]*]]: memref<?xi8> {fusion.workspace}
// CHECK:         %[[N:.*]] = memref.dim %[[X]], %c0
// CHECK:         %[[A:.*]] = memref.view %[[WS]][%c0][%[[N]]] : memref<?xi8> to memref<?x4xf32>
// CHECK:         %[[B:.*]] = memref.view %[[WS]][%[[AT:.*]]][%[[N]]] : memref<?xi8> to memref<?x8xf16>
// CHECK:         %[[C:.*]] = memref.view %[[WS]][%c0][%[[N]]] : memref<?xi8> to memref<?x2xf32>
// CHECK-LABEL: func.func private @main_workspace_size(
// CHECK-SAME:      %[[N:.*]]: index, %{{.*}}: index) -> index
// CHECK:         %[[BYTES:.*]] = arith.muli %[[N]], %c16
// CHECK:         arith.addi %[[BYTES]], %c255
func.func @main(%x: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %a = memref.alloc(%n) : memref<?x4xf32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  %b = memref.alloc(%n) : memref<?x8xf16>
  func.call @step(%flat, %b) : (memref<?xf32>, memref<?x8xf16>) -> ()
  %c = memref.alloc(%n) : memref<?x2xf32>
  func.call @step2(%b, %c) : (memref<?x8xf16>, memref<?x2xf32>) -> ()
  return
}
func.func private @step(memref<?xf32>, memref<?x8xf16>)
func.func private @step2(memref<?x8xf16>, memref<?x2xf32>)

// -----

// The size may depend on the dims of a result, which follow from the inputs'.
// CHECK-LABEL: func.func private @main_workspace_size(
// CHECK-SAME:      %[[N:.*]]: index) -> index
// CHECK:         %[[M:.*]] = call @main_result_dims(%[[N]])
// CHECK:         arith.muli %[[M]], %c4
func.func @main(%x: memref<?xf32>, %y: memref<?xf32> {fusion.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  func.call @step(%a, %y) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}
func.func private @step(memref<?xf32>, memref<?xf32>)
func.func private @main_result_dims(index) -> index

// -----

// A size may be a dim of a reshape of a reshape: it is resolved to the arguments'.
// CHECK-LABEL: func.func private @main_workspace_size(
// CHECK-SAME:      %[[N:.*]]: index, %{{.*}}: index) -> index
// CHECK:         %[[BYTES:.*]] = arith.constant 60
// CHECK:         arith.muli %[[N]], %[[BYTES]]
func.func @main(%x: memref<?x15xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %flat = memref.collapse_shape %x [[0, 1]] : memref<?x15xf32> into memref<?xf32>
  %m = memref.dim %flat, %c0 : memref<?xf32>
  %row = memref.expand_shape %flat [[0, 1]] output_shape [1, %m] : memref<?xf32> into memref<1x?xf32>
  %n = memref.dim %row, %c1 : memref<1x?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  func.call @step(%row, %a) : (memref<1x?xf32>, memref<?xf32>) -> ()
  return
}
func.func private @step(memref<1x?xf32>, memref<?xf32>)
