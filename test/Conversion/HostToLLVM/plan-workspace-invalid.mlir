// RUN: fusion-opt %s -fusion-plan-workspace -split-input-file -verify-diagnostics

// expected-error @below {{expected a function @main of one block}}
module {
}

// -----

func.func @main(%x: memref<4xf32>, %n: memref<index>) {
  // expected-error @below {{expected the size of an intermediate to be computed from the sizes of arguments}}
  %s = memref.load %n[] : memref<index>
  %a = memref.alloc(%s) : memref<?xf32>
  func.call @step(%a) : (memref<?xf32>) -> ()
  return
}
func.func private @step(memref<?xf32>)

// -----

func.func @main(%x: memref<4xf32>) {
  // expected-error @below {{expected an identity layout, but got}}
  %a = memref.alloc() : memref<4xf32, strided<[2]>>
  func.call @step(%a) : (memref<4xf32, strided<[2]>>) -> ()
  return
}
func.func private @step(memref<4xf32, strided<[2]>>)

// -----

// expected-error @below {{expected a function @main_result_dims, since a result has the type}}
func.func @main(%x: memref<?xf32>, %y: memref<?xf32> {fusion.result}) {
  return
}

// -----

func.func @main(%x: memref<?xf32>, %y: memref<?xf32> {fusion.result}) {
  return
}
// expected-error @below {{expected 1 arguments and 1 results, one per dim of the arguments of @main}}
func.func private @main_result_dims(index, index) -> index
