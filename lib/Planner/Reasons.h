//===- Reasons.h - reasons that several questions have ----------*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_REASONS_H
#define FUSION_LIB_PLANNER_REASONS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::fusion {

/// A contraction reads what is computed from another one.
constexpr llvm::StringLiteral kOperandIsContraction =
    "a contraction's operand would be the result of another contraction";

/// Attention, or a contraction of a contraction, reads what may be computed.
constexpr llvm::StringLiteral kChainReadsMemory =
    "a kernel of two contractions, one after the other, reads from memory what "
    "it takes";

/// What makes an operand has other readers.
constexpr llvm::StringLiteral kOperandIsShared =
    "the operand is needed outside of the group too: it is computed once, and "
    "written";

/// A contraction and a reduction, in either order.
constexpr llvm::StringLiteral kTilesHoldNoRows =
    "a contraction's tiles do not hold the whole rows of a reduction";

/// A reduction over windows reads what may be computed.
constexpr llvm::StringLiteral kWindowsRepeat =
    "windows of the producer's result would be computed several times";

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_REASONS_H
