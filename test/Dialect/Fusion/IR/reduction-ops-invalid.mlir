// RUN: fusion-opt %s -split-input-file -verify-diagnostics

func.func @matmul_c1(%a: tensor<2x4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @below {{expected operands of the same rank, 2 or more, but got ranks 3 and 2}}
  %0 = fusion.matmul %a, %b : tensor<2x4x8xf32>, tensor<8x5xf32> -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c1_vector(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  // expected-error @below {{expected operands of the same rank, 2 or more, but got ranks 1 and 1}}
  %0 = fusion.matmul %a, %b : tensor<8xf32>, tensor<8xf32> -> tensor<f32>
  return
}

// -----

func.func @matmul_c2(%a: tensor<4x8xf32>, %b: tensor<8x5xf16>) {
  // expected-error @below {{expected operands of the same element type, but got 'f32' and 'f16'}}
  %0 = fusion.matmul %a, %b : tensor<4x8xf32>, tensor<8x5xf16> -> tensor<4x5xf32>
  return
}

// -----

func.func @matmul_c3(%a: tensor<2x4x8xf32>, %b: tensor<3x8x5xf32>) {
  // expected-error @below {{expected batch dim 0 to agree, but got 2 and 3}}
  %0 = fusion.matmul %a, %b : tensor<2x4x8xf32>, tensor<3x8x5xf32> -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c4(%a: tensor<4x8xf32>, %b: tensor<8x9xf32>) {
  // expected-error @below {{expected contracted dims to agree, but got 8 and 9}}
  %0 = fusion.matmul %a, %b {transpose_b} : tensor<4x8xf32>, tensor<8x9xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @matmul_c5(%a: tensor<4x8xf32>, %b: tensor<8x9xf32>) {
  // expected-error @below {{expected a result of type 'tensor<4x9xf32>', but got 'tensor<?x9xf32>'}}
  %0 = fusion.matmul %a, %b : tensor<4x8xf32>, tensor<8x9xf32> -> tensor<?x9xf32>
  return
}

// -----

func.func @matmul_c6_narrow(%a: tensor<4x8xf32>, %b: tensor<8x9xf32>) {
  // expected-error @below {{expected a result of type 'tensor<4x9xf32>', but got 'tensor<4x9xf16>'}}
  %0 = fusion.matmul %a, %b : tensor<4x8xf32>, tensor<8x9xf32> -> tensor<4x9xf16>
  return
}

// -----

func.func @matmul_c6_kind(%a: tensor<4x8xui8>, %b: tensor<8x9xui8>) {
  // expected-error @below {{expected a result of type 'tensor<4x9xui8>', but got 'tensor<4x9xi32>'}}
  %0 = fusion.matmul %a, %b : tensor<4x8xui8>, tensor<8x9xui8> -> tensor<4x9xi32>
  return
}

// -----

func.func @reduce_c1(%x: tensor<4x?xf32>) {
  // expected-error @below {{expected ascending dims below rank 2, but got [2]}}
  %0 = fusion.reduce sum, %x dims = [2] : tensor<4x?xf32> to tensor<4x?xf32>
  return
}

// -----

func.func @reduce_c1_order(%x: tensor<4x?xf32>) {
  // expected-error @below {{expected ascending dims below rank 2, but got [1, 0]}}
  %0 = fusion.reduce sum, %x dims = [1, 0] : tensor<4x?xf32> to tensor<f32>
  return
}

// -----

func.func @reduce_c2(%x: tensor<4x?xf32>) {
  // expected-error @below {{expected a result of type 'tensor<4xf32>', but got 'tensor<4x1xf32>'}}
  %0 = fusion.reduce sum, %x dims = [1] : tensor<4x?xf32> to tensor<4x1xf32>
  return
}

// -----

func.func @reduce_c3_mean(%x: tensor<4xi32>) {
  // expected-error @below {{expected a float element type for mean, but got 'i32'}}
  %0 = fusion.reduce mean, %x dims = [0] : tensor<4xi32> to tensor<i32>
  return
}

// -----

func.func @reduce_c3_bool(%x: tensor<4xi1>) {
  // expected-error @below {{expected max or min for element type i1, but got sum}}
  %0 = fusion.reduce sum, %x dims = [0] : tensor<4xi1> to tensor<i1>
  return
}

// -----

func.func @softmax_c1(%x: tensor<4xf32>) {
  // expected-error @below {{failed to verify that all of {input, result} have same type}}
  %0 = "fusion.softmax"(%x) {dim = 0 : i64} : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @softmax_c2(%x: tensor<4xf32>) {
  // expected-error @below {{expected dim to be below rank 1, but got 1}}
  %0 = fusion.softmax %x dim = 1 : tensor<4xf32>
  return
}

// -----

func.func @log_softmax_c2(%x: tensor<4xf32>) {
  // expected-error @below {{expected dim to be below rank 1, but got -1}}
  %0 = fusion.log_softmax %x dim = -1 : tensor<4xf32>
  return
}

// -----

func.func @layer_norm_c2(%x: tensor<f32>) {
  // expected-error @below {{expected axis to be below rank 0, but got 0}}
  %0 = fusion.layer_norm %x axis = 0 eps = 0.0 : tensor<f32>
  return
}

// -----

func.func @layer_norm_c3_scale(%x: tensor<?x8xf32>, %s: tensor<4x8xf32>) {
  // expected-error @below {{expected scale of type 'tensor<8xf32>', but got 'tensor<4x8xf32>'}}
  %0 = fusion.layer_norm %x scale(%s : tensor<4x8xf32>) axis = 1 eps = 0.0 : tensor<?x8xf32>
  return
}

// -----

func.func @layer_norm_c3_bias(%x: tensor<?x8xf32>, %s: tensor<8xf16>) {
  // expected-error @below {{expected bias of type 'tensor<8xf32>', but got 'tensor<8xf16>'}}
  %0 = fusion.layer_norm %x bias(%s : tensor<8xf16>) axis = 1 eps = 0.0 : tensor<?x8xf32>
  return
}

// -----

func.func @rms_norm_c2(%x: tensor<?x8xf32>) {
  // expected-error @below {{expected axis to be below rank 2, but got 2}}
  %0 = fusion.rms_norm %x axis = 2 eps = 0.0 : tensor<?x8xf32>
  return
}

// -----

func.func @rms_norm_c3(%x: tensor<?x8xf32>, %s: tensor<1xf32>) {
  // expected-error @below {{expected scale of type 'tensor<8xf32>', but got 'tensor<1xf32>'}}
  %0 = fusion.rms_norm %x scale(%s : tensor<1xf32>) axis = 1 eps = 0.0 : tensor<?x8xf32>
  return
}
