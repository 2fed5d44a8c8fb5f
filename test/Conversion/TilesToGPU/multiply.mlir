// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-tiles-to-gpu{target=sm_90a},canonicalize,cse))' | FileCheck %s

#wgmma = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [1, 8]>
#mma = #tile.layout<reg = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [0, 16]], repeat = [1, 1]>
#fma = #tile.layout<reg = [[0, 8], [0, 16], [1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], warp = [], repeat = [1, 1]>

gpu.module @kernels {
  // Descriptors: a is k-major (stride 1024 bytes, 128-byte swizzle), 32 bytes a
  // step of 16; b is n-major, one panel of 64 x 64 (leading offset 8192), 2048
  // bytes a step.
  // CHECK-LABEL: llvm.func @wgmma(
  // CHECK-DAG:     %[[ABITS:.*]] = arith.constant 4611686293305360384 : i64
  // CHECK-DAG:     %[[BBITS:.*]] = arith.constant 4611686293338849280 : i64
  // CHECK-DAG:     %[[ASTEP:.*]] = arith.constant 2 : i64
  // CHECK-DAG:     %[[BSTEP:.*]] = arith.constant 128 : i64
  // CHECK:         %[[A:.*]] = arith.ori %{{.*}}, %[[ABITS]] : i64
  // CHECK:         %[[B:.*]] = arith.ori %{{.*}}, %[[BBITS]] : i64
  // CHECK:         nvvm.wgmma.fence.aligned
  // CHECK:         nvvm.wgmma.mma_async %[[A]], %[[B]], %{{.*}}, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>]
  // CHECK-DAG:     %[[A1:.*]] = arith.addi %[[A]], %[[ASTEP]]
  // CHECK-DAG:     %[[B1:.*]] = arith.addi %[[B]], %[[BSTEP]]
  // CHECK:         nvvm.wgmma.mma_async %[[A1]], %[[B1]]
  // CHECK-COUNT-2: nvvm.wgmma.mma_async
  // CHECK:         nvvm.wgmma.commit.group.sync.aligned
  // The wait owns all 32 registers, in and out.
  // CHECK:         llvm.inline_asm has_side_effects {{.*}}"wgmma.wait_group.sync.aligned 0;", "=f,{{.*}},31,~{memory}"
  gpu.func @wgmma(%c: memref<64x64xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %a = tile.alloc : !tile.buffer<1x64x64xbf16, swizzle = 128>
    %b = tile.alloc : !tile.buffer<1x64x64xbf16, swizzle = 128>
    %zero = tile.acc_zero : !tile.acc<tensor<64x64xf32, #wgmma>>
    %d = tile.mma "wgmma" %a[%c0] kmajor true, %b[%c0] kmajor false, %zero
        : !tile.buffer<1x64x64xbf16, swizzle = 128>, !tile.buffer<1x64x64xbf16, swizzle = 128> -> !tile.acc<tensor<64x64xf32, #wgmma>>
    %w = tile.mma_wait %d pending 0 : !tile.acc<tensor<64x64xf32, #wgmma>> -> !tile.acc<tensor<64x64xf32, #wgmma>>
    %x = tile.acc_read %w : !tile.acc<tensor<64x64xf32, #wgmma>> -> tensor<64x64xf32, #wgmma>
    tile.store %x, %c[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32, #wgmma>, memref<64x64xf32>
    gpu.return
  }

  // What threads wrote is shown to multiplies. Behind a loop that leaves multiplies
  // in flight, adding -0 keeps reads behind the wait.
  // CHECK-LABEL: llvm.func @in_flight(
  // CHECK:         nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // CHECK-NEXT:    nvvm.barrier0
  // CHECK:         scf.for
  // CHECK:           nvvm.wgmma.commit.group.sync.aligned
  // CHECK:           "wgmma.wait_group.sync.aligned 1;"
  // CHECK:         "wgmma.wait_group.sync.aligned 0;\0Aadd.f32 $0, $0, 0f80000000;{{.*}}\0Aadd.f32 $31, $31, 0f80000000;"
  gpu.func @in_flight(%c: memref<64x64xf32>, %n: index) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc : !tile.buffer<1x64x64xbf16, swizzle = 128>
    %zero = tile.acc_zero : !tile.acc<tensor<64x64xf32, #wgmma>>
    tile.fence_async
    tile.sync
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!tile.acc<tensor<64x64xf32, #wgmma>>) {
      %d = tile.mma "wgmma" %a[%c0] kmajor true, %a[%c0] kmajor false, %acc
          : !tile.buffer<1x64x64xbf16, swizzle = 128>, !tile.buffer<1x64x64xbf16, swizzle = 128> -> !tile.acc<tensor<64x64xf32, #wgmma>>
      %w = tile.mma_wait %d pending 1 : !tile.acc<tensor<64x64xf32, #wgmma>> -> !tile.acc<tensor<64x64xf32, #wgmma>>
      scf.yield %w : !tile.acc<tensor<64x64xf32, #wgmma>>
    }
    %w = tile.mma_wait %s pending 0 : !tile.acc<tensor<64x64xf32, #wgmma>> -> !tile.acc<tensor<64x64xf32, #wgmma>>
    %x = tile.acc_read %w : !tile.acc<tensor<64x64xf32, #wgmma>> -> tensor<64x64xf32, #wgmma>
    tile.store %x, %c[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32, #wgmma>, memref<64x64xf32>
    gpu.return
  }

  // One 16x16 block of a warp for 16 steps of k: a k-major is read as it lies,
  // b n-major transposed; two instructions.
  // CHECK-LABEL: llvm.func @mma_sync(
  // CHECK:         nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
  // CHECK:         nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 4
  // CHECK-COUNT-2: nvvm.mma.sync A[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] B[%{{.*}}, %{{.*}}] C[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}]
  // CHECK-NOT:     nvvm.mma.sync
  gpu.func @mma_sync(%c: memref<32x32xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %a = tile.alloc : !tile.buffer<1x32x16xf16, swizzle = 32>
    %b = tile.alloc : !tile.buffer<1x16x32xf16, swizzle = 64>
    %zero = tile.acc_zero : !tile.acc<tensor<32x32xf32, #mma>>
    %d = tile.mma "mma" %a[%c0] kmajor true, %b[%c0] kmajor false, %zero
        : !tile.buffer<1x32x16xf16, swizzle = 32>, !tile.buffer<1x16x32xf16, swizzle = 64> -> !tile.acc<tensor<32x32xf32, #mma>>
    %x = tile.acc_read %d : !tile.acc<tensor<32x32xf32, #mma>> -> tensor<32x32xf32, #mma>
    tile.store %x, %c[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<32x32xf32, #mma>, memref<32x32xf32>
    gpu.return
  }

  // Four steps of k: a k-major in vectors along k, b n-major element by element
  // (its columns are eight apart); products widened to the accumulator's type.
  // CHECK-LABEL: llvm.func @scalar(
  // CHECK-COUNT-16: llvm.load %{{.*}} : !llvm.ptr<3> -> f16
  // CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xf16>
  // CHECK-COUNT-64: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
  // CHECK-NOT:     math.fma
  gpu.func @scalar(%c: memref<16x32xf32>) kernel attributes {tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %a = tile.alloc : !tile.buffer<1x16x4xf16, padding = 16>
    %b = tile.alloc : !tile.buffer<1x4x32xf16>
    %zero = tile.acc_zero : !tile.acc<tensor<16x32xf32, #fma>>
    %d = tile.mma "fma" %a[%c0] kmajor true, %b[%c0] kmajor false, %zero
        : !tile.buffer<1x16x4xf16, padding = 16>, !tile.buffer<1x4x32xf16> -> !tile.acc<tensor<16x32xf32, #fma>>
    %x = tile.acc_read %d : !tile.acc<tensor<16x32xf32, #fma>> -> tensor<16x32xf32, #fma>
    tile.store %x, %c[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<16x32xf32, #fma>, memref<16x32xf32>
    gpu.return
  }
}
