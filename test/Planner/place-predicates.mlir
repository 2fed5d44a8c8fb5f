// RUN: fusion-opt %s -fusion-place-predicates -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-place-predicates -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-place-predicates{fuse=vertical,horizontal}))' -split-input-file | FileCheck %s --check-prefix=OFF
// OFF-NOT: fusion.each_block
// OFF:     fusion.group "sum" kinds ["vertical"]
// OFF-NOT: fusion.each_block
// OFF:     fusion.group "then" kinds ["conditional"]
// OFF-NOT: fusion.each_block

// The sum of a few numbers decides: each block of both sides computes it.
// CHECK-LABEL: func.func @sum(
// CHECK:         fusion.group "sum" {{.*}} attributes {fusion.each_block}
// CHECK:         fusion.group "then"
// CHECK:         fusion.group "else"
// CHECK-NOT:     fusion.each_block
func.func @sum(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{each block of then computes it}}
  // expected-remark @below {{each block of else computes it}}
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

// -----

// What picks a tensor is a predicate too.
// CHECK-LABEL: func.func @choice(
// CHECK:         fusion.group "sum" {{.*}} attributes {fusion.each_block}
func.func @choice(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{each block of choice computes it}}
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

// Others want it in memory: they read an equal group, which is a launch.
// CHECK-LABEL: func.func @returned(
// CHECK-NOT:     fusion.each_block
// CHECK:         %[[Q:.*]] = fusion.group "sum"
// CHECK:         %[[P:.*]] = fusion.group "sum" {{.*}} attributes {fusion.each_block}
// CHECK:         %[[T:.*]] = fusion.group "then" {{.*}} ins(%[[P]],
// CHECK:         return %[[T]], %[[Q]]
func.func @returned(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<i1>) {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{each block of then computes it}}
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
  return %t, %p : tensor<8xf32>, tensor<i1>
}

// -----

// What a branch makes for a branch in it: so does the one for the outer branch.
// CHECK-LABEL: func.func @nested(
// CHECK:         fusion.group "outer" {{.*}} attributes {fusion.each_block}
// CHECK:         fusion.group "inner" {{.*}} attributes {fusion.each_block}
// CHECK:         fusion.group "both"
func.func @nested(%x: tensor<8xf32>, %y: tensor<16xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{each block of inner computes it}}
  // expected-remark @below {{each block of both computes it}}
  %p = fusion.group "outer" kinds ["vertical"] ins(%x : tensor<8xf32>) outs(%e : tensor<i1>) {
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
  // expected-remark @below {{each block of both computes it}}
  %q = fusion.group "inner" kinds ["vertical", "conditional"] ins(%p, %y : tensor<i1>, tensor<16xf32>) outs(%e : tensor<i1>) {
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

// Arms that are computed both, and selected, read the predicate in the body.
// CHECK-LABEL: func.func @selects(
// CHECK:         fusion.group "sum" {{.*}}fusion.each_block
// CHECK:         fusion.group "select"
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @selects(%x: tensor<8xf32>, %y: tensor<16xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{each block of select computes it}}
  %p = fusion.group "sum" kinds ["vertical"] ins(%y : tensor<16xf32>) outs(%e : tensor<i1>) {
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
  %t = fusion.group "select" kinds [] ins(%p, %x : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %v = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%c0, %x0 : tensor<i1>, tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
    ^bb0(%cond: i1, %in: f32, %out: f32):
      %2 = math.exp %in : f32
      %3 = arith.select %cond, %2, %in : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    fusion.yield %v : tensor<8xf32>
  } : tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// Its last steps are in the group that reads it.
// CHECK-LABEL: func.func @last_steps(
// CHECK:         fusion.group "sum" {{.*}}fusion.each_block
// CHECK:         fusion.group "select"
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @last_steps(%x: tensor<8xf32>, %y: tensor<16xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<f32>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{each block of select computes it}}
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
  %t = fusion.group "select" kinds ["vertical"] ins(%p, %x : tensor<f32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<f32>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %zero = arith.constant 0.0 : f32
    %b = tensor.empty() : tensor<i1>
    %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%c0 : tensor<f32>) outs(%b : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %2 = arith.cmpf ogt, %in, %zero : f32
      linalg.yield %2 : i1
    } -> tensor<i1>
    %v = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%1, %x0 : tensor<i1>, tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
    ^bb0(%cond: i1, %in: f32, %out: f32):
      %2 = math.exp %in : f32
      %3 = arith.select %cond, %2, %in : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    fusion.yield %v : tensor<8xf32>
  } : tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// A body that reads where it likes.
// CHECK-LABEL: func.func @in_body(
// CHECK:         fusion.group "sum" {{.*}}fusion.each_block
// CHECK:         fusion.group "select"
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @in_body(%x: tensor<8xf32>, %y: tensor<16xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{each block of select computes it}}
  %p = fusion.group "sum" kinds ["vertical"] ins(%y : tensor<16xf32>) outs(%e : tensor<i1>) {
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
  %t = fusion.group "select" kinds [] ins(%p, %x : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %v = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cond = tensor.extract %c0[] : tensor<i1>
      %2 = math.exp %in : f32
      %3 = arith.select %cond, %2, %in : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    fusion.yield %v : tensor<8xf32>
  } : tensor<8xf32>
  return %t : tensor<8xf32>
}
