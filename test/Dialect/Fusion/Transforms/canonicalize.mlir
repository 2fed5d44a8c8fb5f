// RUN: fusion-opt %s -fusion-canonicalize -split-input-file | FileCheck %s
// RUN: fusion-opt %s -canonicalize -split-input-file | FileCheck %s --check-prefix=UPSTREAM

// What is exact folds; a function whose last bit depends on the library stays. It
// stands in a loop of one iteration, whose body upstream would fold as it inlines it.
// CHECK-LABEL: func.func @kept(
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:         %[[COSH:.*]] = math.cosh %[[TWO]] : f32
// CHECK-NOT:     scf.for
// CHECK:         return %[[COSH]]
// UPSTREAM-LABEL: func.func @kept(
// UPSTREAM-NOT:   math.cosh
func.func @kept() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 2.5 : f32
  %0 = math.floor %c : f32
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %0) -> f32 {
    %1 = math.cosh %x : f32
    scf.yield %1 : f32
  }
  return %r : f32
}

// -----

// Every op of the dialect that folds and is not exact: none folds, all are as before.
// CHECK-LABEL: func.func @functions(
// CHECK-NOT:     unrealized_conversion_cast
// CHECK-COUNT-24: math.{{.*}} %{{.*}} : f32
// CHECK-NOT:     math.
// UPSTREAM-LABEL: func.func @functions(
// UPSTREAM-NOT:   math.
// UPSTREAM:       return
func.func @functions() -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32,
                           f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
  %x = arith.constant 0.7 : f32
  %y = arith.constant 1.7 : f32
  %0 = math.exp %x : f32
  %1 = math.exp2 %x : f32
  %2 = math.expm1 %x : f32
  %3 = math.log %x : f32
  %4 = math.log2 %x : f32
  %5 = math.log10 %x : f32
  %6 = math.log1p %x : f32
  %7 = math.sin %x : f32
  %8 = math.cos %x : f32
  %9 = math.tan %x : f32
  %10 = math.asin %x : f32
  %11 = math.acos %x : f32
  %12 = math.atan %x : f32
  %13 = math.sinh %x : f32
  %14 = math.cosh %x : f32
  %15 = math.tanh %x : f32
  %16 = math.asinh %x : f32
  %17 = math.acosh %y : f32
  %18 = math.atanh %x : f32
  %19 = math.erf %x : f32
  %20 = math.erfc %x : f32
  %21 = math.powf %x, %y : f32
  %22 = math.atan2 %x, %y : f32
  %23 = math.tanh %y : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18,
    %19, %20, %21, %22, %23 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32,
    f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
}

// -----

// Exact functions and arithmetic fold, functions that nothing reads go.
// CHECK-LABEL: func.func @folded()
// CHECK-DAG:     arith.constant 2.000000e+00 : f32
// CHECK-DAG:     arith.constant -3.000000e+00 : f32
// CHECK-NOT:     math.
// CHECK:         return
func.func @folded() -> (f32, f32) {
  %c4 = arith.constant 4.0 : f32
  %c = arith.constant -2.5 : f32
  %0 = math.sqrt %c4 : f32
  %1 = math.floor %c : f32
  %2 = math.sin %c4 : f32
  return %0, %1 : f32, f32
}

// -----

// In graphs, too: a scale that is a root is a constant for what follows.
// CHECK-LABEL: func.func @scale(
// CHECK-NEXT:    %[[C:.*]] = fusion.constant dense<5.000000e-01> : tensor<2xf16>
// CHECK-NEXT:    return %[[C]]
// UPSTREAM-LABEL: func.func @scale(
func.func @scale() -> tensor<2xf16> {
  %c = fusion.constant dense<16.0> : tensor<2xf16>
  %0 = fusion.sqrt %c : tensor<2xf16>
  %1 = fusion.reciprocal %0 : tensor<2xf16>
  %2 = fusion.sqrt %1 : tensor<2xf16>
  return %2 : tensor<2xf16>
}
