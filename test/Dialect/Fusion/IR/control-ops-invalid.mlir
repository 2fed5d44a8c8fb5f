// RUN: fusion-opt %s -split-input-file -verify-diagnostics

func.func @if_c1(%c: tensor<4xi1>, %x: tensor<4xf32>) {
  // expected-error @below {{expected a condition of rank 0, but got rank 1}}
  %0 = fusion.if %c : tensor<4xi1> -> tensor<4xf32> {
    fusion.yield %x : tensor<4xf32>
  } else {
    fusion.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @if_c2_types(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<8xf32>) {
  %0 = fusion.if %c : tensor<i1> -> tensor<4xf32> {
    fusion.yield %x : tensor<4xf32>
  } else {
    // expected-error @below {{expected values of types 'tensor<4xf32>', but got 'tensor<8xf32>'}}
    fusion.yield %y : tensor<8xf32>
  }
  return
}

// -----

func.func @if_c2_end(%c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @below {{expected regions to end in 'fusion.yield'}}
  %0 = fusion.if %c : tensor<i1> -> tensor<4xf32> {
    %1 = fusion.exp %x : tensor<4xf32>
  } else {
    fusion.yield %x : tensor<4xf32>
  }
  return
}
