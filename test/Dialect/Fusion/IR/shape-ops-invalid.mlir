// RUN: fusion-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{failed to verify that all of {value, result} have same type}}
%0 = "fusion.constant"() {value = dense<1> : tensor<2xi32>} : () -> tensor<3xi32>

// -----

func.func @broadcast_c1_count(%x: tensor<8xf32>) {
  // expected-error @below {{expected dims to have 1 entries, but got 2}}
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<8xf32> to tensor<8x8xf32>
  return
}

// -----

func.func @broadcast_c1_order(%x: tensor<8x2xf32>) {
  // expected-error @below {{expected dims to be ascending and below rank 2, but got [1, 0]}}
  %0 = fusion.broadcast %x dims = [1, 0] : tensor<8x2xf32> to tensor<2x8xf32>
  return
}

// -----

func.func @broadcast_c2(%x: tensor<3xf32>) {
  // expected-error @below {{expected dim 0 of the input to be 1 or 8, but got 3}}
  %0 = fusion.broadcast %x dims = [1] : tensor<3xf32> to tensor<2x8xf32>
  return
}

// -----

func.func @broadcast_c3(%x: tensor<3xf32>) {
  // expected-error @below {{expected 1 sizes, one per dynamic dim of the result, but got 0}}
  %0 = fusion.broadcast %x dims = [1] : tensor<3xf32> to tensor<?x3xf32>
  return
}

// -----

func.func @broadcast_c4(%x: tensor<3xf32>) {
  // expected-error @below {{expected a result of element type 'f32', but got 'f16'}}
  %0 = fusion.broadcast %x dims = [1] : tensor<3xf32> to tensor<2x3xf16>
  return
}

// -----

func.func @transpose_c1(%x: tensor<4x?xf32>) {
  // expected-error @below {{expected perm to be a permutation of 2 dims, but got [1, 1]}}
  %0 = fusion.transpose %x perm = [1, 1] : tensor<4x?xf32> to tensor<?x?xf32>
  return
}

// -----

func.func @transpose_c2(%x: tensor<4x?xf32>) {
  // expected-error @below {{expected a result of type 'tensor<?x4xf32>', but got 'tensor<4x?xf32>'}}
  %0 = fusion.transpose %x perm = [1, 0] : tensor<4x?xf32> to tensor<4x?xf32>
  return
}

// -----

func.func @reshape_c1(%x: tensor<12xf32>, %n: index) {
  // expected-error @below {{expected 0 sizes, one per dynamic dim of the result, but got 1}}
  %0 = fusion.reshape %x sizes(%n) : tensor<12xf32> to tensor<3x4xf32>
  return
}

// -----

func.func @reshape_c2(%x: tensor<12xf32>) {
  // expected-error @below {{expected a result of 12 elements, but got 10}}
  %0 = fusion.reshape %x : tensor<12xf32> to tensor<2x5xf32>
  return
}

// -----

func.func @reshape_c3(%x: tensor<12xf32>) {
  // expected-error @below {{expected a result of element type 'f32', but got 'i32'}}
  %0 = fusion.reshape %x : tensor<12xf32> to tensor<3x4xi32>
  return
}
