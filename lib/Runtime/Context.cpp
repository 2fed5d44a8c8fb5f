//===- Context.cpp - opening devices, and their errors --------------------===//

#include "Context.h"

using namespace mlir::fusion::runtime;

static std::string &getThreadSlot() {
  static thread_local std::string message;
  return message;
}

const std::string &mlir::fusion::runtime::getThreadError() {
  return getThreadSlot();
}

void mlir::fusion::runtime::setThreadError(const std::string &message) {
  getThreadSlot() = message;
}

FusionStatus mlir::fusion::runtime::reportNull(const char *what) {
  if (getThreadError().empty()) {
    setThreadError(format("expected a %s, but got null", what));
  }
  return 1;
}

FusionStatus FusionContext::report(const Outcome &outcome) {
  if (!outcome.failed()) {
    return 0;
  }
  error->set(outcome.getMessage());
  setThreadError(outcome.getMessage());
  return 1;
}

FusionContext *fusionContextCreate(FusionDevice device, int32_t ordinal) {
  std::shared_ptr<Device> opened;
  Outcome outcome;
  switch (device) {
  case FUSION_CPU:
    outcome = openCpu(ordinal, opened);
    break;
  case FUSION_CUDA:
    outcome = openCuda(ordinal, opened);
    break;
  default:
    outcome = Outcome::failure("expected the device FUSION_CPU or FUSION_CUDA, "
                               "but got %d",
                               static_cast<int>(device));
  }
  if (outcome.failed()) {
    setThreadError(outcome.getMessage());
    return nullptr;
  }
  auto *context = new FusionContext();
  context->device = std::move(opened);
  context->error = std::make_shared<ErrorSlot>();
  return context;
}

void fusionContextDestroy(FusionContext *context) { delete context; }

const char *fusionLastError(FusionContext *context) {
  // A copy of this thread's own: another thread may fail meanwhile.
  static thread_local std::string message;
  message = context ? context->error->get() : getThreadError();
  return message.c_str();
}

FusionStatus fusionDeviceInfo(FusionContext *context, FusionDeviceInfo *info) {
  if (!context) {
    return reportNull("context");
  }
  *info = context->device->getInfo();
  return 0;
}
