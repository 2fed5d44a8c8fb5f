//===- InitAllPasses.h - the passes of Fusion -------------------*- C++ -*-===//

#ifndef FUSION_INITALLPASSES_H
#define FUSION_INITALLPASSES_H

namespace mlir::fusion {

/// Registers our passes and pipelines, and MLIR's, so that pipelines can name
/// them. To be called once.
void registerAllPasses();

} // namespace mlir::fusion

#endif // FUSION_INITALLPASSES_H
