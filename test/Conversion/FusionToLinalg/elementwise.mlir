// RUN: fusion-opt %s -fusion-to-linalg | FileCheck %s

// CHECK-DAG: #[[$ID1:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$ID2:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @exp(
// CHECK-SAME:    %[[X:.*]]: tensor<4x?xf32>
func.func @exp(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // CHECK: %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
  // CHECK: %[[D:.*]] = tensor.empty(%[[N]]) : tensor<4x?xf32>
  // CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[$ID2]], #[[$ID2]]], iterator_types = ["parallel", "parallel"]} ins(%[[X]] : tensor<4x?xf32>) outs(%[[D]] : tensor<4x?xf32>) {
  // CHECK:   %[[E:.*]] = math.exp %{{.*}} : f32
  // CHECK:   linalg.yield %[[E]]
  // CHECK: return %[[R]]
  %0 = fusion.exp %x : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// Halves are computed in f32; the rounding is marked.
// CHECK-LABEL: func.func @add_half(
func.func @add_half(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xbf16> {
  // CHECK:      ^bb0(%[[X:.*]]: bf16, %[[Y:.*]]: bf16, %{{.*}}: bf16):
  // CHECK-NEXT:   %[[XW:.*]] = arith.extf %[[X]] : bf16 to f32
  // CHECK-NEXT:   %[[YW:.*]] = arith.extf %[[Y]] : bf16 to f32
  // CHECK-NEXT:   %[[S:.*]] = arith.addf %[[XW]], %[[YW]] : f32
  // CHECK-NEXT:   %[[R:.*]] = arith.truncf %[[S]] {fusion.rounding} : f32 to bf16
  // CHECK-NEXT:   linalg.yield %[[R]] : bf16
  %0 = fusion.add %x, %y : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// A rounding that the model asks for is not marked.
// CHECK-LABEL: func.func @casts(
func.func @casts(%x: tensor<4xf32>, %y: tensor<4xi32>, %z: tensor<4xf64>) -> (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xbf16>, tensor<4xf32>) {
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %0 = fusion.cast %x : tensor<4xf32> to tensor<4xf16>
  // CHECK: arith.truncf %{{.*}} {fusion.rounding} : f32 to f16
  %1 = fusion.cast %x rounding : tensor<4xf32> to tensor<4xf16>
  // CHECK: %[[I:.*]] = arith.sitofp %{{.*}} : i32 to f32
  // CHECK: arith.truncf %[[I]] : f32 to f16
  %2 = fusion.cast %y : tensor<4xi32> to tensor<4xf16>
  // CHECK: %[[D:.*]] = arith.truncf %{{.*}} : f64 to f32
  // CHECK: arith.truncf %[[D]] : f32 to bf16
  %3 = fusion.cast %z : tensor<4xf64> to tensor<4xbf16>
  // CHECK:      %[[W:.*]] = arith.extf %{{.*}} : bf16 to f32
  // CHECK-NEXT: linalg.yield %[[W]] : f32
  %4 = fusion.cast %3 : tensor<4xbf16> to tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xbf16>, tensor<4xf32>
}

// Activations are ordinary arithmetic.
// CHECK-LABEL: func.func @activations(
func.func @activations(%x: tensor<f32>) -> tensor<f32> {
  // CHECK:      ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT:   %[[S:.*]] = arith.mulf %[[X]], %{{.*}}
  // CHECK-NEXT:   %[[E:.*]] = math.erf %[[S]]
  // CHECK-NEXT:   %[[H:.*]] = arith.mulf %[[X]], %{{.*}}
  // CHECK-NEXT:   %[[A:.*]] = arith.addf %[[E]], %{{.*}}
  // CHECK-NEXT:   arith.mulf %[[H]], %[[A]]
  %0 = fusion.gelu %x : tensor<f32>
  // CHECK:   math.tanh
  %1 = fusion.gelu %0 approximate = tanh : tensor<f32>
  // CHECK:      ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT:   %[[N:.*]] = arith.negf %[[X]]
  // CHECK-NEXT:   %[[E:.*]] = math.exp %[[N]]
  // CHECK-NEXT:   %[[A:.*]] = arith.addf %[[E]], %{{.*}}
  // CHECK-NEXT:   %[[G:.*]] = arith.divf %{{.*}}, %[[A]]
  // CHECK-NEXT:   arith.mulf %[[X]], %[[G]]
  %2 = fusion.silu %1 : tensor<f32>
  // CHECK: arith.maximumf
  %3 = fusion.relu %2 : tensor<f32>
  return %3 : tensor<f32>
}

// CHECK-LABEL: func.func @math(
func.func @math(%x: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: math.log
  %0 = fusion.log %x : tensor<1xf32>
  // CHECK: math.sqrt
  %1 = fusion.sqrt %0 : tensor<1xf32>
  // CHECK: math.rsqrt
  %2 = fusion.rsqrt %1 : tensor<1xf32>
  // CHECK: math.tanh
  %3 = fusion.tanh %2 : tensor<1xf32>
  // CHECK: math.sin
  %4 = fusion.sin %3 : tensor<1xf32>
  // CHECK: math.cos
  %5 = fusion.cos %4 : tensor<1xf32>
  // CHECK: math.floor
  %6 = fusion.floor %5 : tensor<1xf32>
  // CHECK: math.ceil
  %7 = fusion.ceil %6 : tensor<1xf32>
  // CHECK: math.roundeven
  %8 = fusion.round %7 : tensor<1xf32>
  // CHECK: math.powf
  %9 = fusion.pow %8, %x : tensor<1xf32>
  // CHECK: math.erf
  %10 = fusion.erf %9 : tensor<1xf32>
  // CHECK: math.absf
  %11 = fusion.abs %10 : tensor<1xf32>
  // CHECK: arith.remf
  %12 = fusion.rem %11, %x : tensor<1xf32>
  // CHECK: arith.minimumf
  %13 = fusion.min %12, %x : tensor<1xf32>
  return %13 : tensor<1xf32>
}

// Signedness is in the operations.
// CHECK-LABEL: func.func @signed(
func.func @signed(%x: tensor<4xi16>, %y: tensor<4xi16>) -> tensor<4xi1> {
  // CHECK: arith.maxsi
  %0 = fusion.max %x, %y : tensor<4xi16>
  // CHECK: arith.minsi
  %1 = fusion.min %0, %y : tensor<4xi16>
  // CHECK: arith.cmpi slt
  %2 = fusion.compare lt, %1, %y : tensor<4xi16>
  return %2 : tensor<4xi1>
}

// CHECK-LABEL: func.func @unsigned(
// CHECK-SAME:    tensor<4xi16> {fusion.dtype = "u16"}
// CHECK-SAME:    tensor<4xi16> {fusion.dtype = "u16"}
// CHECK-SAME:    -> (tensor<4xi1>, tensor<4xi32> {fusion.dtype = "u32"})
func.func @unsigned(%x: tensor<4xui16>, %y: tensor<4xui16>) -> (tensor<4xi1>, tensor<4xui32>) {
  // CHECK: arith.maxui
  %0 = fusion.max %x, %y : tensor<4xui16>
  // CHECK: arith.minui
  %1 = fusion.min %0, %y : tensor<4xui16>
  // CHECK: arith.cmpi ult
  %2 = fusion.compare lt, %1, %y : tensor<4xui16>
  // CHECK: arith.extui %{{.*}} : i16 to i32
  %3 = fusion.cast %1 : tensor<4xui16> to tensor<4xui32>
  return %2, %3 : tensor<4xi1>, tensor<4xui32>
}

// NaN makes every comparison false, but ne true.
// CHECK-LABEL: func.func @compares(
func.func @compares(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  // CHECK: arith.cmpf oeq
  %0 = fusion.compare eq, %x, %y : tensor<4xf32>
  // CHECK: arith.cmpf une
  %1 = fusion.compare ne, %x, %y : tensor<4xf32>
  // CHECK: arith.andi %{{.*}} : i1
  %2 = fusion.and %0, %1 : tensor<4xi1>
  // CHECK: arith.xori %{{.*}} : i1
  %3 = fusion.not %2 : tensor<4xi1>
  return %3 : tensor<4xi1>
}

// A divisor that would trap is replaced before the division.
// CHECK-LABEL: func.func @divide(
func.func @divide(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK:      ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i32, %{{.*}}: i32):
  // CHECK-NEXT:   %[[ZERO:.*]] = arith.cmpi eq, %[[Y]], %{{.*}}
  // CHECK-NEXT:   %[[LEAST:.*]] = arith.cmpi eq, %[[X]], %{{.*}}
  // CHECK-NEXT:   %[[MINUS:.*]] = arith.cmpi eq, %[[Y]], %{{.*}}
  // CHECK-NEXT:   %[[OVER:.*]] = arith.andi %[[LEAST]], %[[MINUS]]
  // CHECK-NEXT:   %[[BAD:.*]] = arith.ori %[[ZERO]], %[[OVER]]
  // CHECK-NEXT:   %[[SAFE:.*]] = arith.select %[[BAD]], %{{.*}}, %[[Y]]
  // CHECK-NEXT:   %[[Q:.*]] = arith.divsi %[[X]], %[[SAFE]]
  // CHECK-NEXT:   arith.select %[[ZERO]], %{{.*}}, %[[Q]]
  %0 = fusion.div %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Scalar constants are in the body, not operands; so are those of a size known
// only at run time.
// CHECK-LABEL: func.func @scalars(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf16>
func.func @scalars(%x: tensor<?xf16>, %n: index) -> tensor<?xf16> {
  // CHECK-DAG: %[[HALF:.*]] = arith.constant 5.000000e-01 : f16
  // CHECK:     linalg.generic {{.*}} ins(%[[X]] : tensor<?xf16>)
  // CHECK-NOT: linalg.fill
  %0 = fusion.constant dense<0.5> : tensor<f16>
  %1 = fusion.broadcast %0 dims = [] sizes(%n) : tensor<f16> to tensor<?xf16>
  %2 = fusion.mul %x, %1 : tensor<?xf16>
  return %2 : tensor<?xf16>
}
