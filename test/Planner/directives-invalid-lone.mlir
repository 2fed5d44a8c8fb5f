// A name to be fused with that one op has to itself does nothing: the spelling of it,
// or of another, is doubtful. What one graph op becomes counts as its ops.
//
// RUN: fusion-compile %s --emit=groups -o /dev/null 2>&1 | FileCheck %s
// CHECK:     directives-invalid-lone.mlir:[[#@LINE+8]]:{{[0-9]+}}: warning: expected another operation with 'fusion.fuse_with' = "head", but got none
// CHECK:     directives-invalid-lone.mlir:[[#@LINE+8]]:{{[0-9]+}}: warning: expected another operation with 'fusion.fuse_with' = "heda", but got none
// CHECK-NOT: warning

func.func @main(%x: tensor<6x40xf32>) -> (tensor<6x40xf32>, tensor<6x40xf32>) {
  %0 = fusion.softmax %x dim = 1 {fusion.fuse_with = "rows"} : tensor<6x40xf32>
  %1 = fusion.floor %0 {fusion.fuse_with = "rows"} : tensor<6x40xf32>

  %2 = fusion.exp %1 {fusion.fuse_with = "head"} : tensor<6x40xf32>
  %3 = fusion.neg %2 {fusion.fuse_with = "heda"} : tensor<6x40xf32>
  return %2, %3 : tensor<6x40xf32>, tensor<6x40xf32>
}
