// RUN: fusion-opt %s -fusion-to-linalg -canonicalize | FileCheck %s

// A shift by the width or more gives 0, or the sign.
// CHECK-LABEL: func.func @shifts(
// CHECK:         %[[FITS:.*]] = arith.cmpi ult, %{{.*}}, %c8{{.*}} : i8
// CHECK:         %[[BY:.*]] = arith.select %[[FITS]], %{{.*}}, %c0{{.*}} : i8
// CHECK:         %[[LEFT:.*]] = arith.shli %{{.*}}, %[[BY]] : i8
// CHECK:         arith.select %[[FITS]], %[[LEFT]], %c0{{.*}} : i8
// CHECK:         %[[SIGN:.*]] = arith.shrsi %{{.*}}, %c7{{.*}} : i8
// CHECK:         %[[RIGHT:.*]] = arith.shrsi
// CHECK:         arith.select %{{.*}}, %[[RIGHT]], %[[SIGN]] : i8
func.func @shifts(%x: tensor<4xi8>, %y: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %0 = fusion.shl %x, %y : tensor<4xi8>
  %1 = fusion.shr %x, %y : tensor<4xi8>
  return %0, %1 : tensor<4xi8>, tensor<4xi8>
}
