// What is not known is refused before anything runs.
// RUN: not fusion-emulate %s --kernel=asm 2>&1 | FileCheck %s

// CHECK: error: expected inline assembly that the emulator knows, but got "nanosleep.u32 5;"
llvm.func @asm() attributes {nvvm.kernel} {
  llvm.inline_asm has_side_effects "nanosleep.u32 5;", "" : () -> ()
  llvm.return
}
