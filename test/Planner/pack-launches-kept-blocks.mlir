// Launches that stay apart since the blocks of one are larger than those of the other's
// matrix products.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=all,-prologue},fusion-pack-launches))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=all,-prologue},fusion-pack-launches))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

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

// A row whose length is known only at run time may be a long one.
// CHECK-LABEL: func.func @unknown_rows(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @unknown_rows(%x: tensor<64x?xf32>, %a: tensor<64x64xbf16>) -> (tensor<64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<64x?xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{Reason="the blocks of long rows are larger than those of matrix products"}}
  %1 = linalg.matmul ins(%a, %a : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64x64xf32>
}

// -----

// Rows of several dims are as long as these together; the product comes first.
// CHECK-LABEL: func.func @planes(
// CHECK-COUNT-2: fusion.group "{{[a-z]+}}" kinds []
func.func @planes(%x: tensor<8x80x80xf32>, %a: tensor<64x64xf16>) -> (tensor<64x64xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Other=matmul, Reason="the blocks of long rows are larger than those of matrix products"}}
  %1 = linalg.reduce { arith.addf } ins(%x : tensor<8x80x80xf32>) outs(%f : tensor<8xf32>) dimensions = [1, 2]
  return %0, %1 : tensor<64x64xf32>, tensor<8xf32>
}

// -----

// The launch of two small ops takes no product once a third one reduces columns.
// CHECK-LABEL: func.func @third(
// CHECK:         fusion.group "reduce | exp" kinds ["horizontal"]
// CHECK:         fusion.group "matmul" kinds []
func.func @third(%x: tensor<3000x64xf32>, %y: tensor<64xf32>, %a: tensor<64x64xf16>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<3000x64xf32>) outs(%f : tensor<64xf32>) dimensions = [0]
  // expected-remark @below {{Remark="shares a launch with reduce"}}
  %1 = linalg.exp ins(%y : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below {{Other=reduce, Reason="the blocks of a reduction along rows that are not contiguous are larger than those of matrix products"}}
  %2 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
}
