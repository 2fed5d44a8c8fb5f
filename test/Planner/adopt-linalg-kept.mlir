// What of other compilers' Linalg stays as it is, each with its reason.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

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

// Steps of zero put each element in one place.
// CHECK-LABEL: func.func @no_steps(
// CHECK:         tensor.insert_slice
func.func @no_steps(%x: tensor<4xf16>, %y: tensor<3x8xf16>) -> tensor<3x8xf16> {
  // expected-remark @below {{Reason="an insertion by steps that are not known to be positive"}}
  %0 = tensor.insert_slice %x into %y[1, 2] [1, 4] [1, 0] : tensor<4xf16> into tensor<3x8xf16>
  return %0 : tensor<3x8xf16>
}

// -----

// A tensor says the sizes of the reshape's result.
// CHECK-LABEL: func.func @reshape_to_unknown_sizes(
// CHECK:         tensor.reshape
func.func @reshape_to_unknown_sizes(%x: tensor<24xf32>, %s: tensor<2xindex>) -> tensor<?x?xf32> {
  // expected-remark @below {{Reason="a reshape of unknown sizes to sizes in a tensor"}}
  %0 = tensor.reshape %x(%s) : (tensor<24xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// The sizes are known, but not that there are so many elements.
// CHECK-LABEL: func.func @reshape_of_unknown_sizes(
// CHECK:         tensor.reshape
func.func @reshape_of_unknown_sizes(%x: tensor<?xi8>, %s: tensor<2xi32>) -> tensor<4x6xi8> {
  // expected-remark @below {{Reason="a reshape of unknown sizes to sizes in a tensor"}}
  %0 = tensor.reshape %x(%s) : (tensor<?xi8>, tensor<2xi32>) -> tensor<4x6xi8>
  return %0 : tensor<4x6xi8>
}

// -----

// Not even the rank is known.
// CHECK-LABEL: func.func @reshape_to_unknown_rank(
// CHECK:         tensor.reshape
func.func @reshape_to_unknown_rank(%x: tensor<4x6xf32>, %s: tensor<?xindex>) -> tensor<*xf32> {
  // expected-remark @below {{Reason="a reshape of unknown sizes to sizes in a tensor"}}
  %0 = tensor.reshape %x(%s) : (tensor<4x6xf32>, tensor<?xindex>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// No elements: there is no scalar to pick.
// CHECK-LABEL: func.func @no_elements(
// CHECK:         tensor.from_elements
func.func @no_elements() -> tensor<2x0xf32> {
  // expected-remark @below {{Reason="it is made of no scalars, of sizes, or of more than 64"}}
  %0 = tensor.from_elements : tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// -----

// A branch around the call does not make it less of an effect.
func.func private @element(index, index) -> i64

// CHECK-LABEL: func.func @generated_in_a_branch(
// CHECK:         tensor.generate
func.func @generated_in_a_branch(%n: index) -> tensor<4x?xi64> {
  // expected-remark @below {{Reason="its elements are made with effects"}}
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %p = arith.cmpi ult, %i, %j : index
    %f = scf.if %p -> i64 {
      %1 = func.call @element(%i, %j) : (index, index) -> i64
      scf.yield %1 : i64
    } else {
      %1 = arith.index_cast %i : index to i64
      scf.yield %1 : i64
    }
    tensor.yield %f : i64
  } : tensor<4x?xi64>
  return %0 : tensor<4x?xi64>
}

// -----

// A padding with what a function gives; the branch in it gives scalars, as it may there.
func.func private @border() -> f32

// CHECK-LABEL: func.func @padded_by_calls(
// CHECK:         tensor.pad
func.func @padded_by_calls(%x: tensor<?x4xf32>) -> tensor<?x6xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{Reason="what it pads with is made with effects"}}
  %0 = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %p = arith.cmpi eq, %i, %j : index
    %v = scf.if %p -> f32 {
      %f = func.call @border() : () -> f32
      scf.yield %f : f32
    } else {
      scf.yield %zero : f32
    }
    tensor.yield %v : f32
  } : tensor<?x4xf32> to tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

// -----

// An operand that a function computes: the body takes it from outside. What an element
// is, beside it, the body reads itself.
func.func private @scale(f64) -> f64

// CHECK-LABEL: func.func @one_scalar_of_two(
// CHECK:         %[[S:.*]] = call @scale
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<?xf64>)
// CHECK:           %[[F:.*]] = tensor.extract
// CHECK:           arith.mulf %{{.*}}, %[[S]]
// CHECK:           arith.addf %{{.*}}, %[[F]]
func.func @one_scalar_of_two(%x: tensor<?xf64>, %f: tensor<f64>, %e: tensor<?xf64>, %g: f64) -> tensor<?xf64> {
  %s = func.call @scale(%g) : (f64) -> f64
  %t = tensor.extract %f[] : tensor<f64>
  // expected-remark @below {{Reason="a scalar that it uses is made by more than simple code"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x, %s, %t : tensor<?xf64>, f64, f64) outs(%e : tensor<?xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %m = arith.mulf %a, %b : f64
    %n = arith.addf %m, %c : f64
    linalg.yield %n : f64
  } -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// -----

// A scalar in memory that others may write.
// CHECK-LABEL: func.func @scalar_in_memory(
// CHECK:         %[[S:.*]] = memref.load
// CHECK:         linalg.fill ins(%[[S]] : i16)
func.func @scalar_in_memory(%m: memref<2xi16>, %e: tensor<2x3xi16>) -> tensor<2x3xi16> {
  %c1 = arith.constant 1 : index
  %s = memref.load %m[%c1] : memref<2xi16>
  // expected-remark @below {{Reason="a scalar that it uses is made by more than simple code"}}
  %0 = linalg.fill ins(%s : i16) outs(%e : tensor<2x3xi16>) -> tensor<2x3xi16>
  return %0 : tensor<2x3xi16>
}

// -----

// A scalar that a branch gives.
// CHECK-LABEL: func.func @scalar_of_a_branch(
// CHECK:         %[[S:.*]] = scf.if
// CHECK:         linalg.map
// CHECK:           arith.addf %{{.*}}, %[[S]]
func.func @scalar_of_a_branch(%c: tensor<i1>, %f: tensor<f32>, %x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.extract %c[] : tensor<i1>
  // expected-remark @below {{but its result 0 is of type f32 (a scalar can be a tensor of one element)"}}
  %s = scf.if %p -> f32 {
    %0 = tensor.extract %f[] : tensor<f32>
    scf.yield %0 : f32
  } else {
    scf.yield %zero : f32
  }
  // expected-remark @below {{Reason="a scalar that it uses is made by more than simple code"}}
  %1 = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %o: f32) {
    %m = arith.addf %a, %s : f32
    linalg.yield %m : f32
  }
  return %1 : tensor<4xf32>
}

// -----

// More code than each reader should repeat: 65 operations with the read.
// CHECK-LABEL: func.func @long_scalar(
// CHECK:         %[[S:.*]] = tensor.extract
// CHECK:         linalg.fill ins(%{{.*}} : f32)
// CHECK-NOT:     linalg.generic
func.func @long_scalar(%x: tensor<f32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %s = tensor.extract %x[] : tensor<f32>
  %0 = arith.addf %s, %s : f32  %1 = arith.addf %0, %s : f32  %2 = arith.addf %1, %s : f32  %3 = arith.addf %2, %s : f32
  %4 = arith.addf %3, %s : f32  %5 = arith.addf %4, %s : f32  %6 = arith.addf %5, %s : f32  %7 = arith.addf %6, %s : f32
  %8 = arith.addf %7, %s : f32  %9 = arith.addf %8, %s : f32  %10 = arith.addf %9, %s : f32  %11 = arith.addf %10, %s : f32
  %12 = arith.addf %11, %s : f32  %13 = arith.addf %12, %s : f32  %14 = arith.addf %13, %s : f32  %15 = arith.addf %14, %s : f32
  %16 = arith.addf %15, %s : f32  %17 = arith.addf %16, %s : f32  %18 = arith.addf %17, %s : f32  %19 = arith.addf %18, %s : f32
  %20 = arith.addf %19, %s : f32  %21 = arith.addf %20, %s : f32  %22 = arith.addf %21, %s : f32  %23 = arith.addf %22, %s : f32
  %24 = arith.addf %23, %s : f32  %25 = arith.addf %24, %s : f32  %26 = arith.addf %25, %s : f32  %27 = arith.addf %26, %s : f32
  %28 = arith.addf %27, %s : f32  %29 = arith.addf %28, %s : f32  %30 = arith.addf %29, %s : f32  %31 = arith.addf %30, %s : f32
  %32 = arith.addf %31, %s : f32  %33 = arith.addf %32, %s : f32  %34 = arith.addf %33, %s : f32  %35 = arith.addf %34, %s : f32
  %36 = arith.addf %35, %s : f32  %37 = arith.addf %36, %s : f32  %38 = arith.addf %37, %s : f32  %39 = arith.addf %38, %s : f32
  %40 = arith.addf %39, %s : f32  %41 = arith.addf %40, %s : f32  %42 = arith.addf %41, %s : f32  %43 = arith.addf %42, %s : f32
  %44 = arith.addf %43, %s : f32  %45 = arith.addf %44, %s : f32  %46 = arith.addf %45, %s : f32  %47 = arith.addf %46, %s : f32
  %48 = arith.addf %47, %s : f32  %49 = arith.addf %48, %s : f32  %50 = arith.addf %49, %s : f32  %51 = arith.addf %50, %s : f32
  %52 = arith.addf %51, %s : f32  %53 = arith.addf %52, %s : f32  %54 = arith.addf %53, %s : f32  %55 = arith.addf %54, %s : f32
  %56 = arith.addf %55, %s : f32  %57 = arith.addf %56, %s : f32  %58 = arith.addf %57, %s : f32  %59 = arith.addf %58, %s : f32
  %60 = arith.addf %59, %s : f32  %61 = arith.addf %60, %s : f32  %62 = arith.addf %61, %s : f32  %63 = arith.addf %62, %s : f32
  // expected-remark @below {{Reason="a scalar that it uses is made by more than simple code"}}
  %r = linalg.fill ins(%63 : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
