// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=all,-prologue},fusion-pack-launches))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=all,-prologue},fusion-pack-launches))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Siblings of unequal width read one operand: one launch, the weights stay.
// CHECK-LABEL: func.func @siblings(
// CHECK-SAME:    %[[X:.*]]: tensor<64x96xf16>, %[[A:.*]]: tensor<96x128xf16>, %[[B:.*]]: tensor<96x32xf16>)
// CHECK:         %[[R:.*]]:2 = fusion.group "matmul | matmul" kinds ["horizontal"]
// CHECK-SAME:      ins(%[[X]], %[[A]], %[[B]] : tensor<64x96xf16>, tensor<96x128xf16>, tensor<96x32xf16>)
// CHECK:         ^bb0(%[[X0:.*]]: tensor<64x96xf16>, %[[A0:.*]]: tensor<96x128xf16>, %[[B0:.*]]: tensor<96x32xf16>, %[[D:.*]]: tensor<64x128xf32>, %[[E:.*]]: tensor<64x32xf32>):
// CHECK:           %[[P:.*]] = fusion.group "matmul" kinds [] ins(%[[X0]], %[[A0]] : {{.*}}) outs(%[[D]]
// CHECK:           %[[Q:.*]] = fusion.group "matmul" kinds [] ins(%[[X0]], %[[B0]] : {{.*}}) outs(%[[E]]
// CHECK:           fusion.yield %[[P]], %[[Q]]
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @siblings(%x: tensor<64x96xf16>, %a: tensor<96x128xf16>, %b: tensor<96x32xf16>)
    -> (tensor<64x128xf32>, tensor<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x128xf32>
  %e = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x128xf32>) -> tensor<64x128xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %0 = linalg.matmul ins(%x, %a : tensor<64x96xf16>, tensor<96x128xf16>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  // expected-remark @below {{Remark="shares a launch with matmul"}}
  %1 = linalg.matmul ins(%x, %b : tensor<64x96xf16>, tensor<96x32xf16>) outs(%g : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<64x32xf32>
}

// -----

// Nothing in common, another shape and another kind: still one launch. The
// order of the results is that of the function.
// CHECK-LABEL: func.func @strangers(
// CHECK:         %[[R:.*]]:2 = fusion.group "exp | elementwise" kinds ["horizontal"]
// CHECK:         return %[[R]]#1, %[[R]]#0
func.func @strangers(%x: tensor<64xf32>, %y: tensor<7x9xf16>) -> (tensor<7x9xf16>, tensor<64xf32>) {
  %d = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<7x9xf16>
  %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below {{Remark="shares a launch with exp"}}
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<7x9xf16>) outs(%e : tensor<7x9xf16>) {
  ^bb0(%p: f16, %q: f16):
    %n = arith.negf %p : f16
    linalg.yield %n : f16
  } -> tensor<7x9xf16>
  return %1, %0 : tensor<7x9xf16>, tensor<64xf32>
}

// -----

// A launch moves behind another one when a later group joins it; what reads it, and
// was placed before, is then beside others that it was not tried with.
// CHECK-LABEL: func.func @later(
// CHECK:         %[[N:.*]] = fusion.group "negf" kinds []
// CHECK:         %[[R:.*]]:2 = fusion.group "exp | add" kinds ["horizontal"]
// CHECK-DAG:     fusion.group "abs" kinds [] ins(%[[R]]#0
// CHECK-DAG:     fusion.group "sqrt" kinds [] ins(%[[R]]#1
func.func @later(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %d = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below {{Producer=exp, Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.abs {fusion.no_fuse} ins(%0 : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below {{Other=exp, Reason="one of the two is marked with fusion.no_fuse"}}
  %2 = linalg.negf {fusion.no_fuse} ins(%y : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @+3 {{Producer=negf, Reason="the producer is marked with fusion.no_fuse"}}
  // expected-remark @+2 {{Other=abs, Reason="one of the two is marked with fusion.no_fuse"}}
  // expected-remark @+1 {{Remark="shares a launch with exp"}}
  %3 = linalg.add ins(%x, %2 : tensor<64xf32>, tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @+2 {{Producer=add, Reason="the consumer is marked with fusion.no_fuse"}}
  // expected-remark @+1 {{Other=abs, Reason="one of the two is marked with fusion.no_fuse"}}
  %4 = linalg.sqrt {fusion.no_fuse} ins(%3 : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  return %0, %1, %3, %4 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
