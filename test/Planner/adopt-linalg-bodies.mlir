// Branches in the bodies of other compilers' linalg ops.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file | FileCheck %s

// Arithmetic is done in any case, and the element is chosen.
// CHECK-LABEL: func.func @arithmetic(
// CHECK-NOT:     scf.if
// CHECK:         %[[P:.*]] = arith.cmpf ogt
// CHECK:         %[[A:.*]] = math.exp
// CHECK:         %[[B:.*]] = arith.mulf
// CHECK:         %[[R:.*]] = arith.select %[[P]], %[[A]], %[[B]] : f32
// CHECK:         linalg.yield %[[R]]
func.func @arithmetic(%x: tensor<30xf32>, %e: tensor<30xf32>) -> tensor<30xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
       ins(%x : tensor<30xf32>) outs(%e : tensor<30xf32>) {
  ^bb0(%a: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %a, %z : f32
    %r = scf.if %p -> f32 {
      %q = math.exp %a : f32
      scf.yield %q : f32
    } else {
      %q = arith.mulf %a, %a : f32
      scf.yield %q : f32
    }
    linalg.yield %r : f32
  } -> tensor<30xf32>
  return %0 : tensor<30xf32>
}

// -----

// A read stays under its condition, which is that of all branches around it.
// CHECK-LABEL: func.func @reads(
// CHECK-DAG:     %[[P:.*]] = arith.cmpi sge
// CHECK-DAG:     %[[Q:.*]] = arith.cmpi slt
// CHECK:         %[[BOTH:.*]] = arith.andi %[[P]], %[[Q]]
// CHECK:         %[[V:.*]] = scf.if %[[BOTH]]
// CHECK-NEXT:      tensor.extract
// CHECK:         %[[E:.*]] = math.exp %[[V]]
// CHECK:         arith.select %[[Q]], %[[E]]
// CHECK:         arith.select %[[P]]
func.func @reads(%x: tensor<8xf32>, %i: tensor<30xindex>, %e: tensor<30xf32>) -> tensor<30xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
       ins(%i : tensor<30xindex>) outs(%e : tensor<30xf32>) {
  ^bb0(%k: index, %o: f32):
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0.0 : f32
    %p = arith.cmpi sge, %k, %c0 : index
    %r = scf.if %p -> f32 {
      %q = arith.cmpi slt, %k, %c8 : index
      %s = scf.if %q -> f32 {
        %v = tensor.extract %x[%k] : tensor<8xf32>
        %w = math.exp %v : f32
        scf.yield %w : f32
      } else {
        scf.yield %z : f32
      }
      scf.yield %s : f32
    } else {
      scf.yield %z : f32
    }
    linalg.yield %r : f32
  } -> tensor<30xf32>
  return %0 : tensor<30xf32>
}

// -----

// A choice between elements, in a body: it is simple code there.
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @branch_in_a_body(
// CHECK-NOT:     fusion.if
// CHECK:         arith.select %{{.*}} : f32
// CHECK-NOT:     fusion.if
func.func @branch_in_a_body(%x: tensor<4xf32>, %c: tensor<4xi1>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %c : tensor<4xf32>, tensor<4xi1>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %p: i1, %d: f32):
    %r = scf.if %p -> f32 {
      %1 = math.exp %a : f32
      scf.yield %1 : f32
    } else {
      scf.yield %a : f32
    }
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
