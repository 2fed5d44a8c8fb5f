// RUN: fusion-translate --fusion-to-ptx %s | FileCheck %s
// RUN: fusion-translate --fusion-to-kernel-llvm %s | FileCheck %s --check-prefix=LLVM

// CHECK:       .version 8.0
// CHECK:       .target sm_90a
// CHECK:       .extern .shared .align 1024 .b8 smem[];
// CHECK-LABEL: .visible .entry kernel(
// CHECK:         .param .u64 .ptr .global .align 16 kernel_param_0
// CHECK:       .maxntid 128, 1, 1
// No contraction of what the graph keeps apart.
// CHECK:         mul.rn.f32
// CHECK:         add.rn.f32
// CHECK-NOT:     fma.rn
// The GPU's maximum that keeps NaN, and its own 2^x inside of exp.
// CHECK:         max.NaN.f32
// CHECK:         ex2.approx.{{(ftz\.)?}}f32
// Inline assembly is not moved.
// CHECK:         setmaxnreg.inc.sync.aligned.u32 240;

// LLVM:        target triple = "nvptx64-nvidia-cuda"
// LLVM:        define ptx_kernel void @kernel(
// LLVM:        call void asm sideeffect "setmaxnreg{{.*}}() #[[ATTR:[0-9]+]]
// LLVM:        attributes #[[ATTR]] = { convergent
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @kernel(%x: !llvm.ptr<1> {llvm.align = 16 : i64}, %a: f32, %b: f32)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %b : f32
    %2 = arith.maximumf %1, %a : f32
    %3 = math.exp %2 : f32
    llvm.inline_asm has_side_effects "setmaxnreg.inc.sync.aligned.u32 240;", "" : () -> ()
    llvm.store %3, %s : f32, !llvm.ptr<3>
    llvm.store %3, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}
