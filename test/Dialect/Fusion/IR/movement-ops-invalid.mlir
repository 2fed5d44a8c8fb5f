// RUN: fusion-opt %s -split-input-file -verify-diagnostics

func.func @iota_c1() {
  // expected-error @below {{expected dim to be below rank 1, but got 1}}
  %0 = fusion.iota dim = 1 : tensor<4xi64>
  return
}

// -----

func.func @iota_c2() {
  // expected-error @below {{expected 1 sizes, one per dynamic dim of the result, but got 0}}
  %0 = fusion.iota dim = 0 : tensor<?xi64>
  return
}

// -----

func.func @slice_c1_count(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected starts to have 2 entries, but got 1}}
  %0 = fusion.slice %x starts = [0] steps = [1, 1] : tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @slice_c1_step(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected no step to be 0}}
  %0 = fusion.slice %x starts = [0, 0] steps = [1, 0] : tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @slice_c2(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected a result of rank 2, but got 1}}
  %0 = fusion.slice %x starts = [0, 0] steps = [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  return
}

// -----

func.func @slice_c3(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected 1 sizes, one per dynamic dim of the result, but got 0}}
  %0 = fusion.slice %x starts = [0, 0] steps = [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  return
}

// -----

func.func @slice_c4_last(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected positions below 8 along dim 1, but got 8}}
  %0 = fusion.slice %x starts = [0, 1] steps = [1, 1] : tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @slice_c4_negative(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected positions below 4 along dim 0, but got -1}}
  %0 = fusion.slice %x starts = [1, 0] steps = [-1, 1] : tensor<4x8xf32> to tensor<3x8xf32>
  return
}

// -----

func.func @concat_c1_dim(%x: tensor<4xf32>) {
  // expected-error @below {{expected dim to be below rank 1, but got 1}}
  %0 = fusion.concat %x dim = 1 : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @concat_c1_none() {
  // expected-error @below {{expected an input}}
  %0 = "fusion.concat"() {dim = 0 : i64} : () -> tensor<4xf32>
  return
}

// -----

func.func @concat_c2_dim(%x: tensor<4x?xf32>, %y: tensor<5x8xf32>) {
  // expected-error @below {{expected dim 0 of the inputs to agree, but got 4 and 5}}
  %0 = fusion.concat %x, %y dim = 1 : tensor<4x?xf32>, tensor<5x8xf32> -> tensor<4x?xf32>
  return
}

// -----

func.func @concat_c2_type(%x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @below {{expected inputs of one rank and element type, but got 'tensor<4xf32>' and 'tensor<4xf16>'}}
  %0 = fusion.concat %x, %y dim = 0 : tensor<4xf32>, tensor<4xf16> -> tensor<8xf32>
  return
}

// -----

func.func @concat_c3(%x: tensor<4xf32>) {
  // expected-error @below {{expected a result of type 'tensor<8xf32>', but got 'tensor<7xf32>'}}
  %0 = fusion.concat %x, %x dim = 0 : tensor<4xf32>, tensor<4xf32> -> tensor<7xf32>
  return
}

// -----

func.func @pad_c1(%x: tensor<4xf32>) {
  // expected-error @below {{expected high to have 1 entries, but got 2}}
  %0 = fusion.pad edge, %x low = [0] high = [1, 2] : tensor<4xf32> to tensor<5xf32>
  return
}

// -----

func.func @pad_c2_none(%x: tensor<4xf32>) {
  // expected-error @below {{expected a value for mode constant}}
  %0 = fusion.pad constant, %x low = [0] high = [1] : tensor<4xf32> to tensor<5xf32>
  return
}

// -----

func.func @pad_c2_type(%x: tensor<4xf32>, %v: tensor<f16>) {
  // expected-error @below {{expected a value of type 'tensor<f32>', but got 'tensor<f16>'}}
  %0 = fusion.pad constant, %x value(%v : tensor<f16>) low = [0] high = [1] : tensor<4xf32> to tensor<5xf32>
  return
}

// -----

func.func @pad_c3(%x: tensor<4xf32>) {
  // expected-error @below {{expected padded sizes that are not negative, but got -1}}
  %0 = fusion.pad edge, %x low = [-5] high = [0] : tensor<4xf32> to tensor<0xf32>
  return
}

// -----

func.func @pad_c4(%x: tensor<4xf32>) {
  // expected-error @below {{expected less to be reflected than the size 4, but got 4}}
  %0 = fusion.pad reflect, %x low = [4] high = [0] : tensor<4xf32> to tensor<8xf32>
  return
}

// -----

func.func @gather_c1(%x: tensor<4x8xf32>, %i: tensor<3xi64>) {
  // expected-error @below {{expected dim to be below rank 2, but got 2}}
  %0 = fusion.gather %x, %i dim = 2 : tensor<4x8xf32>, tensor<3xi64> -> tensor<4x3xf32>
  return
}

// -----

func.func @gather_c2(%x: tensor<4x8xf32>, %i: tensor<3xi64>) {
  // expected-error @below {{expected a result of type 'tensor<4x3xf32>', but got 'tensor<3x8xf32>'}}
  %0 = fusion.gather %x, %i dim = 1 : tensor<4x8xf32>, tensor<3xi64> -> tensor<3x8xf32>
  return
}

// -----

func.func @gather_elements_c1(%x: tensor<4x8xf32>, %i: tensor<3xi64>) {
  // expected-error @below {{expected indices of rank 2, but got 1}}
  %0 = fusion.gather_elements %x, %i dim = 0 : tensor<4x8xf32>, tensor<3xi64> -> tensor<3xf32>
  return
}

// -----

func.func @gather_elements_c2(%x: tensor<4x8xf32>, %i: tensor<6x3xi64>) {
  // expected-error @below {{expected dim 0 of the indices to be at most 4, but got 6}}
  %0 = fusion.gather_elements %x, %i dim = 1 : tensor<4x8xf32>, tensor<6x3xi64> -> tensor<6x3xf32>
  return
}

// -----

func.func @gather_elements_c3(%x: tensor<4x8xf32>, %i: tensor<4x3xi64>) {
  // expected-error @below {{expected a result of type 'tensor<4x3xf32>', but got 'tensor<4x8xf32>'}}
  %0 = fusion.gather_elements %x, %i dim = 1 : tensor<4x8xf32>, tensor<4x3xi64> -> tensor<4x8xf32>
  return
}
