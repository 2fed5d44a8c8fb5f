// RUN: fusion-opt %s -split-input-file -verify-diagnostics

func.func @group_c1(%x: tensor<4xf32>, %d: tensor<4xf32>) {
  // expected-error @below {{expected body arguments of types 'tensor<4xf32>', 'tensor<4xf32>', but got 'tensor<4xf32>'}}
  %0 = fusion.group "g" kinds [] ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    fusion.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return
}

// -----

func.func @group_c2(%d: tensor<8xf32>) {
  // expected-error @below {{expected results of the types of the destinations, 'tensor<8xf32>', but got 'tensor<4xf32>'}}
  %0 = fusion.group "g" kinds [] outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>):
    fusion.yield %a : tensor<8xf32>
  } : tensor<4xf32>
  return
}

// -----

func.func @group_c3_types(%d: tensor<8xf32>) {
  %0 = fusion.group "g" kinds [] outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>):
    %v = fusion.cast %a : tensor<8xf32> to tensor<8xf16>
    // expected-error @below {{expected values of types 'tensor<8xf32>', but got 'tensor<8xf16>'}}
    fusion.yield %v : tensor<8xf16>
  } : tensor<8xf32>
  return
}

// -----

func.func @group_c3_terminator(%d: tensor<8xf32>) {
  // expected-error @below {{expected the body to end with 'fusion.yield'}}
  %0 = fusion.group "g" kinds [] outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>):
    llvm.unreachable
  } : tensor<8xf32>
  return
}

// -----

func.func @group_isolated(%x: tensor<8xf32>, %d: tensor<8xf32>) {
  // expected-note @below {{required by region isolation constraints}}
  %0 = fusion.group "g" kinds [] outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>):
    // expected-error @below {{using value defined outside the region}}
    fusion.yield %x : tensor<8xf32>
  } : tensor<8xf32>
  return
}

// -----

func.func @yield_c1(%x: tensor<8xf32>) {
  // expected-error @below {{expects parent op to be one of 'fusion.group, fusion.if, fusion.loop'}}
  fusion.yield %x : tensor<8xf32>
}
