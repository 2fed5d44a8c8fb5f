// A group that no kernel holds, split, gives on a GPU what the whole of it gives on a
// CPU: maxima of rows, then of columns less them, both results.
//
// DEFINE: %{run} = fusion-run --input x=randint:-99:99:7 --dim n=37 --dim m=300
// RUN: fusion-opt %s -fusion-fit-groups=target=sm_80 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: %{run} %s --device=cpu --save-outputs %t.cpu > %t.cpu.txt
// RUN: %{run} %t.mlir --device=emulator --target=sm_80 --save-outputs %t.80 > %t.80.txt
// RUN: %{run} %t.mlir --device=emulator --target=sm_90a --save-outputs %t.90 > %t.90.txt
// RUN: diff -r %t.cpu %t.80
// RUN: diff -r %t.cpu %t.90

// CHECK-COUNT-2: fusion.group "
// CHECK-NOT:     fusion.group "
func.func @main(%x: tensor<?x?xf32> {fusion.name = "x", fusion.dims = ["n", "m"]})
    -> (tensor<?xf32> {fusion.name = "y"}, tensor<?xf32> {fusion.name = "z"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %d0 = tensor.empty(%m) : tensor<?xf32>
  %d1 = tensor.empty(%n) : tensor<?xf32>
  %r:2 = fusion.group "rows+columns" kinds ["vertical"] ins(%x : tensor<?x?xf32>) outs(%d0, %d1 : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %e: tensor<?xf32>):
    %low = arith.constant 0xFF800000 : f32
    %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %rows = linalg.reduce ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
      (%in: f32, %acc: f32) {
        %m0 = arith.maximumf %in, %acc : f32
        linalg.yield %m0 : f32
      }
    %g = linalg.fill ins(%low : f32) outs(%b : tensor<?xf32>) -> tensor<?xf32>
    %columns = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>],
        iterator_types = ["reduction", "parallel"]}
        ins(%a, %rows : tensor<?x?xf32>, tensor<?xf32>) outs(%g : tensor<?xf32>) {
    ^bb0(%in: f32, %row: f32, %acc: f32):
      %s = arith.subf %in, %row : f32
      %m0 = arith.maximumf %s, %acc : f32
      linalg.yield %m0 : f32
    } -> tensor<?xf32>
    fusion.yield %columns, %rows : tensor<?xf32>, tensor<?xf32>
  } : tensor<?xf32>, tensor<?xf32>
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}
