// Stacks that stay elementwise ops, each with its reason.

// RUN: fusion-opt %s -fusion-graph-to-linalg -fusion-place-parts -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg -fusion-place-parts -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Elements of the parts alternate.
// CHECK-LABEL: func.func @elements(
// CHECK-NOT:     tensor.concat
func.func @elements(%x: tensor<32x16xf32>, %h: tensor<32x64xf32>, %w: tensor<64x16xf32>) -> tensor<32x16x2xf32> {
  %y = fusion.matmul %h, %w : tensor<32x64xf32>, tensor<64x16xf32> -> tensor<32x16xf32>
  %a = fusion.reshape %x : tensor<32x16xf32> to tensor<32x16x1xf32>
  %b = fusion.reshape %y : tensor<32x16xf32> to tensor<32x16x1xf32>
  // expected-remark @below {{Reason="what a kernel makes is reshaped into a part of the concatenation, and is not known to lie there in one piece"}}
  %z = fusion.concat %a, %b dim = 2 : tensor<32x16x1xf32>, tensor<32x16x1xf32> -> tensor<32x16x2xf32>
  return %z : tensor<32x16x2xf32>
}

// -----

// Columns of heads, which lie between those of the other part.
// CHECK-LABEL: func.func @columns_of_heads(
// CHECK-NOT:     tensor.concat
func.func @columns_of_heads(%x: tensor<32x3x8xf32>, %h: tensor<32x64xf32>, %w: tensor<64x48xf32>) -> tensor<32x3x24xf32> {
  %y = fusion.matmul %h, %w : tensor<32x64xf32>, tensor<64x48xf32> -> tensor<32x48xf32>
  %b = fusion.reshape %y : tensor<32x48xf32> to tensor<32x3x16xf32>
  // expected-remark @below {{Reason="what a kernel makes is reshaped into a part of the concatenation, and is not known to lie there in one piece"}}
  %z = fusion.concat %b, %x dim = 2 : tensor<32x3x16xf32>, tensor<32x3x8xf32> -> tensor<32x3x24xf32>
  return %z : tensor<32x3x24xf32>
}

// -----

// Rows of a number known at run time, one part after the other: it is not known where
// the second begins.
// CHECK-LABEL: func.func @dynamic_tensors(
// CHECK-NOT:     tensor.concat
func.func @dynamic_tensors(%x: tensor<?x16xf32>, %h: tensor<?x64xf32>, %w: tensor<64x16xf32>) -> tensor<2x?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %y = fusion.matmul %h, %w : tensor<?x64xf32>, tensor<64x16xf32> -> tensor<?x16xf32>
  %a = fusion.reshape %x sizes(%n) : tensor<?x16xf32> to tensor<1x?x16xf32>
  %b = fusion.reshape %y sizes(%n) : tensor<?x16xf32> to tensor<1x?x16xf32>
  // expected-remark @below {{Reason="what a kernel makes is reshaped into a part of the concatenation, and is not known to lie there in one piece"}}
  %z = fusion.concat %a, %b dim = 0 : tensor<1x?x16xf32>, tensor<1x?x16xf32> -> tensor<2x?x16xf32>
  return %z : tensor<2x?x16xf32>
}

// -----

// Two products of other dims each: no dims are those of both.
// CHECK-LABEL: func.func @other_dims(
// CHECK-NOT:     tensor.concat
func.func @other_dims(%g: tensor<96x64xf32>, %h: tensor<32x64xf32>, %w: tensor<64x48xf32>, %u: tensor<64x16xf32>) -> tensor<32x6x16xf32> {
  %y = fusion.matmul %h, %w : tensor<32x64xf32>, tensor<64x48xf32> -> tensor<32x48xf32>
  %v = fusion.matmul %g, %u : tensor<96x64xf32>, tensor<64x16xf32> -> tensor<96x16xf32>
  %a = fusion.reshape %y : tensor<32x48xf32> to tensor<32x3x16xf32>
  %b = fusion.reshape %v : tensor<96x16xf32> to tensor<32x3x16xf32>
  // expected-remark @below {{Reason="what a kernel makes is reshaped into a part of the concatenation, and is not known to lie there in one piece"}}
  %z = fusion.concat %a, %b dim = 1 : tensor<32x3x16xf32>, tensor<32x3x16xf32> -> tensor<32x6x16xf32>
  return %z : tensor<32x6x16xf32>
}

// -----

// Two elementwise parts would be copied beside a product.
// CHECK-LABEL: func.func @copies(
// CHECK-NOT:     tensor.concat
func.func @copies(%x: tensor<32x16xf32>, %h: tensor<32x64xf32>, %w: tensor<64x16xf32>) -> tensor<32x3x16xf32> {
  %y = fusion.matmul %h, %w : tensor<32x64xf32>, tensor<64x16xf32> -> tensor<32x16xf32>
  %s = fusion.tanh %x : tensor<32x16xf32>
  %a = fusion.reshape %x : tensor<32x16xf32> to tensor<32x1x16xf32>
  %b = fusion.reshape %y : tensor<32x16xf32> to tensor<32x1x16xf32>
  %c = fusion.reshape %s : tensor<32x16xf32> to tensor<32x1x16xf32>
  // expected-remark @below {{Reason="several parts of the concatenation would be copied, each by a launch"}}
  %z = fusion.concat %a, %b, %c dim = 1 : tensor<32x1x16xf32>, tensor<32x1x16xf32>, tensor<32x1x16xf32> -> tensor<32x3x16xf32>
  return %z : tensor<32x3x16xf32>
}

// -----

// What follows computes with the stack.
// CHECK-LABEL: func.func @computed_with(
// CHECK-NOT:     tensor.concat
func.func @computed_with(%x: tensor<32x16xf32>, %h: tensor<32x64xf32>, %w: tensor<64x16xf32>) -> tensor<32x2x16xf32> {
  %y = fusion.matmul %h, %w : tensor<32x64xf32>, tensor<64x16xf32> -> tensor<32x16xf32>
  %a = fusion.reshape %x : tensor<32x16xf32> to tensor<32x1x16xf32>
  %b = fusion.reshape %y : tensor<32x16xf32> to tensor<32x1x16xf32>
  // expected-remark @below {{Reason="what computes with the concatenation reads its parts in its own kernel"}}
  %z = fusion.concat %a, %b dim = 1 : tensor<32x1x16xf32>, tensor<32x1x16xf32> -> tensor<32x2x16xf32>
  %t = fusion.tanh %z : tensor<32x2x16xf32>
  return %t : tensor<32x2x16xf32>
}

// -----

// What makes the part gets a kernel of its own.
// CHECK-LABEL: func.func @marked(
// CHECK-NOT:     tensor.concat
func.func @marked(%x: tensor<32x16xf32>, %h: tensor<32x64xf32>, %w: tensor<64x16xf32>) -> tensor<32x2x16xf32> {
  %y = fusion.matmul %h, %w {fusion.no_fuse} : tensor<32x64xf32>, tensor<64x16xf32> -> tensor<32x16xf32>
  %a = fusion.reshape %x : tensor<32x16xf32> to tensor<32x1x16xf32>
  %b = fusion.reshape %y : tensor<32x16xf32> to tensor<32x1x16xf32>
  // expected-remark @below {{Reason="no kernel makes a part of the concatenation that could write it there"}}
  %z = fusion.concat %a, %b dim = 1 : tensor<32x1x16xf32>, tensor<32x1x16xf32> -> tensor<32x2x16xf32>
  return %z : tensor<32x2x16xf32>
}

// -----

// Nothing makes the parts.
// CHECK-LABEL: func.func @arguments(
// CHECK-NOT:     tensor.concat
func.func @arguments(%x: tensor<32x16xf32>, %y: tensor<32x16xf32>) -> tensor<32x2x16xf32> {
  %a = fusion.reshape %x : tensor<32x16xf32> to tensor<32x1x16xf32>
  %b = fusion.reshape %y : tensor<32x16xf32> to tensor<32x1x16xf32>
  // expected-remark @below {{Reason="no kernel makes a part of the concatenation that could write it there"}}
  %z = fusion.concat %a, %b dim = 1 : tensor<32x1x16xf32>, tensor<32x1x16xf32> -> tensor<32x2x16xf32>
  return %z : tensor<32x2x16xf32>
}
