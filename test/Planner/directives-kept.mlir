// Directives on graph operations reach the groups through decomposition, the
// lowering to linalg and the planner's own rewrites; the kernels obey them.
//
// RUN: fusion-compile %s --target=sm_80 --emit=groups | FileCheck %s
// CHECK-DAG: fusion.group "exp+softmax" kinds ["vertical"]
// CHECK-DAG: fusion.group "tanh" kinds []
// CHECK-NOT: fusion.directives
//
// RUN: fusion-compile %s --target=sm_80 --emit=groups -o %t.groups.mlir --report=%t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON-DAG: "reason": "the producer is marked with fusion.no_fuse"
// JSON-DAG: "reason": "the consumer is marked with fusion.no_fuse"
//
// RUN: fusion-compile %s --target=sm_80 --emit=tiles | FileCheck %s --check-prefix=TILES
// TILES-DAG: tile.warps = 2
//
// RUN: fusion-run %s --verify | FileCheck %s --check-prefix=VERIFY
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s --check-prefix=VERIFY
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s --check-prefix=VERIFY
// VERIFY: verify: the program as a whole

func.func @main(%x: tensor<6x40xf32> {fusion.name = "x"}) -> (tensor<6x40xf32> {fusion.name = "y"}) {
  %0 = fusion.exp %x : tensor<6x40xf32> loc("exp")
  %1 = fusion.softmax %0 dim = 1 : tensor<6x40xf32> loc("softmax")
  %2 = fusion.tanh %1 {fusion.no_fuse, fusion.schedule = {kind = "elementwise", rows = 2, columns = 64, warps = 2}} : tensor<6x40xf32> loc("tanh")
  %3 = fusion.neg %2 : tensor<6x40xf32> loc("neg")
  return %3 : tensor<6x40xf32>
}
