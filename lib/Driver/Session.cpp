//===- Session.cpp - a program on a device ----------------------*- C++ -*-===//

#include "fusion/Driver/Session.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;
using namespace mlir::fusion;

static llvm::Error makeError(FusionContext *context) {
  return llvm::createStringError(fusionLastError(context));
}

llvm::Expected<DeviceHandle> DeviceHandle::open(FusionDevice device) {
  DeviceHandle handle;
  handle.device = device;
  handle.context.reset(fusionContextCreate(device, 0));
  if (!handle.context) {
    return makeError(nullptr);
  }
  return handle;
}

FusionDeviceInfo DeviceHandle::getInfo() const {
  FusionDeviceInfo info = {};
  fusionDeviceInfo(context.get(), &info);
  return info;
}

std::string DeviceHandle::getTarget() const {
  if (device == FUSION_CPU) {
    return "cpu";
  }
  FusionDeviceInfo info = getInfo();
  std::string target = "sm_" + std::to_string(info.compute_major) +
                       std::to_string(info.compute_minor);
  // The instructions of Hopper's tensor cores belong to the "a" target only.
  return target == "sm_90" ? "sm_90a" : target;
}

llvm::Expected<Session> Session::create(DeviceHandle &device,
                                        const FusionProgram &program) {
  Session session;
  session.device = &device;
  session.model.reset(fusionModelCreate(device.get(), &program));
  if (!session.model) {
    return makeError(device.get());
  }
  return session;
}

llvm::Expected<Session> Session::load(DeviceHandle &device, StringRef path) {
  Session session;
  session.device = &device;
  // dlopen searches the library path for a name without a slash.
  std::string file = path.contains('/') ? path.str() : "./" + path.str();
  session.model.reset(fusionModelLoad(device.get(), file.c_str()));
  if (!session.model) {
    return makeError(device.get());
  }
  return session;
}

llvm::Error Session::check(FusionStatus status) const {
  return status ? makeError(device->get()) : llvm::Error::success();
}

std::vector<FusionArray> Session::getViews(std::vector<HostArray> &arrays,
                                           FusionRole role) const {
  std::vector<FusionArray> views;
  const FusionProgram &program = getProgram();
  size_t at = 0;
  for (int32_t i = 0; i < program.num_arguments; ++i) {
    int32_t found = program.arguments[i].role;
    if (found != FUSION_INPUT && found != FUSION_WEIGHT) {
      continue;
    }
    HostArray &array = arrays[at++];
    if (found == role) {
      views.push_back(array.getView());
    }
  }
  return views;
}

llvm::Error Session::prepare(std::vector<HostArray> &arrays) {
  if (isPrepared) {
    return llvm::Error::success();
  }
  isPrepared = true;
  std::vector<FusionArray> weights = getViews(arrays, FUSION_WEIGHT);
  return check(
      fusionModelPrepare(model.get(), weights.data(), int32_t(weights.size())));
}

llvm::Expected<std::vector<SmallVector<int64_t>>>
Session::getResultDims(std::vector<HostArray> &arrays) {
  if (llvm::Error error = prepare(arrays)) {
    return error;
  }
  std::vector<FusionArray> inputs = getViews(arrays, FUSION_INPUT);
  std::vector<SmallVector<int64_t>> shapes;
  const FusionProgram &program = getProgram();
  for (int32_t i = 0; i < program.num_arguments; ++i) {
    const FusionArgument &argument = program.arguments[i];
    if (argument.role != FUSION_RESULT) {
      continue;
    }
    SmallVector<int64_t> dims(argument.rank);
    if (llvm::Error error = check(fusionModelResultDims(
            model.get(), inputs.data(), int32_t(inputs.size()),
            int32_t(shapes.size()), dims.data()))) {
      return error;
    }
    shapes.push_back(dims);
  }
  return shapes;
}

llvm::Expected<std::vector<HostArray>>
Session::makeResults(std::vector<HostArray> &arrays) {
  llvm::Expected<std::vector<SmallVector<int64_t>>> shapes =
      getResultDims(arrays);
  if (!shapes) {
    return shapes.takeError();
  }
  std::vector<HostArray> results;
  const FusionProgram &program = getProgram();
  for (int32_t i = 0; i < program.num_arguments; ++i) {
    if (program.arguments[i].role == FUSION_RESULT) {
      results.emplace_back(FusionDType(program.arguments[i].dtype),
                           (*shapes)[results.size()]);
    }
  }
  return results;
}

llvm::Expected<std::vector<HostArray>>
Session::run(std::vector<HostArray> &arrays) {
  llvm::Expected<std::vector<HostArray>> results = makeResults(arrays);
  if (!results) {
    return results;
  }
  std::vector<FusionArray> inputs = getViews(arrays, FUSION_INPUT);
  std::vector<FusionArray> outputs;
  for (HostArray &result : *results) {
    outputs.push_back(result.getView());
  }
  if (llvm::Error error = check(
          fusionModelRunHost(model.get(), inputs.data(), int32_t(inputs.size()),
                             outputs.data(), int32_t(outputs.size())))) {
    return error;
  }
  return results;
}
