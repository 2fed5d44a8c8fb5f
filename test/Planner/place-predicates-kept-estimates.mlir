// Predicates that take longer in each block of what reads them than as a launch.

// RUN: fusion-opt %s -fusion-place-predicates -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-place-predicates -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Each of 2048 blocks would read 256 KB.
// CHECK-LABEL: func.func @large(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @large(%x: tensor<4096x512xf32>, %y: tensor<65536xf32>) -> tensor<4096x512xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<4096x512xf32>
  // expected-remark @below {{estimated to take longer in each block of what reads it }}
  %p = fusion.group "sum" kinds ["vertical"] ins(%y : tensor<65536xf32>) outs(%e : tensor<i1>) {
  ^bb0(%a: tensor<65536xf32>, %b: tensor<i1>):
    %zero = arith.constant 0.0 : f32
    %s = tensor.empty() : tensor<f32>
    %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
        ins(%a : tensor<65536xf32>) outs(%f : tensor<f32>) {
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
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %x : tensor<i1>, tensor<4096x512xf32>) outs(%d : tensor<4096x512xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<4096x512xf32>, %d0: tensor<4096x512xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<4096x512xf32> {
      %1 = fusion.group "then" kinds [] ins(%x0 : tensor<4096x512xf32>) outs(%d0 : tensor<4096x512xf32>) {
      ^bb0(%a: tensor<4096x512xf32>, %b: tensor<4096x512xf32>):
        %v = linalg.exp ins(%a : tensor<4096x512xf32>) outs(%b : tensor<4096x512xf32>) -> tensor<4096x512xf32>
        fusion.yield %v : tensor<4096x512xf32>
      } : tensor<4096x512xf32>
      fusion.yield %1 : tensor<4096x512xf32>
    } else {
      fusion.yield %d0 : tensor<4096x512xf32>
    }
    fusion.yield %0 : tensor<4096x512xf32>
  } : tensor<4096x512xf32>
  return %t : tensor<4096x512xf32>
}

// -----

// One block of the 131072 takes no longer than a launch; all of them do.
// CHECK-LABEL: func.func @grid(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @grid(%x: tensor<8xf32>, %y: tensor<16384x8192xf32>) -> tensor<16384x8192xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<16384x8192xf32>
  // expected-remark @below {{estimated to take longer in each block of what reads it }}
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
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %y : tensor<i1>, tensor<16384x8192xf32>) outs(%d : tensor<16384x8192xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<16384x8192xf32>, %d0: tensor<16384x8192xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<16384x8192xf32> {
      %1 = fusion.group "then" kinds [] ins(%x0 : tensor<16384x8192xf32>) outs(%d0 : tensor<16384x8192xf32>) {
      ^bb0(%a: tensor<16384x8192xf32>, %b: tensor<16384x8192xf32>):
        %v = linalg.exp ins(%a : tensor<16384x8192xf32>) outs(%b : tensor<16384x8192xf32>) -> tensor<16384x8192xf32>
        fusion.yield %v : tensor<16384x8192xf32>
      } : tensor<16384x8192xf32>
      fusion.yield %1 : tensor<16384x8192xf32>
    } else {
      fusion.yield %d0 : tensor<16384x8192xf32>
    }
    fusion.yield %0 : tensor<16384x8192xf32>
  } : tensor<16384x8192xf32>
  return %t : tensor<16384x8192xf32>
}

// -----

// Nine launches, one after another, would each compute it.
// CHECK-LABEL: func.func @row(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @row(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reader=g0, Reason="estimated to take longer in each block of what reads it}}
  // expected-remark @below {{Reader=g1, Reason="estimated to take longer in each block of what reads it}}
  // expected-remark @below {{Reader=g2, Reason="estimated to take longer in each block of what reads it}}
  // expected-remark @below {{Reader=g3, Reason="estimated to take longer in each block of what reads it}}
  // expected-remark @below {{Reader=g4, Reason="estimated to take longer in each block of what reads it}}
  // expected-remark @below {{Reader=g5, Reason="estimated to take longer in each block of what reads it}}
  // expected-remark @below {{Reader=g6, Reason="estimated to take longer in each block of what reads it}}
  // expected-remark @below {{Reader=g7, Reason="estimated to take longer in each block of what reads it}}
  // expected-remark @below {{Reader=g8, Reason="estimated to take longer in each block of what reads it}}
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
  %t0 = fusion.group "g0" kinds ["conditional"] ins(%p, %x : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g0" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
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
  %t1 = fusion.group "g1" kinds ["conditional"] ins(%p, %t0 : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g1" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
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
  %t2 = fusion.group "g2" kinds ["conditional"] ins(%p, %t1 : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g2" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
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
  %t3 = fusion.group "g3" kinds ["conditional"] ins(%p, %t2 : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g3" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
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
  %t4 = fusion.group "g4" kinds ["conditional"] ins(%p, %t3 : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g4" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
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
  %t5 = fusion.group "g5" kinds ["conditional"] ins(%p, %t4 : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g5" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
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
  %t6 = fusion.group "g6" kinds ["conditional"] ins(%p, %t5 : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g6" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
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
  %t7 = fusion.group "g7" kinds ["conditional"] ins(%p, %t6 : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g7" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
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
  %t8 = fusion.group "g8" kinds ["conditional"] ins(%p, %t7 : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c0: tensor<i1>, %x0: tensor<8xf32>, %d0: tensor<8xf32>):
    %0 = fusion.if %c0 : tensor<i1> -> tensor<8xf32> {
      %1 = fusion.group "g8" kinds [] ins(%x0 : tensor<8xf32>) outs(%d0 : tensor<8xf32>) {
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
  return %t8 : tensor<8xf32>
}

// -----

// Each of the many blocks that select by it would sum 64 KB.
// CHECK-LABEL: func.func @select(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @select(%x: tensor<16384xf32>, %y: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8192x8192xf32>
  // expected-remark @below {{estimated to take longer in each block of what reads it}}
  %p = fusion.group "sum" kinds ["vertical"] ins(%x : tensor<16384xf32>) outs(%e : tensor<i1>) {
  ^bb0(%a: tensor<16384xf32>, %b: tensor<i1>):
    %zero = arith.constant 0.0 : f32
    %s = tensor.empty() : tensor<f32>
    %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
        ins(%a : tensor<16384xf32>) outs(%f : tensor<f32>) {
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
  %r = fusion.group "select" kinds [] ins(%p, %y : tensor<i1>, tensor<8192x8192xf32>) outs(%d : tensor<8192x8192xf32>) {
  ^bb0(%c: tensor<i1>, %a: tensor<8192x8192xf32>, %b: tensor<8192x8192xf32>):
    %v = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %a : tensor<i1>, tensor<8192x8192xf32>) outs(%b : tensor<8192x8192xf32>) {
    ^bb0(%cond: i1, %in: f32, %out: f32):
      %2 = arith.negf %in : f32
      %3 = arith.select %cond, %2, %in : f32
      linalg.yield %3 : f32
    } -> tensor<8192x8192xf32>
    fusion.yield %v : tensor<8192x8192xf32>
  } : tensor<8192x8192xf32>
  return %r : tensor<8192x8192xf32>
}

// -----

// Sizes known at run time only count as large: each block would read both dims.
// CHECK-LABEL: func.func @open_sizes(
// CHECK-NOT:     fusion.each_block
// CHECK:         return
func.func @open_sizes(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty(%n, %m) : tensor<?x?xf32>
  // expected-remark @below {{estimated to take longer in each block of what reads it}}
  %p = fusion.group "largest" kinds ["vertical"] ins(%x : tensor<?x?xf32>) outs(%e : tensor<i1>) {
  ^bb0(%a: tensor<?x?xf32>, %b: tensor<i1>):
    %zero = arith.constant 0.0 : f32
    %s = tensor.empty() : tensor<f32>
    %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
        ins(%a : tensor<?x?xf32>) outs(%f : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %out : f32
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
  %r = fusion.group "select" kinds [] ins(%p, %y : tensor<i1>, tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) {
  ^bb0(%c: tensor<i1>, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>):
    %v = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %a : tensor<i1>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) {
    ^bb0(%cond: i1, %in: f32, %out: f32):
      %2 = arith.negf %in : f32
      %3 = arith.select %cond, %2, %in : f32
      linalg.yield %3 : f32
    } -> tensor<?x?xf32>
    fusion.yield %v : tensor<?x?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
