//===- Limits.h - what one kernel may take ----------------------*- C++ -*-===//

#ifndef FUSION_SCHEDULE_LIMITS_H
#define FUSION_SCHEDULE_LIMITS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <limits>

namespace mlir::fusion {

/// On a module, or what holds it: limits below those of the chip, a dictionary
/// of some of `shared`, `registers`, `parameters`, `grid` and `threads`. A plan
/// that fits them fits a smaller device, or leaves room for others on this one.
constexpr StringLiteral kLimitsAttr = "fusion.limits";

/// What code generation may give to one kernel.
struct KernelLimits {
  /// Bytes of shared memory of a block.
  int64_t sharedBytes = 0;
  /// Registers of 32 bits for tiles of a thread. No limit of its own: what it
  /// has no registers for is kept in memory.
  int64_t registers = std::numeric_limits<int64_t>::max();
  /// Bytes of parameters.
  int64_t parameterBytes = 0;
  /// Blocks along x.
  int64_t gridBlocks = (int64_t(1) << 31) - 1;
  /// Threads of a block.
  int64_t threads = 1024;

  bool operator==(const KernelLimits &other) const;
};

/// On a kernel in stage 5 that was made under a limit of registers: how many a
/// thread needs for its tiles.
constexpr StringLiteral kTileRegistersAttr = "fusion.tile_registers";

/// Returns the limits of `chip` ("sm_90a"), lowered by what the innermost of
/// `op` and the ops around it says that has the attribute; those of the chip
/// where `op` is null.
KernelLimits getKernelLimits(Operation *op, StringRef chip);

/// Reads "shared=16384,registers=64,parameters=512,grid=1024,threads=256", some
/// of these, each once.
llvm::Expected<DictionaryAttr> parseLimits(StringRef text,
                                           MLIRContext *context);

/// Says what is wrong with a text for parseLimits(), if anything is.
llvm::Error checkLimits(StringRef text);

} // namespace mlir::fusion

#endif // FUSION_SCHEDULE_LIMITS_H
