//===- Context.h - what a call of the runtime works on ----------*- C++ -*-===//

#ifndef FUSION_LIB_RUNTIME_CONTEXT_H
#define FUSION_LIB_RUNTIME_CONTEXT_H

#include "Device.h"

#include <memory>
#include <mutex>
#include <string>

namespace mlir::fusion::runtime {

/// The message of the last failure; thread-safe.
class ErrorSlot {
public:
  void set(const std::string &text) {
    std::lock_guard<std::mutex> lock(mutex);
    message = text;
  }
  std::string get() {
    std::lock_guard<std::mutex> lock(mutex);
    return message;
  }

private:
  std::mutex mutex;
  std::string message;
};

/// What fusionLastError(nullptr) tells this thread.
const std::string &getThreadError();
void setThreadError(const std::string &message);

/// Notes that a call was given a null `what`, unless the failure that made it
/// null is noted already. Returns 1.
FusionStatus reportNull(const char *what);

} // namespace mlir::fusion::runtime

/// An application's context, and also what a program's `run` is given: that one
/// shares the device and the error slot of the context that its model was
/// loaded in, and has the model's kernels. Does not change once made, so that
/// runs may share it.
struct FusionContext {
  std::shared_ptr<mlir::fusion::runtime::Device> device;
  std::shared_ptr<mlir::fusion::runtime::ErrorSlot> error;
  /// Null in an application's context and on the CPU.
  const mlir::fusion::runtime::Module *module = nullptr;

  /// Notes a failure; returns the status of the outcome.
  FusionStatus report(const mlir::fusion::runtime::Outcome &outcome);
};

#endif // FUSION_LIB_RUNTIME_CONTEXT_H
