// What is switched off is not done, and says so.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=horizontal}))' | FileCheck %s --check-prefixes=CHECK,HORIZONTAL
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=vertical}))' | FileCheck %s --check-prefixes=CHECK,VERTICAL
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=none}))' | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=horizontal}))' -o /dev/null \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NO-VERTICAL
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=vertical}))' -o /dev/null \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NO-HORIZONTAL
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=all,-prologue}))' -o /dev/null \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NO-PROLOGUE
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=all,-prologue target=cpu}))' -o /dev/null \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NO-PROLOGUE

// CHECK-LABEL: func.func @chain(
// HORIZONTAL-COUNT-2: fusion.group "{{.*}}" kinds []
// VERTICAL:           fusion.group "exp+negf" kinds ["vertical"]
// NONE-COUNT-2:       fusion.group "{{.*}}" kinds []
// NO-VERTICAL: Function=chain | Producer=exp, Reason="vertical fusion is switched off"
func.func @chain(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.negf ins(%0 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// Two products of one operand that an elementwise op joins.
// CHECK-LABEL: func.func @siblings(
// VERTICAL-COUNT-2: fusion.group
// NONE-COUNT-3:     fusion.group "{{.*}}" kinds []
// NO-HORIZONTAL: Function=siblings | Producer=matmul, Reason="horizontal fusion is switched off"
func.func @siblings(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = linalg.matmul ins(%x, %v : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  %2 = linalg.mul ins(%0, %1 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}

// What makes an operand.
// CHECK-LABEL: func.func @operand(
// HORIZONTAL-COUNT-2: fusion.group "{{.*}}" kinds []
// VERTICAL:           fusion.group "exp+matmul" kinds ["vertical"]
// NONE-COUNT-2:       fusion.group "{{.*}}" kinds []
// NO-VERTICAL: Function=operand | Producer=exp, Reason="vertical fusion is switched off"
// NO-PROLOGUE: Function=operand | Producer=exp, Reason="computing operands in the kernels of contractions is switched off"
func.func @operand(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}

// Rows and what makes them.
// CHECK-LABEL: func.func @rows(
// HORIZONTAL-COUNT-2: fusion.group "{{.*}}" kinds []
// VERTICAL:           fusion.group "exp+reduce" kinds ["vertical"]
// NONE-COUNT-2:       fusion.group "{{.*}}" kinds []
// NO-VERTICAL: Function=rows | Producer=exp, Reason="vertical fusion is switched off"
func.func @rows(%x: tensor<16x16xf32>, %d: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = linalg.reduce { arith.maximumf } ins(%0 : tensor<16x16xf32>) outs(%d : tensor<16xf32>) dimensions = [1]
  return %1 : tensor<16xf32>
}
