// What both arms yield alike needs no branch, nested or not: nothing copies it under a
// condition, and the kernel that makes it writes it.
//
// RUN: fusion-compile %s --target=sm_90a --emit=groups -o - | FileCheck %s --check-prefix=GROUPS
// GROUPS:     fusion.group "contraction+reduction+elementwise" {{.*}} outs(%{{.*}}, %{{.*}} : tensor<8x8xf32>, tensor<8x8xf32>)
// GROUPS:     fusion.if %{{.*}} : tensor<i1> -> tensor<8x8xf32> {
// GROUPS-NOT: fusion.if
//
// DEFINE: %{device} =
// DEFINE: %{run} = fusion-run %s --device=%{device} --verify
// REDEFINE: %{device} = cpu
// RUN: %{run} --input c=ones --input d=zeros | FileCheck %s
// RUN: %{run} --input c=zeros --input d=zeros | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_90a
// RUN: %{run} --input c=ones --input d=ones | FileCheck %s
// RUN: %{run} --input c=ones --input d=zeros | FileCheck %s
// RUN: %{run} --input c=zeros --input d=ones | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

func.func @main(%c: tensor<i1> {fusion.name = "c"}, %d: tensor<i1> {fusion.name = "d"},
                %x: tensor<8x8xf32> {fusion.name = "x"}, %y: tensor<8x8xf32> {fusion.name = "y"})
    -> (tensor<8x8xf32> {fusion.name = "r"}, tensor<8x8xf32> {fusion.name = "s"}, tensor<8x8xf32> {fusion.name = "t"}) {
  %m = fusion.matmul %x, %y : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %r:3 = fusion.if %c : tensor<i1> -> tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32> {
    %q:2 = fusion.if %d : tensor<i1> -> tensor<8x8xf32>, tensor<8x8xf32> {
      %1 = fusion.exp %x : tensor<8x8xf32>
      fusion.yield %1, %m : tensor<8x8xf32>, tensor<8x8xf32>
    } else {
      %1 = fusion.tanh %x : tensor<8x8xf32>
      fusion.yield %1, %m : tensor<8x8xf32>, tensor<8x8xf32>
    }
    %z = fusion.softmax %m dim = 1 : tensor<8x8xf32>
    fusion.yield %q#0, %q#1, %z : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  } else {
    %z = fusion.softmax %m dim = 1 : tensor<8x8xf32>
    fusion.yield %y, %m, %z : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
