// What attributes keep apart, and what they cannot force.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter-missed='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What is not legal is not forced; the reason is told.
// CHECK-LABEL: func.func @fuse_with_illegal(
// CHECK-SAME:    fusion.not_fused = [{consumer = "second", producer = "first", reason = "a contraction's operand
// CHECK-COUNT-2: fusion.group "{{first|second}}" kinds []
func.func @fuse_with_illegal(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul {fusion.fuse_with = "a"} ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32> loc("first")
  // expected-remark @unknown {{Consumer=second, Reason="what lies between the contractions is needed elsewhere"}}
  // expected-remark @unknown {{Reason="a contraction's operand would be the result of another contraction: what lies between the contractions is needed elsewhere"}}
  %1 = linalg.matmul {fusion.fuse_with = "a"} ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32> loc("second")
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Two different ones keep their ops apart.
// CHECK-LABEL: func.func @schedules_differ(
// CHECK-DAG:     fusion.group "exp" kinds []{{.*}}columns = 128
// CHECK-DAG:     fusion.group "negf" kinds []{{.*}}columns = 256
func.func @schedules_differ(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %e = tensor.empty() : tensor<4096xf32>
  %0 = linalg.exp {fusion.schedule = {kind = "elementwise", rows = 1, columns = 128, warps = 4}}
    ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  // expected-remark @below {{Reason="the operations pin different schedules"}}
  %1 = linalg.negf {fusion.schedule = {kind = "elementwise", rows = 1, columns = 256, warps = 4}}
    ins(%0 : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  return %1 : tensor<4096xf32>
}

// -----

// Nor does an op join a kernel that its schedule is not for.
// CHECK-LABEL: func.func @schedule_of_another_kind(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "exp" kinds []{{.*}} schedule = {{.*}}"elementwise"
func.func @schedule_of_another_kind(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="the pinned schedule is for another kind of kernel"}}
  %1 = linalg.exp {fusion.schedule = {kind = "elementwise", rows = 1, columns = 64, warps = 4}}
    ins(%0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// One name, but what lies between the two has to be in a kernel of its own.
// CHECK-LABEL: func.func @fuse_with_around(
// CHECK-COUNT-3: fusion.group {{.*}} kinds []
func.func @fuse_with_around(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.exp {fusion.fuse_with = "a"} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.matmul {fusion.no_fuse} ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @+2 {{Reason="an operation between the two needs the one and feeds the other"}}
  // expected-remark @+1 {{Reason="the producer is marked with fusion.no_fuse"}}
  %2 = linalg.add {fusion.fuse_with = "a"} ins(%x, %1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// One name, but no common loops.
// CHECK-LABEL: func.func @fuse_with_of_other_shape(
// CHECK-COUNT-2: fusion.group "exp" kinds []
func.func @fuse_with_of_other_shape(%x: tensor<8xf32>, %y: tensor<9xf32>) -> (tensor<8xf32>, tensor<9xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<9xf32>
  %0 = linalg.exp {fusion.fuse_with = "a"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{Reason="each of the two loops over dims that the other does not have"}}
  %1 = linalg.exp {fusion.fuse_with = "a"} ins(%y : tensor<9xf32>) outs(%f : tensor<9xf32>) -> tensor<9xf32>
  return %0, %1 : tensor<8xf32>, tensor<9xf32>
}

// -----

// Three of one name: two are fused, and the other one, of a row, stays out.
// CHECK-LABEL: func.func @fuse_with_smaller(
// CHECK-DAG:     fusion.group "exp+negf" kinds ["vertical"]
// CHECK-DAG:     fusion.group "exp" kinds []
func.func @fuse_with_smaller(%x: tensor<64x32xf16>, %y: tensor<32xf16>) -> (tensor<64x32xf16>, tensor<32xf16>) {
  %e = tensor.empty() : tensor<64x32xf16>
  %f = tensor.empty() : tensor<32xf16>
  %0 = linalg.exp {fusion.fuse_with = "a"} ins(%x : tensor<64x32xf16>) outs(%e : tensor<64x32xf16>) -> tensor<64x32xf16>
  // expected-remark @below {{Reason="a value that is smaller than the group's iteration space is needed outside of the group"}}
  %1 = linalg.exp {fusion.fuse_with = "a"} ins(%y : tensor<32xf16>) outs(%f : tensor<32xf16>) -> tensor<32xf16>
  // expected-remark @below {{Reason="a value that is smaller than the group's iteration space is needed outside of the group"}}
  %2 = linalg.negf {fusion.fuse_with = "a"} ins(%0 : tensor<64x32xf16>) outs(%e : tensor<64x32xf16>) -> tensor<64x32xf16>
  return %2, %1 : tensor<64x32xf16>, tensor<32xf16>
}

// -----

// A name does not overrule that an op is to be alone.
// CHECK-LABEL: func.func @fuse_with_alone(
// CHECK-COUNT-2: fusion.group "{{exp|sqrt}}" kinds []
func.func @fuse_with_alone(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.exp {fusion.fuse_with = "a"} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.sqrt {fusion.fuse_with = "a", fusion.no_fuse} ins(%0 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// One name in a branch and before it: no kernel crosses the border.
// CHECK-LABEL: func.func @fuse_with_in_a_branch(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.if
// CHECK:           fusion.group "sqrt" kinds []
func.func @fuse_with_in_a_branch(%c: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {fusion.fuse_with = "a"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    // expected-remark @below {{Reason="a branch's border lies between it and others of its 'fusion.fuse_with'"}}
    %2 = linalg.sqrt {fusion.fuse_with = "a"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %2 : tensor<8xf32>
  } else {
    fusion.yield %0 : tensor<8xf32>
  }
  return %1 : tensor<8xf32>
}

// -----

// An elementwise schedule has no rows that are reduced.
// CHECK-LABEL: func.func @elementwise_before_rows(
// CHECK:         fusion.group "exp" kinds []{{.*}} schedule = {{.*}}"elementwise"
// CHECK:         fusion.group "reduce" kinds []
func.func @elementwise_before_rows(%x: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %s = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.exp {fusion.schedule = {kind = "elementwise", rows = 1, columns = 64, warps = 4}}
    ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="the pinned schedule is for another kind of kernel"}}
  %1 = linalg.reduce {arith.addf} ins(%0 : tensor<64x64xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
  return %1 : tensor<64xf32>
}

// -----

// Nor has one of rows the tiles of a product.
// CHECK-LABEL: func.func @rows_after_a_product(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "reduce" kinds []{{.*}} schedule = {{.*}}"rows"
func.func @rows_after_a_product(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = tensor.empty() : tensor<64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%s : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="the pinned schedule is for another kind of kernel"}}
  %1 = linalg.reduce {arith.addf} ins(%0 : tensor<64x64xf32>) outs(%g : tensor<64xf32>) dimensions = [1]
    {fusion.schedule = {kind = "rows", rows = 1, columns = 64, warps = 4}}
  return %1 : tensor<64xf32>
}

// -----

// Schedules of two kinds, where the second is right for both.
// CHECK-LABEL: func.func @schedules_of_two_kinds(
// CHECK:         fusion.group "exp" kinds []{{.*}} schedule = {{.*}}"elementwise"
// CHECK:         fusion.group "reduce" kinds []{{.*}} schedule = {{.*}}"rows"
func.func @schedules_of_two_kinds(%x: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %s = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.exp {fusion.schedule = {kind = "elementwise", rows = 1, columns = 64, warps = 4}}
    ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="the operations pin different schedules"}}
  %1 = linalg.reduce {arith.addf} ins(%0 : tensor<64x64xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
    {fusion.schedule = {kind = "rows", rows = 1, columns = 64, warps = 4}}
  return %1 : tensor<64xf32>
}

// -----

// What makes an operand of a product, and would be computed where it is read.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @no_fuse_of_an_operand(
// CHECK:         fusion.group "elementwise" kinds []{{.*}} attributes {fusion.no_fuse}
// CHECK:         fusion.group "matmul" kinds []
func.func @no_fuse_of_an_operand(%x: tensor<64x64xf16>, %w: tensor<64x64xi8>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h = tensor.empty() : tensor<64x64xf16>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<64x64xi8>) outs(%h : tensor<64x64xf16>) attrs = {fusion.no_fuse} {
  ^bb0(%a: i8, %o: f16):
    %b = arith.sitofp %a : i8 to f16
    linalg.yield %b : f16
  } -> tensor<64x64xf16>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %1 = linalg.matmul ins(%x, %0 : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// One of two products that would share a body: the other one has what reads both.
// CHECK-LABEL: func.func @no_fuse_of_one_product(
// CHECK:         fusion.group "matmul" kinds []{{.*}} attributes {fusion.no_fuse}
// CHECK:         fusion.group "matmul+mul" kinds ["vertical"]
func.func @no_fuse_of_one_product(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %v: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul {fusion.no_fuse} ins(%x, %v : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %2 = linalg.mul ins(%0, %1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
