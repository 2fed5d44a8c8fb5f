// RUN: fusion-opt %s -fusion-bufferize-group -canonicalize -cse -canonicalize -split-input-file | FileCheck %s

// The result is computed in its destination; what is local to a tile has the
// size of the tile.
// CHECK-LABEL: func.func @tile(
// CHECK-SAME:      %[[IN:.*]]: memref<64x128xf32>, %[[OUT:.*]]: memref<64x128xf32>)
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (64) step (8)
// CHECK:           %[[LOCAL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x128xf32>
// CHECK:           linalg.exp {{.*}} outs(%[[LOCAL]]
// CHECK:           %[[PART:.*]] = memref.subview %[[OUT]][%[[I]], 0] [8, 128]
// CHECK:           linalg.negf ins(%[[LOCAL]] {{.*}} outs(%[[PART]]
// CHECK-NOT:       copy
// CHECK:         }
func.func @tile(%in: memref<64x128xf32>, %out: memref<64x128xf32>) {
  %a = bufferization.to_tensor %in restrict : memref<64x128xf32> to tensor<64x128xf32>
  %e = tensor.empty() : tensor<64x128xf32>
  %r = scf.forall (%i) = (0) to (64) step (8) shared_outs(%o = %e) -> tensor<64x128xf32> {
    %s = tensor.extract_slice %a[%i, 0] [8, 128] [1, 1] : tensor<64x128xf32> to tensor<8x128xf32>
    %l = tensor.extract_slice %e[%i, 0] [8, 128] [1, 1] : tensor<64x128xf32> to tensor<8x128xf32>
    %x = linalg.exp ins(%s : tensor<8x128xf32>) outs(%l : tensor<8x128xf32>) -> tensor<8x128xf32>
    %d = tensor.extract_slice %o[%i, 0] [8, 128] [1, 1] : tensor<64x128xf32> to tensor<8x128xf32>
    %y = linalg.negf ins(%x : tensor<8x128xf32>) outs(%d : tensor<8x128xf32>) -> tensor<8x128xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i, 0] [8, 128] [1, 1] : tensor<8x128xf32> into tensor<64x128xf32>
    }
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64x128xf32>, memref<64x128xf32>) -> ()
  return
}

// -----

// An argument that is a result too is copied.
// CHECK-LABEL: func.func @copy(
// CHECK-SAME:      %[[IN:.*]]: memref<64xf32>, %[[OUT:.*]]: memref<64xf32>)
// CHECK:         memref.copy %[[IN]], %[[OUT]]
func.func @copy(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  bufferization.materialize_in_destination %a in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
