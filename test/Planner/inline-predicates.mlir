// RUN: fusion-opt %s -fusion-inline-predicates -split-input-file | FileCheck %s

// The predicate is a part before the others, which read what it makes.
// CHECK-LABEL: func.func @condition(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
// CHECK:         %[[R:.*]]:2 = fusion.group "then" kinds ["conditional"] ins(%[[X]] : tensor<8xf32>) outs(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<i1>) {
// CHECK:         ^bb0(%[[A:.*]]: tensor<8xf32>, %[[D:.*]]: tensor<8xf32>, %[[E:.*]]: tensor<i1>):
// CHECK:           %[[P:.*]] = fusion.group "sum" kinds ["vertical"] ins(%[[A]] : tensor<8xf32>) outs(%[[E]] : tensor<i1>) {
// CHECK:           %[[I:.*]] = fusion.if %[[P]] : tensor<i1> -> tensor<8xf32> {
// CHECK:             fusion.group "then" kinds [] ins(%[[A]] : tensor<8xf32>) outs(%[[D]] : tensor<8xf32>)
// CHECK:           fusion.yield %[[I]], %[[P]] : tensor<8xf32>, tensor<i1>
// CHECK-NOT:     fusion.each_block
// CHECK:         return %[[R]]#0
func.func @condition(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  %p = fusion.group "sum" kinds ["vertical"] ins(%x : tensor<8xf32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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

// A group with a choice becomes a part of a composite.
// CHECK-LABEL: func.func @choice(
// CHECK:         fusion.group "choice" kinds ["conditional"]
// CHECK:           %[[P:.*]] = fusion.group "sum"
// CHECK:           fusion.group "choice" kinds [] ins(%[[P]], %{{.*}}, %{{.*}} : tensor<i1>, tensor<8xf32>, tensor<8xf32>)
// CHECK-NOT:     fusion.group
func.func @choice(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  %p = fusion.group "sum" kinds ["vertical"] ins(%x : tensor<8xf32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %r = fusion.group "choice" kinds [] ins(%p, %x, %y : tensor<i1>, tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c: tensor<i1>, %a: tensor<8xf32>, %b: tensor<8xf32>, %f: tensor<8xf32>):
    %0 = tensor.extract %c[] : tensor<i1>
    %1 = arith.select %0, %a, %b : tensor<8xf32>
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %2 : tensor<8xf32>
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A predicate of a branch is computed under the condition of that; equal parts
// are there once.
// CHECK-LABEL: func.func @nested(
// CHECK:         fusion.group "both" kinds ["conditional"]
// CHECK:           %[[P:.*]] = fusion.group "outer"
// CHECK-NOT:       fusion.group "outer"
// CHECK:           fusion.if %[[P]] :
// CHECK:             %[[Q:.*]] = fusion.group "inner"
// CHECK:             fusion.if %[[Q]] :
// CHECK:               fusion.group "both"
// CHECK-NOT:     fusion.group
func.func @nested(%x: tensor<8xf32>, %y: tensor<16xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  %p = fusion.group "outer" kinds ["vertical"] ins(%x : tensor<8xf32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %q = fusion.group "inner" kinds ["vertical", "conditional"] ins(%p, %y : tensor<i1>, tensor<16xf32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
  ^bb0(%c0: tensor<i1>, %x0: tensor<16xf32>, %d0: tensor<i1>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<i1> {
      %1 = fusion.group "inner" kinds ["vertical"] ins(%x0 : tensor<16xf32>) outs(%d0 : tensor<i1>) {
      ^bb0(%a: tensor<16xf32>, %b: tensor<i1>):
        %zero = arith.constant 0.0 : f32
        %s = tensor.empty() : tensor<f32>
        %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
        %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
            ins(%a : tensor<16xf32>) outs(%f : tensor<f32>) {
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
      fusion.yield %1 : tensor<i1>
    } else {
      fusion.yield %d0 : tensor<i1>
    }
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  %t = fusion.group "both" kinds ["conditional"] ins(%p, %q, %x : tensor<i1>, tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %c1: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.if %c1 : tensor<i1> -> tensor<8xf32> {
        %2 = fusion.group "both" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
        ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
          %v = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
          fusion.yield %v : tensor<8xf32>
        } : tensor<8xf32>
        fusion.yield %2 : tensor<8xf32>
      } else {
        fusion.yield %d0 : tensor<8xf32>
      }
      fusion.yield %1 : tensor<8xf32>
    } else {
      fusion.yield %d0 : tensor<8xf32>
    }
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// Launches one after another each compute it.
// CHECK-LABEL: func.func @two(
// CHECK:         %[[T:.*]]:2 = fusion.group "then"
// CHECK:           fusion.group "sum"
// CHECK:           fusion.group "then"
// CHECK:         fusion.group "else" {{.*}} outs(%[[T]]#0, %{{.*}} :
// CHECK:           fusion.group "sum"
// CHECK:           fusion.group "else"
// CHECK-NOT:     fusion.group
func.func @two(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  %p = fusion.group "sum" kinds ["vertical"] ins(%x : tensor<8xf32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %r = fusion.group "else" kinds ["conditional"] ins(%p, %x : tensor<i1>, tensor<8xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      fusion.yield %d0 : tensor<8xf32>
    } else {
      %1 = fusion.group "else" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
      ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
        %v = linalg.tanh ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
        fusion.yield %v : tensor<8xf32>
      } : tensor<8xf32>
      fusion.yield %1 : tensor<8xf32>
    }
    fusion.yield %0 : tensor<8xf32>
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}
