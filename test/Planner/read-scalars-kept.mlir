// What was broadcast and is read as it is. The pass is a part of that which forms groups.

// RUN: fusion-opt %s -fusion-form-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-form-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REASON --implicit-check-not='[Missed] ReadScalars'

// Several elements.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @vector(
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%{{.*}} : tensor<4xf32>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[B]] : tensor<4x8xf32>, tensor<4x8xf32>)
func.func @vector(%x: tensor<4x8xf32>, %s: tensor<4xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %b = linalg.broadcast ins(%s : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Nobody knows how many elements.
#id = affine_map<(i, j) -> (i, j)>

// REASON: ReadScalars | Category:fusion | Function=open_size | Reason="only at run time is it known whether there is one element"
// CHECK-LABEL: func.func @open_size(
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%{{.*}} : tensor<?xf16>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[B]] : tensor<?x8xf16>, tensor<?x8xf16>)
func.func @open_size(%x: tensor<?x8xf16>, %s: tensor<?xf16>, %e: tensor<?x8xf16>) -> tensor<?x8xf16> {
  %b = linalg.broadcast ins(%s : tensor<?xf16>) outs(%e : tensor<?x8xf16>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<?x8xf16>, tensor<?x8xf16>) outs(%e : tensor<?x8xf16>) {
  ^bb0(%p: f16, %q: f16, %d: f16):
    %1 = arith.mulf %p, %q : f16
    linalg.yield %1 : f16
  } -> tensor<?x8xf16>
  return %y : tensor<?x8xf16>
}

// -----

// The broadcast is asked to be a kernel of its own.
#id = affine_map<(i, j) -> (i, j)>

// REASON: ReadScalars | Category:fusion | Function=asked | Reason="the broadcast is marked with fusion.no_fuse"
// CHECK-LABEL: func.func @asked(
// CHECK:         %[[G:.*]] = fusion.group "broadcast" kinds []
// CHECK:           linalg.broadcast ins(%{{.*}} : tensor<f32>)
// CHECK:         fusion.group "elementwise" kinds [] ins(%{{.*}}, %[[G]] : tensor<4x8xf32>, tensor<4x8xf32>)
func.func @asked(%x: tensor<4x8xf32>, %s: tensor<f32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %b = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<4x8xf32>) dimensions = [0, 1] {fusion.no_fuse}
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A reduction reads what is broadcast.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// REASON: ReadScalars | Category:fusion | Function=reduction | Reason="what reads the scalar is not elementwise"
// CHECK-LABEL: func.func @reduction(
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%{{.*}} : tensor<f32>)
// CHECK:         linalg.generic {{.*}}"reduction"]} ins(%{{.*}}, %[[B]] : tensor<4x8xf32>, tensor<4x8xf32>)
func.func @reduction(%x: tensor<4x8xf32>, %s: tensor<f32>, %e: tensor<4x8xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %b = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<4x8xf32>) dimensions = [0, 1]
  %y = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %1 = arith.subf %p, %q : f32
    %2 = arith.maximumf %1, %d : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// The scalar is computed on its way: what makes the tensor does more than move it.
#id = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>

// REASON: ReadScalars | Category:fusion | Function=computed | Reason="the scalar is computed where it is broadcast"
// CHECK-LABEL: func.func @computed(
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<f32>)
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[B]] : tensor<4x8xf32>, tensor<4x8xf32>)
func.func @computed(%x: tensor<4x8xf32>, %s: tensor<f32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %b = linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<f32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %d: f32):
    %1 = math.exp %p : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A product reads what is broadcast.
// REASON: ReadScalars | Category:fusion | Function=product | Reason="what reads the scalar is not elementwise"
// CHECK-LABEL: func.func @product(
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%{{.*}} : tensor<f32>)
// CHECK:         linalg.matmul ins(%{{.*}}, %[[B]] : tensor<4x8xf32>, tensor<8x16xf32>)
func.func @product(%x: tensor<4x8xf32>, %s: tensor<f32>, %e: tensor<8x16xf32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %b = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<8x16xf32>) dimensions = [0, 1]
  %y = linalg.matmul ins(%x, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%o : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// -----

// The broadcast itself, a result of the function.
// CHECK-LABEL: func.func @result(
// CHECK:         fusion.group "broadcast" kinds []
// CHECK:           %[[B:.*]] = linalg.broadcast ins(%{{.*}} : tensor<i8>) outs(%{{.*}} : tensor<4x8xi8>)
// CHECK:           fusion.yield %[[B]]
func.func @result(%s: tensor<i8>, %e: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %b = linalg.broadcast ins(%s : tensor<i8>) outs(%e : tensor<4x8xi8>) dimensions = [0, 1]
  return %b : tensor<4x8xi8>
}

// -----

// One element of several: that is no movement of a whole tensor.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @slice(
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
// CHECK:           tensor.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<1x3xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[B]] : tensor<4x8xf32>, tensor<4x8xf32>)
func.func @slice(%x: tensor<4x8xf32>, %s: tensor<1x3xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %b = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x8xf32>) {
  ^bb0(%d: f32):
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %v = tensor.extract %s[%c0, %c2] : tensor<1x3xf32>
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// An op whose name says how it reads its operands.
// REASON: ReadScalars | Category:fusion | Function=named | Reason="the name of the op that reads the scalar says what shape it has"
// CHECK-LABEL: func.func @named(
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%{{.*}} : tensor<f64>)
// CHECK:         linalg.mul ins(%{{.*}}, %[[B]] : tensor<4x8xf64>, tensor<4x8xf64>)
func.func @named(%x: tensor<4x8xf64>, %s: tensor<f64>, %e: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %b = linalg.broadcast ins(%s : tensor<f64>) outs(%e : tensor<4x8xf64>) dimensions = [0, 1]
  %y = linalg.mul ins(%x, %b : tensor<4x8xf64>, tensor<4x8xf64>) outs(%e : tensor<4x8xf64>) -> tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

// -----

// What reads the scalar is asked to be a kernel of its own.
#id = affine_map<(i, j) -> (i, j)>

// REASON: ReadScalars | Category:fusion | Function=reader_asked | Reason="what reads the scalar is marked with fusion.no_fuse"
// CHECK-LABEL: func.func @reader_asked(
// CHECK:         %[[G:.*]] = fusion.group "broadcast" kinds []
// CHECK:           linalg.broadcast ins(%{{.*}} : tensor<f32>)
// CHECK:         fusion.group "elementwise" kinds [] ins(%{{.*}}, %[[G]] : tensor<4x8xf32>, tensor<4x8xf32>)
func.func @reader_asked(%x: tensor<4x8xf32>, %s: tensor<f32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %b = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<4x8xf32>) dimensions = [0, 1]
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"], fusion.no_fuse}
      ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Of two readers the elementwise one reads the scalar, the sum the tensor.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// REASON: ReadScalars | Category:fusion | Function=one_of_two | Reason="what reads the scalar is not elementwise"
// CHECK-DAG:   #[[$NONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @one_of_two(
// CHECK-DAG:     %[[B:.*]] = linalg.broadcast ins(%{{.*}} : tensor<i32>)
// CHECK-DAG:     linalg.generic {indexing_maps = [#{{.*}}, #[[$NONE]], #{{.*}}], {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xi32>, tensor<i32>)
// CHECK-DAG:     linalg.generic {{.*}}"reduction"]} ins(%{{.*}}, %{{.*}} : tensor<4x8xi32>, tensor<4x8xi32>)
func.func @one_of_two(%x: tensor<4x8xi32>, %s: tensor<i32>, %e: tensor<4x8xi32>, %o: tensor<4xi32>) -> (tensor<4x8xi32>, tensor<4xi32>) {
  %b = linalg.broadcast ins(%s : tensor<i32>) outs(%e : tensor<4x8xi32>) dimensions = [0, 1]
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xi32>, tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%p: i32, %q: i32, %d: i32):
    %1 = arith.muli %p, %q : i32
    linalg.yield %1 : i32
  } -> tensor<4x8xi32>
  %z = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %b : tensor<4x8xi32>, tensor<4x8xi32>) outs(%o : tensor<4xi32>) {
  ^bb0(%p: i32, %q: i32, %d: i32):
    %1 = arith.xori %p, %q : i32
    %2 = arith.addi %1, %d : i32
    linalg.yield %2 : i32
  } -> tensor<4xi32>
  return %y, %z : tensor<4x8xi32>, tensor<4xi32>
}

// -----

// Moved twice, and then read by a product of batches: through both.
// REASON: ReadScalars | Category:fusion | Function=moved_twice | Reason="what reads the scalar is not elementwise"
// CHECK-LABEL: func.func @moved_twice(
// CHECK:         %[[B:.*]] = fusion.group "elementwise" kinds [] ins(%{{.*}} : tensor<1xf16>)
// CHECK:         fusion.group "batch_matmul" kinds [] ins(%{{.*}}, %[[B]], %{{.*}} : tensor<2x4x8xf16>, tensor<2x8x4xf16>,
func.func @moved_twice(%x: tensor<2x4x8xf16>, %s: tensor<1xf16>, %t: tensor<1x8x4xf16>, %e: tensor<2x8x4xf16>, %o: tensor<2x4x4xf16>) -> tensor<2x4x4xf16> {
  %b = linalg.broadcast ins(%s : tensor<1xf16>) outs(%t : tensor<1x8x4xf16>) dimensions = [1, 2]
  %c = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (0, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<1x8x4xf16>) outs(%e : tensor<2x8x4xf16>) {
  ^bb0(%p: f16, %d: f16):
    linalg.yield %p : f16
  } -> tensor<2x8x4xf16>
  %y = linalg.batch_matmul ins(%x, %c : tensor<2x4x8xf16>, tensor<2x8x4xf16>) outs(%o : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
  return %y : tensor<2x4x4xf16>
}

// -----

// The sum of two scalars, made for each element.
#id = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>

// REASON: ReadScalars | Category:fusion | Function=two_scalars | Reason="the scalar is computed where it is broadcast"
// CHECK-LABEL: func.func @two_scalars(
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<f64>, tensor<f64>) outs(%{{.*}} : tensor<?x8xf64>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[B]] : tensor<?x8xf64>, tensor<?x8xf64>)
func.func @two_scalars(%x: tensor<?x8xf64>, %s: tensor<f64>, %t: tensor<f64>, %e: tensor<?x8xf64>) -> tensor<?x8xf64> {
  %b = linalg.generic {indexing_maps = [#none, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %t : tensor<f64>, tensor<f64>) outs(%e : tensor<?x8xf64>) {
  ^bb0(%p: f64, %q: f64, %d: f64):
    %1 = arith.addf %p, %q : f64
    linalg.yield %1 : f64
  } -> tensor<?x8xf64>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<?x8xf64>, tensor<?x8xf64>) outs(%e : tensor<?x8xf64>) {
  ^bb0(%p: f64, %q: f64, %d: f64):
    %1 = arith.divf %p, %q : f64
    linalg.yield %1 : f64
  } -> tensor<?x8xf64>
  return %y : tensor<?x8xf64>
}
