// RUN: not fusion-opt %s -fusion-set-limits=limits=warps=4 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: expected limits shared=BYTES, registers=N, parameters=BYTES, grid=BLOCKS or threads=N, separated by commas, but got 'warps=4'
// RUN: not fusion-opt %s -fusion-set-limits=limits=grid=3, 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: expected limits shared=BYTES, {{.*}}, but got ''
// RUN: not fusion-opt %s -fusion-set-limits=limits=grid=many 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: expected a limit 'grid' of 1 or more, but got 'many'
// RUN: not fusion-opt %s -fusion-set-limits=limits=grid 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected a limit 'grid' of 1 or more, but got ''
// RUN: not fusion-opt %s -fusion-set-limits=limits=threads=16 2>&1 | FileCheck %s --check-prefix=WARP
// WARP: error: expected a limit 'threads' of 32 or more, but got '16'
// RUN: not fusion-opt %s -fusion-set-limits=limits=parameters=0 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: error: expected a limit 'parameters' of 8 or more, but got '0'
// RUN: not fusion-opt %s -fusion-set-limits=limits=shared=-5 2>&1 | FileCheck %s --check-prefix=SIGN
// SIGN: error: expected a limit 'shared' of 1 or more, but got '-5'
// RUN: not fusion-opt %s -fusion-set-limits=limits=shared=99999999999999999999 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: expected a limit 'shared' of 1 or more, but got '99999999999999999999'
// RUN: not fusion-opt %s -fusion-set-limits=limits=grid=3,shared=8,grid=4 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: expected the limit 'grid' once, but got 'grid=3,shared=8,grid=4'
module {
}
