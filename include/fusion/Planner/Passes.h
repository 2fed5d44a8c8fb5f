//===- Passes.h - planning what becomes one kernel --------------*- C++ -*-===//

#ifndef FUSION_PLANNER_PASSES_H
#define FUSION_PLANNER_PASSES_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fusion {

#define GEN_PASS_DECL
#include "fusion/Planner/Passes.h.inc"

/// Registers the passes of this folder as registerFusionPlannerPasses().
#define GEN_PASS_REGISTRATION
#include "fusion/Planner/Passes.h.inc"

} // namespace mlir::fusion

#endif // FUSION_PLANNER_PASSES_H
