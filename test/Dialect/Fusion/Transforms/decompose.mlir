// RUN: fusion-opt %s -fusion-decompose | FileCheck %s

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[M:.*]] = fusion.reduce max, %[[X]] dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  // CHECK-NEXT: %[[MB:.*]] = fusion.broadcast %[[M]] dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  // CHECK-NEXT: %[[D:.*]] = fusion.sub %[[X]], %[[MB]]
  // CHECK-NEXT: %[[E:.*]] = fusion.exp %[[D]]
  // CHECK-NEXT: %[[S:.*]] = fusion.reduce sum, %[[E]] dims = [1]
  // CHECK-NEXT: %[[SB:.*]] = fusion.broadcast %[[S]] dims = [0]
  // CHECK-NEXT: %[[R:.*]] = fusion.div %[[E]], %[[SB]]
  // CHECK-NEXT: return %[[R]]
  %0 = fusion.softmax %x dim = 1 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Everything in f32, one marked rounding at the end; sizes of the input.
// CHECK-LABEL: func.func @softmax_half(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8x?xbf16>
func.func @softmax_half(%x: tensor<?x8x?xbf16>) -> tensor<?x8x?xbf16> {
  // CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c0
  // CHECK-DAG: %[[L:.*]] = tensor.dim %[[X]], %c2
  // CHECK:     %[[W:.*]] = fusion.cast %[[X]] : tensor<?x8x?xbf16> to tensor<?x8x?xf32>
  // CHECK:     %[[M:.*]] = fusion.reduce max, %[[W]] dims = [1] : tensor<?x8x?xf32> to tensor<?x?xf32>
  // CHECK:     fusion.broadcast %[[M]] dims = [0, 2] sizes(%[[N]], %[[L]]) : tensor<?x?xf32> to tensor<?x8x?xf32>
  // CHECK:     %[[R:.*]] = fusion.div {{.*}} : tensor<?x8x?xf32>
  // CHECK:     %[[S:.*]] = fusion.cast %[[R]] rounding : tensor<?x8x?xf32> to tensor<?x8x?xbf16>
  // CHECK:     return %[[S]]
  %0 = fusion.softmax %x dim = 1 : tensor<?x8x?xbf16>
  return %0 : tensor<?x8x?xbf16>
}

// CHECK-LABEL: func.func @log_softmax(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf64>
func.func @log_softmax(%x: tensor<8xf64>) -> tensor<8xf64> {
  // CHECK-NEXT: %[[M:.*]] = fusion.reduce max, %[[X]] dims = [0] : tensor<8xf64> to tensor<f64>
  // CHECK-NEXT: %[[MB:.*]] = fusion.broadcast %[[M]] dims = []
  // CHECK-NEXT: %[[D:.*]] = fusion.sub %[[X]], %[[MB]]
  // CHECK-NEXT: %[[E:.*]] = fusion.exp %[[D]]
  // CHECK-NEXT: %[[S:.*]] = fusion.reduce sum, %[[E]] dims = [0]
  // CHECK-NEXT: %[[L:.*]] = fusion.log %[[S]]
  // CHECK-NEXT: %[[LB:.*]] = fusion.broadcast %[[L]] dims = []
  // CHECK-NEXT: %[[R:.*]] = fusion.sub %[[D]], %[[LB]]
  // CHECK-NEXT: return %[[R]]
  %0 = fusion.log_softmax %x dim = 0 : tensor<8xf64>
  return %0 : tensor<8xf64>
}

// The variance is of the centred values.
// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4x8xf16>, %[[G:.*]]: tensor<4x8xf16>, %[[B:.*]]: tensor<4x8xf16>
func.func @layer_norm(%x: tensor<?x4x8xf16>, %g: tensor<4x8xf16>, %b: tensor<4x8xf16>) -> tensor<?x4x8xf16> {
  // CHECK:      %[[N:.*]] = tensor.dim %[[X]]
  // CHECK:      %[[W:.*]] = fusion.cast %[[X]] :
  // CHECK-NEXT: %[[M:.*]] = fusion.reduce mean, %[[W]] dims = [1, 2] : tensor<?x4x8xf32> to tensor<?xf32>
  // CHECK-NEXT: %[[MB:.*]] = fusion.broadcast %[[M]] dims = [0] sizes(%[[N]])
  // CHECK-NEXT: %[[C:.*]] = fusion.sub %[[W]], %[[MB]]
  // CHECK-NEXT: %[[Q:.*]] = fusion.mul %[[C]], %[[C]]
  // CHECK-NEXT: %[[V:.*]] = fusion.reduce mean, %[[Q]] dims = [1, 2]
  // CHECK-NEXT: %[[EPS:.*]] = fusion.constant dense<9.99999974E-6> : tensor<f32>
  // CHECK-NEXT: %[[EB:.*]] = fusion.broadcast %[[EPS]] dims = [] sizes(%[[N]]) : tensor<f32> to tensor<?xf32>
  // CHECK-NEXT: %[[VE:.*]] = fusion.add %[[V]], %[[EB]]
  // CHECK-NEXT: %[[I:.*]] = fusion.rsqrt %[[VE]]
  // CHECK-NEXT: %[[IB:.*]] = fusion.broadcast %[[I]] dims = [0] sizes(%[[N]])
  // CHECK-NEXT: %[[Y:.*]] = fusion.mul %[[C]], %[[IB]]
  // CHECK-NEXT: %[[GW:.*]] = fusion.cast %[[G]] :
  // CHECK-NEXT: %[[GB:.*]] = fusion.broadcast %[[GW]] dims = [1, 2] sizes(%[[N]])
  // CHECK-NEXT: %[[YG:.*]] = fusion.mul %[[Y]], %[[GB]]
  // CHECK-NEXT: %[[BW:.*]] = fusion.cast %[[B]] :
  // CHECK-NEXT: %[[BB:.*]] = fusion.broadcast %[[BW]] dims = [1, 2] sizes(%[[N]])
  // CHECK-NEXT: %[[YB:.*]] = fusion.add %[[YG]], %[[BB]]
  // CHECK-NEXT: %[[R:.*]] = fusion.cast %[[YB]] rounding
  // CHECK-NEXT: return %[[R]]
  %0 = fusion.layer_norm %x scale(%g : tensor<4x8xf16>) bias(%b : tensor<4x8xf16>) axis = 1 eps = 1.0e-05 : tensor<?x4x8xf16>
  return %0 : tensor<?x4x8xf16>
}

// Over all dims, a dynamic one too, without parameters.
// CHECK-LABEL: func.func @rms_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32>
func.func @rms_norm(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // CHECK: %[[Q:.*]] = fusion.mul %[[X]], %[[X]]
  // CHECK: %[[V:.*]] = fusion.reduce mean, %[[Q]] dims = [0, 1] : tensor<?x8xf32> to tensor<f32>
  // CHECK: %[[I:.*]] = fusion.rsqrt
  // CHECK: %[[IB:.*]] = fusion.broadcast %[[I]] dims = []
  // CHECK: %[[R:.*]] = fusion.mul %[[X]], %[[IB]]
  // CHECK: return %[[R]]
  %0 = fusion.rms_norm %x axis = 0 eps = 1.0e-06 : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// Nothing else changes.
// CHECK-LABEL: func.func @others(
func.func @others(%x: tensor<4xf16>) -> tensor<f16> {
  // CHECK: fusion.gelu
  // CHECK: fusion.reduce mean
  %0 = fusion.gelu %x : tensor<4xf16>
  %1 = fusion.reduce mean, %0 dims = [0] : tensor<4xf16> to tensor<f16>
  return %1 : tensor<f16>
}

// Both regions are computed, nested ones first.
// CHECK-LABEL: func.func @branches(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<?xf32>
// CHECK-DAG:     %[[EXP:.*]] = fusion.exp %[[X]]
// CHECK-DAG:     %[[SIN:.*]] = fusion.sin %[[X]]
// CHECK-DAG:     %[[WIDE:.*]] = fusion.broadcast %[[C]] dims = [] sizes(%{{.*}}) : tensor<i1> to tensor<?xi1>
// CHECK:         %[[INNER:.*]] = fusion.select %{{.*}}, %[[EXP]], %[[SIN]]
// CHECK:         %[[OUTER:.*]] = fusion.select %{{.*}}, %[[INNER]], %[[X]]
// CHECK:         return %[[OUTER]]
func.func @branches(%c: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fusion.if %c : tensor<i1> -> tensor<?xf32> {
    %1 = fusion.exp %x : tensor<?xf32>
    %2 = fusion.if %c : tensor<i1> -> tensor<?xf32> {
      fusion.yield %1 : tensor<?xf32>
    } else {
      %3 = fusion.sin %x : tensor<?xf32>
      fusion.yield %3 : tensor<?xf32>
    }
    fusion.yield %2 : tensor<?xf32>
  } else {
    fusion.yield %x : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// A product that one region alone needs is not computed where the other one runs: it
// moves into the branch later. What both need, or what is elementwise, may be.
// CHECK-LABEL: func.func @work_of_one_region(
// CHECK:         fusion.matmul
// CHECK:         fusion.relu
// CHECK:         fusion.if
// CHECK-NOT:     fusion.select
// CHECK:         return
func.func @work_of_one_region(%c: tensor<i1>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = fusion.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = fusion.relu %0 : tensor<8x8xf32>
  %2 = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    fusion.yield %1 : tensor<8x8xf32>
  } else {
    %3 = fusion.neg %x : tensor<8x8xf32>
    fusion.yield %3 : tensor<8x8xf32>
  }
  return %2 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @work_of_both_regions(
// CHECK:         fusion.matmul
// CHECK-NOT:     fusion.if
// CHECK:         fusion.select
// CHECK:         return
func.func @work_of_both_regions(%c: tensor<i1>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = fusion.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %2 = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %3 = fusion.neg %0 : tensor<8x8xf32>
    fusion.yield %3 : tensor<8x8xf32>
  }
  return %2 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @work_that_is_returned(
// CHECK:         fusion.matmul
// CHECK-NOT:     fusion.if
// CHECK:         fusion.select
// CHECK:         return
func.func @work_that_is_returned(%c: tensor<i1>, %x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = fusion.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %2 = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    fusion.yield %x : tensor<8x8xf32>
  }
  return %2, %0 : tensor<8x8xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func.func @cheap_of_one_region(
// CHECK:         fusion.exp
// CHECK-NOT:     fusion.if
// CHECK:         fusion.select
// CHECK:         return
func.func @cheap_of_one_region(%c: tensor<i1>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = fusion.exp %x : tensor<8x8xf32>
  %2 = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    fusion.yield %x : tensor<8x8xf32>
  }
  return %2 : tensor<8x8xf32>
}

// A loop becomes its iterations; the number of each is a constant.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[X:.*]]: tensor<4xi64>
func.func @loop(%x: tensor<4xi64>) -> tensor<4xi64> {
  // CHECK-NOT: fusion.loop
  // CHECK: %[[N0:.*]] = fusion.constant dense<0> : tensor<i64>
  // CHECK: %[[B0:.*]] = fusion.broadcast %[[N0]]
  // CHECK: %[[S0:.*]] = fusion.add %[[X]], %[[B0]]
  // CHECK: %[[N1:.*]] = fusion.constant dense<1> : tensor<i64>
  // CHECK: %[[B1:.*]] = fusion.broadcast %[[N1]]
  // CHECK: %[[S1:.*]] = fusion.add %[[S0]], %[[B1]]
  // CHECK: return %[[S1]]
  %0 = fusion.loop 2 iter(%x) : tensor<4xi64> {
  ^bb0(%i: tensor<i64>, %a: tensor<4xi64>):
    %n = fusion.broadcast %i dims = [] : tensor<i64> to tensor<4xi64>
    %s = fusion.add %a, %n : tensor<4xi64>
    fusion.yield %s : tensor<4xi64>
  }
  return %0 : tensor<4xi64>
}

// What is carried may change places, and loops may hold loops and softmax.
// CHECK-LABEL: func.func @nested_loops(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
func.func @nested_loops(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NOT: fusion.loop
  // CHECK-NOT: fusion.softmax
  // CHECK-COUNT-6: fusion.exp
  // CHECK-NOT: fusion.exp
  %0:2 = fusion.loop 3 iter(%x, %y) : tensor<4xf32>, tensor<4xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>, %b: tensor<4xf32>):
    %in = fusion.loop 2 iter(%a) : tensor<4xf32> {
    ^bb0(%j: tensor<i64>, %c: tensor<4xf32>):
      %s = fusion.softmax %c dim = 0 : tensor<4xf32>
      fusion.yield %s : tensor<4xf32>
    }
    fusion.yield %b, %in : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// No iteration: the initial values.
// CHECK-LABEL: func.func @no_iteration(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]]
func.func @no_iteration(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fusion.loop 0 iter(%x) : tensor<4xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    %e = fusion.exp %a : tensor<4xf32>
    fusion.yield %e : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// The filters of both places that a stride jumps over, in one convolution; the
// taps of the window are reversed, and padded to a multiple of the stride.
// CHECK-LABEL: func.func @conv_transpose(
// CHECK-SAME:    %[[X:.*]]: tensor<1x2x4xf32>, %[[W:.*]]: tensor<2x3x3xf32>
func.func @conv_transpose(%x: tensor<1x2x4xf32>, %w: tensor<2x3x3xf32>) -> tensor<1x3x8xf32> {
  // CHECK: %[[P:.*]] = fusion.pad constant, %[[W]] value(%{{.*}}) low = [0, 0, 0] high = [0, 0, 1] : tensor<2x3x3xf32> to tensor<2x3x4xf32>
  // CHECK: %[[S:.*]] = fusion.reshape %[[P]] : tensor<2x3x4xf32> to tensor<1x2x3x2x2xf32>
  // CHECK: %[[R:.*]] = fusion.slice %[[S]] starts = [0, 0, 0, 1, 0] steps = [1, 1, 1, -1, 1]
  // CHECK: %[[T:.*]] = fusion.transpose %[[R]] perm = [0, 2, 4, 1, 3] : tensor<1x2x3x2x2xf32> to tensor<1x3x2x2x2xf32>
  // CHECK: %[[F:.*]] = fusion.reshape %[[T]] : tensor<1x3x2x2x2xf32> to tensor<6x2x2xf32>
  // CHECK: %[[C:.*]] = fusion.conv %[[X]], %[[F]] strides = [1] dilations = [1] low = [1] high = [1] groups = 1 : tensor<1x2x4xf32>, tensor<6x2x2xf32> -> tensor<1x6x5xf32>
  // CHECK: %[[I:.*]] = fusion.reshape %[[C]] : tensor<1x6x5xf32> to tensor<1x3x2x5xf32>
  // CHECK: %[[J:.*]] = fusion.transpose %[[I]] perm = [0, 1, 3, 2] : tensor<1x3x2x5xf32> to tensor<1x3x5x2xf32>
  // CHECK: %[[K:.*]] = fusion.reshape %[[J]] : tensor<1x3x5x2xf32> to tensor<1x3x10xf32>
  // CHECK: %[[L:.*]] = fusion.slice %[[K]] starts = [0, 0, 1] steps = [1, 1, 1] : tensor<1x3x10xf32> to tensor<1x3x8xf32>
  // CHECK: return %[[L]]
  %0 = fusion.conv_transpose %x, %w strides = [2] dilations = [1] low = [1] high = [0] groups = 1
       : tensor<1x2x4xf32>, tensor<2x3x3xf32> -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// Filters that are constants are moved when they are compiled: reversed taps of both
// places, and a zero where the window ends between them.
// CHECK-LABEL: func.func @conv_transpose_constant(
// CHECK:         %[[F:.*]] = fusion.constant dense<{{\[\[\[}}3.000000e+00, 1.000000e+00]], {{\[\[}}0.000000e+00, 2.000000e+00]], {{\[\[}}6.000000e+00, 4.000000e+00]], {{\[\[}}0.000000e+00, 5.000000e+00]]]> : tensor<4x1x2xf32>
// CHECK:         fusion.conv %{{.*}}, %[[F]]
// CHECK-NOT:     fusion.pad
func.func @conv_transpose_constant(%x: tensor<1x1x4xf32>) -> tensor<1x2x9xf32> {
  %w = fusion.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<1x2x3xf32>
  %0 = fusion.conv_transpose %x, %w strides = [2] dilations = [1] low = [0] high = [0] groups = 1
       : tensor<1x1x4xf32>, tensor<1x2x3xf32> -> tensor<1x2x9xf32>
  return %0 : tensor<1x2x9xf32>
}

// With stride 1 an ordinary convolution by the reversed window; what is not
// needed of the input is left out.
// CHECK-LABEL: func.func @conv_transpose_dense(
func.func @conv_transpose_dense(%x: tensor<1x2x?xf32>, %w: tensor<2x3x3xf32>) -> tensor<1x3x?xf32> {
  // CHECK: %[[X:.*]] = fusion.pad constant, %{{.*}} low = [0, 0, 0] high = [0, 0, -1] : tensor<1x2x?xf32> to tensor<1x2x?xf32>
  // CHECK: fusion.conv %[[X]], %{{.*}} strides = [1] dilations = [2] low = [4] high = [0] groups = 1
  // CHECK-NEXT: return
  %0 = fusion.conv_transpose %x, %w strides = [1] dilations = [2] low = [0] high = [5] groups = 1
       : tensor<1x2x?xf32>, tensor<2x3x3xf32> -> tensor<1x3x?xf32>
  return %0 : tensor<1x3x?xf32>
}
