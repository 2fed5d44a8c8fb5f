// Softmax and entropy over a vocabulary of 40000, at small batches: one kernel with
// one block a row, ln 40000. Case B057.
// DEFINE: %{batch} = 1
// DEFINE: %{run} = fusion-run %s --dim batch=%{batch} --input x=zeros --save-outputs %t/out
// DEFINE: %{show} = %python %S/Inputs/npy.py show %t/out/entropy.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{run} --device=cpu && %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_80 && %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_90a && %{show} | FileCheck %s
// REDEFINE: %{batch} = 3
// RUN: %{run} --device=emulator --target=sm_90a && %{show} | FileCheck %s --check-prefixes=CHECK,THREE
// RUN: fusion-compile %s --target=sm_90a --emit=ptx -o %t/a.ptx --report=%t/report.json && FileCheck %s --check-prefix=REPORT --input-file=%t/report.json

// CHECK: f32 ({{[13]}},) 10.596{{[4-9]}}
// THREE-SAME: {{[0-9]* }}10.596{{[4-9][0-9]* }}10.596{{[4-9][0-9]*}}{{$}}
// REPORT: "launches_after": {{[12]}},
func.func @main(%x: tensor<?x40000xf32> {fusion.name = "x", fusion.dims = ["batch", ""]})
    -> (tensor<?xf32> {fusion.name = "entropy"}) {
  %p = fusion.softmax %x dim = 1 : tensor<?x40000xf32>
  %log = fusion.log %p : tensor<?x40000xf32>
  %terms = fusion.mul %p, %log : tensor<?x40000xf32>
  %sum = fusion.reduce sum, %terms dims = [1] : tensor<?x40000xf32> to tensor<?xf32>
  %entropy = fusion.neg %sum : tensor<?xf32>
  return %entropy : tensor<?xf32>
}
