// Branches and switches that stay as they are, each with its reason.
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

// A choice between whole tensors by a flag of the host.
// CHECK-LABEL: func.func @opaque_choice(
// CHECK:         arith.select
func.func @opaque_choice(%p: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{Reason="the condition is not made of elements of tensors by simple code"}}
  %r = arith.select %p, %x, %y : tensor<4xf32>
  return %r : tensor<4xf32>
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
  // expected-remark @below {{Reason="the switch has no result: what it is for are its effects"}}
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

// A tensor of a rank that is not known.
// CHECK-LABEL: func.func @unranked_result(
// CHECK:         scf.if
func.func @unranked_result(%c: tensor<i1>, %x: tensor<*xf32>, %y: tensor<*xf32>) -> tensor<*xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{Reason="the branch may give tensors of known rank only, but its result 0 is of type tensor<*xf32> (a scalar can be a tensor of one element)"}}
  %r = scf.if %p -> tensor<*xf32> {
    scf.yield %x : tensor<*xf32>
  } else {
    scf.yield %y : tensor<*xf32>
  }
  return %r : tensor<*xf32>
}

// -----

// The host would have to know the size that the branch gives beside the tensor.
// CHECK-LABEL: func.func @size_as_result(
// CHECK:         scf.if
func.func @size_as_result(%c: tensor<i1>, %x: tensor<?xbf16>) -> (tensor<?xbf16>, index) {
  %c0 = arith.constant 0 : index
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{Reason="the branch may give tensors of known rank only, but its result 1 is of type index (a scalar can be a tensor of one element)"}}
  %r:2 = scf.if %p -> (tensor<?xbf16>, index) {
    %n = tensor.dim %x, %c0 : tensor<?xbf16>
    scf.yield %x, %n : tensor<?xbf16>, index
  } else {
    scf.yield %x, %c0 : tensor<?xbf16>, index
  }
  return %r#0, %r#1 : tensor<?xbf16>, index
}

// -----

// Memory that one arm writes.
// CHECK-LABEL: func.func @stores(
// CHECK:         scf.if
// CHECK:           memref.store
func.func @stores(%c: tensor<2x2xi1>, %x: tensor<4xi32>, %y: tensor<4xi32>, %m: memref<i32>) -> tensor<4xi32> {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %p = tensor.extract %c[%c1, %c1] : tensor<2x2xi1>
  // expected-remark @below {{Reason="'memref.store' in the branch has effects"}}
  %r = scf.if %p -> tensor<4xi32> {
    memref.store %one, %m[] : memref<i32>
    scf.yield %x : tensor<4xi32>
  } else {
    scf.yield %y : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

// -----

// Linalg, but on memory.
// CHECK-LABEL: func.func @linalg_on_memory(
// CHECK:         scf.if
// CHECK:           linalg.exp
func.func @linalg_on_memory(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>, %m: memref<8xf32>) -> tensor<4xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{Reason="'linalg.exp' in the branch has effects"}}
  %r = scf.if %p -> tensor<4xf32> {
    linalg.exp ins(%m : memref<8xf32>) outs(%m : memref<8xf32>)
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Effects of a loop in the branch.
func.func private @log(index)

// CHECK-LABEL: func.func @loop_with_effects(
// CHECK:         scf.if
// CHECK:           scf.for
func.func @loop_with_effects(%c: tensor<i1>, %x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{Reason="'scf.for' in the branch has effects"}}
  %r = scf.if %p -> tensor<4xf32> {
    // expected-remark @below {{Reason="a loop around operations on tensors is not compiled}}
    scf.for %i = %c0 to %n step %c1 {
      func.call @log(%i) : (index) -> ()
    }
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A condition in memory that others may write.
// CHECK-LABEL: func.func @condition_in_memory(
// CHECK:         memref.load
// CHECK:         scf.if
func.func @condition_in_memory(%m: memref<i1>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %p = memref.load %m[] : memref<i1>
  // expected-remark @below {{Reason="the condition is not made of elements of tensors by simple code"}}
  %r = scf.if %p -> tensor<?xf64> {
    %0 = math.exp %x : tensor<?xf64>
    scf.yield %0 : tensor<?xf64>
  } else {
    scf.yield %x : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// -----

// A condition that another branch gives.
// CHECK-LABEL: func.func @condition_of_a_branch(
// CHECK-COUNT-2: scf.if
func.func @condition_of_a_branch(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %false = arith.constant false
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{but its result 0 is of type i1}}
  %q = scf.if %p -> i1 {
    %0 = tensor.extract %d[] : tensor<i1>
    scf.yield %0 : i1
  } else {
    scf.yield %false : i1
  }
  // expected-remark @below {{Reason="the condition is not made of elements of tensors by simple code"}}
  %r = scf.if %q -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A number that the host gives picks the case.
// CHECK-LABEL: func.func @switch_of_the_host(
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:           scf.if
// CHECK-NOT:     fusion.if
func.func @switch_of_the_host(%i: index, %x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{Reason="the condition is not made of elements of tensors by simple code"}}
  %r = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    scf.yield %x : tensor<4xf32>
  }
  case 1 {
    scf.yield %y : tensor<4xf32>
  }
  default {
    scf.yield %z : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Effects in the default: in the branch of the last case, and in those around it.
func.func private @log(tensor<4xf32>)

// CHECK-LABEL: func.func @effects_in_the_default(
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:           scf.if
// CHECK:             call @log
// CHECK-NOT:     fusion.if
func.func @effects_in_the_default(%k: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.extract %k[] : tensor<i32>
  %i = arith.index_cast %0 : i32 to index
  // expected-remark @+2 {{Reason="'func.call' in the branch has effects"}}
  // expected-remark @+1 {{Reason="'scf.if' in the branch has effects"}}
  %r = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    scf.yield %x : tensor<4xf32>
  }
  case 5 {
    scf.yield %x : tensor<4xf32>
  }
  default {
    func.call @log(%x) : (tensor<4xf32>) -> ()
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A switch that gives a scalar.
// CHECK-LABEL: func.func @switch_of_scalars(
// CHECK:         scf.if
// CHECK-NOT:     fusion.if
func.func @switch_of_scalars(%k: tensor<1xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %i = tensor.extract %k[%c0] : tensor<1xindex>
  // expected-remark @below {{but its result 0 is of type f32 (a scalar can be a tensor of one element)"}}
  %r = scf.index_switch %i -> f32
  case 3 {
    scf.yield %one : f32
  }
  default {
    scf.yield %zero : f32
  }
  return %r : f32
}
