//===- ArrayFile.cpp - arrays in files --------------------------*- C++ -*-===//

#include "fusion/Verify/ArrayFile.h"
#include "TensorProto.h"
#include "fusion/Runtime/Npy.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;

/// `dtype`, or `wanted` where an array of `dtype` may hold its elements.
static FusionDType chooseDType(FusionDType dtype, int32_t wanted) {
  bool isHeld = fusionDTypeSize(wanted) == fusionDTypeSize(dtype) &&
                holdsElementsOf(dtype, FusionDType(wanted));
  return isHeld ? FusionDType(wanted) : dtype;
}

static llvm::Expected<HostArray> readTensorProto(StringRef path,
                                                 int32_t wanted) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return llvm::createStringError(path + ": " + buffer.getError().message());
  }
  llvm::Expected<HostArray> array = parseTensorProto((*buffer)->getBuffer());
  if (!array) {
    return llvm::createStringError(path + ": " +
                                   llvm::toString(array.takeError()));
  }
  FusionDType dtype = chooseDType(array->getDType(), wanted);
  if (dtype == array->getDType()) {
    return array;
  }
  HostArray held(dtype, array->getDims());
  std::memcpy(held.getData(), array->getData(), array->getNumBytes());
  return held;
}

llvm::Expected<HostArray> mlir::fusion::readArrayFile(StringRef path,
                                                      int32_t wanted) {
  if (path.ends_with(".pb")) {
    return readTensorProto(path, wanted);
  }
  NpyArray file;
  std::string error;
  if (!readNpy(path.str(), file, error)) {
    return llvm::createStringError(error);
  }
  HostArray array(chooseDType(file.dtype, wanted), file.dims);
  std::memcpy(array.getData(), file.data.data(), file.data.size());
  return array;
}

llvm::Error mlir::fusion::writeArrayFile(StringRef path, HostArray &array) {
  std::string error;
  if (!writeNpy(path.str(), array.getView(), error)) {
    return llvm::createStringError(error);
  }
  return llvm::Error::success();
}
