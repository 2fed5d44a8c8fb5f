// What makes the predicate or the sides of a choice stays in kernels of its own.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups,fusion-explain-edges))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups,fusion-explain-edges))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What makes a side is not fused with the reader: it has to lie in memory.
// CHECK-LABEL: func.func @side(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "negf" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @side(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %a, %y : tensor<8xf32>
  // expected-remark @below {{Producer=exp, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  %0 = linalg.negf ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Nor are the makers of both sides, though a kernel could compute one of them.
// CHECK-LABEL: func.func @both_sides(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "tanh" kinds []
// CHECK:         fusion.group "negf" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @both_sides(%c: tensor<i1>, %x: tensor<4x8xf16>, %y: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %e = tensor.empty() : tensor<4x8xf16>
  %a = linalg.exp ins(%x : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  %b = linalg.tanh ins(%y : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %a, %b : tensor<4x8xf16>
  // expected-remark @+2 {{Producer=exp, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  // expected-remark @+1 {{Producer=tanh, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  %0 = linalg.negf ins(%t : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// -----

// The predicate is read before anything is: what makes it comes in a kernel before.
// CHECK-LABEL: func.func @predicate(
// CHECK:         fusion.group "elementwise" kinds []
// CHECK:         fusion.group "negf" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @predicate(%m: tensor<f32>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<i1>
  %e = tensor.empty() : tensor<8xf32>
  %c = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%m : tensor<f32>) outs(%d : tensor<i1>) {
  ^bb0(%a: f32, %o: i1):
    %h = arith.cmpf une, %a, %a : f32
    linalg.yield %h : i1
  } -> tensor<i1>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %x, %y : tensor<8xf32>
  // expected-remark @below {{Producer=elementwise, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  %0 = linalg.negf ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A side of a choice that another one picks.
// CHECK-LABEL: func.func @nested(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "negf" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @nested(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%z : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %q = tensor.extract %d[] : tensor<i1>
  %yz = arith.select %q, %y, %a : tensor<8xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %x, %yz : tensor<8xf32>
  // expected-remark @below {{Producer=exp, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  %0 = linalg.negf ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// An operand of a product, which its kernel could compute were it not chosen.
// CHECK-LABEL: func.func @operand(
// CHECK:         fusion.group "negf" kinds []
// CHECK:         fusion.group "matmul" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @operand(%c: tensor<i1>, %x: tensor<64x64xf16>, %y: tensor<64x64xf16>, %a: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %h = tensor.empty() : tensor<64x64xf16>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %n = linalg.negf ins(%x : tensor<64x64xf16>) outs(%h : tensor<64x64xf16>) -> tensor<64x64xf16>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %n, %y : tensor<64x64xf16>
  // expected-remark @below {{Producer=negf, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  %0 = linalg.matmul ins(%t, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// No epilogue of a product: its result is one of two.
// CHECK-LABEL: func.func @epilogue(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "negf" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @epilogue(%c: tensor<i1>, %x: tensor<64x64xf16>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %x : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %m, %y : tensor<64x64xf32>
  // expected-remark @below {{Producer=matmul, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  %0 = linalg.negf ins(%t : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// What is a side, and is read as it is as well: one of the two reads is from memory.
// CHECK-LABEL: func.func @read_twice(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "add" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @read_twice(%c: tensor<i1>, %x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %a, %y : tensor<4x8xf32>
  // expected-remark @below {{Producer=exp, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  %0 = linalg.add ins(%t, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Rows of what is chosen, of a length known only at run time.
// CHECK-LABEL: func.func @rows(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "reduce" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @rows(%c: tensor<i1>, %x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<4x?xf32>
  %e = tensor.empty(%n) : tensor<4x?xf32>
  %d = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %a, %y : tensor<4x?xf32>
  // expected-remark @below {{Producer=exp, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  %0 = linalg.reduce { arith.addf } ins(%t : tensor<4x?xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

// What two predicates choose is no operand that two products share, though the sides are
// the same.
// CHECK-LABEL: func.func @other_predicate(
// CHECK:         fusion.group "matmul" kinds ["conditional"]
// CHECK:         fusion.group "matmul+mul" kinds ["vertical", "conditional"]
// CHECK-NOT:     fusion.group
func.func @other_predicate(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<512x512xf16>, %y: tensor<512x512xf16>, %a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %q = tensor.extract %d[] : tensor<i1>
  %t = arith.select %p, %x, %y : tensor<512x512xf16>
  %u = arith.select %q, %x, %y : tensor<512x512xf16>
  %0 = linalg.matmul ins(%t, %a : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = linalg.matmul ins(%u, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-remark @+2 {{Remark="fused with matmul"}}
  // expected-remark @+1 {{Producer=matmul, Reason="the contractions of the two kernels, matmul and matmul, share no operand"}}
  %2 = linalg.mul ins(%0, %1 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}

// -----

// A choice that is added to is copied, and the copy stays before the product.
// CHECK-LABEL: func.func @accumulated(
// CHECK:         fusion.group "elementwise" kinds ["conditional"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @accumulated(%c: tensor<i1>, %x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %a: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %x, %y : tensor<64x64xf32>
  // expected-remark @below {{Producer=elementwise, Reason="the value is the initial value of an accumulator"}}
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%t : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// The side is a reshape of what was computed.
// CHECK-LABEL: func.func @reshaped_side(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "negf" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @reshaped_side(%c: tensor<i1>, %x: tensor<4x2xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<4x2xf32>
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<4x2xf32>) outs(%d : tensor<4x2xf32>) -> tensor<4x2xf32>
  %v = tensor.collapse_shape %a [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %v, %y : tensor<8xf32>
  // expected-remark @below {{Producer=exp, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  %0 = linalg.negf ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Elements of a choice at positions that are data.
// CHECK-LABEL: func.func @gathered(
// CHECK:         fusion.group "negf" kinds []
// CHECK:         fusion.group "elementwise" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @gathered(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>, %i: tensor<4xindex>) -> tensor<4xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.negf ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %a, %y : tensor<8xf32>
  // expected-remark @below {{Producer=negf, Reason="a choice is one between places in memory, by a predicate that lies there"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> (j)>], iterator_types = ["parallel"]}
      ins(%i : tensor<4xindex>) outs(%e : tensor<4xf32>) {
  ^bb0(%k: index, %o: f32):
    %r = tensor.extract %t[%k] : tensor<8xf32>
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A slice of a choice is read from a copy.
// CHECK-LABEL: func.func @sliced(
// CHECK:         fusion.group "elementwise" kinds ["conditional"]
// CHECK:         tensor.extract_slice
// CHECK:         fusion.group "exp" kinds []
// CHECK-NOT:     fusion.group
func.func @sliced(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %x, %y : tensor<8xf32>
  %s = tensor.extract_slice %t[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  // expected-remark @below {{Producer=elementwise, Reason="an operation between the two needs the one and feeds the other"}}
  %0 = linalg.exp ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A window over what is chosen, of which each element is in several.
// CHECK-LABEL: func.func @windows(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "pooling_nchw_sum" kinds ["conditional"]
// CHECK-NOT:     fusion.group
func.func @windows(%c: tensor<i1>, %x: tensor<1x1x6x6xf32>, %y: tensor<1x1x6x6xf32>, %k: tensor<2x2xf32>) -> tensor<1x1x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<1x1x6x6xf32>
  %e = tensor.empty() : tensor<1x1x3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  %a = linalg.exp ins(%x : tensor<1x1x6x6xf32>) outs(%d : tensor<1x1x6x6xf32>) -> tensor<1x1x6x6xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %a, %y : tensor<1x1x6x6xf32>
  // expected-remark @below {{Producer=exp, Reason="windows of the producer's result are read from memory"}}
  %0 = linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>} ins(%t, %k : tensor<1x1x6x6xf32>, tensor<2x2xf32>) outs(%f : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  return %0 : tensor<1x1x3x3xf32>
}
