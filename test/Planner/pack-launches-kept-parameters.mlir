// A launch with more tensor maps than its parameters hold: those of the operands of 15
// products fit. Devices that copy no tiles by maps take 16.

// DEFINE: %{pack} = fusion-opt %s -remarks-filter='fusion.*' -remark-format=emitRemark
// RUN: %{pack} -pass-pipeline='builtin.module(func.func(fusion-form-groups,fusion-pack-launches))' 2>&1 | FileCheck %s
// RUN: %{pack} -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=l4},fusion-pack-launches{target=l4}))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE

// CHECK:       loc("p15"){{.*}} Function=maps | Other=p0, Reason="the kernel would take more tensor maps than its 4096 bytes of parameters hold"
// CHECK-LABEL: func.func @maps(
// CHECK:         = fusion.group "p0 | p1 | p2 | p3 | 11 more" kinds ["horizontal"]
// CHECK:         = fusion.group "p15" kinds []
// NONE-LABEL:  func.func @maps(
// NONE:          = fusion.group "p0 | p1 | p2 | p3 | 12 more" kinds ["horizontal"]
!t = tensor<64x64xf16>
!s = tensor<64x64xf32>
func.func @maps(%a0: !t, %b0: !t, %a1: !t, %b1: !t, %a2: !t, %b2: !t, %a3: !t, %b3: !t,
    %a4: !t, %b4: !t, %a5: !t, %b5: !t, %a6: !t, %b6: !t, %a7: !t, %b7: !t,
    %a8: !t, %b8: !t, %a9: !t, %b9: !t, %a10: !t, %b10: !t, %a11: !t, %b11: !t,
    %a12: !t, %b12: !t, %a13: !t, %b13: !t, %a14: !t, %b14: !t, %a15: !t, %b15: !t)
    -> (!s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %0 = linalg.matmul ins(%a0, %b0 : !t, !t) outs(%f : !s) -> !s loc("p0")
  %1 = linalg.matmul ins(%a1, %b1 : !t, !t) outs(%f : !s) -> !s loc("p1")
  %2 = linalg.matmul ins(%a2, %b2 : !t, !t) outs(%f : !s) -> !s loc("p2")
  %3 = linalg.matmul ins(%a3, %b3 : !t, !t) outs(%f : !s) -> !s loc("p3")
  %4 = linalg.matmul ins(%a4, %b4 : !t, !t) outs(%f : !s) -> !s loc("p4")
  %5 = linalg.matmul ins(%a5, %b5 : !t, !t) outs(%f : !s) -> !s loc("p5")
  %6 = linalg.matmul ins(%a6, %b6 : !t, !t) outs(%f : !s) -> !s loc("p6")
  %7 = linalg.matmul ins(%a7, %b7 : !t, !t) outs(%f : !s) -> !s loc("p7")
  %8 = linalg.matmul ins(%a8, %b8 : !t, !t) outs(%f : !s) -> !s loc("p8")
  %9 = linalg.matmul ins(%a9, %b9 : !t, !t) outs(%f : !s) -> !s loc("p9")
  %10 = linalg.matmul ins(%a10, %b10 : !t, !t) outs(%f : !s) -> !s loc("p10")
  %11 = linalg.matmul ins(%a11, %b11 : !t, !t) outs(%f : !s) -> !s loc("p11")
  %12 = linalg.matmul ins(%a12, %b12 : !t, !t) outs(%f : !s) -> !s loc("p12")
  %13 = linalg.matmul ins(%a13, %b13 : !t, !t) outs(%f : !s) -> !s loc("p13")
  %14 = linalg.matmul ins(%a14, %b14 : !t, !t) outs(%f : !s) -> !s loc("p14")
  %15 = linalg.matmul ins(%a15, %b15 : !t, !t) outs(%f : !s) -> !s loc("p15")
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15
    : !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s, !s
}
