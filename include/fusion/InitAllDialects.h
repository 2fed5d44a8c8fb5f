//===- InitAllDialects.h - the dialects of Fusion's pipelines ---*- C++ -*-===//

#ifndef FUSION_INITALLDIALECTS_H
#define FUSION_INITALLDIALECTS_H

namespace mlir {
class DialectRegistry;

namespace fusion {

/// Registers our dialects, those of MLIR that our pipelines read and write,
/// and the interface implementations that the passes need.
void registerAllDialects(DialectRegistry &registry);

/// Registers our dialects alone, for a host that has MLIR's registered.
void registerFusionDialects(DialectRegistry &registry);

} // namespace fusion
} // namespace mlir

#endif // FUSION_INITALLDIALECTS_H
