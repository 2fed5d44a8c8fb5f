//===- FusionOps.td - all operations of the fusion dialect ----------------===//

#ifndef FUSION_DIALECT_FUSION_IR_FUSIONOPS_TD
#define FUSION_DIALECT_FUSION_IR_FUSIONOPS_TD

include "fusion/Dialect/Fusion/IR/ControlOps.td"
include "fusion/Dialect/Fusion/IR/ElementwiseOps.td"
include "fusion/Dialect/Fusion/IR/GroupOps.td"
include "fusion/Dialect/Fusion/IR/IndexedOps.td"
include "fusion/Dialect/Fusion/IR/MovementOps.td"
include "fusion/Dialect/Fusion/IR/ReductionOps.td"
include "fusion/Dialect/Fusion/IR/ShapeOps.td"
include "fusion/Dialect/Fusion/IR/WindowOps.td"

#endif // FUSION_DIALECT_FUSION_IR_FUSIONOPS_TD
