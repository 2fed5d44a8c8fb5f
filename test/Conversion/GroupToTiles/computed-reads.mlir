// RUN: fusion-opt %s -split-input-file -fusion-group-to-tiles=target=sm_80 -canonicalize -cse | FileCheck %s

// Rows of a table: the table is an argument of the kernel, seen whole.
// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME:    %[[TABLE:.*]]: memref<?x64xf16>, %[[IDS:.*]]: memref<128xi64>, %[[OUT:.*]]: memref<128x64xf16>)
// CHECK:         %[[ID:.*]] = tile.load %[[IDS]]
// CHECK:         %[[WIDE:.*]] = tile.broadcast %[[ID]] dims [0]
// CHECK:         %[[ROW:.*]] = arith.index_cast %[[WIDE]] : tensor<{{.*}}xi64> to tensor<{{.*}}xindex>
// CHECK:         %[[COLUMN:.*]] = tile.index
// CHECK:         %[[X:.*]] = tile.gather %[[TABLE]][%[[ROW]], %[[COLUMN]]] : memref<?x64xf16>
// CHECK:         tile.store %{{.*}}, %[[OUT]]
func.func private @rows(%table: memref<?x64xf16>, %ids: memref<128xi64>, %out: memref<128x64xf16>) attributes {fusion.group = "g"} {
  %t = bufferization.to_tensor %table restrict : memref<?x64xf16> to tensor<?x64xf16>
  %i = bufferization.to_tensor %ids restrict : memref<128xi64> to tensor<128xi64>
  %e = tensor.empty() : tensor<128x64xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<128xi64>) outs(%e : tensor<128x64xf16>) {
  ^bb0(%id: i64, %o: f16):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %0 = tensor.extract %t[%row, %column] : tensor<?x64xf16>
    linalg.yield %0 : f16
  } -> tensor<128x64xf16>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<128x64xf16>, memref<128x64xf16>) -> ()
  return
}

// -----

// A guarded read is masked; so is what a tile has beyond the size.
// CHECK-LABEL: gpu.func @guarded(
// CHECK-SAME:    %[[IN:.*]]: memref<98xf32>, %[[OUT:.*]]: memref<100xf32>)
// CHECK-DAG:     %[[VALUE:.*]] = arith.constant dense<7.500000e+00> : tensor<32xf32>
// CHECK-DAG:     %[[HERE:.*]] = arith.cmpi ult
// CHECK-DAG:     %[[EXISTS:.*]] = arith.cmpi slt
// CHECK:         %[[MASK:.*]] = arith.andi %[[EXISTS]], %[[HERE]] : tensor<32xi1>
// CHECK:         tile.gather %[[IN]][%{{.*}}] mask(%[[MASK]], %[[VALUE]])
func.func private @guarded(%in: memref<98xf32>, %out: memref<100xf32>) attributes {fusion.group = "g"} {
  %x = bufferization.to_tensor %in restrict : memref<98xf32> to tensor<98xf32>
  %e = tensor.empty() : tensor<100xf32>
  %value = arith.constant 7.5 : f32
  %one = arith.constant 1 : index
  %size = arith.constant 98 : index
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%e : tensor<100xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %i, %one : index
    %here = arith.cmpi ult, %j, %size : index
    %0 = scf.if %here -> (f32) {
      %1 = tensor.extract %x[%j] : tensor<98xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %value : f32
    }
    linalg.yield %0 : f32
  } -> tensor<100xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<100xf32>, memref<100xf32>) -> ()
  return
}

// -----

// A window over an argument is a loop over its elements, places along the tile.
// CHECK-LABEL: gpu.func @window(
// CHECK-SAME:    %[[IN:.*]]: memref<130xf32>, %[[OUT:.*]]: memref<64xf32>)
// CHECK:         %[[SUM:.*]] = scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[ACC:.*]] =
// CHECK:           %[[X:.*]] = tile.load_window %[[IN]][%[[J]]] extents[%{{.*}}] checked [false]
// CHECK:           %[[NEXT:.*]] = arith.addf %[[ACC]], %[[X]]
// CHECK:           scf.yield %[[NEXT]]
// CHECK-NOT:     tile.reduce
// CHECK:         tile.store %{{.*}}, %[[OUT]]
func.func private @window(%in: memref<130xf32>, %out: memref<64xf32>) attributes {fusion.group = "g"} {
  %x = bufferization.to_tensor %in restrict : memref<130xf32> to tensor<130xf32>
  %w = tensor.empty() : tensor<3xi8>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<130xf32>, tensor<3xi8>) outs(%f : tensor<64xf32>) {
  ^bb0(%i: f32, %j: i8, %o: f32):
    %0 = arith.addf %o, %i : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
