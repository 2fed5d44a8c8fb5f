//===- Module.cpp - the kernels of a program on a GPU ---------------------===//

#include "Module.h"
#include "CudaDevice.h"

#include <cstring>

using namespace mlir::fusion::runtime;

/// Dynamic shared memory that a kernel may have without opting in.
static constexpr int32_t freeSharedBytes = 48 * 1024;

Outcome Module::load(CudaDevice &device, const FusionProgram &program,
                     std::unique_ptr<Module> &module) {
  std::unique_ptr<Module> loaded(new Module(device));
  if (program.num_kernels > 0) {
    Outcome outcome = loaded->loadImage(program);
    if (outcome.failed()) {
      return outcome;
    }
  }
  for (int32_t i = 0; i < program.num_kernels; ++i) {
    const FusionKernel &kernel = program.kernels[i];
    Outcome outcome = loaded->loadKernel(kernel);
    if (outcome.failed()) {
      return std::move(outcome).within(format("kernel '%s'", kernel.name));
    }
  }
  module = std::move(loaded);
  return Outcome::success();
}

Module::~Module() {
  if (handle) {
    (void)device.call(device.getDriver().moduleUnload, handle);
  }
}

/// Whether the image is machine code rather than PTX text.
static bool isBinary(const char *image, size_t size) {
  constexpr unsigned char elf[] = {0x7f, 'E', 'L', 'F'};
  constexpr unsigned char fatBinary[] = {0x50, 0xed, 0x55, 0xba};
  return size >= sizeof(elf) &&
         (std::memcmp(image, elf, sizeof(elf)) == 0 ||
          std::memcmp(image, fatBinary, sizeof(fatBinary)) == 0);
}

Outcome Module::loadImage(const FusionProgram &program) {
  if (!program.image || program.image_size <= 0) {
    return Outcome::failure("expected a GPU image for %d kernels, but the "
                            "program has none",
                            program.num_kernels);
  }
  auto *image = static_cast<const char *>(program.image);
  auto size = static_cast<size_t>(program.image_size);
  // The driver reads PTX up to its NUL, which `image_size` may leave out.
  std::string text;
  if (!isBinary(image, size)) {
    text.assign(image, strnlen(image, size));
    image = text.c_str();
  }
  char log[4096] = "";
  int options[] = {cuda::ErrorLogBuffer, cuda::ErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  Outcome outcome = device.call(device.getDriver().moduleLoadData, &handle,
                                static_cast<const void *>(image), 2u,
                                &options[0], &values[0]);
  if (outcome.failed() && log[0] != '\0') {
    return Outcome::failure("%s\n%.*s", outcome.getMessage().c_str(),
                            static_cast<int>(sizeof(log)), log);
  }
  return outcome;
}

Outcome Module::loadKernel(const FusionKernel &properties) {
  const CudaDriver &driver = device.getDriver();
  int32_t most = device.getInfo().shared_bytes_per_block;
  if (properties.shared_bytes > most) {
    return Outcome::failure("expected at most %d bytes of shared memory, which "
                            "is what the GPU has per block, but got %d",
                            most, properties.shared_bytes);
  }
  if (properties.block_size < 1 ||
      properties.block_size > device.getInfo().threads_per_block) {
    return Outcome::failure("expected a block of 1 to %d threads, but got %d",
                            device.getInfo().threads_per_block,
                            properties.block_size);
  }
  Kernel kernel = {&properties, nullptr};
  Outcome outcome = device.call(driver.moduleGetFunction, &kernel.function,
                                handle, properties.name);
  if (!outcome.failed() && properties.shared_bytes > freeSharedBytes) {
    outcome = device.call(driver.functionSetAttribute, kernel.function,
                          static_cast<int>(cuda::MaxDynamicSharedSizeBytes),
                          properties.shared_bytes);
  }
  // Drivers load code lazily, at the first launch, unless asked to (12.4).
  if (!outcome.failed() && driver.functionLoad.function) {
    outcome = device.call(driver.functionLoad, kernel.function);
  }
  kernels.push_back(kernel);
  return outcome;
}
