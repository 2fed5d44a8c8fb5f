// RUN: fusion-opt %s -split-input-file -verify-diagnostics

func.func @gather_nd_c1_rank(%x: tensor<4x8xf32>, %i: tensor<i64>) {
  // expected-error @below {{expected indices of rank 1 or more, but got rank 0}}
  %0 = fusion.gather_nd %x, %i batch_dims = 0 : tensor<4x8xf32>, tensor<i64> -> tensor<8xf32>
  return
}

// -----

func.func @gather_nd_c1_static(%x: tensor<4x8xf32>, %i: tensor<2x?xi64>) {
  // expected-error @below {{expected the last dim of the indices to be static}}
  %0 = fusion.gather_nd %x, %i batch_dims = 0 : tensor<4x8xf32>, tensor<2x?xi64> -> tensor<2xf32>
  return
}

// -----

func.func @gather_nd_c1_batch(%x: tensor<4x8xf32>, %i: tensor<4x1xi64>) {
  // expected-error @below {{expected batch_dims to be below rank 2 of the indices, but got 2}}
  %0 = fusion.gather_nd %x, %i batch_dims = 2 : tensor<4x8xf32>, tensor<4x1xi64> -> tensor<4xf32>
  return
}

// -----

func.func @gather_nd_c1_count(%x: tensor<4x8xf32>, %i: tensor<4x2xi64>) {
  // expected-error @below {{expected at most 1 dims to be indexed, but got 2}}
  %0 = fusion.gather_nd %x, %i batch_dims = 1 : tensor<4x8xf32>, tensor<4x2xi64> -> tensor<4xf32>
  return
}

// -----

func.func @gather_nd_c2(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error @below {{expected batch dim 0 to agree, but got 4 and 5}}
  %0 = fusion.gather_nd %x, %i batch_dims = 1 : tensor<4x8xf32>, tensor<5x1xi64> -> tensor<5xf32>
  return
}

// -----

func.func @gather_nd_c3(%x: tensor<4x8xf32>, %i: tensor<5x1xi64>) {
  // expected-error @below {{expected a result of type 'tensor<5x8xf32>', but got 'tensor<5xf32>'}}
  %0 = fusion.gather_nd %x, %i batch_dims = 0 : tensor<4x8xf32>, tensor<5x1xi64> -> tensor<5xf32>
  return
}

// -----

func.func @scatter_elements_c1(%x: tensor<4x8xf32>, %i: tensor<4x3xi64>, %u: tensor<4x3xf32>) {
  // expected-error @below {{failed to verify that all of {input, result} have same type}}
  %0 = "fusion.scatter_elements"(%x, %i, %u) {kind = #fusion<scatter_kind add>, dim = 1 : i64}
       : (tensor<4x8xf32>, tensor<4x3xi64>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @scatter_elements_c2_rank(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %u: tensor<3xf32>) {
  // expected-error @below {{expected indices of rank 2, but got 1}}
  %0 = fusion.scatter_elements add, %x, %i, %u dim = 1 : tensor<4x8xf32>, tensor<3xi64>, tensor<3xf32>
  return
}

// -----

func.func @scatter_elements_c2_dim(%x: tensor<4x8xf32>, %i: tensor<4x3xi64>, %u: tensor<4x3xf32>) {
  // expected-error @below {{expected dim to be below rank 2, but got 2}}
  %0 = fusion.scatter_elements add, %x, %i, %u dim = 2 : tensor<4x8xf32>, tensor<4x3xi64>, tensor<4x3xf32>
  return
}

// -----

func.func @scatter_elements_c2_shape(%x: tensor<4x8xf32>, %i: tensor<4x3xi64>, %u: tensor<4x2xf32>) {
  // expected-error @below {{expected indices and updates of one shape, but got 'tensor<4x3xi64>' and 'tensor<4x2xf32>'}}
  %0 = fusion.scatter_elements add, %x, %i, %u dim = 1 : tensor<4x8xf32>, tensor<4x3xi64>, tensor<4x2xf32>
  return
}

// -----

func.func @scatter_elements_c3(%x: tensor<4x8xf32>, %i: tensor<6x3xi64>, %u: tensor<6x3xf32>) {
  // expected-error @below {{expected dim 0 of the indices to be at most 4, but got 6}}
  %0 = fusion.scatter_elements add, %x, %i, %u dim = 1 : tensor<4x8xf32>, tensor<6x3xi64>, tensor<6x3xf32>
  return
}

// -----

func.func @scatter_elements_c4_type(%x: tensor<4x8xf32>, %i: tensor<4x3xi64>, %u: tensor<4x3xf16>) {
  // expected-error @below {{expected updates of element type 'f32', but got 'f16'}}
  %0 = fusion.scatter_elements add, %x, %i, %u dim = 1 : tensor<4x8xf32>, tensor<4x3xi64>, tensor<4x3xf16>
  return
}

// -----

func.func @scatter_elements_c4_bool(%x: tensor<4x8xi1>, %i: tensor<4x3xi64>, %u: tensor<4x3xi1>) {
  // expected-error @below {{expected replace, max or min for element type i1, but got add}}
  %0 = fusion.scatter_elements add, %x, %i, %u dim = 1 : tensor<4x8xi1>, tensor<4x3xi64>, tensor<4x3xi1>
  return
}

// -----

func.func @scatter_nd_c2_static(%x: tensor<4x8xf32>, %i: tensor<2x?xi64>, %u: tensor<2x8xf32>) {
  // expected-error @below {{expected the last dim of the indices to be static}}
  %0 = fusion.scatter_nd add, %x, %i, %u : tensor<4x8xf32>, tensor<2x?xi64>, tensor<2x8xf32>
  return
}

// -----

func.func @scatter_nd_c2_count(%x: tensor<4x8xf32>, %i: tensor<2x3xi64>, %u: tensor<2xf32>) {
  // expected-error @below {{expected at most 2 dims to be indexed, but got 3}}
  %0 = fusion.scatter_nd add, %x, %i, %u : tensor<4x8xf32>, tensor<2x3xi64>, tensor<2xf32>
  return
}

// -----

func.func @scatter_nd_c3(%x: tensor<4x8xf32>, %i: tensor<2x1xi64>, %u: tensor<2x7xf32>) {
  // expected-error @below {{expected updates of type 'tensor<2x8xf32>', but got 'tensor<2x7xf32>'}}
  %0 = fusion.scatter_nd add, %x, %i, %u : tensor<4x8xf32>, tensor<2x1xi64>, tensor<2x7xf32>
  return
}

// -----

func.func @scatter_nd_c4(%x: tensor<4x8xi1>, %i: tensor<2x1xi64>, %u: tensor<2x8xi1>) {
  // expected-error @below {{expected replace, max or min for element type i1, but got mul}}
  %0 = fusion.scatter_nd mul, %x, %i, %u : tensor<4x8xi1>, tensor<2x1xi64>, tensor<2x8xi1>
  return
}

// -----

func.func @arg_reduce_c1(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected dim to be below rank 2, but got 2}}
  %0 = fusion.arg_reduce max, %x dim = 2 : tensor<4x8xf32> to tensor<4xi64>
  return
}

// -----

func.func @arg_reduce_c2(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected max or min, but got sum}}
  %0 = fusion.arg_reduce sum, %x dim = 1 : tensor<4x8xf32> to tensor<4xi64>
  return
}

// -----

func.func @arg_reduce_c3(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected a result of type 'tensor<4xi64>', but got 'tensor<8xi64>'}}
  %0 = fusion.arg_reduce max, %x dim = 1 : tensor<4x8xf32> to tensor<8xi64>
  return
}

// -----

func.func @top_k_c1(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected dim to be below rank 2, but got 2}}
  %0, %1 = fusion.top_k %x dim = 2 : tensor<4x8xf32> to tensor<4x8xf32>, tensor<4x8xi64>
  return
}

// -----

func.func @top_k_c2_type(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected a result of element type 'f32', but got 'f16'}}
  %0, %1 = fusion.top_k %x dim = 1 : tensor<4x8xf32> to tensor<4x8xf16>, tensor<4x8xi64>
  return
}

// -----

func.func @top_k_c2_shape(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected results of the input's shape along the other dims, but got 'tensor<5x3xi64>'}}
  %0, %1 = fusion.top_k %x dim = 1 : tensor<4x8xf32> to tensor<4x3xf32>, tensor<5x3xi64>
  return
}

// -----

func.func @top_k_c3_count(%x: tensor<4x8xf32>, %n: index) {
  // expected-error @below {{expected a count exactly for results that are dynamic along dim 1}}
  %0, %1 = fusion.top_k %x dim = 1 count(%n) : tensor<4x8xf32> to tensor<4x3xf32>, tensor<4x3xi64>
  return
}

// -----

func.func @top_k_c3_size(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected at most 8 elements to be kept, but got 9}}
  %0, %1 = fusion.top_k %x dim = 1 : tensor<4x8xf32> to tensor<4x9xf32>, tensor<4x9xi64>
  return
}

// -----

func.func @loop_c1(%x: tensor<4xf32>) {
  // expected-error @below {{expected a count that is not negative, but got -1}}
  %0 = fusion.loop -1 iter(%x) : tensor<4xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    fusion.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_c2(%x: tensor<4xf32>) {
  // expected-error @below {{failed to verify that results have the types of the initial values}}
  %0 = "fusion.loop"(%x) <{count = 2 : i64}> ({
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    fusion.yield %a : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @loop_c3(%x: tensor<4xf32>) {
  // expected-error @below {{expected a body with arguments of types 'tensor<i64>', 'tensor<4xf32>', but got 'tensor<4xf32>'}}
  %0 = fusion.loop 2 iter(%x) : tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    fusion.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_c4(%x: tensor<4xf32>, %y: tensor<4xf16>) {
  %0 = fusion.loop 2 iter(%x) : tensor<4xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    // expected-error @below {{expected values of types 'tensor<4xf32>', but got 'tensor<4xf16>'}}
    fusion.yield %y : tensor<4xf16>
  }
  return
}
