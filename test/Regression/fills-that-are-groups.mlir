// A fill of dynamic shape that is read as a value is a group of its own. Its
// address must not be remembered as one of the ops that are cloned into groups:
// the next group may get it, and its result would be no operand any more.
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-graph,fusion-graph-to-linalg,fusion-linalg-to-groups{fuse=none})' | FileCheck %s
// RUN: fusion-run %s --device=cpu --dim n=5 --fuse=none --verify | FileCheck %s --check-prefix=EXECUTED
// CHECK: fusion.group
// EXECUTED: verify: all {{[0-9]+}} results of groups agree with the unfused program
func.func @main(%x: tensor<?x3xf32> {fusion.name = "x", fusion.dims = ["n", ""]})
    -> (tensor<?x3xf32> {fusion.name = "a"}, tensor<?x3xf32> {fusion.name = "b"}, tensor<?x3xf32> {fusion.name = "c"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %one = fusion.constant dense<1.0> : tensor<f32>
  %two = fusion.constant dense<2.0> : tensor<f32>
  %ones = fusion.broadcast %one dims = [] sizes(%n) : tensor<f32> to tensor<?x3xf32>
  %twos = fusion.broadcast %two dims = [] sizes(%n) : tensor<f32> to tensor<?x3xf32>
  %a = fusion.add %x, %ones : tensor<?x3xf32>
  %b = fusion.mul %a, %twos : tensor<?x3xf32>
  %c = fusion.sub %b, %ones : tensor<?x3xf32>
  %s = fusion.reduce sum, %c dims = [1] : tensor<?x3xf32> to tensor<?xf32>
  %w = fusion.broadcast %s dims = [0] sizes(%n) : tensor<?xf32> to tensor<?x3xf32>
  %d = fusion.div %c, %w : tensor<?x3xf32>
  %e = fusion.exp %d : tensor<?x3xf32>
  return %b, %d, %e : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}
