// RUN: fusion-opt %s -fusion-place-group-buffers -verify-diagnostics

func.func private @use(memref<?xf32>)
func.func private @group(%c: i1, %s: memref<index>, %a: memref<?xf32>) {
  %n = memref.load %s[] : memref<index>
  %r = scf.if %c -> memref<?xf32> {
    // expected-error @below {{expected a buffer that leaves its block to have a size known at the start of its group}}
    %t = memref.alloc(%n) : memref<?xf32>
    scf.yield %t : memref<?xf32>
  } else {
    scf.yield %a : memref<?xf32>
  }
  func.call @use(%r) : (memref<?xf32>) -> ()
  return
}
