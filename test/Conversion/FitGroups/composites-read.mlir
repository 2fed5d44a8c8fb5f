// A part that others read, and that no kernel holds, is split: it is launched before
// the others, and these read it in memory. Its readers stay in one launch.
//
// DEFINE: %{run} = fusion-run %s --input x=randint:-99:99:7 --dim n=37 --dim m=300
// RUN: fusion-opt %s -fusion-fit-groups=target=sm_80 | FileCheck %s
// RUN: fusion-opt %s -fusion-fit-groups='target=sm_80 composites-only=true' | FileCheck %s
// RUN: %{run} --device=cpu --save-outputs %t.cpu > %t.txt
// RUN: %{run} --device=emulator --target=sm_80 --save-outputs %t.80 > %t.txt
// RUN: %{run} --device=emulator --target=sm_90a --save-outputs %t.90 > %t.txt
// RUN: diff -r %t.cpu %t.80
// RUN: diff -r %t.cpu %t.90

// CHECK-LABEL: func.func @main(
// CHECK:         %[[ROWS:.*]] = fusion.group "rows" kinds []
// CHECK:         %[[P:.*]] = fusion.group "{{.*}}" kinds [{{.*}}] ins(%{{.*}}, %[[ROWS]] :
// CHECK-SAME:      outs(%{{.*}} : tensor<i1>)
// CHECK:         fusion.group "abs | neg" kinds ["conditional"] ins(
// CHECK-SAME:      %[[P]]
// CHECK-NOT:     fusion.group "rows
// CHECK:         return
func.func @main(%x: tensor<?x?xf32> {fusion.name = "x", fusion.dims = ["n", "m"]},
                %v: tensor<300xf32> {fusion.name = "v"}) -> (tensor<300xf32> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d = tensor.empty() : tensor<300xf32>
  %e = tensor.empty() : tensor<i1>
  %r:2 = fusion.group "launch" kinds ["conditional"] ins(%x, %v, %n : tensor<?x?xf32>, tensor<300xf32>, index) outs(%d, %e : tensor<300xf32>, tensor<i1>) {
  ^bb0(%x0: tensor<?x?xf32>, %v0: tensor<300xf32>, %n0: index, %d0: tensor<300xf32>, %e0: tensor<i1>):
    %p = fusion.group "predicate" kinds ["vertical"] ins(%x0, %n0 : tensor<?x?xf32>, index) outs(%e0 : tensor<i1>) {
    ^bb0(%a: tensor<?x?xf32>, %k: index, %b: tensor<i1>):
      %low = arith.constant 0xFF800000 : f32
      %false = arith.constant false
      %t = tensor.empty(%k) : tensor<?xf32>
      %f = linalg.fill ins(%low : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
      %rows = linalg.reduce ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
        (%in: f32, %acc: f32) {
          %m0 = arith.maximumf %in, %acc : f32
          linalg.yield %m0 : f32
        } loc("rows")
      %g = linalg.fill ins(%false : i1) outs(%b : tensor<i1>) -> tensor<i1>
      %any = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> ()>],
          iterator_types = ["reduction", "reduction"]}
          ins(%a, %rows : tensor<?x?xf32>, tensor<?xf32>) outs(%g : tensor<i1>) {
      ^bb0(%in: f32, %row: f32, %acc: i1):
        %limit = arith.constant 180.0 : f32
        %q = arith.subf %row, %in : f32
        %is = arith.cmpf ogt, %q, %limit : f32
        %m0 = arith.ori %is, %acc : i1
        linalg.yield %m0 : i1
      } -> tensor<i1> loc("any")
      fusion.yield %any : tensor<i1>
    } : tensor<i1>
    %s = fusion.if %p : tensor<i1> -> tensor<300xf32> {
      %t = fusion.group "abs" kinds [] ins(%v0 : tensor<300xf32>) outs(%d0 : tensor<300xf32>) {
      ^bb0(%a: tensor<300xf32>, %b: tensor<300xf32>):
        %0 = linalg.abs ins(%a : tensor<300xf32>) outs(%b : tensor<300xf32>) -> tensor<300xf32>
        fusion.yield %0 : tensor<300xf32>
      } : tensor<300xf32>
      fusion.yield %t : tensor<300xf32>
    } else {
      %t = fusion.group "neg" kinds [] ins(%v0 : tensor<300xf32>) outs(%d0 : tensor<300xf32>) {
      ^bb0(%a: tensor<300xf32>, %b: tensor<300xf32>):
        %0 = linalg.negf ins(%a : tensor<300xf32>) outs(%b : tensor<300xf32>) -> tensor<300xf32>
        fusion.yield %0 : tensor<300xf32>
      } : tensor<300xf32>
      fusion.yield %t : tensor<300xf32>
    }
    fusion.yield %s, %p : tensor<300xf32>, tensor<i1>
  } : tensor<300xf32>, tensor<i1>
  return %r#0 : tensor<300xf32>
}
