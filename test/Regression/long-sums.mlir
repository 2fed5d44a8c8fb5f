// Sums of two million terms on the CPU, along rows and of columns: one accumulator that
// has reached 100,000 rounds each 0.1 to a multiple of 2^-7, which made 197025 of
// 200000.
//
// RUN: fusion-run %s --input x=ones --input z=ones | FileCheck %s
// RUN: fusion-run %s --input x=ones --input z=ones --fuse=none | FileCheck %s
// CHECK:      rows: 1:f32  least {{199[89]|200[012]}}
// CHECK-SAME: most {{199[89]|200[012]}}
// CHECK:      columns: 8:f32  least {{199[89]|200[012]}}
// CHECK-SAME: most {{199[89]|200[012]}}
func.func @main(%x: tensor<1x2000001xf32> {fusion.name = "x"}, %z: tensor<2000001x8xf32> {fusion.name = "z"})
    -> (tensor<1xf32> {fusion.name = "rows"}, tensor<8xf32> {fusion.name = "columns"}) {
  %c = fusion.constant dense<0.1> : tensor<f32>
  %cx = fusion.broadcast %c dims = [] : tensor<f32> to tensor<1x2000001xf32>
  %cz = fusion.broadcast %c dims = [] : tensor<f32> to tensor<2000001x8xf32>
  %x1 = fusion.mul %x, %cx : tensor<1x2000001xf32>
  %z1 = fusion.mul %z, %cz : tensor<2000001x8xf32>
  %rows = fusion.reduce sum, %x1 dims = [1] : tensor<1x2000001xf32> to tensor<1xf32>
  %columns = fusion.reduce sum, %z1 dims = [0] : tensor<2000001x8xf32> to tensor<8xf32>
  return %rows, %columns : tensor<1xf32>, tensor<8xf32>
}
