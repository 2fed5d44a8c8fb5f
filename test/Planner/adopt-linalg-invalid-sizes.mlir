// The sides of a branch have one buffer: that they give results of one size must follow
// from how these are made. Each pair here is computed almost alike.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file -verify-diagnostics

// As many dims, but other ones flattened to the first.
func.func @collapsed(%c: tensor<i1>, %x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?x?xf32> {
    %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
    scf.yield %0 : tensor<?x?xf32>
  } else {
    %0 = tensor.collapse_shape %x [[0], [1, 2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
    scf.yield %0 : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// -----

// The same tensors one after the other, once more in one arm.
func.func @joined_once_more(%c: tensor<i1>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?xi32> {
    %0 = tensor.concat dim(0) %x, %x : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    scf.yield %0 : tensor<?xi32>
  } else {
    %0 = tensor.concat dim(0) %x, %x, %x : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    scf.yield %0 : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// -----

// Joined along the other dim.
func.func @joined_along_another(%c: tensor<i1>, %y: tensor<?x?xf16>, %z: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?x?xf16> {
    %0 = tensor.concat dim(0) %y, %z : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf16>
    scf.yield %0 : tensor<?x?xf16>
  } else {
    %0 = tensor.concat dim(1) %y, %z : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf16>
    scf.yield %0 : tensor<?x?xf16>
  }
  return %r : tensor<?x?xf16>
}

// -----

// As much padding below, but more above.
func.func @padded(%c: tensor<i1>, %x: tensor<3x?xf32>, %n: index, %m: index) -> tensor<3x?xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{got sizes that may differ for dim 1 of result 0}}
  %r = scf.if %p -> tensor<3x?xf32> {
    %0 = tensor.pad %x low[0, 1] high[0, %n] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<3x?xf32> to tensor<3x?xf32>
    scf.yield %0 : tensor<3x?xf32>
  } else {
    %0 = tensor.pad %x low[0, 1] high[0, %m] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<3x?xf32> to tensor<3x?xf32>
    scf.yield %0 : tensor<3x?xf32>
  }
  return %r : tensor<3x?xf32>
}

// -----

// Numbers of the host that another operation makes of the same size.
func.func @other_arithmetic(%c: tensor<i1>, %x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?xf32> {
    %m = arith.divui %n, %n : index
    %0 = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    %m = arith.remui %n, %n : index
    %0 = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// Sizes that elements of tensors are: each arm reads its own, and no host reads either.
func.func @read_sizes(%c: tensor<i1>, %x: tensor<?xf32>, %k: tensor<2xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?xf32> {
    %m = tensor.extract %k[%c0] : tensor<2xindex>
    %0 = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    %m = tensor.extract %k[%c1] : tensor<2xindex>
    %0 = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// Arguments whose dims have other names; of one name they would be equal.
func.func @named_dims(%c: tensor<i1>, %x: tensor<?x?xi8> {fusion.name = "x", fusion.dims = ["n", "k"]},
                      %y: tensor<?x?xi8> {fusion.name = "y", fusion.dims = ["n", "m"]}) -> tensor<?x?xi8> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 1 of result 0}}
  %r = arith.select %p, %x, %y : tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}

// -----

// An insertion has the size of what it writes to, not that of what it inserts.
func.func @inserted(%c: tensor<i1>, %x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?xf64> {
    %0 = tensor.insert_slice %x into %y[0] [%n] [1] : tensor<?xf64> into tensor<?xf64>
    scf.yield %0 : tensor<?xf64>
  } else {
    scf.yield %x : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// -----

// The sizes of what a slice keeps, where one arm drops a dim of one row.
func.func @dropped_dim(%c: tensor<i1>, %x: tensor<?x?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?xf32> {
    %0 = tensor.extract_slice %x[0, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// An inner branch of one size; the outer one has another on its other side.
func.func @around_a_branch(%c: tensor<i1>, %x: tensor<?xf32>, %y: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?xf32> {
    %q = scf.if %p -> tensor<?xf32> {
      %0 = math.exp %x : tensor<?xf32>
      scf.yield %0 : tensor<?xf32>
    } else {
      scf.yield %x : tensor<?xf32>
    }
    scf.yield %q : tensor<?xf32>
  } else {
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// What the host has is chosen for each element, of as many on both sides.
func.func @choice_of_the_host(%p: i1, %x: tensor<?x4xbf16>, %y: tensor<?x4xbf16>) -> tensor<?x4xbf16> {
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = arith.select %p, %x, %y : tensor<?x4xbf16>
  return %r : tensor<?x4xbf16>
}

// -----

// A case of a switch: the results are those of the branch of its case.
func.func @last_case(%k: tensor<i32>, %x: tensor<2x?xf32>, %y: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %e = tensor.extract %k[] : tensor<i32>
  %i = arith.index_cast %e : i32 to index
  // expected-error @below {{'scf.if' op expected both sides to give results of one size}}
  %r = scf.index_switch %i -> tensor<2x?xf32>
  case 0 {
    scf.yield %x : tensor<2x?xf32>
  }
  case 1 {
    scf.yield %y : tensor<2x?xf32>
  }
  default {
    scf.yield %x : tensor<2x?xf32>
  }
  return %r : tensor<2x?xf32>
}

// -----

// Two numbers that one operation of the host gives.
func.func @two_numbers(%c: tensor<i1>, %x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  %m:2 = affine.delinearize_index %n into (4, 8) : index, index
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?xf32> {
    %0 = tensor.extract_slice %x[0] [%m#0] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    %0 = tensor.extract_slice %x[0] [%m#1] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
