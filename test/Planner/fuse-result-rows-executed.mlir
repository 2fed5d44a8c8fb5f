// Rows of a product that are reduced in its kernel: neither columns nor rows past the
// last are part of them, though they would be the least of all, and their inverses are
// infinite; the maximum of a row that has a NaN, the root of a negative number, is NaN.
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --numerics=strict --verify | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s --check-prefix=CPU

// CHECK: verify: group 0 'matmul+{{.*}}' {{.*}}, ok
// CHECK: verify: all 3 results of groups agree
// CPU: verify: all {{[0-9]}} results of groups agree

#id = affine_map<(i, j) -> (i, j)>

func.func @main(%a: tensor<33x24xf32> {fusion.name = "a"}, %b: tensor<24x65xf32> {fusion.name = "b"})
    -> (tensor<33xf32> {fusion.name = "max"}, tensor<33xf32> {fusion.name = "sum"}, tensor<33xf32> {fusion.name = "least"}) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F800000 : f32
  %d = tensor.empty() : tensor<33x65xf32>
  %r = tensor.empty() : tensor<33xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<33x65xf32>) -> tensor<33x65xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%r : tensor<33xf32>) -> tensor<33xf32>
  %f1 = linalg.fill ins(%low : f32) outs(%r : tensor<33xf32>) -> tensor<33xf32>
  %f2 = linalg.fill ins(%high : f32) outs(%r : tensor<33xf32>) -> tensor<33xf32>
  %0 = linalg.matmul {fusion.fuse_with = "all"} ins(%a, %b : tensor<33x24xf32>, tensor<24x65xf32>) outs(%f : tensor<33x65xf32>) -> tensor<33x65xf32>
  %1 = linalg.sqrt {fusion.fuse_with = "all"} ins(%0 : tensor<33x65xf32>) outs(%d : tensor<33x65xf32>) -> tensor<33x65xf32>
  %2 = linalg.abs {fusion.fuse_with = "all"} ins(%0 : tensor<33x65xf32>) outs(%d : tensor<33x65xf32>) -> tensor<33x65xf32>
  %3 = linalg.reciprocal {fusion.fuse_with = "all"} ins(%2 : tensor<33x65xf32>) outs(%d : tensor<33x65xf32>) -> tensor<33x65xf32>
  %4 = linalg.reduce { arith.maximumf } ins(%1 : tensor<33x65xf32>) outs(%f1 : tensor<33xf32>) dimensions = [1] {fusion.fuse_with = "all"}
  %5 = linalg.reduce { arith.addf } ins(%3 : tensor<33x65xf32>) outs(%f0 : tensor<33xf32>) dimensions = [1] {fusion.fuse_with = "all"}
  %6 = linalg.reduce { arith.minimumf } ins(%2 : tensor<33x65xf32>) outs(%f2 : tensor<33xf32>) dimensions = [1] {fusion.fuse_with = "all"}
  return %4, %5, %6 : tensor<33xf32>, tensor<33xf32>, tensor<33xf32>
}
