// Directives on ops of other dialects keep apart what these become, each with the reason.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-linalg-to-groups{target=sm_90a})' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-linalg-to-groups{target=sm_90a})' -split-input-file \
// RUN:   -remarks-filter-missed='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A concatenation: its parts are made apart, and what reads it too.
// CHECK-LABEL: func.func @concat(
// CHECK-COUNT-3: fusion.group {{.*}} kinds []
func.func @concat(%x: tensor<4x8xf32>, %y: tensor<2x8xf32>) -> tensor<6x8xf32> {
  %0 = math.exp %x : tensor<4x8xf32>
  // expected-remark @+2 {{Reason="the concatenation is marked with fusion.no_fuse"}}
  // expected-remark @+1 {{Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = tensor.concat dim(0) %0, %y {fusion.no_fuse} : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<6x8xf32>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %2 = math.sqrt %1 : tensor<6x8xf32>
  return %2 : tensor<6x8xf32>
}

// -----

// A padding.
// CHECK-LABEL: func.func @pad(
// CHECK-COUNT-3: fusion.group {{.*}} kinds []
func.func @pad(%x: tensor<4x8xf16>) -> tensor<6x8xf16> {
  %zero = arith.constant 0.0 : f16
  %0 = math.exp %x : tensor<4x8xf16>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = tensor.pad %0 low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f16
  } {fusion.no_fuse} : tensor<4x8xf16> to tensor<6x8xf16>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %2 = math.sqrt %1 : tensor<6x8xf16>
  return %2 : tensor<6x8xf16>
}

// -----

// An op that stands for several: each of them has a kernel of its own.
// CHECK-LABEL: func.func @softmax(
// CHECK-COUNT-5: fusion.group {{.*}} kinds []
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = math.exp %x : tensor<4x8xf32>
  // expected-remark @+2 {{Reason="the consumer is marked with fusion.no_fuse"}}
  // expected-remark @+1 {{Reason="the producer is marked with fusion.no_fuse"}}
  %1 = linalg.softmax {fusion.no_fuse} dimension(1) ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// An insertion and what it inserts have one name, but it reads elements, no operand.
// CHECK-LABEL: func.func @insertion(
// CHECK-COUNT-2: fusion.group {{.*}} kinds []
func.func @insertion(%x: tensor<4x8xf32>, %y: tensor<2x8xf32>) -> tensor<4x8xf32> {
  %0 = math.exp %y {fusion.fuse_with = "p"} : tensor<2x8xf32>
  // expected-remark @+2 {{Reason="a directive of the graph places what makes the tensor"}}
  // expected-remark @+1 {{Reason="the value is not read as a tensor operand"}}
  %1 = tensor.insert_slice %0 into %x[1, 0] [2, 8] [1, 1] {fusion.fuse_with = "p"} : tensor<2x8xf32> into tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
