// Linalg that never saw our dialect, as compilers write it: named operations,
// generic ones, map and reduce, broadcast and transpose, a captured scalar, a
// reduction over a middle dim, several results.
//
// RUN: fusion-compile %s --target=sm_80 --emit=ptx -o %t.80.ptx
// RUN: FileCheck %s --check-prefix=PTX80 < %t.80.ptx
// PTX80: .target sm_80
// PTX80: .entry group_
// RUN: fusion-compile %s --target=sm_90a --emit=ptx -o %t.90.ptx
// RUN: FileCheck %s --check-prefix=PTX90 < %t.90.ptx
// PTX90: .target sm_90a
// PTX90: .entry group_
//
// RUN: fusion-compile %s --target=sm_90a --emit=groups | FileCheck %s --check-prefix=GROUPS
// GROUPS: fusion.group {{.*}}kinds ["vertical"
//
// RUN: fusion-run %s --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// CHECK:     verify: the program as a whole
// CHECK-NOT: exceeds

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>, %v: tensor<56x40xf32>, %bias: tensor<56xf32>, %image: tensor<1x9x9x4xf32>, %filter: tensor<3x3x4x8xf32>)
    -> (tensor<24x56xf32>, tensor<24xf32>, tensor<56x24xf32>, tensor<1x7x7x8xf32>, tensor<24x56xi1>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<24x56xf32>
  %ei = tensor.empty() : tensor<24x56xi1>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x56xf32>) -> tensor<24x56xf32>

  // Two products that share an operand, one of them with a transposed weight.
  %m0 = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%f : tensor<24x56xf32>) -> tensor<24x56xf32>
  %m1 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%x, %v : tensor<24x40xf32>, tensor<56x40xf32>) outs(%f : tensor<24x56xf32>) -> tensor<24x56xf32>

  // A bias by linalg.broadcast and linalg.add, a gate by linalg.map.
  %b = linalg.broadcast ins(%bias : tensor<56xf32>) outs(%e : tensor<24x56xf32>) dimensions = [0]
  %s = linalg.add ins(%m0, %b : tensor<24x56xf32>, tensor<24x56xf32>) outs(%e : tensor<24x56xf32>) -> tensor<24x56xf32>
  %g = linalg.map ins(%s, %m1 : tensor<24x56xf32>, tensor<24x56xf32>) outs(%e : tensor<24x56xf32>)
    (%p: f32, %q: f32, %d: f32) {
      %n = arith.negf %p : f32
      %n1 = math.exp %n : f32
      %n2 = arith.addf %n1, %one : f32
      %n3 = arith.divf %p, %n2 : f32
      %n4 = arith.mulf %n3, %q : f32
      linalg.yield %n4 : f32
    }

  // A softmax in pieces, with a captured scalar.
  %er = tensor.empty() : tensor<24xf32>
  %fl = linalg.fill ins(%low : f32) outs(%er : tensor<24xf32>) -> tensor<24xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%er : tensor<24xf32>) -> tensor<24xf32>
  %max = linalg.reduce { arith.maximumf } ins(%g : tensor<24x56xf32>) outs(%fl : tensor<24xf32>) dimensions = [1]
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %max : tensor<24x56xf32>, tensor<24xf32>) outs(%e : tensor<24x56xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %t = arith.subf %p, %q : f32
    %t1 = arith.mulf %t, %half : f32
    %t2 = math.exp %t1 : f32
    linalg.yield %t2 : f32
  } -> tensor<24x56xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<24x56xf32>) outs(%fz : tensor<24xf32>) dimensions = [1]
  %div:2 = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<24x56xf32>, tensor<24xf32>) outs(%e, %ei : tensor<24x56xf32>, tensor<24x56xi1>) {
  ^bb0(%p: f32, %q: f32, %d: f32, %c: i1):
    %t = arith.divf %p, %q : f32
    %u = arith.cmpf ogt, %t, %half : f32
    linalg.yield %t, %u : f32, i1
  } -> (tensor<24x56xf32>, tensor<24x56xi1>)

  // A transpose as a result.
  %et = tensor.empty() : tensor<56x24xf32>
  %tr = linalg.transpose ins(%div#0 : tensor<24x56xf32>) outs(%et : tensor<56x24xf32>) permutation = [1, 0]

  // A convolution, channels last.
  %ec = tensor.empty() : tensor<1x7x7x8xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  %cv = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%image, %filter : tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>) outs(%fc : tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  %relu = linalg.max ins(%cv, %fc : tensor<1x7x7x8xf32>, tensor<1x7x7x8xf32>) outs(%ec : tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  return %div#0, %sum, %tr, %relu, %div#1 : tensor<24x56xf32>, tensor<24xf32>, tensor<56x24xf32>, tensor<1x7x7x8xf32>, tensor<24x56xi1>
}
