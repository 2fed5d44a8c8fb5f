// Linalg as other compilers write it, in the form of stage 2.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file | FileCheck %s
// The example of the pass.
// CHECK-LABEL: func.func @branch(
// CHECK-SAME:      %[[C:[a-z0-9]*]]: tensor<i1>, %[[X:.*]]: tensor<8x8xf32>
// CHECK-NOT:     tensor.extract %[[C]]
// CHECK:         %[[S:.*]] = linalg.generic
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[J:.*]] = arith.addi %[[I]], %{{.*}}
// CHECK:           tensor.extract %[[X]][%[[J]], %{{.*}}]
// CHECK:         fusion.if %[[C]] : tensor<i1> -> tensor<2x8xf32> {
// CHECK:           %[[E:.*]] = linalg.exp ins(%[[S]]
// CHECK:           fusion.yield %[[E]]
// CHECK:         } else {
// CHECK:           fusion.yield %[[S]]
func.func @branch(%c: tensor<i1>, %x: tensor<8x8xf32>, %e: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  %0 = tensor.extract_slice %x[4, 0] [2, 8] [1, 1] : tensor<8x8xf32> to tensor<2x8xf32>
  %1 = scf.if %p -> tensor<2x8xf32> {
    %2 = linalg.exp ins(%0 : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
    scf.yield %2 : tensor<2x8xf32>
  } else {
    scf.yield %0 : tensor<2x8xf32>
  }
  return %1 : tensor<2x8xf32>
}

// -----

// A predicate that is computed from elements is computed where it can be read.
// CHECK-LABEL: func.func @computed_predicate(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<4xf32>
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} iterator_types = []} outs(%{{.*}} : tensor<i1>)
// CHECK:           %[[E:.*]] = tensor.extract %[[X]]
// CHECK:           arith.cmpf ogt, %[[E]]
// CHECK:         fusion.if %[[P]] : tensor<i1> -> tensor<4xf32>
func.func @computed_predicate(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.extract %x[%c2] : tensor<4xf32>
  %p = arith.cmpf ogt, %e, %zero : f32
  %r = arith.select %p, %x, %y : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The start of an insertion comes from a tensor: it is read in the body.
// CHECK-LABEL: func.func @insertion(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<8xf32>, %[[U:[a-z0-9]*]]: tensor<2xf32>, %[[I:[a-z0-9]*]]: tensor<1xi64>
// CHECK-NOT:     tensor.insert_slice
// CHECK:         linalg.generic
// CHECK:           %[[E:.*]] = tensor.extract %[[I]]
// CHECK:           %[[S:.*]] = arith.index_cast %[[E]]
// CHECK:           %[[P:.*]] = linalg.index 0
// CHECK:           %[[R:.*]] = arith.subi %[[P]], %[[S]]
// CHECK:           %[[IN:.*]] = arith.cmpi ult, %[[R]]
// CHECK:           %[[OLD:.*]] = tensor.extract %[[X]][%[[P]]]
// CHECK:           scf.if %[[IN]] -> (f32) {
// CHECK-NEXT:        tensor.extract %[[U]][%[[R]]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[OLD]]
func.func @insertion(%x: tensor<8xf32>, %u: tensor<2xf32>, %i: tensor<1xi64>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %i[%c0] : tensor<1xi64>
  %1 = arith.index_cast %0 : i64 to index
  %2 = tensor.insert_slice %u into %x[%1] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Every second element, one row of a matrix, into nothing yet.
// CHECK-LABEL: func.func @steps(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<4xf32>
// CHECK:         linalg.generic
// CHECK:           arith.remui
// CHECK:           arith.divui
// CHECK:           scf.if
// CHECK-NEXT:        tensor.extract %[[X]]
// CHECK-NOT:         tensor.extract
func.func @steps(%x: tensor<4xf32>) -> tensor<3x8xf32> {
  %e = tensor.empty() : tensor<3x8xf32>
  %0 = tensor.insert_slice %x into %e[1, 0] [1, 4] [1, 2] : tensor<4xf32> into tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// Parts one after the other, of sizes known at run time; one of them is empty.
// CHECK-LABEL: func.func @concat(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<?x4xf32>, %[[Y:[a-z0-9]*]]: tensor<3x4xf32>, %[[Z:[a-z0-9]*]]: tensor<0x4xf32>
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[X]]
// CHECK:           tensor.extract %[[Y]]
// CHECK-NOT:       tensor.extract %[[Z]]
func.func @concat(%x: tensor<?x4xf32>, %y: tensor<3x4xf32>, %z: tensor<0x4xf32>) -> tensor<?x4xf32> {
  %0 = tensor.concat dim(0) %x, %y, %z : (tensor<?x4xf32>, tensor<3x4xf32>, tensor<0x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// A factor that is an element becomes code of the body, no operand.
// CHECK-LABEL: func.func @factor(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<4xf32>, %[[F:.*]]: tensor<f32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>)
// CHECK:           tensor.extract %[[F]][]
// CHECK:         linalg.generic {{.*}} outs(
// CHECK:           tensor.extract %[[F]][]
func.func @factor(%x: tensor<4xf32>, %f: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %s = tensor.extract %f[] : tensor<f32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<4xf32>, f32) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  %1 = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Arithmetic on whole tensors, generated and splat ones, a softmax of one op.
// CHECK-LABEL: func.func @whole_tensors(
// CHECK-NOT:     arith.addf {{.*}} : tensor
// CHECK-NOT:     tensor.generate
// CHECK-NOT:     tensor.splat
// CHECK-NOT:     linalg.softmax
// CHECK:         return
func.func @whole_tensors(%x: tensor<4x8xf32>, %s: f32) -> tensor<4x8xf32> {
  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<4x8xf32>
  %p = tensor.splat %s : tensor<4x8xf32>
  %a = arith.addf %x, %g : tensor<4x8xf32>
  %b = arith.mulf %a, %p : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.softmax dimension(1) ins(%b : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// A switch is a row of branches: the default is the last else region.
// CHECK-LABEL: func.func @switch(
// CHECK-NOT:     scf.index_switch
// CHECK:         fusion.if
// CHECK:           linalg.exp
// CHECK:         } else {
// CHECK:           fusion.if
// CHECK:             linalg.tanh
// CHECK:           } else {
// CHECK:             linalg.abs
// CHECK-NOT:     scf.if
func.func @switch(%k: tensor<3xi32>, %x: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %e = tensor.extract %k[%c1] : tensor<3xi32>
  %i = arith.index_cast %e : i32 to index
  %r = scf.index_switch %i -> tensor<8xf32>
  case 2 {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  case -1 {
    %0 = linalg.tanh ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  default {
    %0 = linalg.abs ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A product begins with a bias that an op broadcasts: it begins with zero, and the
// bias is added behind it. So with sums of integers.
// CHECK-LABEL: func.func @bias_as_initial_value(
// CHECK:         %[[BIAS:.*]] = linalg.broadcast
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] :
// CHECK:         %[[M:.*]] = linalg.matmul {{.*}} outs(%[[FILL]] :
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[BIAS]], %[[M]] :
// CHECK:           arith.addf
// CHECK:         %[[ABS:.*]] = linalg.generic
// CHECK:         %[[ZEROS:.*]] = linalg.fill ins(%{{.*}} : i8)
// CHECK:         %[[SUM:.*]] = linalg.reduce {{.*}} outs(%[[ZEROS]] :
// CHECK:         %[[Z:.*]] = linalg.generic {{.*}} ins(%[[ABS]], %[[SUM]] :
// CHECK:           arith.addi
// CHECK:         return %[[Y]], %[[Z]]
func.func @bias_as_initial_value(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>, %b: tensor<4xf32>,
                                 %n: tensor<8x16xi8>, %k: tensor<8xi8>) -> (tensor<8x4xf32>, tensor<8xi8>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<8x4xf32>) dimensions = [0]
  %1 = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = math.absi %k : tensor<8xi8>
  %3 = linalg.reduce { arith.addi } ins(%n : tensor<8x16xi8>) outs(%2 : tensor<8xi8>) dimensions = [1]
  return %1, %3 : tensor<8x4xf32>, tensor<8xi8>
}

// -----

// A loop that tells the elements of the result apart reduces nothing, whatever it is
// called.
// CHECK-LABEL: func.func @called_a_reduction(
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
#both = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>
func.func @called_a_reduction(%x: tensor<4x8xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#both, #first], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A loop along which sums are taken reduces, whatever it is called; one of a single step
// does not matter.
// CHECK-LABEL: func.func @called_parallel(
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#one = affine_map<(d0, d1, d2) -> (d0)>
func.func @called_parallel(%x: tensor<4x8x1xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #one], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x8x1xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A switch without cases is its default.
// CHECK-LABEL: func.func @only_default(
// CHECK-NOT:     scf.index_switch
// CHECK-NOT:     fusion.if
// CHECK:         %[[E:.*]] = linalg.exp
// CHECK:         return %[[E]]
func.func @only_default(%k: tensor<i32>, %x: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.extract %k[] : tensor<i32>
  %i = arith.index_cast %e : i32 to index
  %r = scf.index_switch %i -> tensor<4xf32>
  default {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Sizes that are computed alike are equal: flattened, sliced, joined, of a branch, of
// arithmetic on whole tensors.
// CHECK-LABEL: func.func @equal_sizes(
// CHECK-COUNT-2: fusion.if
// CHECK-NOT:     scf.if {{.*}} -> (tensor
// CHECK:         return
func.func @equal_sizes(%c: tensor<i1>, %x: tensor<?x?xf32>, %z: tensor<?xf32> {fusion.name = "z", fusion.dims = ["k"]},
                       %w: tensor<?xf32> {fusion.name = "w", fusion.dims = ["k"]}) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %r:3 = scf.if %p -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
    %d = tensor.empty(%m, %n) : tensor<?x?xf32>
    %0 = linalg.exp ins(%x : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
    %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
    %k = arith.subi %m, %c1 : index
    %2 = tensor.extract_slice %z[0] [%k] [1] : tensor<?xf32> to tensor<?xf32>
    %3 = tensor.concat dim(0) %z, %2 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  } else {
    %0 = arith.addf %x, %x : tensor<?x?xf32>
    %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
    %k = arith.subi %m, %c1 : index
    %q = scf.if %p -> tensor<?xf32> {
      %4 = tensor.extract_slice %w[0] [%k] [1] : tensor<?xf32> to tensor<?xf32>
      scf.yield %4 : tensor<?xf32>
    } else {
      %4 = tensor.extract_slice %z[1] [%k] [1] : tensor<?xf32> to tensor<?xf32>
      scf.yield %4 : tensor<?xf32>
    }
    %3 = tensor.concat dim(0) %w, %q : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1, %q, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// Sums and products of halves accumulate in f32 and are rounded once; a bias that they
// begin with is added before that.
// CHECK-LABEL: func.func @bias_of_halves(
// CHECK:         %[[B:.*]] = linalg.broadcast
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<8x4xf16>) outs(%{{.*}} : tensor<8x4xf32>)
// CHECK:         %[[Z:.*]] = linalg.fill ins(%{{.*}} : f32)
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} outs(%[[Z]] : tensor<8x4xf32>)
// CHECK:           %[[M:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:      arith.addf %{{.*}}, %[[M]] : f32
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[P]] : tensor<8x4xf32>, tensor<8x4xf32>)
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<8x4xf32>) outs(%{{.*}} : tensor<8x4xf16>)
// CHECK:           arith.truncf %{{.*}} {fusion.rounding} : f32 to f16
// CHECK:         return %[[Y]]
func.func @bias_of_halves(%x: tensor<8x16xf16>, %w: tensor<16x4xf16>, %b: tensor<4xf16>) -> tensor<8x4xf16> {
  %e = tensor.empty() : tensor<8x4xf16>
  %0 = linalg.broadcast ins(%b : tensor<4xf16>) outs(%e : tensor<8x4xf16>) dimensions = [0]
  %1 = linalg.matmul ins(%x, %w : tensor<8x16xf16>, tensor<16x4xf16>) outs(%0 : tensor<8x4xf16>) -> tensor<8x4xf16>
  return %1 : tensor<8x4xf16>
}

// -----

// Of several results only sums are; what is widened by hand stays as it is.
// CHECK-LABEL: func.func @sum_and_maximum(
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xbf16>)
// CHECK:           arith.addf %{{.*}}, %{{.*}} : f32
// CHECK:           arith.maximumf %{{.*}}, %{{.*}} : bf16
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[R]]#0 : tensor<8xf32>) outs(%{{.*}} : tensor<8xbf16>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<8xbf16>)
// CHECK:           arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:      arith.truncf %{{.*}} : f32 to bf16
// CHECK:         return %[[S]], %[[R]]#1
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @sum_and_maximum(%x: tensor<8x16xbf16>, %d: tensor<8xbf16>) -> (tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>) {
  %0:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xbf16>) outs(%d, %d : tensor<8xbf16>, tensor<8xbf16>) {
  ^bb0(%a: bf16, %s: bf16, %m: bf16):
    %1 = arith.addf %s, %a : bf16
    %2 = arith.maximumf %m, %a : bf16
    linalg.yield %1, %2 : bf16, bf16
  } -> (tensor<8xbf16>, tensor<8xbf16>)
  %3 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xbf16>) outs(%d : tensor<8xbf16>) {
  ^bb0(%a: bf16, %s: bf16):
    %4 = arith.extf %a : bf16 to f32
    %5 = arith.extf %s : bf16 to f32
    %6 = arith.addf %5, %4 : f32
    %7 = arith.truncf %6 : f32 to bf16
    linalg.yield %7 : bf16
  } -> tensor<8xbf16>
  return %0#0, %0#1, %3 : tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>
}

// -----

// A tensor of scalars: each element picks its own, computed in the body.
// CHECK-LABEL: func.func @elements(
// CHECK-NOT:     tensor.from_elements
// CHECK:         %[[Z:.*]] = linalg.generic
// CHECK:           %[[A:.*]] = tensor.extract %arg0
// CHECK:           %[[S:.*]] = arith.negf %[[A]]
// CHECK:           linalg.yield %[[S]]
// CHECK:         } -> tensor<f32>
// CHECK:         %[[Y:.*]] = linalg.generic
// CHECK-COUNT-3:   arith.select
// CHECK-NOT:       arith.select
// CHECK:         } -> tensor<2x2xf32>
// CHECK:         return %[[Z]], %[[Y]]
func.func @elements(%x: tensor<4xf32>) -> (tensor<f32>, tensor<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = tensor.extract %x[%c0] : tensor<4xf32>
  %s = arith.negf %a : f32
  %z = tensor.from_elements %s : tensor<f32>
  %y = tensor.from_elements %a, %s, %one, %a : tensor<2x2xf32>
  return %z, %y : tensor<f32>, tensor<2x2xf32>
}

// -----

// One result of two is told apart by a loop that reduces the other: they are two ops.
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
