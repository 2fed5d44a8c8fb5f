// RUN: fusion-opt %s -split-input-file -fusion-group-to-tiles=target=sm_80 -verify-diagnostics -o /dev/null

#d = affine_map<(d0) -> (d0)>
// expected-error @below {{expected a schedule of kind elementwise for this group, but got rows}}
func.func private @wrong_kind(%a: memref<64xf32>, %b: memref<64xf32>)
    attributes {fusion.group = "g", fusion.schedule = {kind = "rows", rows = 1 : i64, columns = 64 : i64, warps = 4 : i64}} {
  %x = bufferization.to_tensor %a restrict : memref<64xf32> to tensor<64xf32>
  bufferization.materialize_in_destination %x in restrict writable %b : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// expected-error @below {{expected a positive power of two as 'warps', but got 3}}
func.func private @three_warps(%a: memref<64xf32>, %b: memref<64xf32>)
    attributes {fusion.group = "g", fusion.schedule = {kind = "elementwise", rows = 1 : i64, columns = 64 : i64, warps = 3 : i64}} {
  %x = bufferization.to_tensor %a restrict : memref<64xf32> to tensor<64xf32>
  bufferization.materialize_in_destination %x in restrict writable %b : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// expected-error @below {{unexpected entry 'bk' in a rows schedule}}
func.func private @unknown_entry(%a: memref<64xf32>, %b: memref<64xf32>)
    attributes {fusion.group = "g", fusion.schedule = {kind = "rows", rows = 1 : i64, columns = 64 : i64, warps = 4 : i64, bk = 3 : i64}} {
  return
}

// -----

// expected-error @below {{expected an integer 'columns' in a rows schedule}}
func.func private @missing_entry(%a: memref<64xf32>, %b: memref<64xf32>)
    attributes {fusion.group = "g", fusion.schedule = {kind = "rows", rows = 1 : i64, warps = 4 : i64}} {
  return
}

// -----

// expected-error @below {{expected a schedule of kind elementwise, rows, wgmma, mma or fma, but got 'magic'}}
func.func private @unknown_kind(%a: memref<64xf32>) attributes {fusion.group = "g", fusion.schedule = {kind = "magic"}} {
  return
}

// -----

// expected-error @below {{expected a schedule with a string 'kind'}}
func.func private @no_kind(%a: memref<64xf32>) attributes {fusion.group = "g", fusion.schedule = {}} {
  return
}

// -----

// A schedule that the target cannot run.
// expected-error @below {{the schedule doesn't fit: the target has no wgmma}}
func.func private @no_wgmma(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>)
    attributes {fusion.group = "g", fusion.schedule = {kind = "wgmma", bm = 64 : i64, bn = 64 : i64, bk = 64 : i64, stages = 2 : i64, warps = 4 : i64}} {
  %x = bufferization.to_tensor %a restrict : memref<64x64xf16> to tensor<64x64xf16>
  %y = bufferization.to_tensor %b restrict : memref<64x64xf16> to tensor<64x64xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %y : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  bufferization.materialize_in_destination %m in restrict writable %c : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}

// -----

// expected-error @below {{the schedule doesn't fit: 1049600 bytes of shared memory are more than 166912}}
func.func private @too_large(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>)
    attributes {fusion.group = "g", fusion.schedule = {kind = "mma", bm = 64 : i64, bn = 64 : i64, bk = 128 : i64, stages = 32 : i64, warps = 4 : i64}} {
  %x = bufferization.to_tensor %a restrict : memref<64x64xf16> to tensor<64x64xf16>
  %y = bufferization.to_tensor %b restrict : memref<64x64xf16> to tensor<64x64xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %y : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  bufferization.materialize_in_destination %m in restrict writable %c : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}

// -----

// expected-error @below {{the schedule doesn't fit: a tile of 48 x 48 cannot be held by 4 warps}}
func.func private @odd_tile(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>)
    attributes {fusion.group = "g", fusion.schedule = {kind = "mma", bm = 48 : i64, bn = 48 : i64, bk = 32 : i64, stages = 2 : i64, warps = 4 : i64}} {
  %x = bufferization.to_tensor %a restrict : memref<64x64xf16> to tensor<64x64xf16>
  %y = bufferization.to_tensor %b restrict : memref<64x64xf16> to tensor<64x64xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %y : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  bufferization.materialize_in_destination %m in restrict writable %c : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}

// -----

// A window over what the group computes is no plain dim.
func.func private @window(%a: memref<66xf32>, %b: memref<64xf32>) attributes {fusion.group = "g"} {
  %a0 = bufferization.to_tensor %a restrict : memref<66xf32> to tensor<66xf32>
  %x0 = tensor.empty() : tensor<66xf32>
  %x = linalg.exp ins(%a0 : tensor<66xf32>) outs(%x0 : tensor<66xf32>) -> tensor<66xf32>
  %w = tensor.empty() : tensor<3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  // expected-error @below {{expected indexing maps of distinct dims and zeros, but got affine_map<(d0, d1) -> (d0 + d1)>}}
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<66xf32>, tensor<3xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %0 = arith.addf %o, %i : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// An element of what the group computes, read by index.
func.func private @gather(%a: memref<64xf32>, %i: memref<8xi64>, %b: memref<8xf32>) attributes {fusion.group = "g"} {
  %a0 = bufferization.to_tensor %a restrict : memref<64xf32> to tensor<64xf32>
  %x0 = tensor.empty() : tensor<64xf32>
  %x = linalg.exp ins(%a0 : tensor<64xf32>) outs(%x0 : tensor<64xf32>) -> tensor<64xf32>
  %n = bufferization.to_tensor %i restrict : memref<8xi64> to tensor<8xi64>
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%n : tensor<8xi64>) outs(%e : tensor<8xf32>) {
  ^bb0(%j: i64, %o: f32):
    %k = arith.index_cast %j : i64 to index
    // expected-error @below {{expected to read an argument of the group}}
    %0 = tensor.extract %x[%k] : tensor<64xf32>
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A branch that does more than read an element.
func.func private @branch(%a: memref<8xf32>, %b: memref<8xf32>) attributes {fusion.group = "g"} {
  %x = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %c = arith.cmpf ogt, %i, %zero : f32
    // expected-error @below {{cannot be applied to tiles}}
    %0 = scf.if %c -> (f32) {
      %1 = arith.addf %i, %i : f32
      scf.yield %1 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Elements that no register holds.
func.func private @complex(%a: memref<4xcomplex<f32>>, %b: memref<4xcomplex<f32>>) attributes {fusion.group = "g"} {
  // expected-error @below {{expected elements that are integers or floats, but got 'complex<f32>'}}
  %x = bufferization.to_tensor %a restrict : memref<4xcomplex<f32>> to tensor<4xcomplex<f32>>
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %y = linalg.add ins(%x, %x : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<4xcomplex<f32>>, memref<4xcomplex<f32>>) -> ()
  return
}
