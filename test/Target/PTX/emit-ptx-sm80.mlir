// The chip is that of the module's target; halves have their own maximum.
// RUN: fusion-translate --fusion-to-ptx %s | FileCheck %s

// CHECK:       .target sm_80
// CHECK-LABEL: .visible .entry kernel(
// CHECK:         max.NaN.f16
// CHECK:         fma.rn.bf16
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  llvm.func @kernel(%x: !llvm.ptr<1>, %a: f16, %b: f16, %c: bf16) attributes {nvvm.kernel} {
    %0 = arith.maximumf %a, %b : f16
    %1 = math.fma %c, %c, %c : bf16
    llvm.store %0, %x : f16, !llvm.ptr<1>
    %2 = llvm.getelementptr %x[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %1, %2 : bf16, !llvm.ptr<1>
    llvm.return
  }
}
