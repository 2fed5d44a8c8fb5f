// Results of groups that lie in a concatenation.

// RUN: fusion-opt %s -fusion-outline-groups -split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// The array of the result is that of the concatenation; the number of rows comes
// from a destination.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: memref<?x4xf32>, %[[Y:.*]]: memref<?x7xf32> {fusion.result}) {
// CHECK:         call @group_0(%[[X]], %[[Y]]) : (memref<?x4xf32>, memref<?x7xf32>) -> ()
// CHECK:         call @group_1(%[[X]], %[[Y]]) : (memref<?x4xf32>, memref<?x7xf32>) -> ()
// CHECK:         return
// CHECK-LABEL: func.func @main_result_dims(
// CHECK-SAME:    %[[N:.*]]: index, %{{.*}}: index)
// CHECK:         %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK:         return %[[N]], %[[SEVEN]]
// CHECK-LABEL: func.func private @group_0(
// CHECK-SAME:    %{{.*}}: memref<?x4xf32>, %[[Z:.*]]: memref<?x7xf32>)
// CHECK:         %[[ROWS:.*]] = memref.dim %[[Z]]
// CHECK:         %[[PART:.*]] = memref.subview %[[Z]][0, 0] [%[[ROWS]], 4] [1, 1] : memref<?x7xf32> to memref<?x4xf32, strided<[7, 1]>>
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[PART]]
// CHECK-LABEL: func.func private @group_1(
// CHECK-SAME:    %{{.*}}: memref<?x4xf32>, %[[Z:.*]]: memref<?x7xf32>)
// CHECK:         memref.subview %[[Z]][0, 4] [%{{.*}}, 3] [1, 1] : memref<?x7xf32> to memref<?x3xf32, strided<[7, 1], offset: 4>>
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x7xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = tensor.empty(%n) : tensor<?x3xf32>
  %a = fusion.group "a" kinds [] ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%i: tensor<?x4xf32>, %o: tensor<?x4xf32>):
    %0 = linalg.exp ins(%i : tensor<?x4xf32>) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
    fusion.yield %0 : tensor<?x4xf32>
  } : tensor<?x4xf32>
  %b = fusion.group "b" kinds [] ins(%x : tensor<?x4xf32>) outs(%f : tensor<?x3xf32>) {
  ^bb0(%i: tensor<?x4xf32>, %o: tensor<?x3xf32>):
    %z = arith.constant 1.0 : f32
    %0 = linalg.fill ins(%z : f32) outs(%o : tensor<?x3xf32>) -> tensor<?x3xf32>
    fusion.yield %0 : tensor<?x3xf32>
  } : tensor<?x3xf32>
  %r = tensor.concat dim(1) %a, %b : (tensor<?x4xf32>, tensor<?x3xf32>) -> tensor<?x7xf32>
  return %r : tensor<?x7xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// What reads a part as well reads it where it lies, if it comes later (the size of
// the part is that of its destination); an argument is copied, and so is a value
// that is there twice. Equal groups at different places are two functions.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[R:.*]]: memref<16xf32> {fusion.result}, %[[S:.*]]: memref<4xf32> {fusion.result})
// CHECK:         call @[[EXP:.*]](%[[X]], %[[R]]) : (memref<4xf32>, memref<16xf32>) -> ()
// CHECK:         call @[[EXP2:.*]](%[[X]], %[[R]]) : (memref<4xf32>, memref<16xf32>) -> ()
// CHECK:         call @[[COPY:.*]](%[[X]], %[[R]]) : (memref<4xf32>, memref<16xf32>) -> ()
// CHECK:         call @[[COPY2:.*]](%[[X]], %[[R]]) : (memref<4xf32>, memref<16xf32>) -> ()
// CHECK:         call @[[READ:.*]](%[[R]], %[[S]]) : (memref<16xf32>, memref<4xf32>) -> ()
// CHECK:         return
// CHECK:       func.func private @[[EXP]](
// CHECK:         memref.subview %{{.*}}[0] [4] [1]
// CHECK:       func.func private @[[EXP2]](
// CHECK:         memref.subview %{{.*}}[4] [4] [1]
// CHECK:       func.func private @[[COPY]](
// CHECK:         memref.subview %{{.*}}[8] [4] [1]
// CHECK:       func.func private @[[COPY2]](
// CHECK:         memref.subview %{{.*}}[12] [4] [1]
// CHECK:       func.func private @[[READ]](
// CHECK:         tensor.extract
func.func @main(%x: tensor<4xf32>) -> (tensor<16xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %a = fusion.group "a" kinds [] ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: tensor<4xf32>, %o: tensor<4xf32>):
    %0 = linalg.exp ins(%i : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %0 : tensor<4xf32>
  } : tensor<4xf32>
  %b = fusion.group "b" kinds [] ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: tensor<4xf32>, %o: tensor<4xf32>):
    %0 = linalg.exp ins(%i : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %0 : tensor<4xf32>
  } : tensor<4xf32>
  %r = tensor.concat dim(0) %a, %b, %x, %x : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<16xf32>
  return %r, %b : tensor<16xf32>, tensor<4xf32>
}

// -----

// Parts of one launch, and a reader between a part and its concatenation.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[R:.*]]: memref<8xf32> {fusion.result}, %[[S:.*]]: memref<4xf32> {fusion.result})
// CHECK:         %[[T:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         call @[[LAUNCH:.*]](%[[X]], %[[R]], %[[T]])
// CHECK:         call @[[LOG:.*]](%[[T]], %[[S]])
// CHECK:         call @{{.*}}(%[[T]], %[[R]])
// CHECK:       func.func private @[[PART:.*]](%{{.*}}: memref<4xf32>, %{{.*}}: memref<8xf32>)
// CHECK:         memref.subview %{{.*}}[0] [4] [1]
// CHECK:       func.func private @[[LAUNCH]](%[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<8xf32>, %[[C:.*]]: memref<4xf32>)
// CHECK:         call @[[PART]](%[[A]], %[[B]])
func.func @main(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %l:2 = fusion.group "l" kinds ["horizontal"] ins(%x : tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%i: tensor<4xf32>, %o: tensor<4xf32>, %p: tensor<4xf32>):
    %a = fusion.group "a" kinds [] ins(%i : tensor<4xf32>) outs(%o : tensor<4xf32>) {
    ^bb0(%j: tensor<4xf32>, %q: tensor<4xf32>):
      %0 = linalg.exp ins(%j : tensor<4xf32>) outs(%q : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    %b = fusion.group "b" kinds [] ins(%i : tensor<4xf32>) outs(%p : tensor<4xf32>) {
    ^bb0(%j: tensor<4xf32>, %q: tensor<4xf32>):
      %0 = linalg.abs ins(%j : tensor<4xf32>) outs(%q : tensor<4xf32>) -> tensor<4xf32>
      fusion.yield %0 : tensor<4xf32>
    } : tensor<4xf32>
    fusion.yield %a, %b : tensor<4xf32>, tensor<4xf32>
  } : tensor<4xf32>, tensor<4xf32>
  %s = fusion.group "s" kinds [] ins(%l#1 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: tensor<4xf32>, %o: tensor<4xf32>):
    %0 = linalg.log ins(%i : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %0 : tensor<4xf32>
  } : tensor<4xf32>
  %r = tensor.concat dim(0) %l#0, %l#1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %r, %s : tensor<8xf32>, tensor<4xf32>
}
