// A softmax between products that subtracts a thousand times the row's maximum, which
// the last columns hold: exponentials of the first columns are finite with that, and
// infinite with the maximum of these alone.

// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree

func.func @main(%x: tensor<23x16xf32>, %v: tensor<256x16xf32>) -> tensor<23x16xf32> {
  %h = fusion.constant dense<0.5> : tensor<23x16xf32>
  %q = fusion.max %x, %h : tensor<23x16xf32>
  %i = fusion.iota dim = 0 : tensor<256x16xi32>
  %c = fusion.constant dense<192> : tensor<256x16xi32>
  %late = fusion.compare ge, %i, %c : tensor<256x16xi32>
  %a = fusion.constant dense<0.0> : tensor<256x16xf32>
  %b = fusion.constant dense<-0.125> : tensor<256x16xf32>
  %k = fusion.select %late, %a, %b : tensor<256x16xf32>
  %s = fusion.matmul %q, %k {transpose_b} : tensor<23x16xf32>, tensor<256x16xf32> -> tensor<23x256xf32>
  %m = fusion.reduce max, %s dims = [1] : tensor<23x256xf32> to tensor<23xf32>
  %f = fusion.constant dense<1000.0> : tensor<23xf32>
  %t = fusion.mul %m, %f : tensor<23xf32>
  %mb = fusion.broadcast %t dims = [0] : tensor<23xf32> to tensor<23x256xf32>
  %d = fusion.sub %s, %mb : tensor<23x256xf32>
  %e = fusion.exp %d : tensor<23x256xf32>
  %l = fusion.reduce sum, %e dims = [1] : tensor<23x256xf32> to tensor<23xf32>
  %lb = fusion.broadcast %l dims = [0] : tensor<23xf32> to tensor<23x256xf32>
  %p = fusion.div %e, %lb : tensor<23x256xf32>
  %o = fusion.matmul %p, %v : tensor<23x256xf32>, tensor<256x16xf32> -> tensor<23x16xf32>
  return %o : tensor<23x16xf32>
}
