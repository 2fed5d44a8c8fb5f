// Attention in f32 whose operands its kernel computes, by a factor that is an
// argument: scalar multiplies read them from shared memory. Grouped heads: two of q
// share each of k, which is scaled after it is repeated and transposed. One kernel
// where sizes are known, two where many rows would scale each key again and again;
// else what scales q is apart, before it is told in heads.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 3
// LAUNCHES-STATIC: 2
// ARGS: --input c=randint:2:3
// CASE: m=67
// CASE-STATIC: m=2,67
// GPU-CASE: m=0,2,64,127,512
// GPU-CASE-STATIC: m=64,127,512

func.func @main(%q: tensor<4x?x20xf32> {fusion.name = "q", fusion.dims = ["", "m", ""]},
                %k: tensor<2x?x20xf32> {fusion.name = "k", fusion.dims = ["", "m", ""]},
                %v: tensor<2x?x36xf32> {fusion.name = "v", fusion.dims = ["", "m", ""]},
                %c: tensor<f32> {fusion.name = "c"})
    -> (tensor<4x?x36xf32> {fusion.name = "y"}) {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %q, %c1 : tensor<4x?x20xf32>
  %kr = fusion.broadcast %k dims = [0, 2, 3] sizes(%m) : tensor<2x?x20xf32> to tensor<2x2x?x20xf32>
  %ke = fusion.reshape %kr sizes(%m) : tensor<2x2x?x20xf32> to tensor<4x?x20xf32>
  %vr = fusion.broadcast %v dims = [0, 2, 3] sizes(%m) : tensor<2x?x36xf32> to tensor<2x2x?x36xf32>
  %ve = fusion.reshape %vr sizes(%m) : tensor<2x2x?x36xf32> to tensor<4x?x36xf32>
  %t = fusion.sqrt %c : tensor<f32>
  %cb = fusion.broadcast %t dims = [] sizes(%m) : tensor<f32> to tensor<4x?x20xf32>
  %q1 = fusion.mul %q, %cb : tensor<4x?x20xf32>
  %kt = fusion.transpose %ke perm = [0, 2, 1] : tensor<4x?x20xf32> to tensor<4x20x?xf32>
  %ct = fusion.broadcast %t dims = [] sizes(%m) : tensor<f32> to tensor<4x20x?xf32>
  %k1 = fusion.mul %kt, %ct : tensor<4x20x?xf32>
  %s = fusion.matmul %q1, %k1 : tensor<4x?x20xf32>, tensor<4x20x?xf32> -> tensor<4x?x?xf32>
  %p = fusion.softmax %s dim = 2 : tensor<4x?x?xf32>
  %o = fusion.matmul %p, %ve : tensor<4x?x?xf32>, tensor<4x?x36xf32> -> tensor<4x?x36xf32>
  return %o : tensor<4x?x36xf32>
}
