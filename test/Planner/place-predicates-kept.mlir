// Predicates that stay launches of their own, whatever that costs.

// RUN: fusion-opt %s -fusion-place-predicates -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-place-predicates -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Its kernel makes a tensor as well, which is needed once.
// CHECK-LABEL: func.func @other_ranks(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @other_ranks(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="what makes the predicate makes tensors of other ranks too"}}
  %p, %q = fusion.group "two" kinds [] ins(%x : tensor<8xf32>) outs(%e, %d : tensor<i1>, tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>, %b: tensor<i1>, %f: tensor<8xf32>):
    %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%b : tensor<i1>) {
    ^bb0(%out: i1):
      %c0 = arith.constant 0 : index
      %2 = tensor.extract %a[%c0] : tensor<8xf32>
      %3 = arith.cmpf ogt, %2, %2 : f32
      linalg.yield %3 : i1
    } -> tensor<i1>
    fusion.yield %1, %0 : tensor<i1>, tensor<8xf32>
  } : tensor<i1>, tensor<8xf32>
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %q : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
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

// It is to have a launch of its own.
// CHECK-LABEL: func.func @marked(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @marked(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="it is marked with fusion.no_fuse"}}
  %p = fusion.group "sum" kinds ["vertical"] ins(%x : tensor<8xf32>) outs(%e : tensor<i1>) attributes {fusion.no_fuse} {
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

// What reads it is to have a launch of its own.
// CHECK-LABEL: func.func @reader_marked(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @reader_marked(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="what reads it is marked with fusion.no_fuse"}}
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
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %x : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) attributes {fusion.no_fuse} {
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

// Both sides of a branch make it: no group of its own does.
// CHECK-LABEL: func.func @in_turn(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @in_turn(%x: tensor<8xf32>, %c: tensor<i1>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  %p0 = fusion.group "one" kinds ["vertical", "conditional"] ins(%c, %x : tensor<i1>, tensor<8xf32>) outs(%e : tensor<i1>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<i1>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<i1> {
      %1 = fusion.group "one" kinds ["vertical"] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<i1>) {
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
      fusion.yield %1 : tensor<i1>
    } else {
      fusion.yield %d0 : tensor<i1>
    }
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  // expected-remark @below {{Reason="both sides of a branch make the predicate in turn"}}
  %p = fusion.group "other" kinds ["vertical", "conditional"] ins(%c, %x : tensor<i1>, tensor<8xf32>) outs(%p0 : tensor<i1>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<i1>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<i1> {
      fusion.yield %d0 : tensor<i1>
    } else {
      %1 = fusion.group "other" kinds ["vertical"] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<i1>) {
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
      fusion.yield %1 : tensor<i1>
    }
    fusion.yield %0 : tensor<i1>
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

// What reads it is not in the branch that makes it.
// CHECK-LABEL: func.func @outside(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @outside(%x: tensor<8xf32>, %c: tensor<i1>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="a branch makes the predicate, and what reads it is not in that branch"}}
  %p = fusion.group "one" kinds ["vertical", "conditional"] ins(%c, %x : tensor<i1>, tensor<8xf32>) outs(%e : tensor<i1>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<i1>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<i1> {
      %1 = fusion.group "one" kinds ["vertical"] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<i1>) {
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
      fusion.yield %1 : tensor<i1>
    } else {
      fusion.yield %d0 : tensor<i1>
    }
    fusion.yield %0 : tensor<i1>
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

// Nor is what is in the other side of that branch.
// CHECK-LABEL: func.func @other_side(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @other_side(%x: tensor<8xf32>, %c: tensor<i1>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="a branch makes the predicate, and what reads it is not in that branch"}}
  %p = fusion.group "one" kinds ["vertical", "conditional"] ins(%c, %x : tensor<i1>, tensor<8xf32>) outs(%e : tensor<i1>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<i1>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<i1> {
      fusion.yield %d0 : tensor<i1>
    } else {
      %1 = fusion.group "one" kinds ["vertical"] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<i1>) {
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
      fusion.yield %1 : tensor<i1>
    }
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  %t = fusion.group "both" kinds ["conditional"] ins(%c, %p, %x : tensor<i1>, tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
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

// A matrix product takes all warps of a block, with roles of their own.
// CHECK-LABEL: func.func @product(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @product(%x: tensor<8xf32>, %y: tensor<16x16xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="a matrix product makes the predicate"}}
  %p = fusion.group "product" kinds ["vertical"] ins(%y : tensor<16x16xf32>) outs(%e : tensor<i1>) {
  ^bb0(%a: tensor<16x16xf32>, %b: tensor<i1>):
    %zero = arith.constant 0.0 : f32
    %s = tensor.empty() : tensor<16x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%s : tensor<16x16xf32>) -> tensor<16x16xf32>
    %0 = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%b : tensor<i1>) {
    ^bb0(%out: i1):
      %c0 = arith.constant 0 : index
      %2 = tensor.extract %0[%c0, %c0] : tensor<16x16xf32>
      %3 = arith.cmpf ogt, %2, %zero : f32
      linalg.yield %3 : i1
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

// A predicate that is given is no group, and nobody asks.
// CHECK-LABEL: func.func @given(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @given(%x: tensor<8xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<8xf32>
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

// A single value that decides nothing is no predicate.
// CHECK-LABEL: func.func @data(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @data(%x: tensor<f32>) -> tensor<f32> {
  %d = tensor.empty() : tensor<f32>
  %t = fusion.group "one" kinds [] ins(%x : tensor<f32>) outs(%d : tensor<f32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %v = linalg.exp ins(%a : tensor<f32>) outs(%b : tensor<f32>) -> tensor<f32>
    fusion.yield %v : tensor<f32>
  } : tensor<f32>
  %r = fusion.group "two" kinds [] ins(%t : tensor<f32>) outs(%d : tensor<f32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %v = linalg.tanh ins(%a : tensor<f32>) outs(%b : tensor<f32>) -> tensor<f32>
    fusion.yield %v : tensor<f32>
  } : tensor<f32>
  return %r : tensor<f32>
}

// -----

// A factor decides nothing.
// CHECK-LABEL: func.func @factor(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @factor(%x: tensor<8xf32>, %y: tensor<16xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<f32>
  %d = tensor.empty() : tensor<8xf32>
  %p = fusion.group "sum" kinds ["vertical"] ins(%y : tensor<16xf32>) outs(%e : tensor<f32>) {
  ^bb0(%a: tensor<16xf32>, %b: tensor<f32>):
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%b : tensor<f32>) -> tensor<f32>
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
        ins(%a : tensor<16xf32>) outs(%f : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %out : f32
      linalg.yield %2 : f32
    } -> tensor<f32>
    fusion.yield %0 : tensor<f32>
  } : tensor<f32>
  %t = fusion.group "scale" kinds [] ins(%p, %x : tensor<f32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<f32>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %v = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%c0, %x0 : tensor<f32>, tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
    ^bb0(%f: f32, %in: f32, %out: f32):
      %2 = arith.mulf %f, %in : f32
      linalg.yield %2 : f32
    } -> tensor<8xf32>
    fusion.yield %v : tensor<8xf32>
  } : tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// Truth values of each element are data.
// CHECK-LABEL: func.func @mask(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @mask(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xi1>
  %d = tensor.empty() : tensor<8xf32>
  %p = fusion.group "positive" kinds [] ins(%x : tensor<8xf32>) outs(%e : tensor<8xi1>) {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xi1>):
    %zero = arith.constant 0.0 : f32
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf32>) outs(%b : tensor<8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %2 = arith.cmpf ogt, %in, %zero : f32
      linalg.yield %2 : i1
    } -> tensor<8xi1>
    fusion.yield %1 : tensor<8xi1>
  } : tensor<8xi1>
  %t = fusion.group "select" kinds [] ins(%p, %x : tensor<8xi1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<8xi1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %v = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%c0, %x0 : tensor<8xi1>, tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
    ^bb0(%cond: i1, %in: f32, %out: f32):
      %2 = math.exp %in : f32
      %3 = arith.select %cond, %2, %in : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    fusion.yield %v : tensor<8xf32>
  } : tensor<8xf32>
  return %t : tensor<8xf32>
}
