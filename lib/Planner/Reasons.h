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
    "windows of the producer's result are read from memory";

/// What follows rows of a reduction, or a contraction, is larger than that.
constexpr llvm::StringLiteral kRepeatsRows =
    "the consumer repeats the rows of a reduction";
constexpr llvm::StringLiteral kRepeatsResult =
    "the consumer repeats the result of a contraction";

/// What makes an operand combines more than the contraction reads.
constexpr llvm::StringLiteral kOperandHasOtherLoops =
    "what makes the operand loops over dims that the contraction does not have";

/// What makes the predicate of a choice or a tensor that it picks from.
constexpr llvm::StringLiteral kChosenInMemory =
    "a choice is one between places in memory, by a predicate that lies there";

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_REASONS_H
