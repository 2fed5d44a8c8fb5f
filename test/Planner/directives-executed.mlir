// Directives on graph operations reach the groups through decomposition, the
// lowering to linalg and the planner's own rewrites; the kernels obey them.
//
// RUN: fusion-compile %s --target=sm_80 --emit=groups | FileCheck %s
// CHECK-DAG: fusion.group "exp+softmax" kinds ["vertical"]
// CHECK-DAG: fusion.group "tanh" kinds []
// CHECK-DAG: fusion.group "{{.*}}abs+floor{{.*}}" kinds ["vertical"
// CHECK-NOT: fusion.directives
//
// RUN: fusion-compile %s --target=sm_80 --emit=groups -o /dev/null --report=%t.json
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

func.func @main(%x: tensor<6x40xf32> {fusion.name = "x"}, %z: tensor<6x40xf32> {fusion.name = "z"})
    -> (tensor<6x40xf32> {fusion.name = "y"}, tensor<6x40xf32> {fusion.name = "u"}, tensor<6x40xf32> {fusion.name = "v"}) {
  %0 = fusion.exp %x : tensor<6x40xf32> loc("exp")
  %1 = fusion.softmax %0 dim = 1 : tensor<6x40xf32> loc("softmax")
  %2 = fusion.tanh %1 {fusion.no_fuse, fusion.schedule = {kind = "elementwise", rows = 2, columns = 64, warps = 2}} : tensor<6x40xf32> loc("tanh")
  %3 = fusion.neg %2 : tensor<6x40xf32> loc("neg")
  %4 = fusion.abs %z {fusion.fuse_with = "these"} : tensor<6x40xf32> loc("abs")
  %5 = fusion.floor %2 {fusion.fuse_with = "these"} : tensor<6x40xf32> loc("floor")
  return %3, %4, %5 : tensor<6x40xf32>, tensor<6x40xf32>, tensor<6x40xf32>
}
