// A part that writes a destination in another shape and that no kernel holds: it is
// taken out of the launch and split, and the other side writes the same array.
//
// DEFINE: %{run} = fusion-run %s --input x=randint:-99:99:7
// DEFINE: %{apart} = %{run} --device=emulator --device-limits=threads=32
// RUN: fusion-compile %s --target=sm_80 --device-limits=threads=32 --report=- -o /dev/null --emit=groups | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --emit=groups --report=- -o /dev/null | FileCheck %s --check-prefix=WHOLE
// RUN: %{run} --device=cpu --input c=ones --save-outputs %t.cpu.ones > %t.txt
// RUN: %{apart} --target=sm_80 --input c=ones --save-outputs %t.80.ones > %t.txt
// RUN: diff -r %t.cpu.ones %t.80.ones
// RUN: %{run} --device=cpu --input c=zeros --save-outputs %t.cpu.zeros > %t.txt
// RUN: %{apart} --target=sm_90a --input c=zeros --save-outputs %t.90.zeros > %t.txt
// RUN: diff -r %t.cpu.zeros %t.90.zeros

// CHECK: 3 launches become 3,
// CHECK: both -> seven {{.*}}a part of the launch is split: expected at most 32 threads of a block
// WHOLE: 3 launches become 1,
func.func @main(%c: tensor<i1> {fusion.name = "c"},
                %x: tensor<64x9000xf32> {fusion.name = "x"})
    -> (tensor<3x3000xf32> {fusion.name = "y"}) {
  %d = tensor.empty() : tensor<3x3000xf32>
  %r = fusion.group "both | seven" kinds ["conditional"] ins(%c, %x : tensor<i1>, tensor<64x9000xf32>) outs(%d : tensor<3x3000xf32>) {
  ^bb0(%p: tensor<i1>, %x0: tensor<64x9000xf32>, %e0: tensor<3x3000xf32>):
    %s = fusion.if %p : tensor<i1> -> tensor<3x3000xf32> {
      %v = tensor.collapse_shape %e0 [[0, 1]] : tensor<3x3000xf32> into tensor<9000xf32>
      %t = fusion.group "both" kinds ["vertical"] ins(%x0 : tensor<64x9000xf32>) outs(%v : tensor<9000xf32>) {
      ^bb0(%a: tensor<64x9000xf32>, %b: tensor<9000xf32>):
        %low = arith.constant 0xFF800000 : f32
        %e = tensor.empty() : tensor<64xf32>
        %f = linalg.fill ins(%low : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
        %rows = linalg.reduce ins(%a : tensor<64x9000xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
          (%in: f32, %acc: f32) {
            %m0 = arith.maximumf %in, %acc : f32
            linalg.yield %m0 : f32
          } loc("rows")
        %g = linalg.fill ins(%low : f32) outs(%b : tensor<9000xf32>) -> tensor<9000xf32>
        %columns = linalg.generic {
            indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>],
            iterator_types = ["reduction", "parallel"]}
            ins(%a, %rows : tensor<64x9000xf32>, tensor<64xf32>) outs(%g : tensor<9000xf32>) {
        ^bb0(%in: f32, %row: f32, %acc: f32):
          %q = arith.subf %in, %row : f32
          %m0 = arith.maximumf %q, %acc : f32
          linalg.yield %m0 : f32
        } -> tensor<9000xf32> loc("columns")
        fusion.yield %columns : tensor<9000xf32>
      } : tensor<9000xf32>
      %u = tensor.expand_shape %t [[0, 1]] output_shape [3, 3000] : tensor<9000xf32> into tensor<3x3000xf32>
      fusion.yield %u : tensor<3x3000xf32>
    } else {
      %t = fusion.group "seven" kinds [] outs(%e0 : tensor<3x3000xf32>) {
      ^bb0(%b: tensor<3x3000xf32>):
        %seven = arith.constant 7.0 : f32
        %f = linalg.fill ins(%seven : f32) outs(%b : tensor<3x3000xf32>) -> tensor<3x3000xf32>
        fusion.yield %f : tensor<3x3000xf32>
      } : tensor<3x3000xf32>
      fusion.yield %t : tensor<3x3000xf32>
    }
    fusion.yield %s : tensor<3x3000xf32>
  } : tensor<3x3000xf32>
  return %r : tensor<3x3000xf32>
}
