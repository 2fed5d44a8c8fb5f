// What linalg ops of other compilers write and read as parts of arrays: the part is an
// array of its own, and an elementwise op puts it where it belongs.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file -mlir-print-local-scope | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-to-linalg)' -split-input-file | FileCheck %s --check-prefix=TO-LINALG

// Rows between those that are written are kept, also by what runs before.
// CHECK-LABEL: func.func @every_second_row(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<13x5xf32>, %[[Y:[a-z0-9]+]]: tensor<7x5xf32>
// CHECK:         %[[PART:.*]] = linalg.generic
// CHECK-SAME:      ins(%[[Y]] : tensor<7x5xf32>) outs(%{{.*}} : tensor<7x5xf32>)
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.*}} : tensor<13x5xf32>)
// CHECK:           arith.remui
// CHECK:           %[[OLD:.*]] = tensor.extract %[[X]]
// CHECK:           scf.if
// CHECK:             tensor.extract %[[PART]]
// CHECK:             scf.yield %[[OLD]]
// TO-LINALG-LABEL: func.func @every_second_row(
// TO-LINALG-SAME:    %[[X:[a-z0-9]+]]: tensor<13x5xf32>
// TO-LINALG:         tensor.extract %[[X]]
func.func @every_second_row(%x: tensor<13x5xf32>, %y: tensor<7x5xf32>) -> tensor<13x5xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i * 2, j)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%y : tensor<7x5xf32>) outs(%x : tensor<13x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<13x5xf32>
  return %0 : tensor<13x5xf32>
}

// -----

// A reduction begins with what is in its place.
// CHECK-LABEL: func.func @one_row(
// CHECK:         %[[INIT:.*]] = linalg.generic
// CHECK-SAME:      outs(%{{.*}} : tensor<5xf32>)
// CHECK:           tensor.extract %{{.*}}[%c2, %{{.*}}] : tensor<6x5xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "reduction"]
// CHECK-SAME:      ins(%{{.*}} : tensor<7x5xf32>) outs(%{{.*}} : tensor<5xf32>)
// CHECK:         outs(%{{.*}} : tensor<6x5xf32>)
func.func @one_row(%x: tensor<6x5xf32>, %y: tensor<7x5xf32>) -> tensor<6x5xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (k, i)>, affine_map<(i, k) -> (2, i)>],
                       iterator_types = ["parallel", "reduction"]}
       ins(%y : tensor<7x5xf32>) outs(%x : tensor<6x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}

// -----

// Where one loop is along two dims, both must say the same position.
// CHECK-LABEL: func.func @diagonal(
// CHECK:         outs(%{{.*}} : tensor<?x?xf32>)
// CHECK-DAG:       %[[I:.*]] = linalg.index 0
// CHECK-DAG:       %[[J:.*]] = linalg.index 1
// CHECK:           arith.cmpi eq, %[[J]], %[[I]]
func.func @diagonal(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]}
       ins(%y : tensor<?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Backwards, into an array that holds nothing yet: nothing is read of it.
// CHECK-LABEL: func.func @backwards(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:           arith.subi %c6
// CHECK-COUNT-1:   tensor.extract
// CHECK-NOT:       tensor.extract
// CHECK:           scf.yield %cst
func.func @backwards(%y: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %e = tensor.empty() : tensor<7x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (6 - i, j)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%y : tensor<7x3xf32>) outs(%e : tensor<7x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<7x3xf32>
  return %0 : tensor<7x3xf32>
}

// -----

// A diagonal that is summed up is taken out.
// CHECK-LABEL: func.func @trace(
// CHECK:         %[[DIAGONAL:.*]] = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[DIAGONAL]] : tensor<7xf32>)
func.func @trace(%x: tensor<7x7xf32>, %e: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
       ins(%x : tensor<7x7xf32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// What an elementwise op overwrites and reads is an operand; so it is of a map, of which
// upstream says that it does not read it.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<5x4xf32>, %[[Y:[a-z0-9]+]]: tensor<5x4xf32>
// CHECK:         %[[A:.*]] = linalg.generic
// CHECK-SAME:      ins(%[[X]], %[[Y]] : tensor<5x4xf32>, tensor<5x4xf32>)
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[A]] : tensor<5x4xf32>) outs(%{{.*}} : tensor<5x4xf32>)
// CHECK-SAME:      attrs = {fusion.no_fuse}
func.func @in_place(%x: tensor<5x4xf32>, %y: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %0 = linalg.map ins(%x : tensor<5x4xf32>) outs(%y : tensor<5x4xf32>) (%a: f32, %o: f32) {
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
       outs(%0 : tensor<5x4xf32>) attrs = {fusion.no_fuse} {
  ^bb0(%o: f32):
    %s = math.absf %o : f32
    linalg.yield %s : f32
  } -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}

// -----

// A padding with what a tensor holds, or that depends on the position, by a branch too.
// CHECK-LABEL: func.func @pads(
// CHECK-NOT:     tensor.pad
// CHECK-COUNT-2: arith.sitofp
// CHECK:         arith.select
// CHECK-NOT:     tensor.pad
func.func @pads(%x: tensor<3x5xf32>, %s: tensor<f32>) -> (tensor<4x5xf32>, tensor<3x7xf32>, tensor<4x5xf32>) {
  %v = tensor.extract %s[] : tensor<f32>
  %p = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<3x5xf32> to tensor<4x5xf32>
  %q = tensor.pad %x low[0, 2] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %a = arith.index_cast %j : index to i32
    %b = arith.sitofp %a : i32 to f32
    tensor.yield %b : f32
  } : tensor<3x5xf32> to tensor<3x7xf32>
  %r = tensor.pad %x low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    %a = arith.cmpi ult, %i, %j : index
    %b = scf.if %a -> f32 {
      %k = arith.index_cast %j : index to i32
      %f = arith.sitofp %k : i32 to f32
      scf.yield %f : f32
    } else {
      scf.yield %v : f32
    }
    tensor.yield %b : f32
  } : tensor<3x5xf32> to tensor<4x5xf32>
  return %p, %q, %r : tensor<4x5xf32>, tensor<3x7xf32>, tensor<4x5xf32>
}
