// Offsets past 2^31: they are formed in 64 bits on both devices, also in a small
// view whose largest offset is far. Case B027. Run with FUSION_TEST_LARGE=1 (6 GB).
// DEFINE: %{name} =
// DEFINE: %{gpu} = fusion-compile %t/%{name}.mlir --target=sm_90a --emit=gpu -o -
// DEFINE: %{ptx} = fusion-compile %t/%{name}.mlir --target=sm_80 --emit=ptx -o -
// RUN: rm -rf %t && split-file %s %t
// REDEFINE: %{name} = long
// RUN: %{gpu} | FileCheck %s --check-prefix=LONG
// RUN: %{ptx} | FileCheck %s --check-prefix=PTX
// REDEFINE: %{name} = view
// RUN: %{gpu} | FileCheck %s --check-prefix=VIEW
// RUN: %{ptx} | FileCheck %s --check-prefix=PTX
// REDEFINE: %{name} = rows
// RUN: %{gpu} | FileCheck %s --check-prefix=ROWS
// REDEFINE: %{name} = unknown
// RUN: %{gpu} | FileCheck %s --check-prefix=UNKNOWN
// REDEFINE: %{name} = steps
// RUN: %{gpu} | FileCheck %s --check-prefix=STEPS

// The first element of a block, and the limit that is compared with: in 64 bits.
// LONG:     llvm.func @group_0(
// LONG:       %[[ID:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
// LONG:       %[[BLOCK:.*]] = arith.extui %[[ID]] : i32 to i64
// LONG:       %[[START:.*]] = arith.muli %[[BLOCK]], %{{.*}} : i64
// LONG:       %[[AT:.*]] = arith.addi %[[START]], %{{.*}} : i64
// LONG:       llvm.getelementptr %arg0[%[[AT]]] : (!llvm.ptr<1>, i64)
// PTX:      {{mul.wide.u32|mul.lo.s64|mad.lo.s64|mad.wide.u32|shl.b64}}
// VIEW:     llvm.func @group_0(
// VIEW:       %[[STEP:.*]] = arith.muli %{{.*}}, %c1073741888_i64 : i64
// VIEW:       %[[AT:.*]] = arith.addi %[[STEP]], %{{.*}} : i64
// VIEW:       llvm.getelementptr %arg0[%[[AT]]] : (!llvm.ptr<1>, i64)
// A tile of some rows of a long tensor, for which 32 bits would not do.
// ROWS:     llvm.func @group_0(
// ROWS:       arith.muli %{{.*}}, %c1073741888_i64 : i64
// Rows of unknown length: nothing is known to fit.
// UNKNOWN:  llvm.func @group_0(
// UNKNOWN:    arith.muli %{{.*}}, %arg{{[0-9]}} : i64
// From row to row of one thread: a constant of 31 bits, of which an address has 29.
// STEPS:    %[[STEP:.*]] = arith.constant 1280000032 : i64
// STEPS:    llvm.getelementptr %{{.*}}[%[[STEP]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32

// On the CPU all is in 64 bits.
// REDEFINE: %{name} = long
// RUN: fusion-compile %t/long.mlir --target=cpu --emit=llvm -o - | FileCheck %s --check-prefix=CPU
// RUN: fusion-compile %t/view.mlir --target=cpu --emit=llvm -o - | FileCheck %s --check-prefix=CPU
// CPU-NOT: sext i32
// CPU:     getelementptr
// CPU-NOT: sext i32

// Executed where asked for: the last elements, and a view over the whole.
// RUN: %if large %{ fusion-run %t/executed.mlir --device=cpu | FileCheck %s --check-prefix=EXECUTED %}
// EXECUTED:      y: 2147483712:u8  least 1  most 251
// EXECUTED-NEXT: last: 8:u8  least 244  most 251  mean 247.5
// EXECUTED-NEXT: view: 2:u8  least 1  most 241  mean 121

//--- long.mlir
func.func @main(%x: tensor<2147483712xui8> {fusion.name = "x"}) -> (tensor<2147483712xui8> {fusion.name = "y"}) {
  %one = fusion.constant dense<1> : tensor<2147483712xui8>
  %y = fusion.add %x, %one : tensor<2147483712xui8>
  return %y : tensor<2147483712xui8>
}

//--- view.mlir
func.func @main(%x: tensor<3x1073741888xui8> {fusion.name = "x"}) -> (tensor<2x8xui8> {fusion.name = "y"}) {
  %s = fusion.slice %x starts = [1, 1073741880] steps = [1, 1] : tensor<3x1073741888xui8> to tensor<2x8xui8>
  %one = fusion.constant dense<1> : tensor<2x8xui8>
  %y = fusion.add %s, %one : tensor<2x8xui8>
  return %y : tensor<2x8xui8>
}

//--- rows.mlir
func.func @main(%x: tensor<64x1073741888xf16> {fusion.name = "x"}) -> (tensor<64xf16> {fusion.name = "y"}) {
  %s = fusion.slice %x starts = [0, 1073741824] steps = [1, 1] : tensor<64x1073741888xf16> to tensor<64x64xf16>
  %y = fusion.reduce sum, %s dims = [1] : tensor<64x64xf16> to tensor<64xf16>
  return %y : tensor<64xf16>
}

//--- unknown.mlir
func.func @main(%x: tensor<64x?xf16> {fusion.name = "x", fusion.dims = ["", "n"]}) -> (tensor<64x8xf16> {fusion.name = "y"}) {
  %s = fusion.slice %x starts = [0, 0] steps = [1, 1] : tensor<64x?xf16> to tensor<64x8xf16>
  %y = fusion.neg %s : tensor<64x8xf16>
  return %y : tensor<64x8xf16>
}

//--- steps.mlir
func.func @main(%x: tensor<64x64xf32> {fusion.name = "x"}, %w: tensor<64x40000001xf32> {fusion.name = "w"})
    -> (tensor<64x40000001xf32> {fusion.name = "y"}) {
  %y = fusion.matmul %x, %w : tensor<64x64xf32>, tensor<64x40000001xf32> -> tensor<64x40000001xf32>
  return %y : tensor<64x40000001xf32>
}

//--- executed.mlir
func.func @main() -> (tensor<2147483712xui8> {fusion.name = "y"}, tensor<8xui8> {fusion.name = "last"},
                      tensor<2xui8> {fusion.name = "view"}) {
  %i = fusion.iota dim = 0 : tensor<2147483712xi64>
  %k = fusion.constant dense<251> : tensor<2147483712xi64>
  %m = fusion.rem %i, %k : tensor<2147483712xi64>
  %x = fusion.cast %m : tensor<2147483712xi64> to tensor<2147483712xui8>
  %one = fusion.constant dense<1> : tensor<2147483712xui8>
  %y = fusion.add %x, %one : tensor<2147483712xui8>
  // They read what is in memory.
  %last = fusion.slice %y starts = [2147483704] steps = [1] {fusion.no_fuse} : tensor<2147483712xui8> to tensor<8xui8>
  %view = fusion.slice %y starts = [0] steps = [2147483701] {fusion.no_fuse} : tensor<2147483712xui8> to tensor<2xui8>
  return %y, %last, %view : tensor<2147483712xui8>, tensor<8xui8>, tensor<2xui8>
}
