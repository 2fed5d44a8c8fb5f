// The place of each row's maximum, the class of a classifier, in the product's kernel:
// two reductions, the second of which asks where its elements are. Small integers are
// exact, so that equal ones meet: the first counts.
// RUN: fusion-run %s --device=emulator --target=sm_80 --input x=randint:-2:3:1 --input w=randint:-2:3:2 --dim m=33 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --input x=randint:-2:3:3 --input w=randint:-2:3:4 --dim m=130 --verify | FileCheck %s

// CHECK: verify: group 0 'contraction+reduction' {{[0-9]+}}:i64: largest error 0.00e+00 {{.*}}, ok
// CHECK: verify: all 1 results of groups agree

func.func @main(%x: tensor<?x24xf16> {fusion.name = "x", fusion.dims = ["m", ""]}, %w: tensor<24x10xf16> {fusion.name = "w"})
    -> (tensor<?xi64> {fusion.name = "y"}) {
  %0 = fusion.matmul %x, %w : tensor<?x24xf16>, tensor<24x10xf16> -> tensor<?x10xf16>
  %1 = fusion.arg_reduce max, %0 dim = 1 : tensor<?x10xf16> to tensor<?xi64>
  return %1 : tensor<?xi64>
}
