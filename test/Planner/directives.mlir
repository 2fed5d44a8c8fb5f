// Attributes on operations overrule the planner.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter-missed='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// An op that is not to be fused has a kernel of its own; its neighbours fuse.
// CHECK-LABEL: func.func @no_fuse(
// CHECK-COUNT-2: fusion.group "exp" kinds []
// CHECK:         fusion.group "negf+abs" kinds ["vertical"]
// CHECK-NOT:     fusion.no_fuse
func.func @no_fuse(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.exp {fusion.no_fuse} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %2 = linalg.negf ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %3 = linalg.abs ins(%2 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// Siblings that would fuse anyway, and whose attributes do not stay.
// CHECK-LABEL: func.func @fuse_with(
// CHECK:         fusion.group "exp+negf" kinds ["vertical"]
// CHECK-NOT:     fusion.fuse_with
func.func @fuse_with(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {fusion.fuse_with = "a"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.negf {fusion.fuse_with = "a"} ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A pinned schedule becomes the group's.
// CHECK-LABEL: func.func @schedule(
// CHECK:         fusion.group "exp+negf" kinds ["vertical"]{{.*}} schedule = {columns = 128 : i64, kind = "elementwise", rows = 1 : i64, warps = 4 : i64}
func.func @schedule(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %e = tensor.empty() : tensor<4096xf32>
  %0 = linalg.exp ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %1 = linalg.negf {fusion.schedule = {kind = "elementwise", rows = 1, columns = 128, warps = 4}}
    ins(%0 : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  return %1 : tensor<4096xf32>
}

// -----

// Fused though the cost model would say that it takes longer.
// CHECK-LABEL: func.func @fuse_with_though_slower(
// CHECK-COUNT-1: fusion.group
// CHECK-NOT:     fusion.group
func.func @fuse_with_though_slower(%x: tensor<4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %e = tensor.empty() : tensor<4096xf32>
  %f = tensor.empty() : tensor<4096x4096xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) attrs = {fusion.fuse_with = "a"} {
  ^bb0(%p: f32, %d: f32):
    %a0 = math.exp %p : f32
    %a1 = math.log %a0 : f32
    %a2 = math.exp %a1 : f32
    %a3 = math.log %a2 : f32
    %a4 = math.exp %a3 : f32
    %a5 = math.log %a4 : f32
    %a6 = math.exp %a5 : f32
    %a7 = math.log %a6 : f32
    %a8 = math.exp %a7 : f32
    %a9 = math.log %a8 : f32
    linalg.yield %a9 : f32
  } -> tensor<4096xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%y, %0 : tensor<4096x4096xf32>, tensor<4096xf32>) outs(%f : tensor<4096x4096xf32>) attrs = {fusion.fuse_with = "a"} {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %2 = arith.addf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}
