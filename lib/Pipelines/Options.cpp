//===- Options.cpp - what the stages are asked to do ------------*- C++ -*-===//

#include "fusion/Cost/DeviceModel.h"
#include "fusion/Pipelines/Pipelines.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fusion;

static llvm::Error makeError(const Twine &text) {
  return llvm::createStringError(text);
}

llvm::Expected<FuseKinds> mlir::fusion::parseFuseKinds(StringRef text) {
  if (text == "all") {
    return FuseKinds();
  }
  FuseKinds kinds{false, false, false};
  if (text == "none") {
    return kinds;
  }
  SmallVector<StringRef> names;
  text.split(names, ',');
  for (StringRef name : names) {
    bool *kind = name == "vertical"      ? &kinds.vertical
                 : name == "horizontal"  ? &kinds.horizontal
                 : name == "conditional" ? &kinds.conditional
                                         : nullptr;
    if (!kind) {
      return makeError("expected --fuse=all, none, or a list of vertical, "
                       "horizontal and conditional, but got '" +
                       name + "'");
    }
    *kind = true;
  }
  return kinds;
}

std::string mlir::fusion::getText(const FuseKinds &kinds) {
  SmallVector<StringRef> names;
  if (kinds.vertical) {
    names.push_back("vertical");
  }
  if (kinds.horizontal) {
    names.push_back("horizontal");
  }
  if (kinds.conditional) {
    names.push_back("conditional");
  }
  return names.empty() ? "none" : llvm::join(names, ",");
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
