// What stays apart in the plan that is chosen, each with the reason.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=h200}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=h200}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Launches cost more than what small arrays take to read and write: no plan saves any, and
// that in program order stays.
// CHECK-LABEL: func.func @small(
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "reduction" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
func.func @small(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %c = tensor.empty() : tensor<4xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %rows = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x4xf32>) outs(%fr : tensor<8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  // expected-remark @below {{Remark="fused with reduction"}}
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %rows : tensor<8x4xf32>, tensor<8xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<8x4xf32>
  // expected-remark @below {{Remark="fused with elementwise"}}
  %sine = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%scaled : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.sin %a : f32
    linalg.yield %0 : f32
  } -> tensor<8x4xf32>
  // expected-remark @below {{Producer=elementwise, Reason="the reductions run over different dims"}}
  %columns = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%sine : tensor<8x4xf32>) outs(%fc : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %scaled, %columns : tensor<8x4xf32>, tensor<4xf32>
}

// -----

// A person wants the sine with what it is of, and the sums of columns are with them:
// those of rows, over other dims, are apart then.
// CHECK-LABEL: func.func @named(
// CHECK:         fusion.group "reduction" kinds []
// CHECK:         fusion.group "elementwise+reduction" kinds ["vertical"]
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
func.func @named(%x: tensor<8192x4096xf32>) -> (tensor<8192x4096xf32>, tensor<4096xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8192x4096xf32>
  %r = tensor.empty() : tensor<8192xf32>
  %c = tensor.empty() : tensor<4096xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%r : tensor<8192xf32>) -> tensor<8192xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%c : tensor<4096xf32>) -> tensor<4096xf32>
  %rows = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8192x4096xf32>) outs(%fr : tensor<8192xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<8192xf32>
  // expected-remark @below {{Producer=reduction, Reason="the reductions run over different dims"}}
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %rows : tensor<8192x4096xf32>, tensor<8192xf32>) outs(%e : tensor<8192x4096xf32>) attrs = {fusion.fuse_with = "scaled"} {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<8192x4096xf32>
  // expected-remark @below {{Remark="fused with elementwise"}}
  %sine = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%scaled : tensor<8192x4096xf32>) outs(%e : tensor<8192x4096xf32>) attrs = {fusion.fuse_with = "scaled"} {
  ^bb0(%a: f32, %o: f32):
    %0 = math.sin %a : f32
    linalg.yield %0 : f32
  } -> tensor<8192x4096xf32>
  // expected-remark @below {{Remark="fused with elementwise"}}
  %columns = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%sine : tensor<8192x4096xf32>) outs(%fc : tensor<4096xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  return %scaled, %columns : tensor<8192x4096xf32>, tensor<4096xf32>
}

// -----

// The product stays alone, and lies between the exponentials and the sum of both, which
// would share a kernel otherwise.
// CHECK-LABEL: func.func @between(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "add" kinds []
// CHECK-NOT:     fusion.group
!t = tensor<64x64xf32>
func.func @between(%x: !t, %w: !t) -> (!t, !t) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !t
  %f = linalg.fill ins(%zero : f32) outs(%e : !t) -> !t
  %0 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  // expected-remark @below {{Producer=exp, Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.matmul {fusion.no_fuse} ins(%0, %w : !t, !t) outs(%f : !t) -> !t
  // expected-remark @+2 {{Producer=exp, Reason="an operation between the two needs the one and feeds the other"}}
  // expected-remark @+1 {{Producer=matmul, Reason="the producer is marked with fusion.no_fuse"}}
  %2 = linalg.add ins(%0, %1 : !t, !t) outs(%e : !t) -> !t
  return %1, %2 : !t, !t
}
