//===- fusion-portable.cpp - several tools in one executable --------------===//
//
// Runs the tool that it is called as: the bundle has a link for each.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

// The main functions of the tools, renamed by the build.
int fusion_compile_main(int argc, char **argv);
int fusion_fuzz_main(int argc, char **argv);
int fusion_opt_main(int argc, char **argv);
int fusion_run_main(int argc, char **argv);

int main(int argc, char **argv) {
  llvm::StringRef name = llvm::sys::path::filename(argv[0]);
  if (name == "fusion-compile") {
    return fusion_compile_main(argc, argv);
  }
  if (name == "fusion-fuzz") {
    return fusion_fuzz_main(argc, argv);
  }
  if (name == "fusion-opt") {
    return fusion_opt_main(argc, argv);
  }
  if (name == "fusion-run") {
    return fusion_run_main(argc, argv);
  }
  llvm::errs()
      << "error: expected to be called as fusion-compile, fusion-fuzz, "
         "fusion-opt or fusion-run, but got '"
      << name << "'\n";
  return 1;
}
