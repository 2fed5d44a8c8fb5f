//===- OneLaneStores.h - masked stores of one lane as scalars ---*- C++ -*-===//

#ifndef FUSION_LIB_TARGET_HOST_ONELANESTORES_H
#define FUSION_LIB_TARGET_HOST_ONELANESTORES_H

#include "llvm/IR/Function.h"

namespace mlir::fusion {

/// Makes every masked store in `function` whose constant mask has one lane an
/// ordinary store of that lane; lanes of the mask that are undefined count as
/// off.
///
/// The x86 back end of LLVM 22 makes such a store itself, and where the vector
/// is a truncation it stores the element from before that: 4 bytes of an i16,
/// 8 of an i32 (llvm.org/issues/179489). What lies behind, of another thread
/// or of another array, is lost. Vectors of one tail element have such masks.
void scalarizeOneLaneStores(llvm::Function &function);

} // namespace mlir::fusion

#endif // FUSION_LIB_TARGET_HOST_ONELANESTORES_H
