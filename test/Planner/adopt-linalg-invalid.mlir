// Effects in a branch are neither dropped nor moved: they are refused. Case B041.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-linalg-to-groups)' -split-input-file -verify-diagnostics

func.func private @log(tensor<4xf32>)
func.func @unused(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<4xf32> {
    // expected-error @below {{'func.call' op expected no effects in a branch}}
    func.call @log(%x) : (tensor<4xf32>) -> ()
    fusion.yield %x : tensor<4xf32>
  } else {
    fusion.yield %x : tensor<4xf32>
  }
  return %x : tensor<4xf32>
}

// -----

func.func private @log(tensor<4xf32>)
func.func @nested(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<4xf32> {
    %q = fusion.if %c : tensor<i1> -> tensor<4xf32> {
      fusion.yield %x : tensor<4xf32>
    } else {
      // expected-error @below {{'func.call' op expected no effects in a branch}}
      func.call @log(%x) : (tensor<4xf32>) -> ()
      fusion.yield %x : tensor<4xf32>
    }
    fusion.yield %q : tensor<4xf32>
  } else {
    fusion.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Nobody says that the arms have equally many rows.
func.func @sizes_of_arms(%c: tensor<i1>, %x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{expected both sides to give results of one size, which the host must know, but got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?x8xf32> {
    scf.yield %x : tensor<?x8xf32>
  } else {
    scf.yield %y : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// -----

func.func @sizes_of_sides(%c: tensor<i1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = arith.select %p, %x, %y : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// As many elements, but not as many rows.
func.func @sizes_of_cases(%k: tensor<i32>, %x: tensor<?x?xf32>, %f: tensor<4xf32>) -> (tensor<4xf32>, tensor<?x?xf32>) {
  %e = tensor.extract %k[] : tensor<i32>
  %i = arith.index_cast %e : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  // expected-error @below {{got sizes that may differ for dim 0 of result 1}}
  %r:2 = scf.index_switch %i -> tensor<4xf32>, tensor<?x?xf32>
  case 0 {
    %d = tensor.empty(%n, %m) : tensor<?x?xf32>
    %t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) permutation = [1, 0]
    scf.yield %f, %t : tensor<4xf32>, tensor<?x?xf32>
  }
  default {
    scf.yield %f, %x : tensor<4xf32>, tensor<?x?xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<?x?xf32>
}

// -----

// One reads a row more.
func.func @sizes_of_arithmetic(%c: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %p = tensor.extract %c[] : tensor<i1>
  // expected-error @below {{got sizes that may differ for dim 0 of result 0}}
  %r = scf.if %p -> tensor<?xf32> {
    %n = arith.subi %m, %c1 : index
    %0 = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    %n = arith.subi %m, %c2 : index
    %0 = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// An encoding says how a tensor is stored: it would be dropped.
// expected-error @below {{expected dense tensors without an encoding, but got 'tensor<4xf32, "packed">'}}
func.func @encoded_argument(%x: tensor<4xf32, "packed">) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32, "packed">) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %d: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#sparse = #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>
func.func @encoded_value(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tensor.empty' op expected dense tensors without an encoding, but got 'tensor<4xf32, #sparse_tensor.encoding}}
  %e = tensor.empty() : tensor<4xf32, #sparse>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%e : tensor<4xf32, #sparse>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %d: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
