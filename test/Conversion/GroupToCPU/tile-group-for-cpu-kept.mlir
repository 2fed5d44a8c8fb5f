// RUN: fusion-opt %s -fusion-tile-group-for-cpu -canonicalize -cse -split-input-file | FileCheck %s

// What tiles do not hold has a loop of its own, or none.

// A producer of which every column tile of the product would need the same rows
// is a loop of its own: nothing is computed twice.
// CHECK-LABEL: func.func @prologue(
// CHECK:         = scf.forall
// CHECK:           arith.mulf
// CHECK:         = scf.forall
// CHECK:           linalg.matmul
// CHECK-NOT:     linalg
func.func @prologue(%a: tensor<512x64xf32>, %b: tensor<64x512xf32>, %d: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %e = tensor.empty() : tensor<512x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<512x64xf32>) outs(%e : tensor<512x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.mulf %x, %x : f32
    linalg.yield %t : f32
  } -> tensor<512x64xf32>
  %p = linalg.matmul ins(%s, %b : tensor<512x64xf32>, tensor<64x512xf32>) outs(%d : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %p : tensor<512x512xf32>
}

// -----

// A reduction to one element has no loop to tile.
// CHECK-LABEL: func.func @scalar(
// CHECK-NOT:     = scf.forall
// CHECK:         linalg.generic
func.func @scalar(%a: tensor<512xf32>, %z: tensor<f32>) -> tensor<f32> {
  %s = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<512xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.addf %o, %x : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Rows that lie one further: a tile reads a row of the tile below.
// CHECK-LABEL: func.func @shifted(
// CHECK:         = scf.forall
// CHECK:           arith.mulf
// CHECK:         = scf.forall
// CHECK:           arith.negf
// CHECK-NOT:     = scf.forall
func.func @shifted(%a: tensor<513x512xf32>) -> tensor<512x512xf32> {
  %f = tensor.empty() : tensor<513x512xf32>
  %e = tensor.empty() : tensor<512x512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<513x512xf32>) outs(%f : tensor<513x512xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.mulf %x, %x : f32
    linalg.yield %t : f32
  } -> tensor<513x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m + 1, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<513x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.negf %x : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// -----

// Read along rows and along columns: no tile is both.
// CHECK-LABEL: func.func @both_orders(
// CHECK:         = scf.forall
// CHECK:           arith.mulf
// CHECK:         = scf.forall
// CHECK:           arith.addf
// CHECK-NOT:     = scf.forall
func.func @both_orders(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %f = tensor.empty() : tensor<512x512xf32>
  %e = tensor.empty() : tensor<512x512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.mulf %x, %x : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %s : tensor<512x512xf32>, tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// -----

// Each tile would need the sum of all.
// CHECK-LABEL: func.func @sum_of_all(
// CHECK-NOT:     = scf.forall
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]
// CHECK:         = scf.forall
// CHECK:           arith.addf
func.func @sum_of_all(%a: tensor<512x512xf32>, %z: tensor<f32>) -> tensor<512x512xf32> {
  %e = tensor.empty() : tensor<512x512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<512x512xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.addf %o, %x : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : tensor<512x512xf32>, tensor<f32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// -----

// Something between the two needs the whole value.
// CHECK-LABEL: func.func @needed_before(
// CHECK:         = scf.forall
// CHECK:           arith.mulf
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]
// CHECK:         = scf.forall
// CHECK-NOT:       arith.mulf
// CHECK:           arith.addf
func.func @needed_before(%a: tensor<512x512xf32>, %z: tensor<f32>) -> tensor<512x512xf32> {
  %f = tensor.empty() : tensor<512x512xf32>
  %e = tensor.empty() : tensor<512x512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.mulf %x, %x : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%s : tensor<512x512xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.addf %o, %x : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %q : tensor<512x512xf32>, tensor<f32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// -----

// Backwards, tiles begin where they end: the op is no tiles.
// CHECK-LABEL: func.func @backwards(
// CHECK:         = scf.forall
// CHECK:           arith.mulf
// CHECK-NOT:     = scf.forall
// CHECK:         arith.negf
func.func @backwards(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %f = tensor.empty() : tensor<512x512xf32>
  %e = tensor.empty() : tensor<512x512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.mulf %x, %x : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (511 - m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.negf %x : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// -----

// No rows: nothing is computed, in no loop.
// CHECK-LABEL: func.func @no_rows(
// CHECK-NOT:     = scf.forall
// CHECK:         arith.negf
// CHECK-NOT:     = scf.forall
func.func @no_rows(%a: tensor<0x512xf32>) -> tensor<0x512xf32> {
  %e = tensor.empty() : tensor<0x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<0x512xf32>) outs(%e : tensor<0x512xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.negf %x : f32
    linalg.yield %t : f32
  } -> tensor<0x512xf32>
  return %r : tensor<0x512xf32>
}

// -----

// The second product of a chain needs whole rows of the first.
// CHECK-LABEL: func.func @chain(
// CHECK:         = scf.forall
// CHECK:           linalg.matmul
// CHECK:         = scf.forall
// CHECK:           linalg.matmul
func.func @chain(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>, %d: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %s = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%d : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = linalg.matmul ins(%s, %c : tensor<512x512xf32>, tensor<512x512xf32>) outs(%d : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
