// Folds and canonicalizations. What must not fold stands beside what does.
// RUN: fusion-opt %s -canonicalize | FileCheck %s

//===----------------------------------------------------------------------===//
// Neutral elements
//===----------------------------------------------------------------------===//

// x + (+0) is +0 where x is -0.
// CHECK-LABEL: func.func @add_zero(
// CHECK-SAME:    %[[X:.*]]: tensor<2xf32>, %[[I:.*]]: tensor<2xi8>
func.func @add_zero(%x: tensor<2xf32>, %i: tensor<2xi8>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi8>) {
  // CHECK-DAG: %[[ZERO:.*]] = fusion.constant dense<0.000000e+00>
  // CHECK-DAG: %[[KEPT:.*]] = fusion.add %[[X]], %[[ZERO]]
  %zero = fusion.constant dense<0.0> : tensor<2xf32>
  %minus = fusion.constant dense<-0.0> : tensor<2xf32>
  %int = fusion.constant dense<0> : tensor<2xi8>
  %0 = fusion.add %zero, %x : tensor<2xf32>
  %1 = fusion.add %x, %minus : tensor<2xf32>
  %2 = fusion.add %int, %i : tensor<2xi8>
  // CHECK: return %[[KEPT]], %[[X]], %[[I]]
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xi8>
}

// CHECK-LABEL: func.func @sub_zero(
// CHECK-SAME:    %[[X:.*]]: tensor<2xf32>
func.func @sub_zero(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK: %[[KEPT:.*]] = fusion.sub %[[X]]
  %zero = fusion.constant dense<0.0> : tensor<2xf32>
  %minus = fusion.constant dense<-0.0> : tensor<2xf32>
  %0 = fusion.sub %x, %zero : tensor<2xf32>
  %1 = fusion.sub %x, %minus : tensor<2xf32>
  // CHECK: return %[[X]], %[[KEPT]]
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// x * 0 is NaN where x is infinite or NaN.
// CHECK-LABEL: func.func @mul(
// CHECK-SAME:    %[[X:.*]]: tensor<2xf32>, %[[I:.*]]: tensor<2xui8>
func.func @mul(%x: tensor<2xf32>, %i: tensor<2xui8>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xui8>, tensor<2xui8>) {
  // CHECK-DAG: %[[INT:.*]] = fusion.constant dense<0> : tensor<2xui8>
  // CHECK-DAG: %[[KEPT:.*]] = fusion.mul %[[X]]
  %zero = fusion.constant dense<0.0> : tensor<2xf32>
  %one = fusion.constant dense<1.0> : tensor<2xf32>
  %int0 = fusion.constant dense<0> : tensor<2xui8>
  %int1 = fusion.constant dense<1> : tensor<2xui8>
  %0 = fusion.mul %x, %zero : tensor<2xf32>
  %1 = fusion.mul %x, %one : tensor<2xf32>
  %2 = fusion.mul %i, %int0 : tensor<2xui8>
  %3 = fusion.mul %i, %int1 : tensor<2xui8>
  // CHECK: return %[[KEPT]], %[[X]], %[[INT]], %[[I]]
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xui8>, tensor<2xui8>
}

// CHECK-LABEL: func.func @involutions(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf16>, %[[B:.*]]: tensor<?xi1>
func.func @involutions(%x: tensor<?xf16>, %b: tensor<?xi1>) -> (tensor<?xf16>, tensor<?xi1>, tensor<?xf16>, tensor<?xf16>) {
  %0 = fusion.neg %x : tensor<?xf16>
  %1 = fusion.neg %0 : tensor<?xf16>
  %2 = fusion.not %b : tensor<?xi1>
  %3 = fusion.not %2 : tensor<?xi1>
  // CHECK: %[[RELU:.*]] = fusion.relu %[[X]]
  %4 = fusion.relu %x : tensor<?xf16>
  %5 = fusion.relu %4 : tensor<?xf16>
  %6 = fusion.max %x, %x : tensor<?xf16>
  // CHECK: return %[[X]], %[[B]], %[[RELU]], %[[X]]
  return %1, %3, %5, %6 : tensor<?xf16>, tensor<?xi1>, tensor<?xf16>, tensor<?xf16>
}

// x == x is false for NaN.
// CHECK-LABEL: func.func @compare_self(
func.func @compare_self(%x: tensor<2xf32>, %i: tensor<2xi32>) -> (tensor<2xi1>, tensor<2xi1>) {
  // CHECK-DAG: %[[TRUE:.*]] = fusion.constant dense<true>
  // CHECK-DAG: %[[KEPT:.*]] = fusion.compare eq
  %0 = fusion.compare eq, %x, %x : tensor<2xf32>
  %1 = fusion.compare le, %i, %i : tensor<2xi32>
  // CHECK: return %[[KEPT]], %[[TRUE]]
  return %0, %1 : tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func.func @select(
// CHECK-SAME:    %[[C:.*]]: tensor<2xi1>, %[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xf32>
func.func @select(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %true = fusion.constant dense<true> : tensor<2xi1>
  %false = fusion.constant dense<false> : tensor<2xi1>
  %0 = fusion.select %true, %x, %y : tensor<2xf32>
  %1 = fusion.select %false, %x, %y : tensor<2xf32>
  %2 = fusion.select %c, %x, %x : tensor<2xf32>
  // CHECK: return %[[X]], %[[Y]], %[[X]]
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// Rounded in the element type: 2048 + 1 is no f16.
// CHECK-LABEL: func.func @constant_floats(
func.func @constant_floats() -> (tensor<2xf16>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) {
  // CHECK-DAG: %[[SUM:.*]] = fusion.constant dense<[2.048000e+03, 3.000000e+00]> : tensor<2xf16>
  %0 = fusion.constant dense<[2048.0, 2.0]> : tensor<2xf16>
  %1 = fusion.constant dense<1.0> : tensor<2xf16>
  %2 = fusion.add %0, %1 : tensor<2xf16>
  // CHECK-DAG: %[[MAX:.*]] = fusion.constant dense<[0x7FC00000, 0x7FC00000, 0.000000e+00]> : tensor<3xf32>
  %3 = fusion.constant dense<[0x7FC00000, 1.0, -0.0]> : tensor<3xf32>
  %4 = fusion.constant dense<[1.0, 0x7FC00000, 0.0]> : tensor<3xf32>
  %5 = fusion.max %3, %4 : tensor<3xf32>
  // fmod without rounding error.
  // CHECK-DAG: %[[REM:.*]] = fusion.constant dense<[4.000000e+00, -1.500000e+00]> : tensor<2xf32>
  %6 = fusion.constant dense<[1.0e+10, -5.5]> : tensor<2xf32>
  %7 = fusion.constant dense<[6.0, 2.0]> : tensor<2xf32>
  %8 = fusion.rem %6, %7 : tensor<2xf32>
  // CHECK-DAG: %[[NEG:.*]] = fusion.constant dense<-0.000000e+00> : tensor<2xf32>
  %9 = fusion.constant dense<0.0> : tensor<2xf32>
  %10 = fusion.neg %9 : tensor<2xf32>
  // CHECK: return %[[SUM]], %[[MAX]], %[[REM]], %[[NEG]]
  return %2, %5, %8, %10 : tensor<2xf16>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>
}

// Rounded once on the CPU and the GPU alike: in f32, then to f16 and bf16. NaN for what is
// less than 0; both zeros stay.
// CHECK-LABEL: func.func @constant_roots(
func.func @constant_roots() -> (tensor<6xf16>, tensor<3xbf16>, tensor<5xf32>, tensor<2xf64>, tensor<4x9999xf32>) {
  // CHECK-DAG: %[[F16:.*]] = fusion.constant dense<[1.414060e+00, 2.441410e-04, 2.558750e+02, -0.000000e+00, 0x7E00, 0x7C00]> : tensor<6xf16>
  %0 = fusion.constant dense<[2.0, 5.9604645e-8, 65504.0, -0.0, -1.0, 0x7C00]> : tensor<6xf16>
  %1 = fusion.sqrt %0 : tensor<6xf16>
  // CHECK-DAG: %[[BF16:.*]] = fusion.constant dense<[1.414060e+00, 0x7FC0, 0.000000e+00]> : tensor<3xbf16>
  %2 = fusion.constant dense<[2.0, 0xFF80, 0.0]> : tensor<3xbf16>
  %3 = fusion.sqrt %2 : tensor<3xbf16>
  // CHECK-DAG: %[[F32:.*]] = fusion.constant dense<[1.41421354, 0x7FC00000, -0.000000e+00, 0x7F800000, 3.74339207E-23]> : tensor<5xf32>
  %4 = fusion.constant dense<[2.0, -1.0e-40, -0.0, 0x7F800000, 1.4013e-45]> : tensor<5xf32>
  %5 = fusion.sqrt %4 : tensor<5xf32>
  // CHECK-DAG: %[[F64:.*]] = fusion.constant dense<[1.4142135623730951, 0x7FF8000000000000]> : tensor<2xf64>
  %6 = fusion.constant dense<[2.0, -2.0]> : tensor<2xf64>
  %7 = fusion.sqrt %6 : tensor<2xf64>
  // CHECK-DAG: %[[SPLAT:.*]] = fusion.constant dense<3.000000e+00> : tensor<4x9999xf32>
  %8 = fusion.constant dense<9.0> : tensor<4x9999xf32>
  %9 = fusion.sqrt %8 : tensor<4x9999xf32>
  // CHECK: return %[[F16]], %[[BF16]], %[[F32]], %[[F64]], %[[SPLAT]]
  return %1, %3, %5, %7, %9 : tensor<6xf16>, tensor<3xbf16>, tensor<5xf32>, tensor<2xf64>, tensor<4x9999xf32>
}

// CHECK-LABEL: func.func @constant_reciprocals(
func.func @constant_reciprocals() -> (tensor<4xf16>, tensor<4xf32>) {
  // CHECK-DAG: %[[F16:.*]] = fusion.constant dense<[3.332520e-01, 0x7C00, 1.525880e-05, 0x7E00]> : tensor<4xf16>
  %0 = fusion.constant dense<[3.0, 0.0, 65504.0, 0x7E00]> : tensor<4xf16>
  %1 = fusion.reciprocal %0 : tensor<4xf16>
  // CHECK-DAG: %[[F32:.*]] = fusion.constant dense<[0.333333343, 0xFF800000, -0.000000e+00, 3.33333312E-39]> : tensor<4xf32>
  %2 = fusion.constant dense<[3.0, -0.0, 0xFF800000, 3.0e+38]> : tensor<4xf32>
  %3 = fusion.reciprocal %2 : tensor<4xf32>
  // CHECK: return %[[F16]], %[[F32]]
  return %1, %3 : tensor<4xf16>, tensor<4xf32>
}

// The scale that torch writes out for scaled_dot_product_attention.
// CHECK-LABEL: func.func @constant_scale(
// CHECK-NEXT:    %[[C:.*]] = fusion.constant dense<5.947270e-01> : tensor<1xf16>
// CHECK-NEXT:    return %[[C]]
func.func @constant_scale() -> tensor<1xf16> {
  %width = fusion.constant dense<8.0> : tensor<1xf16>
  %one = fusion.constant dense<1.0> : tensor<1xf32>
  %0 = fusion.sqrt %width : tensor<1xf16>
  %1 = fusion.cast %0 : tensor<1xf16> to tensor<1xf32>
  %2 = fusion.div %one, %1 : tensor<1xf32>
  %3 = fusion.cast %2 : tensor<1xf32> to tensor<1xf16>
  %4 = fusion.sqrt %3 : tensor<1xf16>
  return %4 : tensor<1xf16>
}

// The last bit of others depends on who computes them: rsqrt is good to 1.5 units only.
// CHECK-LABEL: func.func @constant_functions(
// CHECK:         fusion.rsqrt
// CHECK:         fusion.exp
// CHECK:         fusion.log
// CHECK:         fusion.pow
func.func @constant_functions() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = fusion.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %1 = fusion.rsqrt %0 : tensor<2xf32>
  %2 = fusion.exp %0 : tensor<2xf32>
  %3 = fusion.log %0 : tensor<2xf32>
  %4 = fusion.pow %0, %0 : tensor<2xf32>
  return %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// Not of what no one knows yet, nor of weights in bulk.
// CHECK-LABEL: func.func @unknown_roots(
// CHECK-COUNT-2: fusion.sqrt
// CHECK-COUNT-2: fusion.reciprocal
func.func @unknown_roots(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = fusion.constant dense_resource<blob> : tensor<2xf32>
  %1 = fusion.sqrt %0 : tensor<2xf32>
  %2 = fusion.sqrt %x : tensor<2xf32>
  %3 = fusion.reciprocal %0 : tensor<2xf32>
  %4 = fusion.reciprocal %x : tensor<2xf32>
  return %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// As executed: docs/Numerics.md.
// CHECK-LABEL: func.func @constant_ints(
func.func @constant_ints() -> (tensor<5xi32>, tensor<5xi32>, tensor<3xui8>, tensor<3xui8>, tensor<i8>) {
  %x = fusion.constant dense<[-2147483648, 7, -7, 5, -5]> : tensor<5xi32>
  %y = fusion.constant dense<[-1, 2, 2, 0, 0]> : tensor<5xi32>
  // CHECK-DAG: %[[DIV:.*]] = fusion.constant dense<[-2147483648, 3, -3, -1, -1]> : tensor<5xi32>
  %0 = fusion.div %x, %y : tensor<5xi32>
  // CHECK-DAG: %[[REM:.*]] = fusion.constant dense<[0, 1, -1, 5, -5]> : tensor<5xi32>
  %1 = fusion.rem %x, %y : tensor<5xi32>
  %u = fusion.constant dense<[130, 200, 255]> : tensor<3xui8>
  %v = fusion.constant dense<[3, 0, 255]> : tensor<3xui8>
  // CHECK-DAG: %[[UDIV:.*]] = fusion.constant dense<[43, 255, 1]> : tensor<3xui8>
  %2 = fusion.div %u, %v : tensor<3xui8>
  // CHECK-DAG: %[[UADD:.*]] = fusion.constant dense<[4, 144, 254]> : tensor<3xui8>
  %3 = fusion.add %u, %u : tensor<3xui8>
  // CHECK-DAG: %[[ABS:.*]] = fusion.constant dense<-128> : tensor<i8>
  %4 = fusion.constant dense<-128> : tensor<i8>
  %5 = fusion.abs %4 : tensor<i8>
  // CHECK: return %[[DIV]], %[[REM]], %[[UDIV]], %[[UADD]], %[[ABS]]
  return %0, %1, %2, %3, %5 : tensor<5xi32>, tensor<5xi32>, tensor<3xui8>, tensor<3xui8>, tensor<i8>
}

// CHECK-LABEL: func.func @constant_compare(
func.func @constant_compare() -> (tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>) {
  %x = fusion.constant dense<[0x7FC00000, -0.0, 1.0]> : tensor<3xf32>
  %y = fusion.constant dense<[0x7FC00000, 0.0, 2.0]> : tensor<3xf32>
  // CHECK-DAG: %[[NE:.*]] = fusion.constant dense<[true, false, true]>
  %0 = fusion.compare ne, %x, %y : tensor<3xf32>
  // CHECK-DAG: %[[GE:.*]] = fusion.constant dense<[false, true, false]>
  %1 = fusion.compare ge, %x, %y : tensor<3xf32>
  %u = fusion.constant dense<[200, 1]> : tensor<2xui8>
  %v = fusion.constant dense<[100, 2]> : tensor<2xui8>
  // CHECK-DAG: %[[ULT:.*]] = fusion.constant dense<[false, true]>
  %2 = fusion.compare lt, %u, %v : tensor<2xui8>
  %s = fusion.constant dense<[-56, 1]> : tensor<2xi8>
  %t = fusion.constant dense<[100, 0]> : tensor<2xi8>
  // CHECK-DAG: %[[SLT:.*]] = fusion.constant dense<[true, false]>
  %3 = fusion.compare lt, %s, %t : tensor<2xi8>
  // CHECK: return %[[NE]], %[[GE]], %[[ULT]], %[[SLT]]
  return %0, %1, %2, %3 : tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @casts(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf16>, %[[Y:.*]]: tensor<?xf32>
func.func @casts(%x: tensor<?xf16>, %y: tensor<?xf32>) -> (tensor<?xf16>, tensor<?xf16>, tensor<?xf32>) {
  %0 = fusion.cast %x : tensor<?xf16> to tensor<?xf16>
  %1 = fusion.cast %x : tensor<?xf16> to tensor<?xf32>
  %2 = fusion.cast %1 : tensor<?xf32> to tensor<?xf16>
  // A narrowing that the model asks for stays.
  // CHECK: %[[NARROW:.*]] = fusion.cast %[[Y]] : tensor<?xf32> to tensor<?xbf16>
  // CHECK: %[[WIDE:.*]] = fusion.cast %[[NARROW]] : tensor<?xbf16> to tensor<?xf32>
  %3 = fusion.cast %y : tensor<?xf32> to tensor<?xbf16>
  %4 = fusion.cast %3 : tensor<?xbf16> to tensor<?xf32>
  // CHECK: return %[[X]], %[[X]], %[[WIDE]]
  return %0, %2, %4 : tensor<?xf16>, tensor<?xf16>, tensor<?xf32>
}

// Neither of f16 and bf16 holds the other's values.
// CHECK-LABEL: func.func @cast_halves(
// CHECK-COUNT-2: fusion.cast
func.func @cast_halves(%x: tensor<?xf16>) -> tensor<?xf16> {
  %0 = fusion.cast %x : tensor<?xf16> to tensor<?xbf16>
  %1 = fusion.cast %0 : tensor<?xbf16> to tensor<?xf16>
  return %1 : tensor<?xf16>
}

// CHECK-LABEL: func.func @constant_casts(
func.func @constant_casts() -> (tensor<4xf32>, tensor<5xi32>, tensor<5xui8>, tensor<3xi1>, tensor<2xi32>) {
  // CHECK-DAG: %[[BF16:.*]] = fusion.constant dense<[1.000000e+00, 3.140625{{.*}}, 1.000000e+00, 1.015625{{.*}}]> : tensor<4xf32>
  %0 = fusion.constant dense<[1.001, 3.14159274, 1.00390625, 1.01171875]> : tensor<4xf32>
  %1 = fusion.cast %0 : tensor<4xf32> to tensor<4xbf16>
  %2 = fusion.cast %1 : tensor<4xbf16> to tensor<4xf32>
  %3 = fusion.constant dense<[-1.9, 255.5, 3.0e9, -3.0e9, 0x7FC00000]> : tensor<5xf32>
  // CHECK-DAG: %[[INT:.*]] = fusion.constant dense<[-1, 255, 2147483647, -2147483648, 0]> : tensor<5xi32>
  %4 = fusion.cast %3 : tensor<5xf32> to tensor<5xi32>
  // CHECK-DAG: %[[UINT:.*]] = fusion.constant dense<[0, 255, 255, 0, 0]> : tensor<5xui8>
  %5 = fusion.cast %3 : tensor<5xf32> to tensor<5xui8>
  %6 = fusion.constant dense<[0x7FC00000, -0.0, 0.5]> : tensor<3xf32>
  // CHECK-DAG: %[[BOOL:.*]] = fusion.constant dense<[true, false, true]> : tensor<3xi1>
  %7 = fusion.cast %6 : tensor<3xf32> to tensor<3xi1>
  %8 = fusion.constant dense<[200, 1]> : tensor<2xui8>
  // CHECK-DAG: %[[EXT:.*]] = fusion.constant dense<[200, 1]> : tensor<2xi32>
  %9 = fusion.cast %8 : tensor<2xui8> to tensor<2xi32>
  // CHECK: return %[[BF16]], %[[INT]], %[[UINT]], %[[BOOL]], %[[EXT]]
  return %2, %4, %5, %7, %9 : tensor<4xf32>, tensor<5xi32>, tensor<5xui8>, tensor<3xi1>, tensor<2xi32>
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @transposes(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf32>
func.func @transposes(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3x4x2xf32>) {
  %0 = fusion.transpose %x perm = [2, 0, 1] : tensor<2x3x4xf32> to tensor<4x2x3xf32>
  %1 = fusion.transpose %0 perm = [1, 2, 0] : tensor<4x2x3xf32> to tensor<2x3x4xf32>
  // CHECK: %[[T:.*]] = fusion.transpose %[[X]] perm = [1, 2, 0] : tensor<2x3x4xf32> to tensor<3x4x2xf32>
  %2 = fusion.transpose %0 perm = [2, 0, 1] : tensor<4x2x3xf32> to tensor<3x4x2xf32>
  // CHECK: return %[[X]], %[[T]]
  return %1, %2 : tensor<2x3x4xf32>, tensor<3x4x2xf32>
}

// CHECK-LABEL: func.func @reshapes(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<?x?xf32>, %[[N:.*]]: index, %[[M:.*]]: index
func.func @reshapes(%x: tensor<?x4xf32>, %y: tensor<?x?xf32>, %n: index, %m: index)
    -> (tensor<?x4xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fusion.reshape %x sizes(%n) : tensor<?x4xf32> to tensor<?x4xf32>
  // Two sizes may trade factors.
  // CHECK: %[[KEPT:.*]] = fusion.reshape %[[Y]] sizes(%[[N]], %[[M]])
  %1 = fusion.reshape %y sizes(%n, %m) : tensor<?x?xf32> to tensor<?x?xf32>
  // CHECK: %[[ONCE:.*]] = fusion.reshape %[[X]] sizes(%[[M]]) : tensor<?x4xf32> to tensor<?xf32>
  %2 = fusion.reshape %x sizes(%n) : tensor<?x4xf32> to tensor<?x2x2xf32>
  %3 = fusion.reshape %2 sizes(%m) : tensor<?x2x2xf32> to tensor<?xf32>
  // CHECK: return %[[X]], %[[KEPT]], %[[ONCE]]
  return %0, %1, %3 : tensor<?x4xf32>, tensor<?x?xf32>, tensor<?xf32>
}

// Without elements the size does not follow.
// CHECK-LABEL: func.func @reshape_empty(
// CHECK:         fusion.reshape
func.func @reshape_empty(%x: tensor<?x0xf32>, %n: index) -> tensor<?x0xf32> {
  %0 = fusion.reshape %x sizes(%n) : tensor<?x0xf32> to tensor<?x0xf32>
  return %0 : tensor<?x0xf32>
}

// CHECK-LABEL: func.func @constant_shapes(
func.func @constant_shapes() -> (tensor<3x2xi32>, tensor<2x2xi32>) {
  // CHECK-DAG: %[[R:.*]] = fusion.constant dense<{{\[}}[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %0 = fusion.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = fusion.reshape %0 : tensor<2x3xi32> to tensor<3x2xi32>
  // CHECK-DAG: %[[B:.*]] = fusion.constant dense<7> : tensor<2x2xi32>
  %2 = fusion.constant dense<7> : tensor<2xi32>
  %3 = fusion.broadcast %2 dims = [0] : tensor<2xi32> to tensor<2x2xi32>
  // CHECK: return %[[R]], %[[B]]
  return %1, %3 : tensor<3x2xi32>, tensor<2x2xi32>
}

// CHECK-LABEL: func.func @broadcasts(
// CHECK-SAME:    %[[X:.*]]: tensor<1x?xf32>, %[[Y:.*]]: tensor<?xf32>, %[[N:.*]]: index, %[[M:.*]]: index
func.func @broadcasts(%x: tensor<1x?xf32>, %y: tensor<?xf32>, %n: index, %m: index)
    -> (tensor<1x?xf32>, tensor<?x5x?xf32>, tensor<3x4xf32>) {
  %0 = fusion.broadcast %x dims = [0, 1] sizes(%n) : tensor<1x?xf32> to tensor<1x?xf32>
  // CHECK: %[[ONCE:.*]] = fusion.broadcast %[[X]] dims = [1, 2] sizes(%[[M]], %[[N]]) : tensor<1x?xf32> to tensor<?x5x?xf32>
  %1 = fusion.broadcast %x dims = [0, 1] sizes(%n) : tensor<1x?xf32> to tensor<5x?xf32>
  %2 = fusion.broadcast %1 dims = [1, 2] sizes(%m, %n) : tensor<5x?xf32> to tensor<?x5x?xf32>
  // A dynamic dim does not repeat, so that the two stay.
  // CHECK: fusion.broadcast %[[Y]]
  // CHECK: %[[TWICE:.*]] = fusion.broadcast
  %3 = fusion.broadcast %y dims = [1] : tensor<?xf32> to tensor<3x1xf32>
  %4 = fusion.broadcast %3 dims = [0, 1] : tensor<3x1xf32> to tensor<3x4xf32>
  // CHECK: return %[[X]], %[[ONCE]], %[[TWICE]]
  return %0, %2, %4 : tensor<1x?xf32>, tensor<?x5x?xf32>, tensor<3x4xf32>
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @matmul_transposes(
// CHECK-SAME:    %[[A:.*]]: tensor<2x8x4xf32>, %[[B:.*]]: tensor<2x5x8xf32>, %[[C:.*]]: tensor<8x2x4xf32>
func.func @matmul_transposes(%a: tensor<2x8x4xf32>, %b: tensor<2x5x8xf32>, %c: tensor<8x2x4xf32>)
    -> (tensor<2x4x5xf32>, tensor<2x5x4xf32>) {
  // CHECK: %[[R:.*]] = fusion.matmul %[[A]], %[[B]] {transpose_a, transpose_b}
  %0 = fusion.transpose %a perm = [0, 2, 1] : tensor<2x8x4xf32> to tensor<2x4x8xf32>
  %1 = fusion.transpose %b perm = [0, 2, 1] : tensor<2x5x8xf32> to tensor<2x8x5xf32>
  %2 = fusion.matmul %0, %1 : tensor<2x4x8xf32>, tensor<2x8x5xf32> -> tensor<2x4x5xf32>
  // Only a transpose of the matrices is absorbed.
  // CHECK: %[[T:.*]] = fusion.transpose %[[C]]
  // CHECK: %[[S:.*]] = fusion.matmul %[[B]], %[[T]] :
  %3 = fusion.transpose %c perm = [1, 0, 2] : tensor<8x2x4xf32> to tensor<2x8x4xf32>
  %4 = fusion.matmul %1, %3 {transpose_a} : tensor<2x8x5xf32>, tensor<2x8x4xf32> -> tensor<2x5x4xf32>
  // CHECK: return %[[R]], %[[S]]
  return %2, %4 : tensor<2x4x5xf32>, tensor<2x5x4xf32>
}

// CHECK-LABEL: func.func @reduce_nothing(
// CHECK-SAME:    %[[X:.*]]: tensor<f16>
func.func @reduce_nothing(%x: tensor<f16>) -> (tensor<f16>, tensor<f16>) {
  %0 = fusion.reduce mean, %x dims = [] : tensor<f16> to tensor<f16>
  %1 = fusion.reduce sum, %x dims = [] : tensor<f16> to tensor<f16>
  // CHECK: return %[[X]], %[[X]]
  return %0, %1 : tensor<f16>, tensor<f16>
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

// A size that one arm knows is that of the result.
// CHECK-LABEL: func.func @if_sizes(
// CHECK-SAME:    %[[P:.*]]: tensor<i1>, %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<?x?xf32>
// CHECK:         %[[IF:.*]] = fusion.if %[[P]] : tensor<i1> -> tensor<4x8xf32> {
// CHECK-NEXT:      fusion.yield %[[A]] : tensor<4x8xf32>
// CHECK:         } else {
// CHECK-NEXT:      %[[REFINED:.*]] = tensor.cast %[[B]] : tensor<?x?xf32> to tensor<4x8xf32>
// CHECK-NEXT:      fusion.yield %[[REFINED]] : tensor<4x8xf32>
// CHECK:         %[[WIDE:.*]] = tensor.cast %[[IF]] : tensor<4x8xf32> to tensor<?x?xf32>
// CHECK:         return %[[WIDE]]
func.func @if_sizes(%p: tensor<i1>, %a: tensor<4x8xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fusion.if %p : tensor<i1> -> tensor<?x?xf32> {
    %1 = tensor.cast %a : tensor<4x8xf32> to tensor<?x?xf32>
    fusion.yield %1 : tensor<?x?xf32>
  } else {
    fusion.yield %b : tensor<?x?xf32>
  }
  return %0 : tensor<?x?xf32>
}

// Nothing is known of either arm.
// CHECK-LABEL: func.func @if_unknown_sizes(
// CHECK:         fusion.if %{{.*}} : tensor<i1> -> tensor<?xf32> {
// CHECK-NOT:     tensor.cast
// CHECK:         return
func.func @if_unknown_sizes(%p: tensor<i1>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fusion.if %p : tensor<i1> -> tensor<?xf32> {
    fusion.yield %a : tensor<?xf32>
  } else {
    fusion.yield %b : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F00000040"
    }
  }
#-}
