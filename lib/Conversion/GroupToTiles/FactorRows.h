//===- FactorRows.h - statistics of a factor's rows -------------*- C++ -*-===//
//
// A factor of a matrix product may be computed from reductions along k of its
// own rows: normalised rows, rows divided by their sum. The block makes these
// before its loop over k, for the rows of its tile:
//
//   for pieces of k { load, compute, accumulate }     once for each reduction
//   elementwise code on rows                          that needs another one
//   for steps of k { load, compute from the rows, multiply }
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_GROUPTOTILES_FACTORROWS_H
#define FUSION_CONVERSION_GROUPTOTILES_FACTORROWS_H

#include "Kernels.h"
#include "TileEmitter.h"

namespace mlir::fusion {

/// Whether op `number` of `group` can be a reduction of rows of factors of
/// `contraction`: combined by associative ops, along k, for each m or each n.
bool isRowOfFactor(const Group &group, const MatrixProducts &contraction,
                   int64_t number);

/// Emits the reductions that factors of `contraction` are computed from.
class FactorRows {
public:
  FactorRows(const Group &group, const MatrixProducts &contraction,
             const Schedule &schedule, KernelBuilder &builder,
             TileEmitter &emitter)
      : group(group), contraction(contraction), schedule(schedule),
        builder(builder), emitter(emitter) {}

  /// Emits them where the tile's place along m and n is known, with what
  /// follows from them alone: `emitter` knows their values then, and forgets
  /// all others. Dims of tiles are assigned for the loop over k.
  LogicalResult emit();
  /// Whether the loop over k computes op `number`; known after emit().
  bool isInLoop(int64_t number) const { return inLoop[number]; }

private:
  bool isRow(int64_t number) const;
  void sortOps();
  int64_t getMostRows() const;
  SmallVector<int64_t> collectNeeded(ArrayRef<int64_t> reductions) const;
  LogicalResult emitLevel(int64_t level);
  FailureOr<SmallVector<Value>> makeNeutral(ArrayRef<int64_t> reductions);
  FailureOr<SmallVector<Value>> emitPiece(ArrayRef<int64_t> reductions,
                                          ValueRange sums);
  LogicalResult emitReductions(ArrayRef<int64_t> reductions);
  void keepRows();

  const Group &group;
  const MatrixProducts &contraction;
  const Schedule &schedule;
  KernelBuilder &builder;
  TileEmitter &emitter;
  SmallVector<bool> factorOps, inLoop, emitted; ///< by number
  SmallVector<int64_t> levels;                  ///< reductions that come before
  int64_t piece = 0;                            ///< elements of a row at once
};

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_GROUPTOTILES_FACTORROWS_H
