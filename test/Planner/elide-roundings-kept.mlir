// Roundings that stay because a reader needs the rounded value.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-elide-roundings))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-elide-roundings))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A reader that computes on halves.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @computes_in_f16(
// CHECK:         arith.truncf %{{[^ ]+}} : f32 to {{b?}}f16
func.func @computes_in_f16(%x: tensor<8xf16>) -> tensor<8xf16> {
  %o = tensor.empty() : tensor<8xf16>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf16>) outs(%o : tensor<8xf16>) {
  ^bb0(%a: tensor<8xf16>, %d: tensor<8xf16>):
    %e = tensor.empty() : tensor<8xf16>
    // expected-remark @below {{Reason="a reader needs the rounded value, and all read one"}}
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xf16>) outs(%d : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %v = arith.negf %p : f16
      linalg.yield %v : f16
    } -> tensor<8xf16>
    fusion.yield %1 : tensor<8xf16>
  } : tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// The same in bf16.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @computes_in_bf16(
// CHECK:         arith.truncf %{{[^ ]+}} : f32 to {{b?}}f16
func.func @computes_in_bf16(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %o = tensor.empty() : tensor<8xbf16>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xbf16>) outs(%o : tensor<8xbf16>) {
  ^bb0(%a: tensor<8xbf16>, %d: tensor<8xbf16>):
    %e = tensor.empty() : tensor<8xbf16>
    // expected-remark @below {{Reason="a reader needs the rounded value, and all read one"}}
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xbf16>) outs(%e : tensor<8xbf16>) {
    ^bb0(%p: bf16, %q: bf16):
      %w = arith.extf %p : bf16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to bf16
      linalg.yield %t : bf16
    } -> tensor<8xbf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xbf16>) outs(%d : tensor<8xbf16>) {
    ^bb0(%p: bf16, %q: bf16):
      %v = arith.mulf %p, %p : bf16
      linalg.yield %v : bf16
    } -> tensor<8xbf16>
    fusion.yield %1 : tensor<8xbf16>
  } : tensor<8xbf16>
  return %r : tensor<8xbf16>
}

// -----

// A reader that compares halves.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @compares_halves(
// CHECK:         arith.truncf %{{[^ ]+}} : f32 to {{b?}}f16
func.func @compares_halves(%x: tensor<8xf16>) -> tensor<8xf16> {
  %o = tensor.empty() : tensor<8xf16>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf16>) outs(%o : tensor<8xf16>) {
  ^bb0(%a: tensor<8xf16>, %d: tensor<8xf16>):
    %e = tensor.empty() : tensor<8xf16>
    // expected-remark @below {{Reason="a reader needs the rounded value, and all read one"}}
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xf16>) outs(%d : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %z = arith.constant 0.0 : f16
      %c = arith.cmpf ogt, %p, %z : f16
      %v = arith.select %c, %p, %z : f16
      linalg.yield %v : f16
    } -> tensor<8xf16>
    fusion.yield %1 : tensor<8xf16>
  } : tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// A reader of the bits.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @reads_bits(
// CHECK:         arith.truncf %{{[^ ]+}} : f32 to {{b?}}f16
func.func @reads_bits(%x: tensor<8xf16>) -> tensor<8xf16> {
  %o = tensor.empty() : tensor<8xf16>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf16>) outs(%o : tensor<8xf16>) {
  ^bb0(%a: tensor<8xf16>, %d: tensor<8xf16>):
    %e = tensor.empty() : tensor<8xf16>
    // expected-remark @below {{Reason="a reader needs the rounded value, and all read one"}}
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xf16>) outs(%d : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %b = arith.bitcast %p : f16 to i16
      %c = arith.constant 32767 : i16
      %m = arith.andi %b, %c : i16
      %v = arith.bitcast %m : i16 to f16
      linalg.yield %v : f16
    } -> tensor<8xf16>
    fusion.yield %1 : tensor<8xf16>
  } : tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// One that widens the value and uses it as it is too.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @also_reads_the_half(
// CHECK:         arith.truncf %{{[^ ]+}} : f32 to {{b?}}f16
func.func @also_reads_the_half(%x: tensor<8xf16>) -> tensor<8xf16> {
  %o = tensor.empty() : tensor<8xf16>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf16>) outs(%o : tensor<8xf16>) {
  ^bb0(%a: tensor<8xf16>, %d: tensor<8xf16>):
    %e = tensor.empty() : tensor<8xf16>
    // expected-remark @below {{Reason="a reader needs the rounded value, and all read one"}}
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xf16>) outs(%d : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %n = arith.negf %w : f32
      %h = arith.truncf %n {fusion.rounding} : f32 to f16
      %v = arith.addf %h, %p : f16
      linalg.yield %v : f16
    } -> tensor<8xf16>
    fusion.yield %1 : tensor<8xf16>
  } : tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// One that widens it to another type than it was computed in.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @widens_to_f64(
// CHECK:         arith.truncf %{{[^ ]+}} : f32 to {{b?}}f16
func.func @widens_to_f64(%x: tensor<8xf16>) -> tensor<8xf16> {
  %o = tensor.empty() : tensor<8xf16>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf16>) outs(%o : tensor<8xf16>) {
  ^bb0(%a: tensor<8xf16>, %d: tensor<8xf16>):
    %e = tensor.empty() : tensor<8xf16>
    // expected-remark @below {{Reason="a reader needs the rounded value, and all read one"}}
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xf16>) outs(%d : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f64
      %n = arith.negf %w : f64
      %v = arith.truncf %n : f64 to f16
      linalg.yield %v : f16
    } -> tensor<8xf16>
    fusion.yield %1 : tensor<8xf16>
  } : tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// A conversion of the half.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @to_an_integer(
// CHECK:         arith.truncf %{{[^ ]+}} : f32 to {{b?}}f16
func.func @to_an_integer(%x: tensor<8xf16>) -> tensor<8xf16> {
  %o = tensor.empty() : tensor<8xf16>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf16>) outs(%o : tensor<8xf16>) {
  ^bb0(%a: tensor<8xf16>, %d: tensor<8xf16>):
    %e = tensor.empty() : tensor<8xf16>
    // expected-remark @below {{Reason="a reader needs the rounded value, and all read one"}}
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xf16>) outs(%d : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.fptosi %p : f16 to i32
      %v = arith.sitofp %w : i32 to f16
      linalg.yield %v : f16
    } -> tensor<8xf16>
    fusion.yield %1 : tensor<8xf16>
  } : tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// A reader at computed positions takes the element that there is.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @computed_position(
// CHECK:         arith.truncf %{{[^ ]+}} : f32 to {{b?}}f16
func.func @computed_position(%x: tensor<8xf16>) -> tensor<8xf16> {
  %o = tensor.empty() : tensor<8xf16>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf16>) outs(%o : tensor<8xf16>) {
  ^bb0(%a: tensor<8xf16>, %d: tensor<8xf16>):
    %e = tensor.empty() : tensor<8xf16>
    // expected-remark @below {{Reason="a reader needs the rounded value, and all read one"}}
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf16>) outs(%e : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %w = arith.extf %p : f16 to f32
      %v = math.exp %w : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%d : tensor<8xf16>) {
    ^bb0(%q: f16):
      %i = linalg.index 0 : index
      %c7 = arith.constant 7 : index
      %j = arith.subi %c7, %i : index
      %v = tensor.extract %0[%j] : tensor<8xf16>
      linalg.yield %v : f16
    } -> tensor<8xf16>
    fusion.yield %1 : tensor<8xf16>
  } : tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// A cast that the user wrote rounds (B017).
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @explicit(
// CHECK:         arith.truncf %{{[a-z0-9_]+}} : f32 to bf16
// CHECK:         arith.extf
func.func @explicit(%x: tensor<8xf32>) -> tensor<8xf32> {
  %o = tensor.empty() : tensor<8xf32>
  %r = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>, %d: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xbf16>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf32>) outs(%e : tensor<8xbf16>) {
    ^bb0(%p: f32, %q: bf16):
      %t = arith.truncf %p : f32 to bf16
      linalg.yield %t : bf16
    } -> tensor<8xbf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xbf16>) outs(%d : tensor<8xf32>) {
    ^bb0(%p: bf16, %q: f32):
      %w = arith.extf %p : bf16 to f32
      linalg.yield %w : f32
    } -> tensor<8xf32>
    fusion.yield %1 : tensor<8xf32>
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// One reader computes on the f16 value itself: then all readers see that one.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @narrow_reader(
// CHECK:         arith.truncf %{{[^ ]+}} : f32 to {{b?}}f16
// CHECK:         ins(%{{.*}} : tensor<8xf16>)
// CHECK:           arith.extf
// CHECK:         ins(%{{.*}} : tensor<8xf16>)
// CHECK:           arith.negf %{{.*}} : f16
func.func @narrow_reader(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf16>) {
  %o0 = tensor.empty() : tensor<8xf32>
  %o1 = tensor.empty() : tensor<8xf16>
  %r:2 = fusion.group "g" kinds ["vertical"] ins(%x : tensor<8xf32>) outs(%o0, %o1 : tensor<8xf32>, tensor<8xf16>) {
  ^bb0(%a: tensor<8xf32>, %d0: tensor<8xf32>, %d1: tensor<8xf16>):
    %e = tensor.empty() : tensor<8xf16>
    // expected-remark @below {{Reason="a reader needs the rounded value, and all read one"}}
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<8xf32>) outs(%e : tensor<8xf16>) {
    ^bb0(%p: f32, %q: f16):
      %v = math.exp %p : f32
      %t = arith.truncf %v {fusion.rounding} : f32 to f16
      linalg.yield %t : f16
    } -> tensor<8xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xf16>) outs(%d0 : tensor<8xf32>) {
    ^bb0(%p: f16, %q: f32):
      %w = arith.extf %p : f16 to f32
      linalg.yield %w : f32
    } -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xf16>) outs(%d1 : tensor<8xf16>) {
    ^bb0(%p: f16, %q: f16):
      %n = arith.negf %p : f16
      linalg.yield %n : f16
    } -> tensor<8xf16>
    fusion.yield %1, %2 : tensor<8xf32>, tensor<8xf16>
  } : tensor<8xf32>, tensor<8xf16>
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf16>
}
