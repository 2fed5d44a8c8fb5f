// A pinned tile that bulk copies cannot bring in whole panels is refused (the
// compiler crashed); one that lies along k has any number of columns.
// RUN: not fusion-compile %s --target=sm_90a --emit=ptx 2>&1 | FileCheck %s
// CHECK: error: 'func.func' op the schedule doesn't fit: an operand lies along n, in panels of 64, of which 24 are no whole number
//
// RUN: sed 's/w {fusion/w {transpose_b, fusion/' %s > %t.mlir
// RUN: fusion-run %t.mlir --device=emulator --target=sm_90a --verify | FileCheck %s --check-prefix=ALONG-K
// ALONG-K: verify: all {{[0-9]+}} results of groups agree
//
// Nor need a warpgroup have just 64 rows: such a tile is stored without bulk copies
// (which the verifier refused).
// RUN: sed 's/bm = 64, bn = 24/bm = 128, bn = 64/' %s > %t.tall.mlir
// RUN: fusion-run %t.tall.mlir --device=emulator --target=sm_90a --verify | FileCheck %s --check-prefix=ALONG-K
func.func @main(%x: tensor<70x64xf16>, %w: tensor<64x64xf16>) -> tensor<70x64xf16> {
  %0 = fusion.matmul %x, %w {fusion.schedule = {kind = "wgmma", bm = 64, bn = 24, bk = 64, stages = 4, warps = 4}}
      : tensor<70x64xf16>, tensor<64x64xf16> -> tensor<70x64xf16>
  return %0 : tensor<70x64xf16>
}
