// RUN: fusion-opt %s -split-input-file -verify-diagnostics

func.func @unary_c1(%x: tensor<4x?xf32>) {
  // expected-error @below {{failed to verify that all of {input, result} have same type}}
  %0 = "fusion.exp"(%x) : (tensor<4x?xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @gelu_c1(%x: tensor<4xf32>) {
  // expected-error @below {{failed to verify that all of {input, result} have same type}}
  %0 = "fusion.gelu"(%x) : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @unary_element_type(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be ranked tensor of floating-point (f16, bf16, f32 or f64) values}}
  %0 = fusion.exp %x : tensor<4xi32>
  return
}

// -----

func.func @element_type(%x: tensor<4xsi32>) {
  // expected-error @below {{operand #0 must be ranked tensor of}}
  %0 = fusion.neg %x : tensor<4xsi32>
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @below {{invalid kind of type specified}}
  %0 = fusion.neg %x : tensor<*xf32>
  return
}

// -----

func.func @binary_c1(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "fusion.add"(%x, %y) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @compare_c1(%x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @below {{failed to verify that all of {lhs, rhs} have same type}}
  %0 = "fusion.compare"(%x, %y) {predicate = #fusion<predicate lt>} : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c2(%x: tensor<4xf32>) {
  // expected-error @below {{result has the shape of the operands and element type i1}}
  %0 = "fusion.compare"(%x, %x) {predicate = #fusion<predicate lt>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>
  return
}

// -----

func.func @select_c1(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @below {{failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "fusion.select"(%c, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2(%c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @below {{condition has the shape of the result and element type i1}}
  %0 = "fusion.select"(%c, %x, %x) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @clamp_c1(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error @below {{failed to verify that all of {input, min, max, result} have same type}}
  %0 = "fusion.clamp"(%x, %y, %y) : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @cast_c1(%x: tensor<4x?xf32>) {
  // expected-error @below {{expected a result of the shape of 'tensor<4x?xf32>', but got 'tensor<4x4xf16>'}}
  %0 = fusion.cast %x : tensor<4x?xf32> to tensor<4x4xf16>
  return
}

// -----

func.func @cast_c2(%x: tensor<4xf16>) {
  // expected-error @below {{expected 'rounding' on a conversion to a narrower floating-point type, but got one from 'f16' to 'f32'}}
  %0 = fusion.cast %x rounding : tensor<4xf16> to tensor<4xf32>
  return
}

// -----

func.func @shl_floats(%x: tensor<4xf32>) {
  // expected-error @below {{operand #0 must be ranked tensor of 8, 16, 32 or 64-bit integer values, but got 'tensor<4xf32>'}}
  %0 = fusion.shl %x, %x : tensor<4xf32>
  return
}

// -----

func.func @shr_c1(%x: tensor<4xi32>, %y: tensor<4xi8>) {
  // expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "fusion.shr"(%x, %y) : (tensor<4xi32>, tensor<4xi8>) -> tensor<4xi32>
  return
}
