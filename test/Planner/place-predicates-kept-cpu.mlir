// On a CPU a predicate is computed once, whatever reads it.
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-place-predicates{target=cpu}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-place-predicates{target=cpu}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// One that decides whether a branch is taken.
// CHECK-NOT: fusion.each_block
// CHECK:     fusion.group "sum" kinds ["vertical"]
// CHECK-NOT: fusion.each_block
// CHECK:     fusion.group "then" kinds ["conditional"]
// CHECK-NOT: fusion.each_block
func.func @cpu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="on a CPU it is computed once"}}
  %p = fusion.group "sum" kinds ["vertical"] ins(%x : tensor<8xf32>) outs(%e : tensor<i1>) {
  ^bb0(%a: tensor<8xf32>, %b: tensor<i1>):
    %zero = arith.constant 0.0 : f32
    %s = tensor.empty() : tensor<f32>
    %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
        ins(%a : tensor<8xf32>) outs(%f : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %out : f32
      linalg.yield %2 : f32
    } -> tensor<f32>
    %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%0 : tensor<f32>) outs(%b : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %2 = arith.cmpf ogt, %in, %zero : f32
      linalg.yield %2 : i1
    } -> tensor<i1>
    fusion.yield %1 : tensor<i1>
  } : tensor<i1>
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %x : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "then" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
      ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
        %v = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
        fusion.yield %v : tensor<8xf32>
      } : tensor<8xf32>
      fusion.yield %1 : tensor<8xf32>
    } else {
      fusion.yield %d0 : tensor<8xf32>
    }
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// One that picks a tensor.
// CHECK-LABEL: func.func @choice(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @choice(%x: tensor<f32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reader=choice, Reason="on a CPU it is computed once"}}
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

// One that each element is selected by.
// CHECK-LABEL: func.func @select(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @select(%x: tensor<f32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty(%n) : tensor<?xf32>
  // expected-remark @below {{Reader=select, Reason="on a CPU it is computed once"}}
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
  %r = fusion.group "select" kinds [] ins(%p, %y : tensor<i1>, tensor<?xf32>) outs(%d : tensor<?xf32>) {
  ^bb0(%c: tensor<i1>, %a: tensor<?xf32>, %b: tensor<?xf32>):
    %v = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%c, %a : tensor<i1>, tensor<?xf32>) outs(%b : tensor<?xf32>) {
    ^bb0(%cond: i1, %in: f32, %out: f32):
      %2 = arith.negf %in : f32
      %3 = arith.select %cond, %2, %in : f32
      linalg.yield %3 : f32
    } -> tensor<?xf32>
    fusion.yield %v : tensor<?xf32>
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
