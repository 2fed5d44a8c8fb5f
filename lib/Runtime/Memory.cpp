//===- Memory.cpp - device memory -----------------------------------------===//

#include "Context.h"

using namespace mlir::fusion::runtime;

/// Calls `action(device)` for a call that touches `bytes` bytes.
template <typename Action>
static FusionStatus onDevice(FusionContext *context, int64_t bytes,
                             Action action) {
  if (!context) {
    return reportNull("context");
  }
  if (bytes < 0) {
    return context->report(
        Outcome::failure("expected a number of bytes, but got %lld",
                         static_cast<long long>(bytes)));
  }
  return context->report(action(*context->device));
}

FusionStatus fusionAlloc(FusionContext *context, int64_t bytes, void **out) {
  *out = nullptr;
  return onDevice(context, bytes,
                  [&](Device &device) { return device.allocate(bytes, out); });
}

void fusionFree(FusionContext *context, void *pointer) {
  if (context && pointer) {
    context->device->release(pointer);
  }
}

FusionStatus fusionCopyToDevice(FusionContext *context, void *dst,
                                const void *src, int64_t bytes) {
  return onDevice(context, bytes, [&](Device &device) {
    return device.copyToDevice(dst, src, bytes);
  });
}

FusionStatus fusionCopyToHost(FusionContext *context, void *dst,
                              const void *src, int64_t bytes) {
  return onDevice(context, bytes, [&](Device &device) {
    return device.copyToHost(dst, src, bytes);
  });
}

FusionStatus fusionCopy(FusionContext *context, void *dst, const void *src,
                        int64_t bytes, void *stream) {
  return onDevice(context, bytes, [&](Device &device) {
    return device.copy(dst, src, bytes, stream);
  });
}

FusionStatus fusionFill(FusionContext *context, void *dst, int32_t value,
                        int64_t bytes, void *stream) {
  return onDevice(context, bytes, [&](Device &device) {
    if (value < 0 || value > 255) {
      return Outcome::failure("expected a byte from 0 to 255, but got %d",
                              value);
    }
    return device.fill(dst, value, bytes, stream);
  });
}
