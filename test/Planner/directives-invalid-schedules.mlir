// Schedules that say nothing, or something else than their kind takes: errors, since a
// part of them would be ignored silently.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file -verify-diagnostics
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file -verify-diagnostics
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file -verify-diagnostics

// No kind at all.
func.func @no_kind(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected a schedule with a string 'kind'}}
  %0 = linalg.exp {fusion.schedule = {rows = 1, columns = 128, warps = 4}} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A kind that no kernel has.
func.func @other_kind(%x: tensor<8x4xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected a schedule of kind elementwise, rows, wgmma, mma or fma, but got 'reduction'}}
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<8x4xf32>) outs(%d : tensor<8xf32>) dimensions = [1]
    {fusion.schedule = {kind = "reduction", rows = 1, columns = 4, warps = 1}}
  return %0 : tensor<8xf32>
}

// -----

// An entry of another kind.
func.func @entry_of_another_kind(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{unexpected entry 'stages' in a elementwise schedule}}
  %0 = linalg.exp {fusion.schedule = {kind = "elementwise", rows = 1, columns = 128, warps = 4, stages = 2}}
    ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// How tiles are fetched is a question for wgmma alone.
func.func @pipeline_of_another_kind(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error @below {{unexpected entry 'pipeline' in a mma schedule}}
  %0 = linalg.matmul {fusion.schedule = {kind = "mma", bm = 64, bn = 64, bk = 32, stages = 3, warps = 4, pipeline = "multistage"}}
    ins(%x, %w : tensor<64x64xf16>, tensor<64x64xf16>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// A part of the tile is missing.
func.func @missing_entry(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error @below {{expected an integer 'bn' in a fma schedule}}
  %0 = linalg.matmul {fusion.schedule = {kind = "fma", bm = 64, bk = 8, stages = 1, warps = 4}}
    ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// A number that is written as something else.
func.func @number_as_string(%x: tensor<?x4xf64>, %d: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @below {{expected an integer 'columns' in a rows schedule}}
  %0 = linalg.reduce {arith.maximumf} ins(%x : tensor<?x4xf64>) outs(%d : tensor<?xf64>) dimensions = [1]
    {fusion.schedule = {kind = "rows", rows = 1, columns = "4", warps = 1}}
  return %0 : tensor<?xf64>
}

// -----

// Nothing at a time; of an op that becomes a linalg op.
func.func @no_rows(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected a positive number as 'rows', but got 0}}
  %0 = math.exp %x {fusion.schedule = {kind = "elementwise", rows = 0, columns = 128, warps = 4}} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
