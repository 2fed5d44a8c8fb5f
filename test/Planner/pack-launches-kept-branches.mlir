// Launches under conditions that stay apart: what they write in turn does not join them.
//
// RUN: fusion-opt %s -fusion-pack-launches -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-pack-launches -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What writes an array after the other side of a branch did reads nothing of it, and
// is beside what it could run with.
// CHECK-LABEL: func.func @in_turn(
// CHECK-SAME:    {consumer = "else", producer = "then", reason = "one of the two is marked with fusion.no_fuse"}
// CHECK-SAME:    {consumer = "else", producer = "abs", reason = "one of the two is marked with fusion.no_fuse"}
func.func @in_turn(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %r = fusion.group "abs" kinds [] ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = linalg.abs ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  %s = fusion.group "then" kinds ["conditional"] ins(%c, %r : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %r0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "then" kinds [] ins(%r0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
      ^bb0(%r1: tensor<8xf32>, %d1: tensor<8xf32>):
        %2 = linalg.exp ins(%r1 : tensor<8xf32>) outs(%d1 : tensor<8xf32>) -> tensor<8xf32>
        fusion.yield %2 : tensor<8xf32>
      } : tensor<8xf32>
      fusion.yield %1 : tensor<8xf32>
    } else {
      fusion.yield %d0 : tensor<8xf32>
    }
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  // expected-remark @+2 {{Other=then, Reason="one of the two is marked with fusion.no_fuse"}}
  // expected-remark @+1 {{Other=abs, Reason="one of the two is marked with fusion.no_fuse"}}
  %t = fusion.group "else" kinds ["conditional"] ins(%c, %y : tensor<i1>, tensor<8xf32>) outs(%s : tensor<8xf32>) attributes {fusion.no_fuse} {
  ^bb0(%c0: tensor<i1>, %y0: tensor<8xf32>, %s0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      fusion.yield %s0 : tensor<8xf32>
    } else {
      %1 = fusion.group "else" kinds [] ins(%y0 : tensor<8xf32>) outs(%s0 : tensor<8xf32>) {
      ^bb0(%y1: tensor<8xf32>, %s1: tensor<8xf32>):
        %2 = linalg.negf ins(%y1 : tensor<8xf32>) outs(%s1 : tensor<8xf32>) -> tensor<8xf32>
        fusion.yield %2 : tensor<8xf32>
      } : tensor<8xf32>
      fusion.yield %1 : tensor<8xf32>
    }
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %t : tensor<8xf32>
}
