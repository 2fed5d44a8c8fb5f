// Options of pipelines that mean nothing are errors.
//
// RUN: not fusion-opt %s -o /dev/null -pass-pipeline='builtin.module(fusion-linalg-to-groups{target=sm_12})' 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not fusion-opt %s -o /dev/null -fusion-linalg-to-groups=target=sm_12 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: expected --target={{.*}}sm_80{{.*}}, but got 'sm_12'
// RUN: not fusion-opt %s -o /dev/null -pass-pipeline='builtin.module(fusion-linalg-to-groups{fuse=diagonal})' 2>&1 | FileCheck %s --check-prefix=FUSE
// FUSE: error: --fuse: expected 'all', 'none' or some of 'vertical', 'horizontal', 'conditional', 'prologue' and 'recompute' to fuse, '-' before what is left out, but got 'diagonal'
// RUN: not fusion-opt %s -o /dev/null -pass-pipeline='builtin.module(fusion-linalg-to-groups{numerics=best})' 2>&1 | FileCheck %s --check-prefix=NUMERICS
// NUMERICS: error: expected --numerics=default, strict or fast, but got 'best'
// RUN: not fusion-opt %s -o /dev/null -pass-pipeline='builtin.module(fusion-linalg-to-groups{fusion=all})' 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: no such option fusion
//
// A device is a target too, as for the passes that decide.
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-linalg-to-groups{target=l4})' | FileCheck %s
// CHECK: module

module {}
