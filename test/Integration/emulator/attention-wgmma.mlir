// Attention whose kernel multiplies by wgmma, asked for by a pinned schedule: what
// all warps copied is fenced, q and weights are multiplied from registers, sums are
// waited for. Ends of rows, columns and widths lie inside of tiles; the first row of the
// mask hides everything.
//
// DEFINE: %{bm} = 64
// DEFINE: %{warps} = 4
// DEFINE: %{pin} = fusion-compile %s --target=sm_90a --emit=groups \
// DEFINE:   | sed '/fusion.group/s/ ins(/ schedule = {kind = "wgmma", bm = %{bm}, bn = 64, bk = 128, stages = 2, warps = %{warps}, pipeline = "multistage"}&/'
// RUN: %{pin} > %t.mlir
// RUN: fusion-compile %t.mlir --target=sm_90a --emit=gpu | FileCheck %s --check-prefix=GPU
// RUN: fusion-run %t.mlir --device=emulator --target=sm_90a --verify | FileCheck %s
// REDEFINE: %{bm} = 128
// REDEFINE: %{warps} = 8
// RUN: %{pin} > %t.two.mlir
// RUN: fusion-run %t.two.mlir --device=emulator --target=sm_90a --verify | FileCheck %s
// REDEFINE: %{warps} = 4
// RUN: %{pin} > %t.bad.mlir
// RUN: not fusion-compile %t.bad.mlir --target=sm_90a --emit=gpu 2>&1 | FileCheck %s --check-prefix=BAD

// CHECK: verify: all 1 results of groups agree with the unfused program

// GPU:         nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// GPU-NEXT:    nvvm.barrier0
// GPU:         nvvm.wgmma.fence.aligned
// GPU-COUNT-8: llvm.inline_asm {{.*}}"wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, {{.*}}, $31}, {$32, $33, $34, $35}, $36, 1, 1, 1, 0;"
// GPU-NEXT:    nvvm.wgmma.commit.group.sync.aligned
// GPU:         llvm.inline_asm {{.*}}"wgmma.wait_group.sync.aligned 0;"
// GPU:         nvvm.wgmma.fence.aligned
// GPU-COUNT-4: llvm.inline_asm {{.*}}"wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, {{.*}}, $31}, {$32, $33, $34, $35}, $36, 1, 1, 1, 1;"
// GPU-NEXT:    nvvm.wgmma.commit.group.sync.aligned
// GPU:         llvm.inline_asm {{.*}}"wgmma.wait_group.sync.aligned 0;"

// BAD: error: {{.*}}the schedule doesn't fit: wgmma wants 64 rows for each four warps
func.func @main(%q: tensor<2x70x80xbf16> {fusion.name = "q"}, %k: tensor<2x100x80xbf16> {fusion.name = "k"},
                %v: tensor<2x100x24xbf16> {fusion.name = "v"}, %mask: tensor<2x70x100xbf16> {fusion.name = "mask"})
    -> (tensor<2x70x24xbf16> {fusion.name = "y"}) {
  %s = fusion.matmul %q, %k {transpose_b} : tensor<2x70x80xbf16>, tensor<2x100x80xbf16> -> tensor<2x70x100xbf16>
  %m = fusion.add %s, %mask : tensor<2x70x100xbf16>
  %i = fusion.iota dim = 1 : tensor<2x70x100xi32>
  %j = fusion.iota dim = 2 : tensor<2x70x100xi32>
  %c = fusion.compare gt, %i, %j : tensor<2x70x100xi32>
  %inf = fusion.constant dense<0xFF80> : tensor<bf16>
  %ib = fusion.broadcast %inf dims = [] : tensor<bf16> to tensor<2x70x100xbf16>
  %x = fusion.select %c, %m, %ib : tensor<2x70x100xbf16>
  %p = fusion.softmax %x dim = 2 : tensor<2x70x100xbf16>
  %o = fusion.matmul %p, %v : tensor<2x70x100xbf16>, tensor<2x100x24xbf16> -> tensor<2x70x24xbf16>
  return %o : tensor<2x70x24xbf16>
}
