//===- Package.h - shared libraries with a program --------------*- C++ -*-===//

#ifndef FUSION_LIB_RUNTIME_PACKAGE_H
#define FUSION_LIB_RUNTIME_PACKAGE_H

#include "Outcome.h"

#include "fusion-c/Runtime.h"

#include <memory>
#include <string>

namespace mlir::fusion::runtime {

class Device;

/// A loaded package; the program lives as long as it does.
class Package {
public:
  static Outcome load(const std::string &path,
                      std::unique_ptr<Package> &package);
  ~Package();
  Package(const Package &) = delete;
  Package &operator=(const Package &) = delete;

  const FusionProgram &getProgram() const { return *program; }

private:
  Package() = default;

  void *library = nullptr;
  const FusionProgram *program = nullptr;
};

/// Checks that `program` was made for this runtime and can run on `device`.
Outcome checkProgram(const FusionProgram &program, const Device &device);

} // namespace mlir::fusion::runtime

#endif // FUSION_LIB_RUNTIME_PACKAGE_H
