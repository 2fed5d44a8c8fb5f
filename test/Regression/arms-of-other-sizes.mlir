// Cheap arms whose results differ in size are refused as others are: selected, they
// would be read beyond their ends.
// RUN: not fusion-compile %s --target=cpu --emit=groups -o - 2>&1 | FileCheck %s
// RUN: not fusion-compile %s --target=sm_80 --emit=groups -o - 2>&1 | FileCheck %s
// RUN: not fusion-compile %s --target=sm_90a --fuse=none --emit=groups -o - 2>&1 | FileCheck %s
// RUN: not fusion-run %s --dim n=3 --dim m=5 2>&1 | FileCheck %s
// CHECK: error: {{.*}} expected both regions to give results of one size, which the host must know, but got 'n' and 'm' for dim 0 of result 0
//
// With one name they are selected.
// RUN: sed 's/"m"/"n"/' %s > %t.mlir
// RUN: fusion-run %t.mlir --dim n=3 --verify --input x=ones --input y=ones --input c=ones | FileCheck %s --check-prefix=ONE
// ONE: result0: 3x4:f32 least 2 most 2
// ONE: verify: all {{.*}} agree
func.func @main(%c: tensor<i1> {fusion.name = "c"}, %x: tensor<?x4xf32> {fusion.name = "x", fusion.dims = ["n", ""]},
                %y: tensor<?x4xf32> {fusion.name = "y", fusion.dims = ["m", ""]}) -> tensor<?x4xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<?x4xf32> {
    %0 = fusion.add %x, %x : tensor<?x4xf32>
    fusion.yield %0 : tensor<?x4xf32>
  } else {
    %0 = fusion.neg %y : tensor<?x4xf32>
    fusion.yield %0 : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}
