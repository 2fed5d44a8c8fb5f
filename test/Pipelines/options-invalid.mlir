// Options that mean nothing are said to, and the defaults taken.
//
// RUN: fusion-opt %s -o /dev/null -pass-pipeline='builtin.module(fusion-linalg-to-groups{target=sm_12 fuse=diagonal numerics=best})' 2>&1 | FileCheck %s
// CHECK: warning: expected --target={{.*}}sm_80{{.*}}, but got 'sm_12'; the default is taken
// CHECK: warning: --fuse: expected 'all', 'none' or some of 'vertical', 'horizontal', 'conditional', 'prologue' and 'recompute' to fuse, '-' before what is left out, but got 'diagonal'
// CHECK: warning: expected --numerics=default, strict or fast, but got 'best'

module {}
