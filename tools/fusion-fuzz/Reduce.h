//===- Reduce.h - smaller graphs that fail as well --------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_REDUCE_H
#define FUSION_TOOLS_FUSION_FUZZ_REDUCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::fusion::fuzz {

/// A graph as small as steps of one result, branch or op less make it while
/// `fails` holds: results are no longer returned, ops give way to an operand or
/// a new argument of their type, branches to one of their regions.
OwningOpRef<ModuleOp> reduceGraph(ModuleOp graph,
                                  llvm::function_ref<bool(ModuleOp)> fails);

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_REDUCE_H
