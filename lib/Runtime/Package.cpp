//===- Package.cpp - shared libraries with a program ----------------------===//

#include "Package.h"
#include "Device.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

using namespace mlir::fusion::runtime;

/// Lets packages find the fusionRt* functions also where this runtime was
/// itself opened with dlopen, locally (from Python, say).
static void exposeRuntime() {
  static const bool exposed = [] {
    // A program that contains the runtime is no library to open, and exports
    // the functions itself.
    Dl_info self;
    return dladdr(reinterpret_cast<void *>(&fusionRtLaunch), &self) &&
           self.dli_fname &&
           dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  }();
  (void)exposed;
}

Outcome Package::load(const std::string &path,
                      std::unique_ptr<Package> &package) {
  if (access(path.c_str(), R_OK) != 0) {
    return Outcome::failure("cannot read the package '%s': %s", path.c_str(),
                            strerror(errno));
  }
  exposeRuntime();
  // dlopen searches the system's folders for a name without a slash.
  std::string name = path.find('/') == std::string::npos ? "./" + path : path;
  std::unique_ptr<Package> loaded(new Package());
  loaded->library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!loaded->library) {
    return Outcome::failure("cannot load the package '%s': %s", path.c_str(),
                            dlerror());
  }
  loaded->program = static_cast<const FusionProgram *>(
      dlsym(loaded->library, "fusion_program"));
  if (!loaded->program) {
    return Outcome::failure("expected '%s' to be a package of fusion-compile, "
                            "but it has no symbol 'fusion_program'",
                            path.c_str());
  }
  package = std::move(loaded);
  return Outcome::success();
}

Package::~Package() {
  if (library) {
    dlclose(library);
  }
}

/// Checks that a GPU of the given compute capability runs code for `target`:
/// sm_90a runs on exactly 9.0, sm_100f on 10.0 and newer ones of its family,
/// sm_80 on all newer ones (as PTX).
static Outcome checkTarget(const char *target, const FusionDeviceInfo &info) {
  if (!target || strncmp(target, "sm_", 3) != 0) {
    return Outcome::failure("expected a GPU target like sm_80, but got '%s'",
                            target ? target : "");
  }
  char *suffix = nullptr;
  long wanted = std::strtol(target + 3, &suffix, 10);
  long present = info.compute_major * 10 + info.compute_minor;
  bool fits = present >= wanted;
  if (*suffix == 'a') {
    fits = present == wanted;
  } else if (*suffix == 'f') {
    fits = fits && present / 10 == wanted / 10;
  }
  if (!fits) {
    return Outcome::failure("expected a GPU that runs %s, but got %s, which is "
                            "sm_%ld",
                            target, info.name, present);
  }
  return Outcome::success();
}

static Outcome checkCuda(const FusionProgram &program,
                         const FusionDeviceInfo &info) {
  if (info.driver_version < program.least_driver) {
    return Outcome::failure(
        "expected a driver for CUDA %d.%d or newer, but got one for %d.%d",
        program.least_driver / 1000, program.least_driver % 1000 / 10,
        info.driver_version / 1000, info.driver_version % 1000 / 10);
  }
  return checkTarget(program.target, info);
}

Outcome mlir::fusion::runtime::checkProgram(const FusionProgram &program,
                                            const Device &device) {
  // Nothing after it has a meaning where the version differs.
  if (program.abi_version != FUSION_ABI_VERSION) {
    return Outcome::failure("expected a program of version %u of the runtime "
                            "contract, but got version %u",
                            static_cast<unsigned>(FUSION_ABI_VERSION),
                            program.abi_version);
  }
  if (program.device != device.getKind()) {
    auto name = [](int32_t kind) {
      return kind == FUSION_CUDA ? "CUDA" : "the CPU";
    };
    return Outcome::failure("expected a program for %s, but got one for %s",
                            name(device.getKind()), name(program.device));
  }
  if (!program.run || !program.workspace_size || !program.result_dims ||
      program.num_arguments < 0 ||
      (program.num_arguments > 0 && !program.arguments)) {
    return Outcome::failure("expected a complete program, but a function or "
                            "the table of arguments is missing");
  }
  return program.device == FUSION_CUDA ? checkCuda(program, device.getInfo())
                                       : Outcome::success();
}
