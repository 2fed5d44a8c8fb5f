// RUN: fusion-opt %s -fusion-fit-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-fit-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Limits of a module that a group of two ops is over: what moves no more bytes in smaller
// tiles gets these, all else becomes two kernels.

// Blocks of one warp: tiles of a product take more.
// CHECK-LABEL: func.func @few_threads(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "exp" kinds []
// CHECK-NOT:     fusion.group
module attributes {fusion.limits = {threads = 32 : i64}} {
func.func @few_threads(%x: tensor<70x100xbf16>, %w: tensor<100x50xbf16>) -> tensor<70x50xf32> {
  %d = tensor.empty() : tensor<70x50xf32>
  // expected-remark @below {{Reason="no kernel holds both: expected at most 32 threads of a block, but the kernel needs 128"}}
  %r = fusion.group "product+exp" kinds ["vertical"] ins(%x, %w : tensor<70x100xbf16>, tensor<100x50xbf16>) outs(%d : tensor<70x50xf32>) {
  ^bb0(%a: tensor<70x100xbf16>, %b: tensor<100x50xbf16>, %o: tensor<70x50xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<70x50xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x50xf32>) -> tensor<70x50xf32>
    // expected-remark @below {{Reason="a smaller schedule was taken: expected at most 32 threads of a block, but the kernel needs 128"}}
    %p = linalg.matmul ins(%a, %b : tensor<70x100xbf16>, tensor<100x50xbf16>) outs(%f : tensor<70x50xf32>) -> tensor<70x50xf32>
    // expected-remark @below {{Reason="a smaller schedule was taken: expected at most 32 threads of a block, but the kernel needs 128"}}
    %q = linalg.exp ins(%p : tensor<70x50xf32>) outs(%o : tensor<70x50xf32>) -> tensor<70x50xf32>
    fusion.yield %q : tensor<70x50xf32>
  } : tensor<70x50xf32>
  return %r : tensor<70x50xf32>
}
}

// -----

// Few registers for tiles.
// CHECK-LABEL: func.func @few_registers(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "exp" kinds []
// CHECK-NOT:     fusion.group
module attributes {fusion.limits = {registers = 16 : i64}} {
func.func @few_registers(%x: tensor<70x100xbf16>, %w: tensor<100x50xbf16>) -> tensor<70x50xf32> {
  %d = tensor.empty() : tensor<70x50xf32>
  // expected-remark @below {{Reason="no kernel holds both: expected at most 16 registers of a thread for tiles, but the kernel needs 64"}}
  %r = fusion.group "product+exp" kinds ["vertical"] ins(%x, %w : tensor<70x100xbf16>, tensor<100x50xbf16>) outs(%d : tensor<70x50xf32>) {
  ^bb0(%a: tensor<70x100xbf16>, %b: tensor<100x50xbf16>, %o: tensor<70x50xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<70x50xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x50xf32>) -> tensor<70x50xf32>
    // expected-remark @below {{Reason="a smaller schedule was taken: expected at most 16 registers of a thread for tiles, but the kernel needs 32"}}
    %p = linalg.matmul ins(%a, %b : tensor<70x100xbf16>, tensor<100x50xbf16>) outs(%f : tensor<70x50xf32>) -> tensor<70x50xf32>
    %q = linalg.exp ins(%p : tensor<70x50xf32>) outs(%o : tensor<70x50xf32>) -> tensor<70x50xf32>
    fusion.yield %q : tensor<70x50xf32>
  } : tensor<70x50xf32>
  return %r : tensor<70x50xf32>
}
}

// -----

// Shared memory that no stage fits in.
// CHECK-LABEL: func.func @little_memory(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "exp" kinds []
// CHECK-NOT:     fusion.group
module attributes {fusion.limits = {shared = 256 : i64}} {
func.func @little_memory(%x: tensor<70x100xbf16>, %w: tensor<100x50xbf16>) -> tensor<70x50xf32> {
  %d = tensor.empty() : tensor<70x50xf32>
  // expected-remark @below {{Reason="no kernel holds both: the schedule doesn't fit: 7168 bytes of shared memory are more than 256"}}
  %r = fusion.group "product+exp" kinds ["vertical"] ins(%x, %w : tensor<70x100xbf16>, tensor<100x50xbf16>) outs(%d : tensor<70x50xf32>) {
  ^bb0(%a: tensor<70x100xbf16>, %b: tensor<100x50xbf16>, %o: tensor<70x50xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<70x50xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x50xf32>) -> tensor<70x50xf32>
    // expected-remark @below {{Reason="a smaller schedule was taken: the schedule doesn't fit: 7168 bytes of shared memory are more than 256"}}
    %p = linalg.matmul ins(%a, %b : tensor<70x100xbf16>, tensor<100x50xbf16>) outs(%f : tensor<70x50xf32>) -> tensor<70x50xf32>
    %q = linalg.exp ins(%p : tensor<70x50xf32>) outs(%o : tensor<70x50xf32>) -> tensor<70x50xf32>
    fusion.yield %q : tensor<70x50xf32>
  } : tensor<70x50xf32>
  return %r : tensor<70x50xf32>
}
}

// -----

// The same for tiles that are multiplied without tensor cores.
// CHECK-LABEL: func.func @few_registers_f32(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "exp" kinds []
// CHECK-NOT:     fusion.group
module attributes {fusion.limits = {registers = 8 : i64}} {
func.func @few_registers_f32(%x: tensor<70x100xf32>, %w: tensor<100x50xf32>) -> tensor<70x50xf32> {
  %d = tensor.empty() : tensor<70x50xf32>
  // expected-remark @below {{Reason="no kernel holds both: expected at most 8 registers of a thread for tiles, but the kernel needs 32"}}
  %r = fusion.group "product+exp" kinds ["vertical"] ins(%x, %w : tensor<70x100xf32>, tensor<100x50xf32>) outs(%d : tensor<70x50xf32>) {
  ^bb0(%a: tensor<70x100xf32>, %b: tensor<100x50xf32>, %o: tensor<70x50xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<70x50xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x50xf32>) -> tensor<70x50xf32>
    // expected-remark @below {{Reason="a smaller schedule was taken: expected at most 8 registers of a thread for tiles, but the kernel needs 16"}}
    %p = linalg.matmul ins(%a, %b : tensor<70x100xf32>, tensor<100x50xf32>) outs(%f : tensor<70x50xf32>) -> tensor<70x50xf32>
    %q = linalg.exp ins(%p : tensor<70x50xf32>) outs(%o : tensor<70x50xf32>) -> tensor<70x50xf32>
    fusion.yield %q : tensor<70x50xf32>
  } : tensor<70x50xf32>
  return %r : tensor<70x50xf32>
}
}

// -----

// Rows take smaller blocks, rather than two kernels.
// CHECK-LABEL: func.func @rows_of_one_warp(
// CHECK:         fusion.group "exp+rows" kinds ["vertical"]
// CHECK-NOT:     fusion.group
module attributes {fusion.limits = {threads = 32 : i64}} {
func.func @rows_of_one_warp(%x: tensor<70x100xf32>) -> tensor<70xf32> {
  %d = tensor.empty() : tensor<70xf32>
  // expected-remark @below {{Reason="a smaller schedule was taken: expected at most 32 threads of a block, but the kernel needs 128"}}
  %r = fusion.group "exp+rows" kinds ["vertical"] ins(%x : tensor<70x100xf32>) outs(%d : tensor<70xf32>) {
  ^bb0(%a: tensor<70x100xf32>, %o: tensor<70xf32>):
    %low = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<70x100xf32>
    %p = linalg.exp ins(%a : tensor<70x100xf32>) outs(%e : tensor<70x100xf32>) -> tensor<70x100xf32>
    %f = linalg.fill ins(%low : f32) outs(%o : tensor<70xf32>) -> tensor<70xf32>
    %q = linalg.reduce { arith.maximumf } ins(%p : tensor<70x100xf32>) outs(%f : tensor<70xf32>) dimensions = [1]
    fusion.yield %q : tensor<70xf32>
  } : tensor<70xf32>
  return %r : tensor<70xf32>
}
}

// -----

// A register less than the least kernel takes.
// CHECK-LABEL: func.func @rows_in_few_registers(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
module attributes {fusion.limits = {registers = 1 : i64}} {
func.func @rows_in_few_registers(%x: tensor<70x100xf32>) -> tensor<70xf32> {
  %d = tensor.empty() : tensor<70xf32>
  // expected-remark @below {{Reason="no kernel holds both: expected at most 1 registers of a thread for tiles, but the kernel needs 2"}}
  %r = fusion.group "exp+rows" kinds ["vertical"] ins(%x : tensor<70x100xf32>) outs(%d : tensor<70xf32>) {
  ^bb0(%a: tensor<70x100xf32>, %o: tensor<70xf32>):
    %low = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<70x100xf32>
    // expected-remark @below {{Reason="no schedule keeps to the limits, the simplest was taken: expected at most 1 registers of a thread for tiles, but the kernel needs 2"}}
    %p = linalg.exp ins(%a : tensor<70x100xf32>) outs(%e : tensor<70x100xf32>) -> tensor<70x100xf32>
    %f = linalg.fill ins(%low : f32) outs(%o : tensor<70xf32>) -> tensor<70xf32>
    // expected-remark @below {{Reason="no schedule keeps to the limits, the simplest was taken: expected at most 1 registers of a thread for tiles, but the kernel needs 2"}}
    %q = linalg.reduce { arith.maximumf } ins(%p : tensor<70x100xf32>) outs(%f : tensor<70xf32>) dimensions = [1]
    fusion.yield %q : tensor<70xf32>
  } : tensor<70xf32>
  return %r : tensor<70xf32>
}
}

// -----

// Sums of several warps meet in shared memory, of which there is little: fewer warps.
// CHECK-LABEL: func.func @rows_without_memory(
// CHECK:         fusion.group "exp+rows" kinds ["vertical"]
// CHECK-NOT:     fusion.group
module attributes {fusion.limits = {shared = 8 : i64}} {
func.func @rows_without_memory(%x: tensor<70x100xf32>) -> tensor<70xf32> {
  %d = tensor.empty() : tensor<70xf32>
  // expected-remark @below {{Reason="a smaller schedule was taken: expected at most 8 bytes of shared memory, but the kernel needs 16"}}
  %r = fusion.group "exp+rows" kinds ["vertical"] ins(%x : tensor<70x100xf32>) outs(%d : tensor<70xf32>) {
  ^bb0(%a: tensor<70x100xf32>, %o: tensor<70xf32>):
    %low = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<70x100xf32>
    %p = linalg.exp ins(%a : tensor<70x100xf32>) outs(%e : tensor<70x100xf32>) -> tensor<70x100xf32>
    %f = linalg.fill ins(%low : f32) outs(%o : tensor<70xf32>) -> tensor<70xf32>
    %q = linalg.reduce { arith.maximumf } ins(%p : tensor<70x100xf32>) outs(%f : tensor<70xf32>) dimensions = [1]
    fusion.yield %q : tensor<70xf32>
  } : tensor<70xf32>
  return %r : tensor<70xf32>
}
}
