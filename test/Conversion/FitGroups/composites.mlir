// A composite from a file, with a part that no kernel holds: it is taken out of the
// launch and split, and its pieces stay under its condition. What else the launch has
// stays together; the other side of the condition writes where the pieces wrote.
//
// DEFINE: %{run} = fusion-run %s --input x=randint:-99:99:7 --dim n=37 --dim m=300
// RUN: fusion-opt %s -fusion-fit-groups=target=sm_80 | FileCheck %s
// RUN: fusion-opt %s -fusion-fit-groups='target=sm_80 composites-only=true' | FileCheck %s --check-prefix=TRUSTED
// RUN: fusion-opt %s -fusion-fit-groups=target=sm_90a -remarks-filter='fusion.*' \
// RUN:   -remark-format=emitRemark -verify-diagnostics -o /dev/null
// RUN: fusion-compile %s --target=sm_90a --report=- | FileCheck %s --check-prefix=REPORT
// RUN: %{run} --device=cpu --input c=ones --save-outputs %t.cpu.ones > %t.txt
// RUN: %{run} --device=emulator --target=sm_80 --input c=ones --save-outputs %t.80.ones > %t.txt
// RUN: %{run} --device=emulator --target=sm_90a --input c=ones --save-outputs %t.90.ones > %t.txt
// RUN: diff -r %t.cpu.ones %t.80.ones
// RUN: diff -r %t.cpu.ones %t.90.ones
// RUN: %{run} --device=cpu --input c=zeros --save-outputs %t.cpu.zeros > %t.txt
// RUN: %{run} --device=emulator --target=sm_80 --input c=zeros --save-outputs %t.80.zeros > %t.txt
// RUN: %{run} --device=emulator --target=sm_90a --input c=zeros --save-outputs %t.90.zeros > %t.txt
// RUN: diff -r %t.cpu.zeros %t.80.zeros
// RUN: diff -r %t.cpu.zeros %t.90.zeros

// Without predicates the planner's own composites are taken as they are.
// TRUSTED: fusion.group "both | neg" kinds ["conditional", "horizontal"]
// TRUSTED-NOT: fusion.group "rows"

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[C:[^:]*]]: tensor<i1>
// CHECK-SAME:    {consumer = "both", producer = "neg", reason = "a part of the launch is split: reductions of one group reduce different dims that don't fit in registers"}
// CHECK-SAME:    {consumer = "columns", producer = "rows", reason = "no kernel holds both: reductions of one group
// CHECK:         %[[R:.*]] = fusion.group "rows" kinds ["conditional"] ins(%[[C]],
// CHECK:           fusion.if
// CHECK:             fusion.group "rows" kinds []
// CHECK:         %[[S:.*]] = fusion.group "columns" kinds ["conditional"] ins(%[[C]], %{{.*}}, %[[R]] :
// CHECK:         %[[L:.*]]:2 = fusion.group "neg | seven" kinds ["horizontal", "conditional"]
// CHECK-SAME:      outs(%{{.*}}, %[[S]] :
// CHECK:         return %[[L]]#1, %[[L]]#0

// REPORT:     4 launches become 3,
// REPORT:     not fused:
// REPORT-DAG: neg -> both {{.*}}a part of the launch is split: reductions of one group reduce different dims
// REPORT-DAG: both -> seven {{.*}}a part of the launch is split
// REPORT-DAG: rows -> columns {{.*}}no kernel holds both: reductions of one group reduce different dims
func.func @main(%c: tensor<i1> {fusion.name = "c"},
                %x: tensor<?x?xf32> {fusion.name = "x", fusion.dims = ["n", "m"]},
                %v: tensor<300xf32> {fusion.name = "v"})
    -> (tensor<?xf32> {fusion.name = "y"}, tensor<300xf32> {fusion.name = "w"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %d0 = tensor.empty(%m) : tensor<?xf32>
  %d1 = tensor.empty() : tensor<300xf32>
  %r:2 = fusion.group "both | neg" kinds ["conditional", "horizontal"] ins(%c, %x, %v, %n : tensor<i1>, tensor<?x?xf32>, tensor<300xf32>, index) outs(%d0, %d1 : tensor<?xf32>, tensor<300xf32>) {
  ^bb0(%p: tensor<i1>, %x0: tensor<?x?xf32>, %v0: tensor<300xf32>, %n0: index, %e0: tensor<?xf32>, %e1: tensor<300xf32>):
    %neg = fusion.group "neg" kinds [] ins(%v0 : tensor<300xf32>) outs(%e1 : tensor<300xf32>) {
    ^bb0(%a: tensor<300xf32>, %b: tensor<300xf32>):
      %0 = linalg.negf ins(%a : tensor<300xf32>) outs(%b : tensor<300xf32>) -> tensor<300xf32>
      fusion.yield %0 : tensor<300xf32>
    } : tensor<300xf32>
    %s = fusion.if %p : tensor<i1> -> tensor<?xf32> {
      // expected-remark @below {{Reason="no kernel holds both: }}
      // expected-remark @below {{Reason="a part of the launch is split: reductions of one group reduce different dims}}
      %t = fusion.group "both" kinds ["vertical"] ins(%x0, %n0 : tensor<?x?xf32>, index) outs(%e0 : tensor<?xf32>) {
      ^bb0(%a: tensor<?x?xf32>, %k: index, %b: tensor<?xf32>):
        %low = arith.constant 0xFF800000 : f32
        %e = tensor.empty(%k) : tensor<?xf32>
        %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
        %rows = linalg.reduce ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
          (%in: f32, %acc: f32) {
            %m0 = arith.maximumf %in, %acc : f32
            linalg.yield %m0 : f32
          } loc("rows")
        %g = linalg.fill ins(%low : f32) outs(%b : tensor<?xf32>) -> tensor<?xf32>
        %columns = linalg.generic {
            indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>],
            iterator_types = ["reduction", "parallel"]}
            ins(%a, %rows : tensor<?x?xf32>, tensor<?xf32>) outs(%g : tensor<?xf32>) {
        ^bb0(%in: f32, %row: f32, %acc: f32):
          %q = arith.subf %in, %row : f32
          %m0 = arith.maximumf %q, %acc : f32
          linalg.yield %m0 : f32
        } -> tensor<?xf32> loc("columns")
        fusion.yield %columns : tensor<?xf32>
      } : tensor<?xf32>
      fusion.yield %t : tensor<?xf32>
    } else {
      %t = fusion.group "seven" kinds [] outs(%e0 : tensor<?xf32>) {
      ^bb0(%b: tensor<?xf32>):
        %seven = arith.constant 7.0 : f32
        %f = linalg.fill ins(%seven : f32) outs(%b : tensor<?xf32>) -> tensor<?xf32>
        fusion.yield %f : tensor<?xf32>
      } : tensor<?xf32>
      fusion.yield %t : tensor<?xf32>
    }
    fusion.yield %s, %neg : tensor<?xf32>, tensor<300xf32>
  } : tensor<?xf32>, tensor<300xf32>
  return %r#0, %r#1 : tensor<?xf32>, tensor<300xf32>
}
