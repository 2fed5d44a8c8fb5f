//===- Version.cpp - which Fusion is this? ----------------------*- C++ -*-===//

#include "fusion/Driver/Version.h"
#include "llvm/ADT/StringRef.h"

llvm::StringRef mlir::fusion::getVersion() { return FUSION_VERSION; }
