// Functions of constants that stay, in each form in which upstream folds them.
//
// RUN: fusion-opt %s -fusion-canonicalize -split-input-file | FileCheck %s
// RUN: fusion-opt %s -canonicalize -split-input-file | FileCheck %s --check-prefix=UPSTREAM

// Doubles, which upstream folds, and halves, which it does not.
// CHECK-LABEL: func.func @types(
// CHECK-DAG:     %[[X:.*]] = arith.constant {{.*}} : f16
// CHECK-DAG:     %[[Y:.*]] = arith.constant {{.*}} : bf16
// CHECK-DAG:     %[[Z:.*]] = arith.constant {{.*}} : f64
// CHECK:         %[[A:.*]] = math.exp %[[X]] : f16
// CHECK-NEXT:    %[[B:.*]] = math.log %[[Y]] : bf16
// CHECK-NEXT:    %[[C:.*]] = math.sin %[[Z]] : f64
// CHECK-NEXT:    return %[[A]], %[[B]], %[[C]]
// UPSTREAM-LABEL: func.func @types(
// UPSTREAM-NOT:   math.sin
func.func @types() -> (f16, bf16, f64) {
  %x = arith.constant 0.7 : f16
  %y = arith.constant 0.7 : bf16
  %z = arith.constant 0.7 : f64
  %0 = math.exp %x : f16
  %1 = math.log %y : bf16
  %2 = math.sin %z : f64
  return %0, %1, %2 : f16, bf16, f64
}

// -----

// Each element of a tensor, and all of a vector.
// CHECK-LABEL: func.func @whole_tensors(
// CHECK:         %[[A:.*]] = math.exp %{{.*}} : tensor<2xf32>
// CHECK-NEXT:    %[[B:.*]] = math.tanh %{{.*}} : vector<4xf32>
// CHECK-NEXT:    return %[[A]], %[[B]]
// UPSTREAM-LABEL: func.func @whole_tensors(
// UPSTREAM-NOT:   math.
func.func @whole_tensors() -> (tensor<2xf32>, vector<4xf32>) {
  %x = arith.constant dense<[0.5, 0.7]> : tensor<2xf32>
  %y = arith.constant dense<0.3> : vector<4xf32>
  %0 = math.exp %x : tensor<2xf32>
  %1 = math.tanh %y : vector<4xf32>
  return %0, %1 : tensor<2xf32>, vector<4xf32>
}

// -----

// What happens to be exact is not told apart from what is not.
// CHECK-LABEL: func.func @exact_by_chance(
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         %[[A:.*]] = math.exp %[[ZERO]] : f32
// CHECK-NEXT:    %[[B:.*]] = math.log %[[ONE]] : f32
// CHECK-NEXT:    %[[C:.*]] = math.powf %[[ONE]], %[[ZERO]] : f32
// CHECK-NEXT:    return %[[A]], %[[B]], %[[C]]
// UPSTREAM-LABEL: func.func @exact_by_chance(
// UPSTREAM-NOT:   math.
func.func @exact_by_chance() -> (f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = math.exp %zero : f32
  %1 = math.log %one : f32
  %2 = math.powf %one, %zero : f32
  return %0, %1, %2 : f32, f32, f32
}

// -----

// A function of a function: neither folds, nor do they fold away together.
// CHECK-LABEL: func.func @of_a_function(
// CHECK:         %[[A:.*]] = math.exp %{{.*}} : f32
// CHECK-NEXT:    %[[B:.*]] = math.log %[[A]] : f32
// CHECK-NEXT:    return %[[B]]
// UPSTREAM-LABEL: func.func @of_a_function(
// UPSTREAM-NOT:   math.
func.func @of_a_function() -> f32 {
  %x = arith.constant 0.7 : f32
  %0 = math.exp %x : f32
  %1 = math.log %0 : f32
  return %1 : f32
}

// -----

// In the body of an op.
// CHECK-LABEL: func.func @in_a_body(
// CHECK:         linalg.generic
// CHECK:           %[[E:.*]] = math.exp %{{.*}} : f32
// CHECK-NEXT:      linalg.yield %[[E]]
// UPSTREAM-LABEL: func.func @in_a_body(
// UPSTREAM-NOT:   math.
func.func @in_a_body(%e: tensor<4xf32>) -> tensor<4xf32> {
  %x = arith.constant 0.7 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%d: f32):
    %1 = math.exp %x : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// In graphs: the reciprocal root has two roundings on the CPU, and is a formula elsewhere.
// CHECK-LABEL: func.func @in_a_graph(
// CHECK:         %[[R:.*]] = fusion.rsqrt
// CHECK-NEXT:    %[[S:.*]] = fusion.sqrt %[[R]]
// CHECK-NEXT:    return %[[S]]
// UPSTREAM-LABEL: func.func @in_a_graph(
func.func @in_a_graph() -> tensor<2xf16> {
  %c = fusion.constant dense<16.0> : tensor<2xf16>
  %0 = fusion.rsqrt %c : tensor<2xf16>
  %1 = fusion.sqrt %0 : tensor<2xf16>
  return %1 : tensor<2xf16>
}
