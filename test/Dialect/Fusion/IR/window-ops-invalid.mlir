// RUN: fusion-opt %s -split-input-file -verify-diagnostics

func.func @conv_c1_rank(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) {
  // expected-error @below {{expected operands of the same rank, 3 or more, but got ranks 2 and 2}}
  %0 = fusion.conv %x, %w strides = [] dilations = [] low = [] high = [] groups = 1 : tensor<1x3xf32>, tensor<4x3xf32> -> tensor<1x4xf32>
  return
}

// -----

func.func @conv_c1_type(%x: tensor<1x3x8xf32>, %w: tensor<4x3x3xf16>) {
  // expected-error @below {{expected operands of the same element type, but got 'f32' and 'f16'}}
  %0 = fusion.conv %x, %w strides = [1] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<4x3x3xf16> -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c2_count(%x: tensor<1x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @below {{expected strides to have 1 entries, but got 2}}
  %0 = fusion.conv %x, %w strides = [1, 1] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<4x3x3xf32> -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c2_range(%x: tensor<1x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @below {{expected low of at least 0, but got -1}}
  %0 = fusion.conv %x, %w strides = [1] dilations = [1] low = [-1] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<4x3x3xf32> -> tensor<1x4x5xf32>
  return
}

// -----

func.func @conv_c3_window(%x: tensor<1x3x8xf32>, %w: tensor<4x3x?xf32>) {
  // expected-error @below {{expected a static window}}
  %0 = fusion.conv %x, %w strides = [1] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<4x3x?xf32> -> tensor<1x4x?xf32>
  return
}

// -----

func.func @conv_c3_groups(%x: tensor<1x4x8xf32>, %w: tensor<5x2x3xf32>) {
  // expected-error @below {{expected 2 groups to divide the filters, but got 5}}
  %0 = fusion.conv %x, %w strides = [1] dilations = [1] low = [0] high = [0] groups = 2 : tensor<1x4x8xf32>, tensor<5x2x3xf32> -> tensor<1x5x6xf32>
  return
}

// -----

func.func @conv_c3_dynamic(%x: tensor<1x?x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @below {{expected static channels and filters for several groups}}
  %0 = fusion.conv %x, %w strides = [1] dilations = [1] low = [0] high = [0] groups = 2 : tensor<1x?x8xf32>, tensor<4x2x3xf32> -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c4(%x: tensor<1x3x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @below {{expected 4 channels of the input, but got 3}}
  %0 = fusion.conv %x, %w strides = [1] dilations = [1] low = [0] high = [0] groups = 2 : tensor<1x3x8xf32>, tensor<4x2x3xf32> -> tensor<1x4x6xf32>
  return
}

// -----

func.func @conv_c5(%x: tensor<1x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @below {{expected a result of type 'tensor<1x4x6xf32>', but got 'tensor<1x4x8xf32>'}}
  %0 = fusion.conv %x, %w strides = [1] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<4x3x3xf32> -> tensor<1x4x8xf32>
  return
}

// -----

func.func @conv_too_large(%x: tensor<1x3x8xf32>, %w: tensor<4x3x9xf32>) {
  // expected-error @below {{expected a window that fits into the padded spatial dim 0 of size 8}}
  %0 = fusion.conv %x, %w strides = [1] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<4x3x9xf32> -> tensor<1x4x0xf32>
  return
}

// -----

func.func @pool_c1(%x: tensor<1x8xf32>) {
  // expected-error @below {{expected rank 3 or more, but got 2}}
  %0 = fusion.pool sum, %x window = [] strides = [] dilations = [] low = [] high = [] : tensor<1x8xf32> to tensor<1x8xf32>
  return
}

// -----

func.func @pool_c2(%x: tensor<1x3x8xf32>) {
  // expected-error @below {{expected dilations of at least 1, but got 0}}
  %0 = fusion.pool sum, %x window = [2] strides = [1] dilations = [0] low = [0] high = [0] : tensor<1x3x8xf32> to tensor<1x3x8xf32>
  return
}

// -----

func.func @pool_c3_mean(%x: tensor<1x3x8xf32>) {
  // expected-error @below {{expected another kind than mean}}
  %0 = fusion.pool mean, %x window = [2] strides = [1] dilations = [1] low = [0] high = [0] : tensor<1x3x8xf32> to tensor<1x3x7xf32>
  return
}

// -----

func.func @pool_c3_i1(%x: tensor<1x3x8xi1>) {
  // expected-error @below {{expected max or min for element type i1, but got sum}}
  %0 = fusion.pool sum, %x window = [2] strides = [1] dilations = [1] low = [0] high = [0] : tensor<1x3x8xi1> to tensor<1x3x7xi1>
  return
}

// -----

func.func @pool_c4(%x: tensor<1x3x8xf32>) {
  // expected-error @below {{expected a result of type 'tensor<1x3x7xf32>', but got 'tensor<1x3x8xf32>'}}
  %0 = fusion.pool sum, %x window = [2] strides = [1] dilations = [1] low = [0] high = [0] : tensor<1x3x8xf32> to tensor<1x3x8xf32>
  return
}

// -----

func.func @cumsum_c2(%x: tensor<4xf32>) {
  // expected-error @below {{expected dim to be below rank 1, but got 1}}
  %0 = fusion.cumsum %x dim = 1 : tensor<4xf32>
  return
}

// -----

func.func @conv_transpose_c1_rank(%x: tensor<1x3x8xf32>, %w: tensor<3x4x3x3xf32>) {
  // expected-error @below {{expected operands of the same rank, 3 or more, but got ranks 3 and 4}}
  %0 = fusion.conv_transpose %x, %w strides = [2] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<3x4x3x3xf32> -> tensor<1x4x17xf32>
  return
}

// -----

func.func @conv_transpose_c1_type(%x: tensor<1x3x8xf32>, %w: tensor<3x4x3xf16>) {
  // expected-error @below {{expected operands of the same element type, but got 'f32' and 'f16'}}
  %0 = fusion.conv_transpose %x, %w strides = [2] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<3x4x3xf16> -> tensor<1x4x17xf32>
  return
}

// -----

func.func @conv_transpose_c2_count(%x: tensor<1x3x8xf32>, %w: tensor<3x4x3xf32>) {
  // expected-error @below {{expected low and high to have 1 entries, but got 2}}
  %0 = fusion.conv_transpose %x, %w strides = [2] dilations = [1] low = [0, 0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<3x4x3xf32> -> tensor<1x4x17xf32>
  return
}

// -----

func.func @conv_transpose_c2_range(%x: tensor<1x3x8xf32>, %w: tensor<3x4x3xf32>) {
  // expected-error @below {{expected strides of at least 1, but got 0}}
  %0 = fusion.conv_transpose %x, %w strides = [0] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<3x4x3xf32> -> tensor<1x4x17xf32>
  return
}

// -----

func.func @conv_transpose_c3_static(%x: tensor<1x3x8xf32>, %w: tensor<3x?x3xf32>) {
  // expected-error @below {{expected static weights}}
  %0 = fusion.conv_transpose %x, %w strides = [2] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<3x?x3xf32> -> tensor<1x?x17xf32>
  return
}

// -----

func.func @conv_transpose_c3_groups(%x: tensor<1x3x8xf32>, %w: tensor<3x4x3xf32>) {
  // expected-error @below {{expected groups that divide the channels 3, but got 2}}
  %0 = fusion.conv_transpose %x, %w strides = [2] dilations = [1] low = [0] high = [0] groups = 2 : tensor<1x3x8xf32>, tensor<3x4x3xf32> -> tensor<1x8x17xf32>
  return
}

// -----

func.func @conv_transpose_c4(%x: tensor<1x5x8xf32>, %w: tensor<3x4x3xf32>) {
  // expected-error @below {{expected 3 channels of the input, but got 5}}
  %0 = fusion.conv_transpose %x, %w strides = [2] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x5x8xf32>, tensor<3x4x3xf32> -> tensor<1x4x17xf32>
  return
}

// -----

func.func @conv_transpose_c5_none(%x: tensor<1x3x8xf32>, %w: tensor<3x4x3xf32>) {
  // expected-error @below {{expected low and high to leave places of spatial dim 0, but got 0}}
  %0 = fusion.conv_transpose %x, %w strides = [2] dilations = [1] low = [9] high = [8] groups = 1 : tensor<1x3x8xf32>, tensor<3x4x3xf32> -> tensor<1x4x0xf32>
  return
}

// -----

func.func @conv_transpose_c5(%x: tensor<1x3x8xf32>, %w: tensor<3x4x3xf32>) {
  // expected-error @below {{expected a result of type 'tensor<1x4x17xf32>', but got 'tensor<1x4x16xf32>'}}
  %0 = fusion.conv_transpose %x, %w strides = [2] dilations = [1] low = [0] high = [0] groups = 1 : tensor<1x3x8xf32>, tensor<3x4x3xf32> -> tensor<1x4x16xf32>
  return
}
