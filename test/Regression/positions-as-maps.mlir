// Positions that a body computes with affine maps, as upstream's reshapes leave them.
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s

// Each number from 0 to 4 six times.
// CHECK: y: 30:i64  least 0  most 4  mean 2
// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main() -> (tensor<30xi64> {fusion.name = "y"}) {
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<6x5xi64>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x5xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %1 = affine.apply affine_map<(d0, d1) -> ((d0 * 5 + d1) mod 15)>(%i, %j)
    %2 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%1)[%c3]
    %3 = arith.index_cast %2 : index to i64
    linalg.yield %3 : i64
  } -> tensor<6x5xi64>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<6x5xi64> into tensor<30xi64>
  return %c : tensor<30xi64>
}
