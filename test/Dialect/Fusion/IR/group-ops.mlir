// RUN: fusion-opt %s | FileCheck %s
// RUN: fusion-opt %s -mlir-print-op-generic | fusion-opt | FileCheck %s
// RUN: fusion-opt %s -canonicalize | FileCheck %s --check-prefix=CANON

// CHECK-LABEL: func.func @group(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>, %[[D:.*]]: tensor<?x4xf32>
func.func @group(%x: tensor<?x4xf32>, %d: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK:      %[[R:.*]] = fusion.group "exp" kinds ["vertical"] ins(%[[X]] : tensor<?x4xf32>) outs(%[[D]] : tensor<?x4xf32>) {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<?x4xf32>, %{{.*}}: tensor<?x4xf32>):
  // CHECK-NEXT:   %[[V:.*]] = fusion.exp %[[A]]
  // CHECK-NEXT:   fusion.yield %[[V]] : tensor<?x4xf32>
  // CHECK-NEXT: } : tensor<?x4xf32>
  %r = fusion.group "exp" kinds ["vertical"] ins(%x : tensor<?x4xf32>) outs(%d : tensor<?x4xf32>) {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>):
    %v = fusion.exp %a : tensor<?x4xf32>
    fusion.yield %v : tensor<?x4xf32>
  } : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Results of different shapes, no inputs, a schedule, scalars.
// CHECK-LABEL: func.func @variants(
func.func @variants(%d: tensor<4xf32>, %e: tensor<2xf16>, %s: f32) -> (tensor<4xf32>, tensor<2xf16>) {
  // CHECK: fusion.group "two" kinds [] schedule = {tile_m = 64 : i64} outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<2xf16>) {
  %r:2 = fusion.group "two" kinds [] schedule = {tile_m = 64} outs(%d, %e : tensor<4xf32>, tensor<2xf16>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<2xf16>):
    // CHECK: fusion.yield %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<2xf16>
    fusion.yield %a, %b : tensor<4xf32>, tensor<2xf16>
  // CHECK: } : tensor<4xf32>, tensor<2xf16>
  } : tensor<4xf32>, tensor<2xf16>
  // CHECK: fusion.group "scalar" kinds ["horizontal", "conditional"] ins(%{{.*}} : f32)
  %q = fusion.group "scalar" kinds ["horizontal", "conditional"] ins(%s : f32) outs(%d : tensor<4xf32>) attributes {note = "kept"} {
  ^bb0(%a: f32, %b: tensor<4xf32>):
    %v = linalg.fill ins(%a : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %v : tensor<4xf32>
  } : tensor<4xf32>
  return %q, %r#1 : tensor<4xf32>, tensor<2xf16>
}

// CANON-LABEL: func.func @drop_inputs(
// CANON-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<4xf32>
func.func @drop_inputs(%x: tensor<4xf32>, %y: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  // CANON:      fusion.group "g" kinds [] ins(%[[X]] : tensor<4xf32>) outs(%[[D]] : tensor<4xf32>) {
  // CANON-NEXT: ^bb0(%[[A:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>):
  // CANON-NEXT:   fusion.add %[[A]], %[[A]]
  %r = fusion.group "g" kinds [] ins(%x, %y, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %e: tensor<4xf32>):
    %v = fusion.add %a, %c : tensor<4xf32>
    fusion.yield %v : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// A group without effects and users goes away.
// CANON-LABEL: func.func @dead(
// CANON-NOT:     fusion.group
func.func @dead(%d: tensor<4xf32>) {
  %r = fusion.group "g" kinds [] outs(%d : tensor<4xf32>) {
  ^bb0(%e: tensor<4xf32>):
    fusion.yield %e : tensor<4xf32>
  } : tensor<4xf32>
  return
}
