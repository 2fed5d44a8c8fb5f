//===- TargetDevice.cpp - the device that a pass plans for ----------------===//

#include "TargetDevice.h"

using namespace mlir;
using namespace mlir::fusion;

FailureOr<DeviceModel> fusion::findDevice(func::FuncOp func, StringRef target) {
  std::optional<DeviceModel> device = getDeviceModel(target);
  if (!device) {
    return func.emitError("expected a known target, but got '")
           << target << "'";
  }
  return *device;
}
