// Attention in one walk over the columns: running maximum, what was subtracted, sum
// of exponentials, weighted sum. A causal mask ends the walk at the tile's last row;
// division by the sum comes once, after it.

// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_80 -fusion-linalg-to-groups=target=sm_80 \
// RUN:   -fusion-elide-roundings -fusion-outline-groups -canonicalize \
// RUN:   -fusion-group-to-tiles=target=sm_80 -canonicalize -cse | FileCheck %s
//
// Weights of 16 bits need not have every bit of the exponential, but for strict
// numerics.
//
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_80 -fusion-linalg-to-groups=target=sm_80 \
// RUN:   -fusion-elide-roundings -fusion-outline-groups -canonicalize \
// RUN:   -fusion-group-to-tiles="target=sm_80 strict" -canonicalize -cse | FileCheck %s --check-prefix=STRICT

// CHECK-LABEL: gpu.func @group_0(
// CHECK-SAME:      tile.schedule = {bk = 64 : i64, bm = {{.*}} : i64, bn = {{.*}} : i64, kind = "mma", stages = 2 : i64
// CHECK-DAG:     %[[NONE:.*]] = arith.constant dense<0xFF800000> : tensor<[[M:[0-9]+]]xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<[[M]]xf32>
// CHECK:         %[[Q:.*]] = tile.load {{.*}} -> tensor<[[M]]x64xf16>
// CHECK:         %[[LAST:.*]] = arith.addi %{{.*}}, %c[[M]]
// CHECK:         %[[SEEN:.*]] = arith.maxsi %[[LAST]], %c0
// CHECK:         %[[END:.*]] = arith.minsi %[[SEEN]], %c200
// CHECK:         %[[W:.*]]:4 = scf.for %[[J:.*]] = %c0 to %[[END]] step %c[[N:[0-9]+]] iter_args(%[[MOST:.*]] = %[[NONE]], %[[SHIFT:.*]] = %[[NONE]], %[[SUM:.*]] = %[[ZERO]], %[[ACC:.*]] = %{{.*}})
// CHECK:           %[[K:.*]] = tile.load {{.*}} -> tensor<64x[[N]]xf16>
// CHECK:           %[[S:.*]] = tile.dot %[[Q]], %[[K]]
// CHECK:           tile.index
// CHECK:           %[[X:.*]] = arith.select
// CHECK:           tile.mask %[[X]], %{{.*}} offsets[%c0, %[[J]]]
// CHECK:           tile.reduce
// CHECK:           %[[NOW:.*]] = arith.maximumf %[[MOST]]
// CHECK:           %[[NOTHING:.*]] = arith.cmpf oeq, %[[NOW]], %[[NONE]]
// CHECK:           %[[R:.*]] = arith.select %[[NOTHING]], %[[ZERO]], %[[NOW]]
// CHECK:           math.exp %{{.*}} fastmath<afn>
// CHECK:           %[[D:.*]] = arith.subf %[[SHIFT]], %[[R]]
// CHECK:           %[[ALPHA:.*]] = math.exp %[[D]] fastmath<afn> : tensor<[[M]]xf32>
// CHECK:           tile.mask
// CHECK:           tile.reduce
// CHECK:           arith.mulf %[[SUM]], %[[ALPHA]]
// CHECK:           %[[V:.*]] = tile.load {{.*}} -> tensor<[[N]]x48xf16>
// CHECK:           %[[P:.*]] = arith.truncf %{{.*}} : tensor<[[M]]x[[N]]xf32> to tensor<[[M]]x[[N]]xf16>
// CHECK:           %[[SCALED:.*]] = arith.mulf %[[ACC]]
// CHECK:           tile.dot %[[P]], %[[V]], %[[SCALED]]
// CHECK:           scf.yield
// CHECK:         %[[B:.*]] = tile.broadcast %[[W]]#2
// CHECK:         arith.divf %[[W]]#3, %[[B]]
// CHECK:         tile.store

// STRICT:      math.exp
// STRICT-NOT:  fastmath
// STRICT:      math.exp
// STRICT-NOT:  fastmath
func.func @main(%q: tensor<4x200x64xf16> {fusion.name = "q"}, %k: tensor<4x200x64xf16> {fusion.name = "k"},
                %v: tensor<4x200x48xf16> {fusion.name = "v"}) -> (tensor<4x200x48xf16> {fusion.name = "y"}) {
  %s = fusion.matmul %q, %k {transpose_b} : tensor<4x200x64xf16>, tensor<4x200x64xf16> -> tensor<4x200x200xf16>
  %i = fusion.iota dim = 1 : tensor<4x200x200xi32>
  %j = fusion.iota dim = 2 : tensor<4x200x200xi32>
  %causal = fusion.compare le, %j, %i : tensor<4x200x200xi32>
  %inf = fusion.constant dense<0xFC00> : tensor<f16>
  %ib = fusion.broadcast %inf dims = [] : tensor<f16> to tensor<4x200x200xf16>
  %x = fusion.select %causal, %s, %ib : tensor<4x200x200xf16>
  %p = fusion.softmax %x dim = 2 : tensor<4x200x200xf16>
  %o = fusion.matmul %p, %v : tensor<4x200x200xf16>, tensor<4x200x48xf16> -> tensor<4x200x48xf16>
  return %o : tensor<4x200x48xf16>
}
