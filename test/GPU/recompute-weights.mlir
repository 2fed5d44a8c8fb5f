// Weights of 8 bits that two products of different sizes dequantize, each for itself:
// no kernel writes them in f16 where that is estimated to pay.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// RUN: fusion-compile %s --target=sm_90a --dim k=64 --dim n=96 --dim m=16 --dim l=5 --emit=groups -o /dev/null --report=- \
// RUN:   | FileCheck %s --check-prefix=REPORT
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
// REPORT: launches become 1,
// REPORT: fused:
// REPORT-NOT: {{^not}}
// REPORT: -> contraction {{.*}}estimated {{[0-9.]+}} us fused, {{[0-9.]+}} us apart
//
// ARGS: --input w=randint:-100:100:1
// CASE-STATIC: m=17 l=5 n=65 k=40
// GPU-CASE-STATIC: m=16,33 l=5 n=96,1024 k=7,1024

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %u: tensor<?x?xf16> {fusion.name = "u", fusion.dims = ["l", "k"]},
                %w: tensor<?x?xi8> {fusion.name = "w", fusion.dims = ["k", "n"]},
                %s: tensor<?x?xf16> {fusion.name = "s", fusion.dims = ["k", "n"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}, tensor<?x?xf16> {fusion.name = "z"}) {
  %0 = fusion.cast %w : tensor<?x?xi8> to tensor<?x?xf16>
  %1 = fusion.mul %0, %s : tensor<?x?xf16>
  %2 = fusion.matmul %x, %1 : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  %3 = fusion.matmul %u, %1 : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  return %2, %3 : tensor<?x?xf16>, tensor<?x?xf16>
}
