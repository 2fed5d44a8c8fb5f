// RUN: fusion-opt %s -fusion-place-group-buffers -canonicalize -split-input-file | FileCheck %s

// At the top level: allocated by the caller. In a loop with a small bound: on
// the stack. In a loop without: a part of one buffer for each iteration, which
// the caller allocates.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[A:.*]]: memref<?xf32>)
// CHECK:         %[[N:.*]] = memref.dim %[[A]]
// CHECK:         %[[T:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK:         %[[PARTS:.*]] = memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK:         call @group(%[[A]], %[[T]], %[[PARTS]])
func.func @main(%a: memref<?xf32>) {
  func.call @group(%a) : (memref<?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @group(
// CHECK-SAME:      %[[A:.*]]: memref<?xf32>, %[[T:.*]]: memref<?xf32>, %[[PARTS:.*]]: memref<?xi8>)
// CHECK:         scf.forall
// CHECK:           %[[STACK:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xi8>
// CHECK:           %[[SIZE:.*]] = affine.min
// CHECK:           %[[SMALL:.*]] = memref.view %[[STACK]][%c0][%[[SIZE]]] : memref<1024xi8> to memref<?xf32>
// CHECK:           %[[BIG:.*]] = memref.view %[[PARTS]][%{{.*}}][%{{.*}}] : memref<?xi8> to memref<?xf32>
// CHECK:           {{.*}}call @use(%[[SMALL]], %[[BIG]], %[[T]])
func.func private @use(memref<?xf32>, memref<?xf32>, memref<?xf32>)
func.func private @group(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  scf.forall (%i) = (0) to (%n) step (256) {
    %size = affine.min affine_map<(d0)[s0] -> (256, s0 - d0)>(%i)[%n]
    %small = memref.alloc(%size) : memref<?xf32>
    %big = memref.alloc(%n) : memref<?xf32>
    func.call @use(%small, %big, %t) : (memref<?xf32>, memref<?xf32>, memref<?xf32>) -> ()
  }
  return
}

// -----

// In a loop of a loop: on the heap, freed.
// CHECK-LABEL: func.func private @nested(
// CHECK:         %[[BIG:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         call @use(%[[BIG]])
// CHECK:         memref.dealloc %[[BIG]]
func.func private @use(memref<?xf32>)
func.func private @nested(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %big = memref.alloc(%n) : memref<?xf32>
    func.call @use(%big) : (memref<?xf32>) -> ()
  }
  return
}

// -----

// An arm of an if is no loop; its buffer may leave it.
// CHECK-LABEL: func.func private @arm(
// CHECK-SAME:      %[[A:[a-z0-9]*]]: memref<4xf32>, %[[T:[a-z0-9]*]]: memref<4xf32>)
// CHECK-NOT:     dealloc
// CHECK:         arith.select %{{.*}}, %[[T]], %[[A]] : memref<4xf32>
func.func private @use(memref<4xf32>)
func.func private @arm(%c: i1, %a: memref<4xf32>) {
  %r = scf.if %c -> memref<4xf32> {
    %t = memref.alloc() : memref<4xf32>
    scf.yield %t : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  func.call @use(%r) : (memref<4xf32>) -> ()
  return
}
