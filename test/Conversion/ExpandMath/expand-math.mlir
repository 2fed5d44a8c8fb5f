// RUN: fusion-opt %s -fusion-expand-math | FileCheck %s
// RUN: fusion-opt %s -fusion-expand-math=hardware-exp=true | FileCheck %s --check-prefix=GPU

// Nothing of the math dialect is left but single instructions; no division.

// CHECK-LABEL: func.func @exp(
// CHECK-NOT:     math.exp
// CHECK-NOT:     arith.divf
// CHECK:         math.fma
// GPU-LABEL:   func.func @exp(
// GPU:           llvm.call_intrinsic "llvm.nvvm.ex2.approx.{{(ftz\.)?}}f{{(32)?}}"(%{{.*}}) : (f32) -> f32
func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// An exponential that may be approximated is two instructions of the GPU, and on the
// CPU the same as any.

// CHECK-LABEL: func.func @approximate_exp(
// CHECK-NOT:     math.exp
// CHECK:         math.fma
// GPU-LABEL:   func.func @approximate_exp(
// GPU-SAME:      %[[X:.*]]: f32
// GPU-NEXT:      %[[L:.*]] = arith.constant 1.442695{{.*}} : f32
// GPU-NEXT:      %[[H:.*]] = arith.mulf %[[X]], %[[L]] : f32
// GPU-NEXT:      %[[Y:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%[[H]])
// GPU-NEXT:      return %[[Y]]
func.func @approximate_exp(%x: f32) -> f32 {
  %y = math.exp %x fastmath<afn> : f32
  return %y : f32
}

// CHECK-LABEL: func.func @gelu_parts(
// CHECK-NOT:     math.{{erf|tanh}}
// CHECK-NOT:     arith.divf
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @gelu_parts(%x: f32) -> (f32, f32) {
  %a = math.erf %x : f32
  %b = math.tanh %x : f32
  return %a, %b : f32, f32
}

// An erf that is only added to 1: on the GPU one polynomial will do, and no
// choice. Its relative error counts elsewhere.

// GPU-LABEL:   func.func @erf_beside_one(
// GPU-COUNT-7:   math.fma
// GPU-NOT:       math.fma
// GPU:           llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// GPU-NOT:       arith.select
// GPU:           return
// GPU-LABEL:   func.func @erf_on_its_own(
// GPU:           arith.select
// GPU:           return
func.func @erf_beside_one(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %e = math.erf %x : f32
  %y = arith.addf %one, %e : f32
  return %y : f32
}
func.func @erf_on_its_own(%x: f32) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %e = math.erf %x : f32
  %y = arith.addf %one, %e : f32
  return %y, %e : f32, f32
}

// Vectors stay vectors.

// CHECK-LABEL: func.func @vector(
// CHECK-NOT:     math.log
// CHECK:         math.fma %{{.*}} : vector<8xf32>
// GPU-LABEL:   func.func @vector(
// GPU:           return
func.func @vector(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.log %x : vector<8xf32>
  return %y : vector<8xf32>
}

// Halves are widened, and rounded once.

// CHECK-LABEL: func.func @halves(
// CHECK-SAME:      %[[X:.*]]: f16, %[[Y:.*]]: vector<2xbf16>)
// CHECK:         arith.extf %[[X]] : f16 to f32
// CHECK:         arith.truncf %{{.*}} : f32 to f16
// CHECK:         %[[W:.*]] = arith.extf %[[Y]] : vector<2xbf16> to vector<2xf32>
// CHECK:         %[[S:.*]] = math.sqrt %[[W]] : vector<2xf32>
// CHECK:         arith.truncf %[[S]] : vector<2xf32> to vector<2xbf16>
func.func @halves(%x: f16, %y: vector<2xbf16>) -> (f16, vector<2xbf16>) {
  %a = math.sin %x : f16
  %b = math.sqrt %y : vector<2xbf16>
  return %a, %b : f16, vector<2xbf16>
}

// Small constant powers are products.

// CHECK-LABEL: func.func @powers(
// CHECK-SAME:      %[[X:.*]]: f32)
// CHECK:         %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK:         %[[AGAIN:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK:         %[[CUBE:.*]] = arith.mulf %[[AGAIN]], %[[X]]
// CHECK:         return %[[SQUARE]], %[[CUBE]]
func.func @powers(%x: f32) -> (f32, f32) {
  %c2 = arith.constant 2.0 : f32
  %c3 = arith.constant 3.0 : f32
  %a = math.powf %x, %c2 : f32
  %b = math.powf %x, %c3 : f32
  return %a, %b : f32, f32
}

// An exponent that may be 2, 3 or -1 gives the same bits as that constant.

// CHECK-LABEL: func.func @any_power(
// CHECK-SAME:      %[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK:         %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK:         %[[IS_TWO:.*]] = arith.cmpf oeq, %[[Y]], %{{.*}}
// CHECK:         arith.select %[[IS_TWO]], %[[SQUARE]]
// CHECK:         %[[AGAIN:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK:         %[[CUBE:.*]] = arith.mulf %[[AGAIN]], %[[X]]
// CHECK:         arith.select %{{.*}}, %[[CUBE]]
// CHECK:         %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[X]]
// CHECK:         arith.select %{{.*}}, %[[INVERSE]]
func.func @any_power(%x: f32, %y: f32) -> f32 {
  %a = math.powf %x, %y : f32
  return %a : f32
}

// f64, tensors and what is an instruction stay.

// CHECK-LABEL: func.func @kept(
// CHECK:         math.exp %{{.*}} : f64
// CHECK:         math.exp %{{.*}} : tensor<4xf32>
// CHECK:         math.rsqrt %{{.*}} : f32
// CHECK:         math.floor %{{.*}} : f32
func.func @kept(%x: f64, %t: tensor<4xf32>, %s: f32) -> (f64, tensor<4xf32>, f32, f32) {
  %a = math.exp %x : f64
  %b = math.exp %t : tensor<4xf32>
  %c = math.rsqrt %s : f32
  %d = math.floor %s : f32
  return %a, %b, %c, %d : f64, tensor<4xf32>, f32, f32
}

// MLIR's own lowering of the first two would lose the smallest x, LLVM's of the third
// depends on what is a constant.
// CHECK-LABEL: func.func @library_f64(
// CHECK-NOT:     math.log1p
// CHECK-NOT:     math.expm1
// CHECK-NOT:     math.powf
// CHECK:         return
func.func @library_f64(%x: f64, %v: vector<4xf64>) -> (f64, vector<4xf64>, f64) {
  %a = math.log1p %x : f64
  %b = math.expm1 %v : vector<4xf64>
  %c = math.powf %x, %x : f64
  return %a, %b, %c : f64, vector<4xf64>, f64
}

// What kind of number it is takes a comparison.
// CHECK-LABEL: func.func @classes(
// CHECK-SAME:    %[[X:.*]]: f32, %[[H:.*]]: vector<2xf16>
// CHECK:         %[[N:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK:         %[[A:.*]] = math.absf %[[X]]
// CHECK:         %[[I:.*]] = arith.cmpf oeq, %[[A]], %{{.*}} : f32
// CHECK:         %[[B:.*]] = math.absf %[[H]]
// CHECK:         %[[F:.*]] = arith.cmpf olt, %[[B]], %{{.*}} : vector<2xf16>
// CHECK:         return %[[N]], %[[I]], %[[F]]
func.func @classes(%x: f32, %h: vector<2xf16>) -> (i1, i1, vector<2xi1>) {
  %n = math.isnan %x : f32
  %i = math.isinf %x : f32
  %f = math.isfinite %h : vector<2xf16>
  return %n, %i, %f : i1, i1, vector<2xi1>
}

// Halves go away from zero.
// CHECK-LABEL: func.func @round(
// CHECK-NOT:     math.round
// CHECK-COUNT-2: math.trunc
// CHECK-NOT:     math.round
// CHECK:         return
func.func @round(%x: f16, %y: f64) -> (f16, f64) {
  %r = math.round %x : f16
  %s = math.round %y : f64
  return %r, %s : f16, f64
}
