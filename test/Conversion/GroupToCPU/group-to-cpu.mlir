// The list of passes, and one group all the way to loops on vectors.

// RUN: fusion-opt %s -fusion-group-to-cpu=vector-bits=256 -dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s -check-prefix=PASSES
// RUN: fusion-opt %s -fusion-group-to-cpu=vector-bits=256 | FileCheck %s

// PASSES:      func.func(
// PASSES-NEXT:   fusion-merge-elementwise,
// PASSES-NEXT:   fusion-tile-group-for-cpu,
// PASSES-NEXT:   fusion-canonicalize
// PASSES-NEXT:   cse,
// PASSES-NEXT:   fusion-bufferize-group,
// PASSES-NEXT:   fusion-canonicalize
// PASSES-NEXT:   cse,
// PASSES-NEXT:   fusion-canonicalize
// PASSES-NEXT:   fusion-lower-group-to-vector-loops{vector-bits=256},
// PASSES-NEXT:   fusion-canonicalize
// PASSES-NEXT:   cse
// PASSES-NEXT: ),
// PASSES-NEXT: fusion-place-group-buffers,
// PASSES-NEXT: fusion-outline-parallel-loops,
// PASSES-NEXT: func.func(
// PASSES-NEXT:   fusion-canonicalize
// PASSES-NEXT:   cse

// CHECK-LABEL: func.func private @group(
// CHECK:         call @group_loop(%c0, %{{.*}}) {fusion.parallel}
// CHECK-LABEL: func.func private @group_loop(
// CHECK:         arith.addf {{.*}} : vector<8xf32>
// CHECK-NOT:     linalg
// CHECK-NOT:     tensor
func.func private @group(%a: memref<512x512xf32>, %out: memref<512x512xf32>) {
  %x = bufferization.to_tensor %a restrict : memref<512x512xf32> to tensor<512x512xf32>
  %e = tensor.empty() : tensor<512x512xf32>
  %r = linalg.add ins(%x, %x : tensor<512x512xf32>, tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<512x512xf32>, memref<512x512xf32>) -> ()
  return
}
