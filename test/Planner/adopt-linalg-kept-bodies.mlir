// Branches in bodies that are no choices: what an arm does cannot be done in any case.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A loop is no scalar code.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @loop(
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK-NOT:     arith.select
func.func @loop(%x: tensor<30xf32>, %e: tensor<30xf32>, %n: index) -> tensor<30xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
       ins(%x : tensor<30xf32>) outs(%e : tensor<30xf32>) {
  ^bb0(%a: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %a, %z : f32
    // expected-remark @below {{Reason="a branch in a body does more than simple code and reads"}}
    %r = scf.if %p -> f32 {
      %q = scf.for %k = %c0 to %n step %c1 iter_args(%s = %a) -> f32 {
        %t = arith.mulf %s, %a : f32
        scf.yield %t : f32
      }
      scf.yield %q : f32
    } else {
      scf.yield %z : f32
    }
    linalg.yield %r : f32
  } -> tensor<30xf32>
  return %0 : tensor<30xf32>
}

// -----

// A function is called for some elements only.
func.func private @count(i32) -> i32

// CHECK-LABEL: func.func @call(
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:           func.call @count
// CHECK-NOT:     arith.select
func.func @call(%x: tensor<4x?xi32>, %e: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %0 = linalg.map ins(%x : tensor<4x?xi32>) outs(%e : tensor<4x?xi32>) (%a: i32, %o: i32) {
    %z = arith.constant 0 : i32
    %p = arith.cmpi eq, %a, %z : i32
    // expected-remark @below {{Reason="a branch in a body does more than simple code and reads"}}
    %r = scf.if %p -> i32 {
      scf.yield %z : i32
    } else {
      %q = func.call @count(%a) : (i32) -> i32
      scf.yield %q : i32
    }
    linalg.yield %r : i32
  }
  return %0 : tensor<4x?xi32>
}

// -----

// Memory, which others may write, is not read like a tensor.
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @memory(
// CHECK:         iterator_types = ["parallel", "reduction"]
// CHECK:         scf.if
// CHECK:           memref.load
// CHECK-NOT:     arith.select
func.func @memory(%x: tensor<4x8xindex>, %m: memref<8xf64>, %d: tensor<4xf64>) -> tensor<4xf64> {
  %c8 = arith.constant 8 : index
  %0 = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
       ins(%x : tensor<4x8xindex>) outs(%d : tensor<4xf64>) {
  ^bb0(%a: index, %s: f64):
    %p = arith.cmpi ult, %a, %c8 : index
    // expected-remark @below {{Reason="a branch in a body does more than simple code and reads"}}
    %r = scf.if %p -> f64 {
      %v = memref.load %m[%a] : memref<8xf64>
      %t = arith.addf %s, %v : f64
      scf.yield %t : f64
    } else {
      scf.yield %s : f64
    }
    linalg.yield %r : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

// What is around a branch that stays, stays; what is beside it is chosen.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @around_a_loop(
// CHECK:         arith.select
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK:             scf.while
// CHECK-NOT:     arith.select
func.func @around_a_loop(%x: tensor<?xf16>, %c: tensor<?xi1>, %e: tensor<?xf16>) -> tensor<?xf16> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
       ins(%x, %c : tensor<?xf16>, tensor<?xi1>) outs(%e : tensor<?xf16>) {
  ^bb0(%a: f16, %p: i1, %o: f16):
    %z = arith.constant 1.0 : f16
    %b = scf.if %p -> f16 {
      %n = arith.negf %a : f16
      scf.yield %n : f16
    } else {
      scf.yield %z : f16
    }
    // expected-remark @below {{Reason="a branch in a body does more than simple code and reads"}}
    %r = scf.if %p -> f16 {
      %i = arith.cmpf olt, %b, %z : f16
      // expected-remark @below {{Reason="a branch in a body does more than simple code and reads"}}
      %q = scf.if %i -> f16 {
        %w = scf.while (%s = %b) : (f16) -> f16 {
          %g = arith.cmpf olt, %s, %z : f16
          scf.condition(%g) %s : f16
        } do {
        ^bb0(%s: f16):
          %t = arith.addf %s, %z : f16
          scf.yield %t : f16
        }
        scf.yield %w : f16
      } else {
        scf.yield %b : f16
      }
      scf.yield %q : f16
    } else {
      scf.yield %z : f16
    }
    linalg.yield %r : f16
  } -> tensor<?xf16>
  return %0 : tensor<?xf16>
}

// -----

// The elements of a generated tensor: they are those of a body, but a loop adds them up.
// CHECK-LABEL: func.func @generated(
// CHECK-NOT:     tensor.generate
// CHECK:         linalg.generic
// CHECK:           scf.if
// CHECK:             scf.for
// CHECK-NOT:     arith.select
func.func @generated(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %p = arith.cmpi ugt, %i, %c1 : index
    // expected-remark @below {{Reason="a branch in a body does more than simple code and reads"}}
    %r = scf.if %p -> i32 {
      %q = scf.for %k = %c0 to %i step %c1 iter_args(%s = %zero) -> i32 {
        %v = tensor.extract %x[%k] : tensor<?xi32>
        %t = arith.addi %s, %v : i32
        scf.yield %t : i32
      }
      scf.yield %q : i32
    } else {
      scf.yield %zero : i32
    }
    tensor.yield %r : i32
  } : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// A switch in a body is a row of branches: the inner one stays, and so the outer one.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @switch(
// CHECK-NOT:     scf.index_switch
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:           scf.if
// CHECK:             memref.load
// CHECK-NOT:     arith.select
func.func @switch(%x: tensor<8xf32>, %m: memref<f32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    // expected-remark @below {{Reason="a branch in a body does more than simple code and reads"}}
    %r = scf.index_switch %i -> f32
    case 0 {
      scf.yield %a : f32
    }
    case 4 {
      %v = memref.load %m[] : memref<f32>
      scf.yield %v : f32
    }
    default {
      %v = math.sqrt %a : f32
      scf.yield %v : f32
    }
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
