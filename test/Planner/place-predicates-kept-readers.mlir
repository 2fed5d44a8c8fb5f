// Predicates that stay launches of their own for what reads them, or makes them.

// RUN: fusion-opt %s -fusion-place-predicates -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-place-predicates -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A choice between tensors is to have a launch of its own.
// CHECK-LABEL: func.func @choice_marked(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @choice_marked(%x: tensor<f32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reader=choice, Reason="what reads it is marked with fusion.no_fuse"}}
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) {
  ^bb0(%a: tensor<f32>, %b: tensor<i1>):
    %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%a : tensor<f32>) outs(%b : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %zero = arith.constant 0.0 : f32
      %1 = arith.cmpf ogt, %in, %zero : f32
      linalg.yield %1 : i1
    } -> tensor<i1>
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  %r = fusion.group "choice" kinds [] ins(%p, %y, %z : tensor<i1>, tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) attributes {fusion.no_fuse} {
  ^bb0(%c: tensor<i1>, %a: tensor<8xf32>, %b: tensor<8xf32>, %f: tensor<8xf32>):
    %0 = tensor.extract %c[] : tensor<i1>
    %1 = arith.select %0, %a, %b : tensor<8xf32>
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %2 : tensor<8xf32>
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// One of two readers is to have a launch of its own: the other one reads it there.
// CHECK-LABEL: func.func @one_of_two(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @one_of_two(%x: tensor<f32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reader=choice, Reason="what reads it is marked with fusion.no_fuse"}}
  // expected-remark @below {{Reader=select, Reason="what reads it is marked with fusion.no_fuse"}}
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) {
  ^bb0(%a: tensor<f32>, %b: tensor<i1>):
    %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%a : tensor<f32>) outs(%b : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %zero = arith.constant 0.0 : f32
      %1 = arith.cmpf ogt, %in, %zero : f32
      linalg.yield %1 : i1
    } -> tensor<i1>
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  %r = fusion.group "choice" kinds [] ins(%p, %y, %z : tensor<i1>, tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) attributes {fusion.no_fuse} {
  ^bb0(%c: tensor<i1>, %a: tensor<8xf32>, %b: tensor<8xf32>, %f: tensor<8xf32>):
    %0 = tensor.extract %c[] : tensor<i1>
    %1 = arith.select %0, %a, %b : tensor<8xf32>
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %2 : tensor<8xf32>
  } : tensor<8xf32>
  %s = fusion.group "select" kinds [] ins(%p, %y : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c: tensor<i1>, %a: tensor<8xf32>, %b: tensor<8xf32>):
    %v = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%c, %a : tensor<i1>, tensor<8xf32>) outs(%b : tensor<8xf32>) {
    ^bb0(%cond: i1, %in: f32, %out: f32):
      %2 = arith.negf %in : f32
      %3 = arith.select %cond, %2, %in : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    fusion.yield %v : tensor<8xf32>
  } : tensor<8xf32>
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// -----

// A convolution is a matrix product, too.
// CHECK-LABEL: func.func @convolution(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @convolution(%x: tensor<1x16x4xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="a matrix product makes the predicate"}}
  %p = fusion.group "windows" kinds ["vertical"] ins(%x : tensor<1x16x4xf32>) outs(%e : tensor<i1>) {
  ^bb0(%a: tensor<1x16x4xf32>, %b: tensor<i1>):
    %zero = arith.constant 0.0 : f32
    %w = tensor.empty() : tensor<3x4x8xf32>
    %s = tensor.empty() : tensor<1x14x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%s : tensor<1x14x8xf32>) -> tensor<1x14x8xf32>
    %g = linalg.fill ins(%zero : f32) outs(%w : tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
    %0 = linalg.conv_1d_nwc_wcf ins(%a, %g : tensor<1x16x4xf32>, tensor<3x4x8xf32>) outs(%f : tensor<1x14x8xf32>) -> tensor<1x14x8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%b : tensor<i1>) {
    ^bb0(%out: i1):
      %c0 = arith.constant 0 : index
      %2 = tensor.extract %0[%c0, %c0, %c0] : tensor<1x14x8xf32>
      %3 = arith.cmpf ogt, %2, %zero : f32
      linalg.yield %3 : i1
    } -> tensor<i1>
    fusion.yield %1 : tensor<i1>
  } : tensor<i1>
  %r = fusion.group "choice" kinds [] ins(%p, %y, %z : tensor<i1>, tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c: tensor<i1>, %a: tensor<8xf32>, %b: tensor<8xf32>, %f: tensor<8xf32>):
    %0 = tensor.extract %c[] : tensor<i1>
    %1 = arith.select %0, %a, %b : tensor<8xf32>
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %2 : tensor<8xf32>
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Of two values that it makes, one lies where another launch wrote.
// CHECK-LABEL: func.func @one_in_turn(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @one_in_turn(%x: tensor<f32>, %before: tensor<f32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="both sides of a branch make the predicate in turn"}}
  %p, %q = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e, %before : tensor<i1>, tensor<f32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<i1>, %f: tensor<f32>):
    %0, %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%a : tensor<f32>) outs(%b, %f : tensor<i1>, tensor<f32>) {
    ^bb0(%in: f32, %out: i1, %old: f32):
      %zero = arith.constant 0.0 : f32
      %2 = arith.cmpf ogt, %in, %zero : f32
      %3 = arith.negf %in : f32
      linalg.yield %2, %3 : i1, f32
    } -> (tensor<i1>, tensor<f32>)
    fusion.yield %0, %1 : tensor<i1>, tensor<f32>
  } : tensor<i1>, tensor<f32>
  %r = fusion.group "choice" kinds [] ins(%p, %y, %z : tensor<i1>, tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c: tensor<i1>, %a: tensor<8xf32>, %b: tensor<8xf32>, %f: tensor<8xf32>):
    %0 = tensor.extract %c[] : tensor<i1>
    %1 = arith.select %0, %a, %b : tensor<8xf32>
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %2 : tensor<8xf32>
  } : tensor<8xf32>
  return %r, %q : tensor<8xf32>, tensor<f32>
}
