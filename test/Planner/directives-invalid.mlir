// A directive that could not be obeyed as written is an error at its op, for each
// target: it would be ignored silently.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file -verify-diagnostics
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file -verify-diagnostics
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file -verify-diagnostics

func.func @no_fuse(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected 'fusion.no_fuse' to have no value, but got false}}
  %0 = linalg.exp {fusion.no_fuse = false} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @fuse_with(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected a string as 'fusion.fuse_with', but got 3 : i64}}
  %0 = linalg.exp {fusion.fuse_with = 3} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @schedule_type(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected a dictionary as 'fusion.schedule', but got "rows"}}
  %0 = linalg.exp {fusion.schedule = "rows"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @schedule_value(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected a positive power of two as 'warps', but got 3}}
  %0 = linalg.exp {fusion.schedule = {kind = "elementwise", rows = 1, columns = 128, warps = 3}} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Also of ops that become linalg ops.
func.func @of_another_dialect(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected a string as 'fusion.fuse_with', but got unit}}
  %0 = arith.negf %x {fusion.fuse_with} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A misspelt one.
func.func @misspelt(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{'linalg.exp' op expected 'fusion.no_fuse', 'fusion.fuse_with' or 'fusion.schedule' as a directive, but got 'fusion.nofuse'}}
  %0 = linalg.exp {fusion.nofuse} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @misspelt_of_another_dialect(%x: tensor<8x4xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{expected 'fusion.no_fuse', 'fusion.fuse_with' or 'fusion.schedule' as a directive, but got 'fusion.forbid'}}
  %0 = tensor.extract_slice %x[2, 0] [2, 4] [1, 1] {fusion.forbid = "here"} : tensor<8x4xf32> to tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @pipeline(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error @below {{expected "multistage" as 'pipeline' of a wgmma schedule, but got "double"}}
  %0 = linalg.matmul {fusion.schedule = {kind = "wgmma", bm = 64, bn = 64, bk = 64, stages = 4, warps = 4, pipeline = "double"}}
    ins(%x, %w : tensor<64x64xf16>, tensor<64x64xf16>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
