// A value that is a result and is also read by reductions of its rows, whose
// number is dynamic: its shape was asked for inside the loop that makes it.
//
// RUN: fusion-run %s --dim m=7 --verify | FileCheck %s
// CHECK: verify: all 2 results of groups agree

func.func @main(%x: tensor<?x5xf32> {fusion.name = "x", fusion.dims = ["m", ""]},
                %y: tensor<?x5xf32> {fusion.name = "y", fusion.dims = ["m", ""]})
    -> (tensor<?x5xf32> {fusion.name = "n"}, tensor<?x5xf32> {fusion.name = "s"}) {
  %s = fusion.add %x, %y : tensor<?x5xf32>
  %n = fusion.softmax %s dim = 1 : tensor<?x5xf32>
  return %n, %s : tensor<?x5xf32>, tensor<?x5xf32>
}
