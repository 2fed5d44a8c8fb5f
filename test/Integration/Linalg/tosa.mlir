// The output of MLIR's own tosa-to-linalg: planned, compiled to PTX, executed.
//
// REQUIRES: mlir-opt
// RUN: mlir-opt %s -o %t.mlir --pass-pipeline='builtin.module(func.func(tosa-make-broadcastable,tosa-to-linalg-named,canonicalize,tosa-layerwise-constant-fold,tosa-make-broadcastable),func.func(tosa-to-linalg,tosa-to-arith,tosa-to-tensor),canonicalize,cse)'
// RUN: fusion-opt %t.mlir --pass-pipeline='builtin.module(fusion-linalg-to-groups{target=sm_90a})' | FileCheck %s --check-prefix=GROUPS
// GROUPS: fusion.group "{{.*}}reduce{{.*}}" kinds ["vertical"]
//
// RUN: fusion-compile %t.mlir --target=sm_80 --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: fusion-compile %t.mlir --target=sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX
// PTX: .entry group_
//
// RUN: fusion-run %t.mlir --verify | FileCheck %s
// RUN: fusion-run %t.mlir --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %t.mlir --device=emulator --target=sm_90a --verify | FileCheck %s
// CHECK:     verify: the program as a whole
// CHECK-NOT: exceeds

func.func @main(%x: tensor<2x8x16xf32>, %w: tensor<1x16x32xf32>, %b: tensor<32xf32>) -> tensor<2x8x32xf32> {
  %s = "tosa.const_shape"() {values = dense<[1, 16, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %x1 = tosa.reshape %x, %s : (tensor<2x8x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %m = tosa.matmul %x1, %w, %zp, %zp : (tensor<1x16x16xf32>, tensor<1x16x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x32xf32>
  %s2 = "tosa.const_shape"() {values = dense<[2, 8, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %m1 = tosa.reshape %m, %s2 : (tensor<1x16x32xf32>, !tosa.shape<3>) -> tensor<2x8x32xf32>
  %s3 = "tosa.const_shape"() {values = dense<[1, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %b1 = tosa.reshape %b, %s3 : (tensor<32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
  %a = tosa.add %m1, %b1 : (tensor<2x8x32xf32>, tensor<1x1x32xf32>) -> tensor<2x8x32xf32>
  %sg = tosa.sigmoid %a : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.mul %a, %sg, %shift : (tensor<2x8x32xf32>, tensor<2x8x32xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>

  // A softmax over the last dim.
  %mx = tosa.reduce_max %r {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
  %d = tosa.sub %r, %mx : (tensor<2x8x32xf32>, tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
  %e = tosa.exp %d : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x8x32xf32>) -> tensor<2x8x1xf32>
  %inv = tosa.reciprocal %sum : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %o = tosa.mul %e, %inv, %shift : (tensor<2x8x32xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x32xf32>
  return %o : tensor<2x8x32xf32>
}
