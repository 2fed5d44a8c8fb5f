//===- Module.h - the kernels of a program on a GPU -------------*- C++ -*-===//

#ifndef FUSION_LIB_RUNTIME_MODULE_H
#define FUSION_LIB_RUNTIME_MODULE_H

#include "CudaDriver.h"
#include "ParameterTable.h"

#include "fusion-c/Runtime.h"

#include <memory>
#include <vector>

namespace mlir::fusion::runtime {

class CudaDevice;

/// The image of a program, loaded once on one GPU; does not change after that,
/// but for the parameter tables that its runs leave. Keeps pointers to the
/// program's kernel table.
class Module {
public:
  static Outcome load(CudaDevice &device, const FusionProgram &program,
                      std::unique_ptr<Module> &module);
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  /// Launches a kernel; the device is current. See fusionRtLaunch.
  Outcome launch(int32_t kernel, const int64_t (&grid)[3], void **params,
                 void *stream) const;
  /// See fusionRtParameterTable; the device is current.
  Outcome getTable(const int64_t *entries, int64_t count, void *memory,
                   void *stream, void **table) const {
    return tables.get(entries, count, memory, stream, table);
  }

private:
  struct Kernel {
    const FusionKernel *properties;
    cuda::Function function;
  };

  explicit Module(CudaDevice &device) : device(device), tables(device) {}
  Outcome loadImage(const FusionProgram &program);
  Outcome loadKernel(const FusionKernel &properties);

  CudaDevice &device;
  cuda::Module handle = nullptr;
  std::vector<Kernel> kernels;
  mutable ParameterTables tables;
};

} // namespace mlir::fusion::runtime

#endif // FUSION_LIB_RUNTIME_MODULE_H
