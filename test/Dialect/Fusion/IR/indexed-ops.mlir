// RUN: fusion-opt %s | FileCheck %s
// RUN: fusion-opt %s -mlir-print-op-generic | fusion-opt | FileCheck %s

// CHECK-LABEL: func.func @gather_nd(
func.func @gather_nd(%x: tensor<2x5x7x3xf32>, %i: tensor<2x?x2xi64>, %y: tensor<4xi1>, %j: tensor<0xui8>) {
  // CHECK: fusion.gather_nd %{{.*}}, %{{.*}} batch_dims = 1 : tensor<2x5x7x3xf32>, tensor<2x?x2xi64> -> tensor<2x?x3xf32>
  %0 = fusion.gather_nd %x, %i batch_dims = 1 : tensor<2x5x7x3xf32>, tensor<2x?x2xi64> -> tensor<2x?x3xf32>
  // No dim is indexed: the whole.
  // CHECK: fusion.gather_nd %{{.*}}, %{{.*}} batch_dims = 0 : tensor<4xi1>, tensor<0xui8> -> tensor<4xi1>
  %1 = fusion.gather_nd %y, %j batch_dims = 0 : tensor<4xi1>, tensor<0xui8> -> tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @scatter_elements(
func.func @scatter_elements(%x: tensor<4x?xf16>, %i: tensor<2x3xi32>, %u: tensor<2x3xf16>,
                            %y: tensor<4xi1>, %j: tensor<9xi64>, %v: tensor<9xi1>) {
  // CHECK: fusion.scatter_elements add, %{{.*}}, %{{.*}}, %{{.*}} dim = 1 : tensor<4x?xf16>, tensor<2x3xi32>, tensor<2x3xf16>
  %0 = fusion.scatter_elements add, %x, %i, %u dim = 1 : tensor<4x?xf16>, tensor<2x3xi32>, tensor<2x3xf16>
  // CHECK: fusion.scatter_elements max, %{{.*}}, %{{.*}}, %{{.*}} dim = 0 : tensor<4xi1>, tensor<9xi64>, tensor<9xi1>
  %1 = fusion.scatter_elements max, %y, %j, %v dim = 0 : tensor<4xi1>, tensor<9xi64>, tensor<9xi1>
  return
}

// CHECK-LABEL: func.func @scatter_nd(
func.func @scatter_nd(%x: tensor<5x7x3xf32>, %i: tensor<?x2xi64>, %u: tensor<?x3xf32>, %j: tensor<3xi64>, %v: tensor<f32>) {
  // CHECK: fusion.scatter_nd replace, %{{.*}}, %{{.*}}, %{{.*}} : tensor<5x7x3xf32>, tensor<?x2xi64>, tensor<?x3xf32>
  %0 = fusion.scatter_nd replace, %x, %i, %u : tensor<5x7x3xf32>, tensor<?x2xi64>, tensor<?x3xf32>
  // CHECK: fusion.scatter_nd mul, %{{.*}}, %{{.*}}, %{{.*}} : tensor<5x7x3xf32>, tensor<3xi64>, tensor<f32>
  %1 = fusion.scatter_nd mul, %x, %j, %v : tensor<5x7x3xf32>, tensor<3xi64>, tensor<f32>
  return
}

// CHECK-LABEL: func.func @arg_reduce(
func.func @arg_reduce(%x: tensor<4x?xf32>) {
  // CHECK: fusion.arg_reduce max, %{{.*}} dim = 1 : tensor<4x?xf32> to tensor<4xi64>
  %0 = fusion.arg_reduce max, %x dim = 1 : tensor<4x?xf32> to tensor<4xi64>
  // CHECK: fusion.arg_reduce min, %{{.*}} dim = 0 last : tensor<4x?xf32> to tensor<?xi64>
  %1 = fusion.arg_reduce min, %x dim = 0 last : tensor<4x?xf32> to tensor<?xi64>
  return
}

// CHECK-LABEL: func.func @top_k(
func.func @top_k(%x: tensor<?x50xui8>, %n: index) {
  // CHECK: fusion.top_k %{{.*}} dim = 1 : tensor<?x50xui8> to tensor<?x8xui8>, tensor<?x8xi64>
  %0, %1 = fusion.top_k %x dim = 1 : tensor<?x50xui8> to tensor<?x8xui8>, tensor<?x8xi64>
  // CHECK: fusion.top_k %{{.*}} dim = 0 smallest count(%{{.*}}) : tensor<?x50xui8> to tensor<?x50xui8>, tensor<?x50xi64>
  %2, %3 = fusion.top_k %x dim = 0 smallest count(%n) : tensor<?x50xui8> to tensor<?x50xui8>, tensor<?x50xi64>
  return
}

// CHECK-LABEL: func.func @loop(
func.func @loop(%x: tensor<4xf32>, %y: tensor<?xi8>) {
  // CHECK: fusion.loop 3 iter(%{{.*}}, %{{.*}}) : tensor<4xf32>, tensor<?xi8> {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<i64>, %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<?xi8>):
  // CHECK: fusion.yield %{{.*}}, %[[B]] : tensor<4xf32>, tensor<?xi8>
  %0, %1 = fusion.loop 3 iter(%x, %y) : tensor<4xf32>, tensor<?xi8> {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>, %b: tensor<?xi8>):
    %e = fusion.exp %a : tensor<4xf32>
    fusion.yield %e, %b : tensor<4xf32>, tensor<?xi8>
  }
  return
}
