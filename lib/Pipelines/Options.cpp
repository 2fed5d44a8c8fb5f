//===- Options.cpp - what the stages are asked to do ------------*- C++ -*-===//

#include "fusion/Cost/DeviceModel.h"
#include "fusion/Pipelines/Pipelines.h"
#include "fusion/Schedule/Limits.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fusion;

static llvm::Error makeError(const Twine &text) {
  return llvm::createStringError(text);
}

llvm::Expected<FuseKinds> mlir::fusion::parseFuse(StringRef text) {
  FuseKinds kinds;
  if (std::optional<std::string> error = parseFuseKinds(text, kinds)) {
    return makeError("--fuse: " + *error);
  }
  return kinds;
}

llvm::Expected<Numerics> mlir::fusion::parseNumerics(StringRef text) {
  if (text == "default") {
    return Numerics::Default;
  }
  if (text == "strict") {
    return Numerics::Strict;
  }
  if (text == "fast") {
    return Numerics::Fast;
  }
  return makeError("expected --numerics=default, strict or fast, but got '" +
                   text + "'");
}

llvm::Error mlir::fusion::checkDeviceLimits(StringRef text) {
  if (llvm::Error error = checkLimits(text)) {
    return makeError("--device-limits: " + llvm::toString(std::move(error)));
  }
  return llvm::Error::success();
}

llvm::Error mlir::fusion::checkTarget(StringRef target) {
  SmallVector<StringRef> known;
  for (const DeviceModel &device : getDeviceModels()) {
    if (device.chip == target) {
      return llvm::Error::success();
    }
    if (!llvm::is_contained(known, device.chip)) {
      known.push_back(device.chip);
    }
  }
  return makeError("expected --target=" + llvm::join(known, " or ") +
                   ", but got '" + target + "'");
}

llvm::Expected<std::string> mlir::fusion::checkDevice(StringRef device,
                                                      StringRef target) {
  SmallVector<StringRef> known;
  for (const DeviceModel &model : getDeviceModels()) {
    if (!target.empty() && model.chip != target) {
      continue;
    }
    if (model.name == device) {
      return model.chip.str();
    }
    known.push_back(model.name);
  }
  return makeError("expected --device-model=" + llvm::join(known, " or ") +
                   ", but got '" + device + "'");
}
