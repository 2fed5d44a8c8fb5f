//===- ArrayFile.cpp - arrays in files --------------------------*- C++ -*-===//

#include "fusion/Verify/ArrayFile.h"
#include "TensorProto.h"
#include "fusion/Runtime/Npy.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;

static llvm::Expected<HostArray> readTensorProto(StringRef path) {
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
  return array;
}

llvm::Expected<HostArray> mlir::fusion::readArrayFile(StringRef path,
                                                      int32_t wanted) {
  if (path.ends_with(".pb")) {
    return readTensorProto(path);
  }
  NpyArray file;
  std::string error;
  if (!readNpy(path.str(), file, error)) {
    return llvm::createStringError(error);
  }
  FusionDType dtype = file.dtype;
  if (fusionDTypeSize(wanted) == fusionDTypeSize(dtype) &&
      holdsElementsOf(dtype, FusionDType(wanted))) {
    dtype = FusionDType(wanted);
  }
  HostArray array(dtype, file.dims);
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
