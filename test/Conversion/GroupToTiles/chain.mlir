// A contraction of a contraction. A narrow middle: all of it first, then a walk over
// the columns, which idle blocks share. A long one: a walk over it. What is computed
// past the end of the middle is masked.

// RUN: fusion-opt %s -split-input-file -fusion-graph-to-linalg=target=sm_80 -fusion-linalg-to-groups=target=sm_80 \
// RUN:   -fusion-elide-roundings -fusion-outline-groups -canonicalize -fusion-group-to-tiles=target=sm_80 -cse | FileCheck %s

// CHECK-LABEL: func.func private @group_0(
// CHECK:         %[[ROWS:.*]] = arith.ceildivui
// CHECK:         %[[SMS:.*]] = tile.multiprocessors
// CHECK:         %[[LEAST:.*]] = arith.maxui %[[ROWS]], %c1
// CHECK:         %[[IDLE:.*]] = arith.divui %[[SMS]], %[[LEAST]]
// CHECK:         %[[SHARE:.*]] = arith.minui
// CHECK:         arith.muli %[[ROWS]], %[[SHARE]]
// CHECK:         tile.launch
// CHECK-LABEL: gpu.func @group_0(
// CHECK-SAME:      kind = "mma"
// CHECK:         gpu.grid_dim
// CHECK:         %[[PART:.*]] = arith.remui
// CHECK:         scf.for
// CHECK:           %[[S:.*]] = scf.for %{{.*}} = %c0 to %c512 step %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<[[M:[0-9]+]]x32xf32>)
// CHECK:             %[[A:.*]] = tile.load %arg0
// CHECK:             %[[B:.*]] = tile.load %arg1
// CHECK:             tile.dot %[[A]], %[[B]], %[[ACC]]
// CHECK:           %[[BIAS:.*]] = tile.load %arg2
// CHECK:           math.tanh
// CHECK:           %[[P:.*]] = arith.truncf %{{.*}} : tensor<[[M]]x32xf32> to tensor<[[M]]x32xf16>
// CHECK:           %[[MASKED:.*]] = tile.mask %[[P]], %{{.*}} offsets[%c0, %c0] sizes[%c[[M]], %c24]
// CHECK:           scf.for %[[N:.*]] = %{{.*}} to %c512 step %{{.*}} {
// CHECK:             %[[C:.*]] = tile.load %arg3[%c0, %[[N]]]
// CHECK:             tile.dot %[[MASKED]], %[[C]]
// CHECK:             tile.store
func.func @main(%x: tensor<?x512xf16> {fusion.name = "x", fusion.dims = ["m", ""]}, %a: tensor<512x24xf16> {fusion.name = "a"},
                %bias: tensor<24xf16> {fusion.name = "bias"}, %b: tensor<24x512xf16> {fusion.name = "b"})
    -> (tensor<?x512xf16> {fusion.name = "y", fusion.dims = ["m", ""]}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x512xf16>
  %0 = fusion.matmul %x, %a {fusion.fuse_with = "chain"} : tensor<?x512xf16>, tensor<512x24xf16> -> tensor<?x24xf16>
  %1 = fusion.broadcast %bias dims = [1] sizes(%m) : tensor<24xf16> to tensor<?x24xf16>
  %2 = fusion.add %0, %1 : tensor<?x24xf16>
  %3 = fusion.tanh %2 : tensor<?x24xf16>
  %4 = fusion.matmul %3, %b {fusion.fuse_with = "chain"} : tensor<?x24xf16>, tensor<24x512xf16> -> tensor<?x512xf16>
  return %4 : tensor<?x512xf16>
}

// -----

// CHECK-LABEL: gpu.func @group_0(
// CHECK:         scf.for
// CHECK:           %[[Q:.*]] = tile.load %arg0{{.*}} -> tensor<[[M:[0-9]+]]x64xf16>
// CHECK:           %[[Y:.*]] = scf.for %[[R:.*]] = %c0 to %c1000 step %c[[STEP:[0-9]+]] iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<[[M]]x64xf32>)
// CHECK:             %[[K:.*]] = tile.load %arg1{{.*}} -> tensor<64x[[STEP]]xf16>
// CHECK:             %[[S:.*]] = tile.dot %[[Q]], %[[K]]
// CHECK:             math.exp
// CHECK:             %[[MASKED:.*]] = tile.mask %{{.*}}, %{{.*}} offsets[%c0, %[[R]]] sizes[%c[[M]], %c1000]
// CHECK:             %[[V:.*]] = tile.load %arg2{{.*}} -> tensor<[[STEP]]x64xf16>
// CHECK:             tile.dot %[[MASKED]], %[[V]], %[[ACC]]
// CHECK:           tile.store
func.func @main(%q: tensor<4x1000x64xf16> {fusion.name = "q"}, %k: tensor<4x1000x64xf16> {fusion.name = "k"},
                %v: tensor<4x1000x64xf16> {fusion.name = "v"}) -> (tensor<4x1000x64xf16> {fusion.name = "y"}) {
  %s = fusion.matmul %q, %k {transpose_b, fusion.fuse_with = "chain"} : tensor<4x1000x64xf16>, tensor<4x1000x64xf16> -> tensor<4x1000x1000xf16>
  %e = fusion.exp %s : tensor<4x1000x1000xf16>
  %o = fusion.matmul %e, %v {fusion.fuse_with = "chain"} : tensor<4x1000x1000xf16>, tensor<4x1000x64xf16> -> tensor<4x1000x64xf16>
  return %o : tensor<4x1000x64xf16>
}
