// RUN: fusion-opt %s -fusion-outline-parallel-loops -verify-diagnostics

// Tiles of tensors: who calls the loop's function would have nothing of them.
func.func private @group(%a: tensor<64xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{expected a bufferized loop without results}}
  %r = scf.forall (%i) = (0) to (64) step (8) shared_outs(%o = %d) -> (tensor<64xf32>) {
    %s = tensor.extract_slice %a[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}
