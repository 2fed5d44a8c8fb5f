// A choice element by element between something expensive and something cheap:
// warps where no lane wants the one do not compute it. Masks of whole rows, of
// every other element, all and none; the side that is not wanted holds NaN and
// infinities, and code that would give them.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=37 n=130
// CASE: m=5 n=64
// GPU-CASE-STATIC: m=1,7,129,4096 n=1,64,129,1024
// GPU-CASE: m=1,129,4095 n=8,1024

func.func @main(%x: tensor<?x?xf32> {fusion.name = "x", fusion.dims = ["m", "n"]},
                %rows: tensor<?xf32> {fusion.name = "rows", fusion.dims = ["m"]})
    -> (tensor<?x?xf32> {fusion.name = "r"}, tensor<?x?xf32> {fusion.name = "s"},
        tensor<?x?xf32> {fusion.name = "t"}, tensor<?x?xf32> {fusion.name = "u"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %spread = fusion.broadcast %rows dims = [0] sizes(%m, %n) : tensor<?xf32> to tensor<?x?xf32>
  %k0 = fusion.constant dense<0.0> : tensor<f32>
  %zero = fusion.broadcast %k0 dims = [] sizes(%m, %n) : tensor<f32> to tensor<?x?xf32>
  %k9 = fusion.constant dense<1.0e9> : tensor<f32>
  %large = fusion.broadcast %k9 dims = [] sizes(%m, %n) : tensor<f32> to tensor<?x?xf32>

  %sin = fusion.sin %x : tensor<?x?xf32>
  %row = fusion.compare gt, %spread, %zero : tensor<?x?xf32>
  %r = fusion.select %row, %sin, %x : tensor<?x?xf32>

  %root = fusion.sqrt %x : tensor<?x?xf32>
  %log = fusion.log %root : tensor<?x?xf32>
  %pow = fusion.pow %log, %x : tensor<?x?xf32>
  %positive = fusion.compare gt, %x, %zero : tensor<?x?xf32>
  %s = fusion.select %positive, %pow, %zero : tensor<?x?xf32>

  %tan = fusion.tan %x : tensor<?x?xf32>
  %none = fusion.compare gt, %x, %large : tensor<?x?xf32>
  %t = fusion.select %none, %tan, %x : tensor<?x?xf32>

  %cos = fusion.cos %x : tensor<?x?xf32>
  %erf = fusion.erf %x : tensor<?x?xf32>
  %all = fusion.compare lt, %x, %large : tensor<?x?xf32>
  %both = fusion.select %positive, %cos, %erf : tensor<?x?xf32>
  %u = fusion.select %all, %both, %pow : tensor<?x?xf32>
  return %r, %s, %t, %u : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
