//===- InitAllPasses.h - the passes of Fusion -------------------*- C++ -*-===//

#ifndef FUSION_INITALLPASSES_H
#define FUSION_INITALLPASSES_H

namespace mlir::fusion {

/// Registers our passes and pipelines, and MLIR's, so that pipelines can name
/// them. To be called once.
void registerAllPasses();

/// Registers our passes and pipelines alone, for a host that has MLIR's
/// registered. To be called once.
void registerFusionPasses();

} // namespace mlir::fusion

#endif // FUSION_INITALLPASSES_H
