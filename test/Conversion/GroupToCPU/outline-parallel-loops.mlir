// RUN: fusion-opt %s -fusion-outline-parallel-loops -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func private @group(
// CHECK-SAME:      %[[A:.*]]: memref<?x64xf32>)
// CHECK:         %[[N:.*]] = memref.dim %[[A]], %c0
// CHECK:         %[[ROWS:.*]] = arith.ceildivsi %[[N]], %c8
// CHECK:         %[[COUNT:.*]] = arith.muli %[[ROWS]], %c2
// CHECK:         call @group_loop(%c0, %[[COUNT]], %[[N]], %[[A]]) {fusion.parallel}
// CHECK-LABEL: func.func private @group_loop(
// CHECK-SAME:      %[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[N:.*]]: index, %[[A:.*]]: memref<?x64xf32>)
// Stack memory is taken once.
// CHECK:         memref.alloca() : memref<4xf32>
// CHECK:         scf.for %[[LINEAR:.*]] = %[[BEGIN]] to %[[END]] step %c1
// CHECK:           %[[COLUMN:.*]] = arith.remui %[[LINEAR]], %c2
// CHECK:           %[[ROW:.*]] = arith.divui %[[LINEAR]], %c2
// CHECK:           %[[J:.*]] = arith.muli %[[COLUMN]], %c32
// CHECK:           %[[I:.*]] = arith.muli %[[ROW]], %c8
// CHECK:           memref.store %{{.*}}, %[[A]][%[[I]], %[[J]]]
func.func private @group(%a: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %a, %c0 : memref<?x64xf32>
  scf.forall (%i, %j) = (0, 0) to (%n, 64) step (8, 32) {
    %t = memref.alloca() : memref<4xf32>
    memref.store %one, %t[%c0] : memref<4xf32>
    %x = memref.load %t[%c0] : memref<4xf32>
    memref.store %x, %a[%i, %j] : memref<?x64xf32>
  }
  return
}
