//===- DotLoop.h - the loop over k of a multiply ----------------*- C++ -*-===//

#ifndef FUSION_TILE_DOTLOOP_H
#define FUSION_TILE_DOTLOOP_H

#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fusion::tile {

/// The swizzle, in bytes, that wgmma reads.
constexpr int64_t kWgmmaSwizzle = 128;

/// An operand of dots in a loop over k: a load, or what the loop computes from
/// loads, and the ring it will fill.
struct DotOperand {
  /// Exactly one of: a `tile.load`, a `tile.load_window`, a computed tile.
  LoadOp load;
  LoadWindowOp window;
  Value computed;
  /// Whether k runs along the innermost dim of the array.
  bool kMajor;
  /// The tile dims (of the load's result) of the ring's rows and columns:
  /// columns run along the innermost array dim that the tile covers.
  int64_t rowDim, columnDim;
  /// The ring's type, without the number of stages (1).
  BufferType type;

  /// What is multiplied.
  Value getTile() {
    return computed ? computed : window ? window.getResult() : load.getResult();
  }
  Location getLoc() { return getTile().getLoc(); }
};

/// `scf.for %k` with loads and elementwise code that feed dots, and nothing
/// else on tiles.
struct DotLoop {
  scf::ForOp loop;
  SmallVector<DotOperand> operands;
  /// One dot for each of the loop's iteration arguments, in their order.
  SmallVector<DotOp> dots;

  /// The operand that a or b of a dot is.
  DotOperand &getOperand(Value tile);
};

/// Returns the tile dim along which neighbours of `window` lie side by side in
/// memory: that whose innermost coordinate steps along the last dim, by the
/// least and the farthest.
int64_t getInnermostDim(LoadWindowOp window);

/// Describes `load`, an operand of multiplies of `kind` in which k is tile dim
/// `kDim`; emits an error where it does not run along two dims of the array.
FailureOr<DotOperand> describeOperand(LoadOp load, int64_t kDim,
                                      StringRef kind);

/// Whether `tile` is computed, by code without loops and branches, from what is
/// loaded and from scalars: no multiply has a part in it. Not a load itself.
bool isComputedFromLoads(Value tile);

/// Describes the computed `tile`, an operand of `dot` in which k is tile dim
/// `kDim`, whose layout is known: the columns of its ring lie along the
/// elements that a thread holds side by side.
DotOperand describeComputedOperand(Value tile, int64_t kDim, StringRef kind);

/// Emits the copy of `operand`'s tile, that of a load or window, to `stage` of
/// `ring` by all threads; `mapping` gives the indices of its load.
void emitCopy(OpBuilder &builder, DotOperand &operand, Value ring, Value stage,
              const IRMapping &mapping);

/// Whether threads load `operand` to registers and write it to shared memory
/// after the multiplies of the step, which hide the loads: what is computed,
/// and 16-bit elements that `cp.async`, which copies no less than four bytes,
/// cannot bring (for mma and fma only those of windows).
bool goesThroughRegisters(DotOperand &operand, StringRef kind);

/// Whether a dot in `loop`, or other code on tiles, takes what a dot made or
/// what the loop carries, other than as its accumulator; or a dot takes what
/// was computed before the loop.
bool isChainedLoop(scf::ForOp loop);

/// Whether `dot`, of a kernel whose multiplies are of `kind`, multiplies an a
/// that was loaded before its chained loop from registers in each step. wgmma
/// is no faster than shared memory is read (attention of widths 96 and 128 on
/// an H200: 3 to 15 % of the time); a narrow a costs more by blocks that
/// registers keep out than it saves, and a wide one has no room beside the
/// sums.
bool staysInRegisters(DotOp dot, StringRef kind);

/// Returns the loops in `root` that contain dots.
SmallVector<scf::ForOp> findDotLoops(Operation *root);

/// Reads a loop over k, for multiplies of `kind` (wgmma, mma, fma). Emits an
/// error where it has not the form above or accumulators do not start at zero,
/// and where `bulkCopies` cannot bring the operands.
FailureOr<DotLoop> readDotLoop(scf::ForOp loop, StringRef kind,
                               bool bulkCopies = false);

/// The ops of `block` that compute tiles which `tile` is computed from, in
/// order, with that of `tile` itself.
SmallVector<Operation *> getTileSlice(Value tile, Block &block);

/// The ops of `slice`, a part of a block, that load tiles, and those of it that
/// make the loads' operands, in order.
SmallVector<Operation *> getLoadsOf(ArrayRef<Operation *> slice);

/// Clones those of `ops` that `mapping` doesn't know yet.
void cloneNew(OpBuilder &builder, ArrayRef<Operation *> ops,
              IRMapping &mapping);

/// Clones the scalar code of `block` (no tiles, no effects), for address
/// computation in another place.
void cloneScalarOps(OpBuilder &builder, Block &block, IRMapping &mapping);

/// Whether `op` computes scalars only, without effects.
bool isScalarOp(Operation *op);

/// Emits the `tile.mma`s of one step on `stage` of the rings (one for each
/// operand), as many as there are accumulators.
SmallVector<Value> emitMultiplies(OpBuilder &builder, DotLoop &dots,
                                  ArrayRef<Value> rings, Value stage,
                                  ValueRange accs, StringRef kind);

/// `stage + 1`, back to 0 after the last of `stages`.
Value nextStage(OpBuilder &builder, Location loc, Value stage, int64_t stages);

} // namespace mlir::fusion::tile

#endif // FUSION_TILE_DOTLOOP_H
