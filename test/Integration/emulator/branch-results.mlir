// A branch with two results, of unsigned bytes that one side passes through and
// of rows of unknown number that the sides normalise along different dims; what
// follows asks for its sizes. No rows at all, too.
// DEFINE: %{input} =
// DEFINE: %{run} = fusion-run %s --verify %{input}
// REDEFINE: %{input} = --device=cpu --input c=ones --dim m=5
// RUN: %{run} | FileCheck %s
// REDEFINE: %{input} = --device=emulator --target=sm_90a --input c=ones --dim m=5
// RUN: %{run} | FileCheck %s
// REDEFINE: %{input} = --device=emulator --target=sm_90a --input c=zeros --dim m=5
// RUN: %{run} | FileCheck %s
// REDEFINE: %{input} = --device=emulator --target=sm_80 --input c=zeros --dim m=5
// RUN: %{run} | FileCheck %s
// REDEFINE: %{input} = --device=emulator --target=sm_80 --input c=ones --dim m=0
// RUN: %{run} | FileCheck %s

// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program
func.func @main(%c: tensor<i1> {fusion.name = "c"}, %x: tensor<?x7xui8> {fusion.name = "x", fusion.dims = ["m", ""]}, %y: tensor<?x9xf32> {fusion.name = "y", fusion.dims = ["m", ""]})
   -> (tensor<?x7xui8> {fusion.name = "r"}, tensor<?x9xf32> {fusion.name = "s"}, tensor<?xf32> {fusion.name = "t"}) {
  %r, %s = fusion.if %c : tensor<i1> -> tensor<?x7xui8>, tensor<?x9xf32> {
    %0 = fusion.add %x, %x : tensor<?x7xui8>
    %k = fusion.softmax %y dim = 1 : tensor<?x9xf32>
    fusion.yield %0, %k : tensor<?x7xui8>, tensor<?x9xf32>
  } else {
    %k = fusion.softmax %y dim = 0 : tensor<?x9xf32>
    fusion.yield %x, %k : tensor<?x7xui8>, tensor<?x9xf32>
  }
  %c0 = arith.constant 0 : index
  %m = tensor.dim %s, %c0 : tensor<?x9xf32>
  %t0 = fusion.reduce sum, %s dims = [1] : tensor<?x9xf32> to tensor<?xf32>
  %one = fusion.constant dense<1.0> : tensor<f32>
  %b = fusion.broadcast %one dims = [] sizes(%m) : tensor<f32> to tensor<?xf32>
  %t = fusion.add %t0, %b : tensor<?xf32>
  return %r, %s, %t : tensor<?x7xui8>, tensor<?x9xf32>, tensor<?xf32>
}
