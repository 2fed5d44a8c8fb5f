// What a few cheap ops make from one element is computed where it is read.

// RUN: fusion-opt %s -fusion-inline-reads -split-input-file | FileCheck %s

// The example of the pass: a slice, read at a position that is computed.
// CHECK-LABEL: func.func @slice(
// CHECK-SAME:      %[[X:.*]]: tensor<8x4xf32>
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[J:.*]] = linalg.index 1
// CHECK:           %[[R:.*]] = arith.addi %[[J]], %c4
// CHECK:           tensor.extract %[[X]][%[[R]], %[[I]]]
#id = affine_map<(i, j) -> (i, j)>
func.func @slice(%x: tensor<8x4xf32>, %d: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%d : tensor<4x4xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c4 = arith.constant 4 : index
    %r = arith.addi %i, %c4 : index
    %v = tensor.extract %x[%r, %j] : tensor<8x4xf32>
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%d : tensor<4x4xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %s[%j, %i] : tensor<4x4xf32>
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  return %t : tensor<4x4xf32>
}

// -----

// Under a condition: memory is read under it, the negation computed in any case.
// CHECK-LABEL: func.func @guarded(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<4xf16>,
// CHECK:           %[[C:.*]] = arith.cmpi ult
// CHECK:           %[[E:.*]] = scf.if %[[C]] -> (f16) {
// CHECK-NEXT:        tensor.extract %[[X]]
// CHECK-NEXT:        scf.yield
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield
// CHECK:           %[[N:.*]] = arith.negf %[[E]]
// CHECK:           arith.select %[[C]], %[[N]], %{{.*}}
#one = affine_map<(i) -> (i)>
func.func @guarded(%x: tensor<4xf16>, %d: tensor<4xf16>, %o: tensor<8xf16>) -> tensor<8xf16> {
  %n = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<4xf16>) outs(%d : tensor<4xf16>) {
  ^bb0(%a: f16, %z: f16):
    %0 = arith.negf %a : f16
    linalg.yield %0 : f16
  } -> tensor<4xf16>
  %t = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%o : tensor<8xf16>) {
  ^bb0(%z: f16):
    %i = linalg.index 0 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f16
    %c = arith.cmpi ult, %i, %c4 : index
    %v = scf.if %c -> (f16) {
      %e = tensor.extract %n[%i] : tensor<4xf16>
      scf.yield %e : f16
    } else {
      scf.yield %one : f16
    }
    linalg.yield %v : f16
  } -> tensor<8xf16>
  return %t : tensor<8xf16>
}
