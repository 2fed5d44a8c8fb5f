// Groups that stay apart because one needs the other, or a person or the estimate says so.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=all,-prologue},fusion-pack-launches))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=all,-prologue},fusion-pack-launches))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

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

// The product needs the exponentials by way of a kernel of its own, though it reads
// what that reads: the launch of both would come before and behind the third.
// CHECK-LABEL: func.func @through_another(
// CHECK-COUNT-3: fusion.group "{{[a-z]+}}" kinds []
func.func @through_another(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Producer=exp, Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.negf {fusion.no_fuse} ins(%0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @+2 {{Reason="the producer is marked with fusion.no_fuse"}}
  // expected-remark @+1 {{Other=exp, Reason="an operation between the two needs the one and feeds the other"}}
  %2 = linalg.matmul ins(%1, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// Of two launches that do not go together it joins the later one, and the earlier one
// is told so.
// CHECK-LABEL: func.func @tried_first(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "matmul | exp" kinds ["horizontal"]
func.func @tried_first(%x: tensor<3000x64xf32>, %y: tensor<64xf32>, %a: tensor<64x64xf16>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<3000x64xf32>) outs(%f : tensor<64xf32>) dimensions = [0]
  // expected-remark @below {{Other=reduce, Reason="the blocks of a reduction along rows that are not contiguous are larger than those of matrix products"}}
  %1 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @+2 {{Remark="shares a launch with matmul"}}
  // expected-remark @+1 {{Other=reduce, Reason="it shares a launch with matmul, which was tried first"}}
  %2 = linalg.exp ins(%y : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  return %0, %2, %1 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
}

// -----

// A copy in the launch of a large product would wait for memory with few threads.
// CHECK-LABEL: func.func @beside_product(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @beside_product(%x: tensor<16384x16384xf32>, %a: tensor<512x512xf16>) -> (tensor<16384x16384xf32>, tensor<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<16384x16384xf32>
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %0 = linalg.negf ins(%x : tensor<16384x16384xf32>) outs(%d : tensor<16384x16384xf32>) -> tensor<16384x16384xf32>
  // expected-remark-re @below {{Other=negf, Reason="estimated to gain nothing in one launch ({{[0-9.]+}} us) against launches of their own ({{[0-9.]+}} us)"}}
  %1 = linalg.matmul ins(%a, %a : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0, %1 : tensor<16384x16384xf32>, tensor<512x512xf32>
}

// -----

// It needs a slice of what it could run with: no kernel makes that, but it waits for one.
// CHECK-LABEL: func.func @through_slice(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         tensor.extract_slice
// CHECK:         fusion.group "elementwise" kinds []
func.func @through_slice(%y: tensor<8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
  %d = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.exp ins(%y : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %0[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  // expected-remark @below {{Other=exp, Reason="an operation between the two needs the one and feeds the other"}}
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s, %y : tensor<4xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %0, %1 : tensor<8xf32>, tensor<4x8xf32>
}
