// Launches that take no predicate in: a mark decides, not what is computed. A marked
// one that others than launches need stays a launch, and says so.

// RUN: fusion-opt %s -fusion-inline-predicates -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-inline-predicates -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A predicate that is a launch of its own stays one.
// CHECK-LABEL: func.func @unmarked(
// CHECK:         %[[P:.*]] = fusion.group "positive"
// CHECK:         fusion.group "then" kinds ["conditional"] ins(%[[P]],
func.func @unmarked(%x: tensor<f32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
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
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %y : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
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

// One that is given is no group.
// CHECK-LABEL: func.func @given(
// CHECK-SAME:    %[[P:.*]]: tensor<i1>,
// CHECK:         fusion.group "then" kinds ["conditional"] ins(%[[P]],
func.func @given(%p: tensor<i1>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %y : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
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

// What nothing reads is in no launch, and gone.
// CHECK-LABEL: func.func @unread(
// CHECK-NOT:     "positive"
// CHECK:         fusion.group "plain" kinds [] ins(%{{.*}} : tensor<8xf32>)
func.func @unread(%x: tensor<f32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %t = fusion.group "plain" kinds [] ins(%y : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %v = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %v : tensor<8xf32>
  } : tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// A launch beside the one that reads it has nothing to do with it.
// CHECK-LABEL: func.func @beside(
// CHECK:         fusion.group "plain" kinds [] ins(%{{.*}} : tensor<8xf32>)
// CHECK:         fusion.group "then" kinds ["conditional"]
// CHECK:           fusion.group "positive"
// CHECK-NOT:     fusion.each_block
func.func @beside(%x: tensor<f32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %y = fusion.group "plain" kinds [] ins(%z : tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %v = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %v : tensor<8xf32>
  } : tensor<8xf32>
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %y : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
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

// A function without a body.
// CHECK: func.func private @external(
func.func private @external(%x: tensor<f32>) -> tensor<f32>

// -----

// What writes over a predicate does not read it: the launch that makes it stays
// before, and only the mark is gone.
// CHECK-LABEL: func.func @overwritten(
// CHECK:         %[[P:.*]] = fusion.group "positive"
// CHECK-NOT:     fusion.each_block
// CHECK:         fusion.group "negative" kinds [] ins(%{{.*}} : tensor<f32>) outs(%[[P]] : tensor<i1>)
// CHECK-NOT:     fusion.group
// CHECK-NOT:     fusion.each_block
func.func @overwritten(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %e = tensor.empty() : tensor<i1>
  // expected-remark @below {{Reason="it stays a launch: another one writes over what it makes"}}
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %q = fusion.group "negative" kinds [] ins(%y : tensor<f32>) outs(%p : tensor<i1>) {
  ^bb0(%a: tensor<f32>, %b: tensor<i1>):
    %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
        ins(%a : tensor<f32>) outs(%b : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %zero = arith.constant 0.0 : f32
      %1 = arith.cmpf olt, %in, %zero : f32
      linalg.yield %1 : i1
    } -> tensor<i1>
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  return %q : tensor<i1>
}

// -----

// A group that reads a tensor made of the predicate does not read the predicate.
// CHECK-LABEL: func.func @reshaped(
// CHECK:         %[[P:.*]] = fusion.group "positive"
// CHECK:         %[[Q:.*]] = tensor.expand_shape %[[P]]
// CHECK:         fusion.group "negation" kinds [] ins(%[[Q]] : tensor<1xi1>)
// CHECK-NOT:     fusion.group
func.func @reshaped(%x: tensor<f32>) -> tensor<1xi1> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<1xi1>
  // expected-remark @below {{Reason="it stays a launch: what reads the predicate is none"}}
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %q = tensor.expand_shape %p [] output_shape [1] : tensor<i1> into tensor<1xi1>
  %n = fusion.group "negation" kinds [] ins(%q : tensor<1xi1>) outs(%d : tensor<1xi1>) {
  ^bb0(%a: tensor<1xi1>, %b: tensor<1xi1>):
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%a : tensor<1xi1>) outs(%b : tensor<1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %true = arith.constant true
      %1 = arith.xori %in, %true : i1
      linalg.yield %1 : i1
    } -> tensor<1xi1>
    fusion.yield %0 : tensor<1xi1>
  } : tensor<1xi1>
  return %n : tensor<1xi1>
}

// -----

// An op that is in no group takes nothing in.
// CHECK-LABEL: func.func @ungrouped(
// CHECK:         %[[P:.*]] = fusion.group "positive"
// CHECK-NOT:     fusion.group
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %{{.*}} : tensor<i1>, tensor<8xf32>)
// CHECK-NOT:     fusion.group
func.func @ungrouped(%x: tensor<f32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="it stays a launch: what reads the predicate is none"}}
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%p, %y : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%c: i1, %in: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.select %c, %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Launches are those of one block: one in a region is none.
// CHECK-LABEL: func.func @in_a_region(
// CHECK:         %[[P:.*]] = fusion.group "positive"
// CHECK:         scf.if
// CHECK-NOT:       "positive"
// CHECK:           fusion.group "then" kinds ["conditional"] ins(%[[P]],
// CHECK-NOT:       "positive"
func.func @in_a_region(%x: tensor<f32>, %y: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="it stays a launch: what reads the predicate is in a region"}}
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %r = scf.if %c -> tensor<8xf32> {
    %t = fusion.group "then" kinds ["conditional"] ins(%p, %y : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
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
    scf.yield %t : tensor<8xf32>
  } else {
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Nothing is known of the order of blocks: the whole function stays, marks too.
// CHECK-LABEL: func.func @blocks(
// CHECK:         %[[P:.*]] = fusion.group "positive" {{.*}} attributes {fusion.each_block}
// CHECK:         cf.br
// CHECK:         fusion.group "then" kinds ["conditional"] ins(%[[P]],
func.func @blocks(%x: tensor<f32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="it stays a launch: the function has several blocks"}}
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  cf.br ^next
^next:
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %y : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
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

// What is returned has to be in memory.
// CHECK-LABEL: func.func @returned(
// CHECK:         %[[P:.*]] = fusion.group "sum"
// CHECK-NOT:     fusion.each_block
// CHECK:         return %[[P]]
func.func @returned(%x: tensor<8xf32>) -> tensor<i1> {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="it stays a launch: the function returns what it makes"}}
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
  return %p : tensor<i1>
}

// -----

// A launch has computed it for itself; what is returned is another one's.
// CHECK-LABEL: func.func @read_and_returned(
// CHECK:         %[[P:.*]] = fusion.group "positive" {{.*}} outs(%{{.*}} : tensor<i1>) {
// CHECK:         %[[T:.*]]:2 = fusion.group "then"
// CHECK:           fusion.group "positive"
// CHECK:         return %[[T]]#0, %[[P]]
func.func @read_and_returned(%x: tensor<f32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<i1>) {
  %e = tensor.empty() : tensor<i1>
  %d = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="it stays a launch: the function returns what it makes"}}
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %t = fusion.group "then" kinds ["conditional"] ins(%p, %y : tensor<i1>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
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

// The host asks for it, and one launch writes over it: each is a reason.
// CHECK-LABEL: func.func @two_reasons(
// CHECK:         %[[P:.*]] = fusion.group "positive"
// CHECK:         tensor.extract %[[P]][]
// CHECK:         fusion.group "same" kinds [] ins(%{{.*}} : tensor<i1>) outs(%[[P]] : tensor<i1>)
// CHECK-NOT:     fusion.group
func.func @two_reasons(%x: tensor<f32>, %q: tensor<i1>) -> (i1, tensor<i1>) {
  %e = tensor.empty() : tensor<i1>
  // expected-remark @below {{Reason="it stays a launch: what reads the predicate is none"}}
  // expected-remark @below {{Reason="it stays a launch: another one writes over what it makes"}}
  %p = fusion.group "positive" kinds [] ins(%x : tensor<f32>) outs(%e : tensor<i1>) attributes {fusion.each_block} {
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
  %v = tensor.extract %p[] : tensor<i1>
  %s = fusion.group "same" kinds [] ins(%q : tensor<i1>) outs(%p : tensor<i1>) {
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %0 = linalg.copy ins(%a : tensor<i1>) outs(%b : tensor<i1>) -> tensor<i1>
    fusion.yield %0 : tensor<i1>
  } : tensor<i1>
  return %v, %s : i1, tensor<i1>
}
