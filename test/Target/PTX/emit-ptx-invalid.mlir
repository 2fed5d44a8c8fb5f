// RUN: fusion-translate --fusion-to-ptx -split-input-file -verify-diagnostics %s

// LLVM would end the process: refused before.
gpu.module @kernels {
  llvm.func @kernel(%x: f80) attributes {nvvm.kernel} {
    // expected-error @below {{'math.tanh' op expected numbers that PTX computes with, but got 'f80'}}
    %0 = math.tanh %x : f80
    llvm.return
  }
}

// -----

// expected-error @below {{expected a GPU that LLVM knows, but got 'sm_77'}}
module {
  gpu.module @kernels [#nvvm.target<chip = "sm_77">] {
  }
}

// -----

gpu.module @kernels {
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}
gpu.module @more {
  // expected-error @below {{expected one kernel of each name, but got 'kernel' again}}
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}
