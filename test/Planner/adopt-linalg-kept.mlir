// What of other compilers' Linalg stays as it is, each with its reason.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A branch with effects.
func.func private @log(tensor<4xf32>)

// CHECK-LABEL: func.func @effects(
// CHECK:         scf.if
func.func @effects(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{Reason="'func.call' in the branch has effects"}}
  %r = scf.if %p -> tensor<4xf32> {
    func.call @log(%x) : (tensor<4xf32>) -> ()
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// The outer branch of one with effects.
func.func private @log(tensor<4xf32>)

// CHECK-LABEL: func.func @nested_effects(
// CHECK-COUNT-2: scf.if
func.func @nested_effects(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{Reason="'scf.if' in the branch has effects"}}
  %r = scf.if %p -> tensor<4xf32> {
    // expected-remark @below {{Reason="'func.call' in the branch has effects"}}
    %q = scf.if %p -> tensor<4xf32> {
      func.call @log(%x) : (tensor<4xf32>) -> ()
      scf.yield %x : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    scf.yield %q : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A branch that gives a scalar.
// CHECK-LABEL: func.func @scalar_result(
// CHECK:         scf.if
func.func @scalar_result(%c: tensor<i1>, %x: tensor<4xf32>) -> f32 {
  %p = tensor.extract %c[] : tensor<i1>
  %one = arith.constant 1.0 : f32
  // expected-remark @below {{Reason="the branch may give tensors of known rank only, but its result 0 is of type f32 (a scalar can be a tensor of one element)"}}
  %r:2 = scf.if %p -> (f32, tensor<4xf32>) {
    scf.yield %one, %x : f32, tensor<4xf32>
  } else {
    %two = arith.addf %one, %one : f32
    scf.yield %two, %x : f32, tensor<4xf32>
  }
  return %r#0 : f32
}

// -----

// The condition comes from elsewhere.
// CHECK-LABEL: func.func @opaque_condition(
// CHECK:         scf.if
func.func @opaque_condition(%p: i1, %x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{Reason="the condition is not made of elements of tensors by simple code"}}
  %r = scf.if %p -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Nobody knows by which steps.
// CHECK-LABEL: func.func @unknown_steps(
// CHECK:         tensor.insert_slice
func.func @unknown_steps(%x: tensor<2xf32>, %y: tensor<8xf32>, %s: index) -> tensor<8xf32> {
  // expected-remark @below {{Reason="an insertion by steps that are not known to be positive"}}
  %0 = tensor.insert_slice %x into %y[0] [2] [%s] : tensor<2xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Code of a scalar that is no scalar code.
// CHECK-LABEL: func.func @scalar_of_a_loop(
// CHECK:         scf.for
// CHECK:         linalg.fill
func.func @scalar_of_a_loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{Reason="a loop around operations on tensors is not compiled: write out each of its steps, or a linalg operation in its place"}}
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f32 {
    %v = tensor.extract %x[%i] : tensor<4xf32>
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{Reason="a scalar that it uses is made by more than simple code"}}
  %0 = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Effects in the other region.
func.func private @log(tensor<4xf32>)

// CHECK-LABEL: func.func @effects_in_the_other(
// CHECK:         scf.if
func.func @effects_in_the_other(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{Reason="'func.call' in the branch has effects"}}
  %r = scf.if %p -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    func.call @log(%x) : (tensor<4xf32>) -> ()
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A branch for its effects alone.
func.func private @log(tensor<4xf32>)

// CHECK-LABEL: func.func @no_results(
// CHECK:         scf.if
func.func @no_results(%c: tensor<i1>, %x: tensor<4xf32>) {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{Reason="the branch has no result: what it is for are its effects"}}
  scf.if %p {
    func.call @log(%x) : (tensor<4xf32>) -> ()
  }
  return
}

// -----

// Memory instead of tensors.
// CHECK-LABEL: func.func @buffers(
// CHECK:         scf.if
func.func @buffers(%c: tensor<i1>, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{Reason="the branch may give tensors of known rank only, but its result 0 is of type memref<4xf32> (a scalar can be a tensor of one element)"}}
  %r = scf.if %p -> memref<4xf32> {
    scf.yield %x : memref<4xf32>
  } else {
    scf.yield %y : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// A choice between whole tensors by a flag of the host.
// CHECK-LABEL: func.func @opaque_choice(
// CHECK:         arith.select
func.func @opaque_choice(%p: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{Reason="the condition is not made of elements of tensors by simple code"}}
  %r = arith.select %p, %x, %y : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// A condition that a function computes.
func.func private @decide(f32) -> i1

// CHECK-LABEL: func.func @condition_of_a_call(
// CHECK:         scf.if
func.func @condition_of_a_call(%c: tensor<f32>, %x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %f = tensor.extract %c[] : tensor<f32>
  %p = func.call @decide(%f) : (f32) -> i1
  // expected-remark @below {{Reason="the condition is not made of elements of tensors by simple code"}}
  %r = scf.if %p -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A condition that a loop computes.
// CHECK-LABEL: func.func @condition_of_a_loop(
// CHECK:         arith.select
func.func @condition_of_a_loop(%c: tensor<4xi1>, %n: index, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  // expected-remark @below {{Reason="a loop around operations on tensors is not compiled: write out each of its steps, or a linalg operation in its place"}}
  %p = scf.for %i = %c0 to %n step %c1 iter_args(%a = %true) -> i1 {
    %v = tensor.extract %c[%i] : tensor<4xi1>
    %b = arith.andi %a, %v : i1
    scf.yield %b : i1
  }
  // expected-remark @+2 {{Reason="the condition is not made of elements of tensors by simple code"}}
  // expected-remark @+1 {{Reason="a scalar that it uses is made by more than simple code"}}
  %r = arith.select %p, %x, %y : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Steps backwards.
// CHECK-LABEL: func.func @negative_steps(
// CHECK:         tensor.insert_slice
func.func @negative_steps(%x: tensor<2xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{Reason="an insertion by steps that are not known to be positive"}}
  %0 = tensor.insert_slice %x into %y[4] [2] [-1] : tensor<2xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Elements that come from a call.
func.func private @element(index) -> f32

// CHECK-LABEL: func.func @generated_by_calls(
// CHECK:         tensor.generate
func.func @generated_by_calls() -> tensor<4xf32> {
  // expected-remark @below {{Reason="its elements are made with effects"}}
  %0 = tensor.generate {
  ^bb0(%i: index):
    %f = func.call @element(%i) : (index) -> f32
    tensor.yield %f : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A factor that a function computes, captured by a body.
func.func private @factor(f32) -> f32

// CHECK-LABEL: func.func @captured_of_a_call(
// CHECK:         call @factor
// CHECK:         linalg.generic
func.func @captured_of_a_call(%c: tensor<f32>, %x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %f = tensor.extract %c[] : tensor<f32>
  %g = func.call @factor(%f) : (f32) -> f32
  // expected-remark @below {{Reason="a scalar that it uses is made by more than simple code"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %d: f32):
    %m = arith.mulf %a, %g : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Maxima that begin with what was computed: no sum.
// CHECK-LABEL: func.func @maxima(
// CHECK:         %[[K:.*]] = linalg.exp
// CHECK-NOT:     linalg.fill
// CHECK:         %[[Y:.*]] = linalg.reduce { arith.maximumf } ins(%{{.*}}) outs(%[[K]] : tensor<?xf32>)
// CHECK-NEXT:    return %[[Y]]
func.func @maxima(%x: tensor<?x16xf32>, %k: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.exp ins(%k : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.reduce { arith.maximumf } ins(%x : tensor<?x16xf32>) outs(%0 : tensor<?xf32>) dimensions = [1]
  return %1 : tensor<?xf32>
}

// -----

// What was summed so far is read twice: it is not the same beginning with nothing.
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @sum_read_twice(
// CHECK:         %[[K:.*]] = linalg.exp
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} outs(%[[K]] : tensor<4xf64>)
// CHECK:         return %[[Y]]
func.func @sum_read_twice(%x: tensor<4x8xf64>, %k: tensor<4xf64>, %e: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.exp ins(%k : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %1 = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf64>) outs(%0 : tensor<4xf64>) {
  ^bb0(%a: f64, %s: f64):
    %m = arith.mulf %a, %s : f64
    %n = arith.addf %s, %m : f64
    linalg.yield %n : f64
  } -> tensor<4xf64>
  return %1 : tensor<4xf64>
}

// -----

// One result of two is told apart by a loop only in the other: it does reduce.
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @reduces_one_of_two(
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
func.func @reduces_one_of_two(%x: tensor<4x8xf32>, %d: tensor<4xf32>, %e: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%d, %e : tensor<4xf32>, tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32):
    %1 = arith.addf %a, %s : f32
    linalg.yield %1, %a : f32, f32
  } -> (tensor<4xf32>, tensor<4x8xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4x8xf32>
}

// -----

// A scalar of the host's numbers alone: nothing of it is read from a tensor.
// CHECK-LABEL: func.func @scalar_of_the_host(
// CHECK:         %[[S:.*]] = arith.sitofp
// CHECK:         linalg.fill ins(%[[S]] : f32)
func.func @scalar_of_the_host(%n: i32, %e: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1 : i32
  %m = arith.addi %n, %one : i32
  %s = arith.sitofp %m : i32 to f32
  %0 = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A switch for its effects alone.
func.func private @log(tensor<?xi8>)

// CHECK-LABEL: func.func @switch_without_results(
// CHECK:         scf.index_switch
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @switch_without_results(%k: tensor<i32>, %x: tensor<?xi8>) {
  %0 = tensor.extract %k[] : tensor<i32>
  %1 = arith.index_cast %0 : i32 to index
  scf.index_switch %1
  case 0 {
    func.call @log(%x) : (tensor<?xi8>) -> ()
    scf.yield
  }
  default {
  }
  return
}

// -----

// A choice between elements, in a body: it is simple code there.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @branch_in_a_body(
// CHECK-NOT:     fusion.if
// CHECK:         arith.select %{{.*}} : f32
// CHECK-NOT:     fusion.if
func.func @branch_in_a_body(%x: tensor<4xf32>, %c: tensor<4xi1>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %c : tensor<4xf32>, tensor<4xi1>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %p: i1, %d: f32):
    %r = scf.if %p -> f32 {
      %1 = math.exp %a : f32
      scf.yield %1 : f32
    } else {
      scf.yield %a : f32
    }
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Elements that are read from memory, which others may write.
// CHECK-LABEL: func.func @generated_from_memory(
// CHECK:         tensor.generate
func.func @generated_from_memory(%m: memref<?xbf16>, %n: index) -> tensor<?xbf16> {
  // expected-remark @below {{Reason="its elements are made with effects"}}
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %f = memref.load %m[%i] : memref<?xbf16>
    tensor.yield %f : bf16
  } : tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

// -----

// One of two dims by steps that nobody knows.
// CHECK-LABEL: func.func @unknown_steps_of_rows(
// CHECK:         tensor.insert_slice
func.func @unknown_steps_of_rows(%x: tensor<2x?xi32>, %y: tensor<8x?xi32>, %s: index, %n: index) -> tensor<8x?xi32> {
  // expected-remark @below {{Reason="an insertion by steps that are not known to be positive"}}
  %0 = tensor.insert_slice %x into %y[0, 0] [2, %n] [%s, 1] : tensor<2x?xi32> into tensor<8x?xi32>
  return %0 : tensor<8x?xi32>
}

// -----

// Several ops in one, but on memory.
// CHECK-LABEL: func.func @softmax_in_memory(
// CHECK:         linalg.softmax
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @softmax_in_memory(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>)
  return
}

// -----

// Sizes, which the host makes.
// CHECK-LABEL: func.func @elements_that_are_sizes(
// CHECK:         tensor.from_elements
func.func @elements_that_are_sizes(%x: tensor<?xf32>) -> tensor<1xindex> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // expected-remark @below {{Reason="it is made of no scalars, of sizes, or of more than 64"}}
  %0 = tensor.from_elements %n : tensor<1xindex>
  return %0 : tensor<1xindex>
}

// -----

// Too many scalars.
// CHECK-LABEL: func.func @many_elements(
// CHECK:         tensor.from_elements
func.func @many_elements(%x: tensor<4xf32>) -> tensor<65xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.extract %x[%c0] : tensor<4xf32>
  // expected-remark @below {{Reason="it is made of no scalars, of sizes, or of more than 64"}}
  %0 = tensor.from_elements %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a : tensor<65xf32>
  return %0 : tensor<65xf32>
}

// -----

// Loops of whole tensors, one in the other; a loop in a body is simple code.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @loops_of_tensors(
// CHECK:         scf.while
// CHECK:           scf.for
func.func @loops_of_tensors(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{Reason="a loop around operations on tensors is not compiled: write out each of its steps, or a linalg operation in its place"}}
  %r = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %v = tensor.extract %a[%c0] : tensor<4xf32>
    %c = arith.cmpf olt, %v, %one : f32
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    // expected-remark @below {{Reason="a loop around operations on tensors is not compiled: write out each of its steps, or a linalg operation in its place"}}
    %f = scf.for %i = %c0 to %n step %c1 iter_args(%g = %b) -> tensor<4xf32> {
      %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%g : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %d: f32):
        %t = scf.for %j = %c0 to %n step %c1 iter_args(%u = %p) -> f32 {
          %w = arith.mulf %u, %p : f32
          scf.yield %w : f32
        }
        linalg.yield %t : f32
      } -> tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    }
    scf.yield %f : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
