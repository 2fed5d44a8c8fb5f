// What makes operands of contractions, and is computed before a CPU packs them.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=cpu}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=cpu}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Each of many columns of blocks would compute the rows again.
// CHECK-LABEL: func.func @expensive(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @expensive(%x: tensor<512x512xf32>, %w: tensor<512x8192xf32>) -> tensor<512x8192xf32> {
  %e = tensor.empty() : tensor<512x512xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %v = math.erf %p0 : f32
    %u = math.erf %v : f32
    %t = math.erf %u : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<512x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<512x8192xf32>) -> tensor<512x8192xf32>
  // expected-remark-re @below {{Reason="estimated slower fused ({{[0-9.]+}} us) than apart ({{[0-9.]+}} us)"}}
  %y = linalg.matmul ins(%0, %w : tensor<512x512xf32>, tensor<512x8192xf32>) outs(%f : tensor<512x8192xf32>) -> tensor<512x8192xf32>
  return %y : tensor<512x8192xf32>
}

// -----

// One value is needed twice on the way: it is computed once.
// CHECK-LABEL: func.func @several_readers(
// CHECK-COUNT-2: fusion.group
func.func @several_readers(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{fused with exp}}
  %1 = linalg.sqrt ins(%0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @+2 {{fused with exp}}
  // expected-remark @+1 {{fused with sqrt}}
  %2 = linalg.add ins(%0, %1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="what makes the operand has several readers, and is computed once"}}
  %y = linalg.matmul ins(%2, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// One array runs along rows, the other along columns.
// CHECK-LABEL: func.func @no_lines(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @no_lines(%x: tensor<64x64xf32>, %v: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %v : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %u = arith.addf %p0, %p1 : f32
    linalg.yield %u : f32
  } -> tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="what the operand is computed from has no lines in common"}}
  %y = linalg.matmul ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// A mask of one bit an element.
// CHECK-LABEL: func.func @bits(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @bits(%x: tensor<64x64xf32>, %v: tensor<64x64xi1>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %v : tensor<64x64xf32>, tensor<64x64xi1>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p0: f32, %p1: i1, %o: f32):
    %z = arith.constant 0.0 : f32
    %u = arith.select %p1, %p0, %z : f32
    linalg.yield %u : f32
  } -> tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="elements of less than a byte are not packed in vectors"}}
  %y = linalg.matmul ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// Each element of a window would be computed for each place that sees it.
// CHECK-LABEL: func.func @windows(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @windows(%x: tensor<2x16x8x8xf32>, %s: tensor<16xf32>, %k: tensor<24x16x3x3xf32>) -> tensor<2x24x6x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<2x16x8x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2x24x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x24x6x6xf32>) -> tensor<2x24x6x6xf32>
  // expected-remark @below {{Reason="windows of the producer's result would be computed several times"}}
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (f, c, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%0, %k : tensor<2x16x8x8xf32>, tensor<24x16x3x3xf32>) outs(%f : tensor<2x24x6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x24x6x6xf32>
  return %y : tensor<2x24x6x6xf32>
}

// -----

// The value depends on where it lies.
// CHECK-LABEL: func.func @positions(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @positions(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p0: f32, %o: f32):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i32
    %g = arith.sitofp %c : i32 to f32
    %v = arith.mulf %p0, %g : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="what makes the operand asks for positions, and is computed where it lies"}}
  %y = linalg.matmul ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// Blocks of k with a factor each.
// CHECK-LABEL: func.func @blocks(
// CHECK-COUNT-2: fusion.group
func.func @blocks(%x: tensor<64x64xf32>, %w: tensor<4x16x64xf32>, %s: tensor<4x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<4x16x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (b, k, n)>, affine_map<(b, k, n) -> (b, n)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<4x16x64xf32>, tensor<4x64xf32>) outs(%e : tensor<4x16x64xf32>) {
  ^bb0(%p0: f32, %p1: f32, %o: f32):
    %v = arith.mulf %p0, %p1 : f32
    linalg.yield %v : f32
  } -> tensor<4x16x64xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x16x64xf32> into tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="on a CPU blocks of k would be packed one by one: what makes them is computed once"}}
  %y = linalg.matmul ins(%x, %1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// A column that repeats: it is no line beside the other array's.
// CHECK-LABEL: func.func @column(
// CHECK:         fusion.group "elementwise" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @column(%x: tensor<64x64xf32>, %c: tensor<64x1xf32>, %w: tensor<64x64xf32>, %d: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<64x64xf32>, tensor<64x1xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  // expected-remark @below {{Reason="what the operand is computed from is not read along its dims"}}
  %1 = linalg.matmul ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// A factor that the body takes from around it.
// CHECK-LABEL: func.func @factor(
// CHECK:         fusion.group "elementwise" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @factor(%x: tensor<64x64xf32>, %c: f32, %w: tensor<64x64xf32>, %d: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.mulf %a, %c : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  // expected-remark @below {{Reason="what makes the operand takes a value from outside of its loops"}}
  %1 = linalg.matmul ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// Norms are computed before lines are packed.
// CHECK-LABEL: func.func @norm(
// CHECK:         fusion.group "reduce+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @norm(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %r: tensor<64xf32>, %d: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %s = linalg.reduce { arith.maximumf } ins(%x : tensor<64x64xf32>) outs(%r : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{Remark="fused with reduce"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction"}}
  %1 = linalg.matmul ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
