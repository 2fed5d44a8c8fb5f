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

// Not the producer and the consumer.
// CHECK-LABEL: func.func @dependent(
// CHECK-COUNT-2: fusion.group "matmul" kinds []
func.func @dependent(%x: tensor<16x16xf32>, %a: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @+1 {{Reason="what lies between the contractions is needed elsewhere"}}
  %0 = linalg.matmul ins(%x, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @+1 {{Reason="a contraction's operand would be the result of another contraction: what lies between the contractions is needed elsewhere"}}
  %1 = linalg.matmul ins(%0, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0, %1 : tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

// No cycle: the two reductions read one value, but the second needs what the
// product makes of the first.
// CHECK-LABEL: func.func @cycle(
// CHECK-COUNT-3: fusion.group "{{[a-z]+}}" kinds []
// CHECK-NOT:     fusion.group
func.func @cycle(%x: tensor<16x16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  // expected-remark @+1 {{Consumer=vecmat, Reason="an op is marked with fusion.no_fuse"}}
  %0 = linalg.vecmat {fusion.no_fuse} ins(%g, %x : tensor<16xf32>, tensor<16x16xf32>) outs(%g : tensor<16xf32>) -> tensor<16xf32>
  // expected-remark @+1 {{Reason="the producer is marked with fusion.no_fuse"}}
  %1 = linalg.exp ins(%0 : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  // expected-remark @+2 {{Reason="computing operands in the kernels of contractions is switched off"}}
  // expected-remark @+1 {{Reason="one of the two is marked with fusion.no_fuse"}}
  %2 = linalg.vecmat ins(%1, %x : tensor<16xf32>, tensor<16x16xf32>) outs(%g : tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// -----

// A group marked to stand alone does.
// CHECK-LABEL: func.func @marked(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @marked(%x: tensor<64xf32>, %y: tensor<32xf32>) -> (tensor<64xf32>, tensor<32xf32>) {
  %d = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<32xf32>
  %0 = linalg.exp {fusion.no_fuse} ins(%x : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below {{Reason="one of the two is marked with fusion.no_fuse"}}
  %1 = linalg.negf ins(%y : tensor<32xf32>) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  return %0, %1 : tensor<64xf32>, tensor<32xf32>
}

// -----

// Two copies that each take milliseconds gain nothing from one launch.
// CHECK-LABEL: func.func @large(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @large(%x: tensor<1048576x1024xf32>, %y: tensor<1048576x512xf32>)
    -> (tensor<1048576x1024xf32>, tensor<1048576x512xf32>) {
  %d = tensor.empty() : tensor<1048576x1024xf32>
  %e = tensor.empty() : tensor<1048576x512xf32>
  %0 = linalg.exp ins(%x : tensor<1048576x1024xf32>) outs(%d : tensor<1048576x1024xf32>) -> tensor<1048576x1024xf32>
  // expected-remark @below {{estimated to gain nothing in one launch (}}
  %1 = linalg.negf ins(%y : tensor<1048576x512xf32>) outs(%e : tensor<1048576x512xf32>) -> tensor<1048576x512xf32>
  return %0, %1 : tensor<1048576x1024xf32>, tensor<1048576x512xf32>
}

// -----

// A long row wants a block of more warps than a product that moves registers
// between its own can share a launch with.
// CHECK-LABEL: func.func @long_rows(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @long_rows(%x: tensor<64x8192xf32>, %a: tensor<64x64xf16>) -> (tensor<64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.reduce ins(%x : tensor<64x8192xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
    (%p: f32, %q: f32) { %s = arith.addf %p, %q : f32  linalg.yield %s : f32 }
  // expected-remark @below {{Reason="the blocks of long rows are larger than those of matrix products"}}
  %1 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64x64xf32>
}

// -----

// So does a reduction along rows that are not contiguous: its lanes lie across
// them, and many warps share one.
// CHECK-LABEL: func.func @columns(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @columns(%x: tensor<3000x64xf32>, %a: tensor<64x64xf16>) -> (tensor<64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.reduce ins(%x : tensor<3000x64xf32>) outs(%f : tensor<64xf32>) dimensions = [0]
    (%p: f32, %q: f32) { %s = arith.addf %p, %q : f32  linalg.yield %s : f32 }
  // expected-remark @below {{Reason="the blocks of a reduction along rows that are not contiguous are larger than those of matrix products"}}
  %1 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64x64xf32>
}

// -----

// A dim of one element is none to lie along.
// CHECK-LABEL: func.func @unit_dim(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @unit_dim(%x: tensor<3000x64x1xf32>, %a: tensor<64x64xf16>) -> (tensor<64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.reduce ins(%x : tensor<3000x64x1xf32>) outs(%f : tensor<64xf32>) dimensions = [0, 2]
    (%p: f32, %q: f32) { %s = arith.addf %p, %q : f32  linalg.yield %s : f32 }
  // expected-remark @below {{Reason="the blocks of a reduction along rows that are not contiguous are larger than those of matrix products"}}
  %1 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64x64xf32>
}

// -----

// So does a product of integers, which no tiles multiply, where its sums run along
// other dims than memory.
// CHECK-LABEL: func.func @integers(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @integers(%x: tensor<300x64xi8>, %y: tensor<300x64xi8>, %a: tensor<64x64xf16>) -> (tensor<64x64xi8>, tensor<64x64xf32>) {
  %none = arith.constant 0 : i8
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xi8>
  %f = linalg.fill ins(%none : i8) outs(%d : tensor<64x64xi8>) -> tensor<64x64xi8>
  %e = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<300x64xi8>, tensor<300x64xi8>) outs(%f : tensor<64x64xi8>) {
  ^bb0(%p: i8, %q: i8, %s: i8):
    %m = arith.muli %p, %q : i8
    %t = arith.addi %s, %m : i8
    linalg.yield %t : i8
  } -> tensor<64x64xi8>
  // expected-remark @below {{Reason="the blocks of a reduction along rows that are not contiguous are larger than those of matrix products"}}
  %1 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xi8>, tensor<64x64xf32>
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
