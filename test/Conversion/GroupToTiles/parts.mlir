// Destinations that are a part of an array: stores begin and end where the part
// does.

// RUN: fusion-opt %s -split-input-file -verify-diagnostics -fusion-group-to-tiles=target=sm_80 -canonicalize -cse | FileCheck %s

// 37 of 103 columns, from the fifth on: tiles end at limits where they do not end
// with the part. Rows end with the array.
// CHECK-LABEL: gpu.func @columns(
// CHECK-SAME:    %[[A:.*]]: memref<?x48xf32>, %{{.*}}: memref<48x37xf32>, %[[OUT:.*]]: memref<?x103xf32>
// CHECK:         tile.dot
// CHECK:         %[[COL:.*]] = arith.addi %{{.*}}, %c4
// CHECK:         tile.store %{{.*}}, %[[OUT]][%{{.*}}, %[[COL]]] dims [0, 1] in_bounds [false, false] limits [-1, 41] :
func.func private @columns(%a: memref<?x48xf32>, %b: memref<48x37xf32>, %out: memref<?x103xf32>) attributes {fusion.group = "mm"} {
  %c0 = arith.constant 0 : index
  %m = memref.dim %out, %c0 : memref<?x103xf32>
  %part = memref.subview %out[0, 4] [%m, 37] [1, 1] : memref<?x103xf32> to memref<?x37xf32, strided<[103, 1], offset: 4>>
  %at = bufferization.to_tensor %a restrict : memref<?x48xf32> to tensor<?x48xf32>
  %bt = bufferization.to_tensor %b restrict : memref<48x37xf32> to tensor<48x37xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<?x37xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x37xf32>) -> tensor<?x37xf32>
  %r = linalg.matmul ins(%at, %bt : tensor<?x48xf32>, tensor<48x37xf32>) outs(%f : tensor<?x37xf32>) -> tensor<?x37xf32>
  bufferization.materialize_in_destination %r in restrict writable %part : (tensor<?x37xf32>, memref<?x37xf32, strided<[103, 1], offset: 4>>) -> ()
  return
}

// -----

#id = affine_map<(i, j, k) -> (i, j, k)>

// Channels are cut; places are one dim still. The part ends with the array: so do
// its stores.
// CHECK-LABEL: gpu.func @channels(
// CHECK-SAME:    %[[IN:.*]]: memref<10x35xf32>, %[[OUT:.*]]: memref<24x35xf32>
// CHECK:         tile.store %{{.*}}, %[[OUT]][%{{.*}}, %{{.*}}] dims [{{.*}}] in_bounds [{{.*}}] :
func.func private @channels(%x: memref<10x5x7xf32>, %out: memref<24x5x7xf32>) attributes {fusion.group = "e"} {
  %part = memref.subview %out[14, 0, 0] [10, 5, 7] [1, 1, 1] : memref<24x5x7xf32> to memref<10x5x7xf32, strided<[35, 7, 1], offset: 490>>
  %t = bufferization.to_tensor %x restrict : memref<10x5x7xf32> to tensor<10x5x7xf32>
  %e = tensor.empty() : tensor<10x5x7xf32>
  %r = linalg.exp ins(%t : tensor<10x5x7xf32>) outs(%e : tensor<10x5x7xf32>) -> tensor<10x5x7xf32>
  bufferization.materialize_in_destination %r in restrict writable %part : (tensor<10x5x7xf32>, memref<10x5x7xf32, strided<[35, 7, 1], offset: 490>>) -> ()
  return
}

// -----

// One of five rows of each of three: what is around it is not one dim.
// CHECK-LABEL: gpu.func @one_row(
// CHECK-SAME:    %[[IN:.*]]: memref<3x8xf32>, %[[OUT:.*]]: memref<3x5x8xf32>
// CHECK:         tile.store %{{.*}}, %[[OUT]][%{{.*}}, %c2, %{{.*}}] dims [{{0|-1}}, -1, {{0|1}}]
func.func private @one_row(%x: memref<3x1x8xf32>, %out: memref<3x5x8xf32>) attributes {fusion.group = "e"} {
  %part = memref.subview %out[0, 2, 0] [3, 1, 8] [1, 1, 1] : memref<3x5x8xf32> to memref<3x1x8xf32, strided<[40, 8, 1], offset: 16>>
  %t = bufferization.to_tensor %x restrict : memref<3x1x8xf32> to tensor<3x1x8xf32>
  %e = tensor.empty() : tensor<3x1x8xf32>
  %r = linalg.exp ins(%t : tensor<3x1x8xf32>) outs(%e : tensor<3x1x8xf32>) -> tensor<3x1x8xf32>
  bufferization.materialize_in_destination %r in restrict writable %part : (tensor<3x1x8xf32>, memref<3x1x8xf32, strided<[40, 8, 1], offset: 16>>) -> ()
  return
}

// -----

// Every other row.
func.func private @steps(%x: memref<4x8xf32>, %out: memref<8x8xf32>) attributes {fusion.group = "e"} {
  %part = memref.subview %out[0, 0] [4, 8] [2, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  %t = bufferization.to_tensor %x restrict : memref<4x8xf32> to tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.exp ins(%t : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @below {{expected a dense memref, or a part of one with known bounds, as destination}}
  bufferization.materialize_in_destination %r in restrict writable %part : (tensor<4x8xf32>, memref<4x8xf32, strided<[16, 1]>>) -> ()
  return
}

// -----

// It is not known where the part begins.
func.func private @unknown_start(%x: memref<4x8xf32>, %out: memref<8x8xf32>, %i: index) attributes {fusion.group = "e"} {
  %part = memref.subview %out[%i, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
  %t = bufferization.to_tensor %x restrict : memref<4x8xf32> to tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.exp ins(%t : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @below {{expected a dense memref, or a part of one with known bounds, as destination}}
  bufferization.materialize_in_destination %r in restrict writable %part : (tensor<4x8xf32>, memref<4x8xf32, strided<[8, 1], offset: ?>>) -> ()
  return
}

// -----

// A row as an array of rank 1.
func.func private @rank(%x: memref<8xf32>, %out: memref<8x8xf32>) attributes {fusion.group = "e"} {
  %part = memref.subview %out[3, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: 24>>
  %t = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{expected a dense memref, or a part of one with known bounds, as destination}}
  bufferization.materialize_in_destination %r in restrict writable %part : (tensor<8xf32>, memref<8xf32, strided<[1], offset: 24>>) -> ()
  return
}

// -----

// One of two elements of each of five rows: there are no columns, rows get the tile.
// CHECK-LABEL: gpu.func @one_column(
// CHECK-SAME:    %[[IN:.*]]: memref<5xf32>, %[[OUT:.*]]: memref<5x2xf32>
// CHECK:         tile.store %{{.*}}, %[[OUT]][%{{.*}}, %c1] dims [0, -1]
func.func private @one_column(%x: memref<5x1xf32>, %out: memref<5x2xf32>) attributes {fusion.group = "e"} {
  %part = memref.subview %out[0, 1] [5, 1] [1, 1] : memref<5x2xf32> to memref<5x1xf32, strided<[2, 1], offset: 1>>
  %t = bufferization.to_tensor %x restrict : memref<5x1xf32> to tensor<5x1xf32>
  %e = tensor.empty() : tensor<5x1xf32>
  %r = linalg.exp ins(%t : tensor<5x1xf32>) outs(%e : tensor<5x1xf32>) -> tensor<5x1xf32>
  bufferization.materialize_in_destination %r in restrict writable %part : (tensor<5x1xf32>, memref<5x1xf32, strided<[2, 1], offset: 1>>) -> ()
  return
}
