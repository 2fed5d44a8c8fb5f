// RUN: fusion-opt %s -fusion-fit-groups=target=sm_80 -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-fit-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Rows and columns that are both too long to hold: two kernels, cut where the
// least bytes cross. What was fused is recorded as not fused.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<50000x50000xf32>)
// CHECK-SAME:    fusion.fused = [{consumer = "b", producer = "a"}]
// CHECK-SAME:    fusion.not_fused = [{consumer = "columns", producer = "rows", reason = "no kernel holds both: {{.*}}reduce different dims{{.*}}"}]
// CHECK:         %[[R:.*]] = fusion.group "rows" kinds [] ins(%[[X]] : tensor<50000x50000xf32>)
// CHECK:         } : tensor<50000xf32>
// CHECK:         %[[C:.*]] = fusion.group "columns" kinds [] ins(
// CHECK-SAME:      %[[R]]
// CHECK:         } : tensor<50000xf32>
// CHECK:         return %[[C]]
func.func @main(%x: tensor<50000x50000xf32>) -> tensor<50000xf32>
    attributes {fusion.fused = [{consumer = "columns", producer = "rows"}, {consumer = "b", producer = "a"}]} {
  %d = tensor.empty() : tensor<50000xf32>
  // expected-remark @below {{Reason="no kernel holds both: reductions of one group reduce different dims that don't fit in registers"}}
  %r = fusion.group "rows+columns" kinds ["vertical"] ins(%x : tensor<50000x50000xf32>) outs(%d : tensor<50000xf32>) {
  ^bb0(%a: tensor<50000x50000xf32>, %b: tensor<50000xf32>):
    %low = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<50000xf32>
    %f = linalg.fill ins(%low : f32) outs(%e : tensor<50000xf32>) -> tensor<50000xf32>
    %rows = linalg.reduce ins(%a : tensor<50000x50000xf32>) outs(%f : tensor<50000xf32>) dimensions = [1]
      (%in: f32, %acc: f32) {
        %m = arith.maximumf %in, %acc : f32
        linalg.yield %m : f32
      } loc("rows")
    %g = linalg.fill ins(%low : f32) outs(%b : tensor<50000xf32>) -> tensor<50000xf32>
    %columns = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>],
        iterator_types = ["reduction", "parallel"]}
        ins(%a, %rows : tensor<50000x50000xf32>, tensor<50000xf32>) outs(%g : tensor<50000xf32>) {
    ^bb0(%in: f32, %row: f32, %acc: f32):
      %s = arith.subf %in, %row : f32
      %m = arith.maximumf %s, %acc : f32
      linalg.yield %m : f32
    } -> tensor<50000xf32> loc("columns")
    fusion.yield %columns : tensor<50000xf32>
  } : tensor<50000xf32>
  return %r : tensor<50000xf32>
}

// -----

// Dynamic sizes go with the parts; what the first part hands over is a result of
// it, and so is what was a result of the whole.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?xf32>)
// CHECK:         %[[R:.*]] = fusion.group "rows" kinds []
// CHECK:         %[[C:.*]] = fusion.group "columns" kinds []
// CHECK-SAME:      %[[R]]
// CHECK:         return %[[C]], %[[R]]
func.func @dynamic(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %d0 = tensor.empty(%m) : tensor<?xf32>
  %d1 = tensor.empty(%n) : tensor<?xf32>
  // expected-remark @below {{Reason="no kernel holds both: }}
  %r:2 = fusion.group "rows+columns" kinds ["vertical"] ins(%x : tensor<?x?xf32>) outs(%d0, %d1 : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %e: tensor<?xf32>):
    %low = arith.constant 0xFF800000 : f32
    %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %rows = linalg.reduce ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
      (%in: f32, %acc: f32) {
        %m0 = arith.maximumf %in, %acc : f32
        linalg.yield %m0 : f32
      } loc("rows")
    %g = linalg.fill ins(%low : f32) outs(%b : tensor<?xf32>) -> tensor<?xf32>
    %columns = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>],
        iterator_types = ["reduction", "parallel"]}
        ins(%a, %rows : tensor<?x?xf32>, tensor<?xf32>) outs(%g : tensor<?xf32>) {
    ^bb0(%in: f32, %row: f32, %acc: f32):
      %s = arith.subf %in, %row : f32
      %m0 = arith.maximumf %s, %acc : f32
      linalg.yield %m0 : f32
    } -> tensor<?xf32> loc("columns")
    fusion.yield %columns, %rows : tensor<?xf32>, tensor<?xf32>
  } : tensor<?xf32>, tensor<?xf32>
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// What a kernel holds stays together: the same with short rows and columns.
// CHECK-LABEL: func.func @fits(
// CHECK:         fusion.group "rows+columns" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @fits(%x: tensor<8x8xf32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %r = fusion.group "rows+columns" kinds ["vertical"] ins(%x : tensor<8x8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8x8xf32>, %b: tensor<8xf32>):
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %low = arith.constant 0xFF800000 : f32
    %f = linalg.fill ins(%low : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %rows = linalg.reduce ins(%0 : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
      (%in: f32, %acc: f32) {
        %m = arith.maximumf %in, %acc : f32
        linalg.yield %m : f32
      }
    fusion.yield %rows : tensor<8xf32>
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A pinned schedule is the user's: its conversion says why it does not work.
// CHECK-LABEL: func.func @pinned(
// CHECK:         fusion.group "exp+neg"
// CHECK-NOT:     fusion.group
func.func @pinned(%x: tensor<8xf32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %r = fusion.group "exp+neg" kinds ["vertical"] schedule = {kind = "mma"} ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.negf ins(%0 : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %1 : tensor<8xf32>
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}
