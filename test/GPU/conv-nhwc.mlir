// Channels last, as other compilers' Linalg has it: the padded image and the
// filters are read along their channels, eight elements at once.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: n=1
// CASE-STATIC: n=2
// GPU-CASE: n=0,7
// GPU-CASE-STATIC: n=1,32

func.func @main(%x: tensor<?x9x7x32xf16> {fusion.name = "x", fusion.dims = ["n", "", "", ""]},
                %k: tensor<3x3x32x24xf16> {fusion.name = "k", fusion.weight})
    -> (tensor<?x9x7x24xf32> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f16
  %zero32 = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x9x7x32xf16>
  %e = tensor.empty(%n) : tensor<?x11x9x32xf16>
  %padded = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>],
                            iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%e : tensor<?x11x9x32xf16>) {
  ^bb0(%o: f16):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %c = linalg.index 3 : index
    %y = arith.subi %h, %c1 : index
    %z = arith.subi %w, %c1 : index
    %in0 = arith.cmpi ult, %y, %c9 : index
    %in1 = arith.cmpi ult, %z, %c7 : index
    %in = arith.andi %in0, %in1 : i1
    %v = scf.if %in -> (f16) {
      %t = tensor.extract %x[%b, %y, %z, %c] : tensor<?x9x7x32xf16>
      scf.yield %t : f16
    } else {
      scf.yield %zero : f16
    }
    linalg.yield %v : f16
  } -> tensor<?x11x9x32xf16>
  %d = tensor.empty(%n) : tensor<?x9x7x24xf32>
  %f = linalg.fill ins(%zero32 : f32) outs(%d : tensor<?x9x7x24xf32>) -> tensor<?x9x7x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, i, j, c) -> (n, h + i, w + j, c)>,
                                        affine_map<(n, h, w, f, i, j, c) -> (i, j, c, f)>,
                                        affine_map<(n, h, w, f, i, j, c) -> (n, h, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel",
                                         "reduction", "reduction", "reduction"]}
      ins(%padded, %k : tensor<?x11x9x32xf16>, tensor<3x3x32x24xf16>) outs(%f : tensor<?x9x7x24xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %aw = arith.extf %a : f16 to f32
    %bw = arith.extf %b : f16 to f32
    %p = arith.mulf %aw, %bw : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x9x7x24xf32>
  return %r : tensor<?x9x7x24xf32>
}
