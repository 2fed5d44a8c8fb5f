// Rows of one element are rows: what keeps kernels apart of others keeps them apart too.
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// The exponentials are to have a launch of their own.
// CHECK-LABEL: func.func @marked(
// CHECK:         %[[E:.*]] = fusion.group "elementwise" kinds [] {{.*}} attributes {fusion.no_fuse}
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"] ins(%[[E]] : tensor<1024x1xf32>)
// CHECK-NOT:     fusion.group
func.func @marked(%x: tensor<1024x1xf32>) -> tensor<1024x1xf32> {
  %e = tensor.empty() : tensor<1024x1xf32>
  %r = tensor.empty() : tensor<1024xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"], fusion.no_fuse}
      ins(%x : tensor<1024x1xf32>) outs(%e : tensor<1024x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = math.exp %a : f32
    linalg.yield %4 : f32
  } -> tensor<1024x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<1024xf32>) -> tensor<1024xf32>
  // expected-remark @below {{Producer=elementwise, Reason="the producer is marked with fusion.no_fuse"}}
  %1 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<1024x1xf32>) outs(%f : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %4 = arith.addf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<1024xf32>
  // expected-remark @below {{Producer=elementwise, Reason="the producer is marked with fusion.no_fuse"}}
  // expected-remark @below {{fused with reduction}}
  %2 = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<1024x1xf32>, tensor<1024xf32>) outs(%e : tensor<1024x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %4 = arith.divf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<1024x1xf32>
  return %2 : tensor<1024x1xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
// The column has many elements, and a block that holds a row has not all of it.
// CHECK-LABEL: func.func @then_columns(
// CHECK:         %[[Y:.*]] = fusion.group "reduction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "reduction" kinds [] ins(%[[Y]] : tensor<1024x1xf32>)
// CHECK-NOT:     fusion.group
func.func @then_columns(%x: tensor<1024x1xf32>) -> tensor<1xf32> {
  %r = tensor.empty() : tensor<1024xf32>
  %e = tensor.empty() : tensor<1024x1xf32>
  %s = tensor.empty() : tensor<1xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<1024xf32>) -> tensor<1024xf32>
  %0 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1024x1xf32>) outs(%f : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %4 = arith.addf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<1024xf32>
  // expected-remark @below {{fused with reduction}}
  %1 = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<1024x1xf32>, tensor<1024xf32>) outs(%e : tensor<1024x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %4 = arith.divf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<1024x1xf32>
  %g = linalg.fill ins(%zero : f32) outs(%s : tensor<1xf32>) -> tensor<1xf32>
  // expected-remark @below {{Producer=elementwise, Reason="the reductions run over different dims"}}
  %2 = linalg.generic {indexing_maps = [#all, #col], iterator_types = ["reduction", "parallel"]}
      ins(%1 : tensor<1024x1xf32>) outs(%g : tensor<1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %4 = arith.addf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<1xf32>
  return %2 : tensor<1xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// Beside rows of 64 elements those of one are rows of another length.
// CHECK-LABEL: func.func @two_lengths(
// CHECK:         %[[S:.*]] = fusion.group "reduction" kinds [] ins(%{{.*}} : tensor<1024x1xf32>)
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"] ins(%{{.*}}, %[[S]] : tensor<1024x64xf32>, tensor<1024xf32>)
// CHECK-NOT:     fusion.group
func.func @two_lengths(%x: tensor<1024x1xf32>, %y: tensor<1024x64xf32>) -> tensor<1024x64xf32> {
  %r = tensor.empty() : tensor<1024xf32>
  %d = tensor.empty() : tensor<1024x64xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<1024xf32>) -> tensor<1024xf32>
  %0 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1024x1xf32>) outs(%f : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %4 = arith.addf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<1024xf32>
  %1 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<1024x64xf32>) outs(%f : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %4 = arith.addf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<1024xf32>
  // expected-remark @below {{Producer=reduction, Reason="each of the two loops over dims that the other does not have"}}
  // expected-remark @below {{fused with reduction}}
  %2 = linalg.generic {indexing_maps = [#all, #row, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y, %0, %1 : tensor<1024x64xf32>, tensor<1024xf32>, tensor<1024xf32>) outs(%d : tensor<1024x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %4 = arith.divf %a, %b : f32
    %5 = arith.divf %4, %c : f32
    linalg.yield %5 : f32
  } -> tensor<1024x64xf32>
  return %2 : tensor<1024x64xf32>
}
