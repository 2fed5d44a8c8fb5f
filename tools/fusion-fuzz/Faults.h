//===- Faults.h - programs that are wrong on purpose ------------*- C++ -*-===//
//
// How sharp is the comparison of fused with unfused programs? Faults as a
// planner or code generation might make them are put into programs at the end
// of stage 4 (linalg of group functions on the CPU, tile programs on a GPU);
// what Check.h does not notice of them tells where it is blunt.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_FAULTS_H
#define FUSION_TOOLS_FUSION_FUZZ_FAULTS_H

#include "Random.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>

namespace mlir::fusion::fuzz {

/// A kind of fault.
struct FaultKind {
  /// What is wrong, as in "the last term of a sum is missing".
  llvm::StringLiteral name;
  /// Whether `op` is a place for it.
  bool (*fits)(Operation *op);
  /// Makes it; false where nothing was changed after all.
  bool (*plant)(Operation *op, Random &random);
};

/// Faults of single operations: constants, operands, roundings, signs
/// (FaultsOfValues.cpp).
ArrayRef<FaultKind> getFaultsOfValues();
/// Faults of loops, positions, buffers and branches (FaultsOfPlaces.cpp).
ArrayRef<FaultKind> getFaultsOfPlaces();

/// What was made.
struct Fault {
  std::string kind;
  /// The op, before the change.
  std::string place;
};

/// Puts one fault into `module` (the end of stage 4), of a kind whose name
/// contains `only`; each kind that has a place is as likely. Nothing where none
/// has.
std::optional<Fault> plantFault(ModuleOp module, Random &random,
                                StringRef only = "");

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_FAULTS_H
