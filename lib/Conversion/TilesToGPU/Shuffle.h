//===- Shuffle.h - values of any type between the lanes of a warp -*- C++
//-*-===//

#ifndef FUSION_LIB_CONVERSION_TILESTOGPU_SHUFFLE_H
#define FUSION_LIB_CONVERSION_TILESTOGPU_SHUFFLE_H

#include "KernelLowering.h"

namespace mlir::fusion {

/// What the lane whose number differs in the bits of `laneMask` has in `value`,
/// a number of up to 64 bits. All lanes of the warp take part.
Value emitShuffleXor(KernelLowering &lk, Value value, int64_t laneMask);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_TILESTOGPU_SHUFFLE_H
