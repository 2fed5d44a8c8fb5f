//===- Units.h - the graph that grouping works on ---------------*- C++ -*-===//
//
// A unit is what a graph op became: one linalg op, with the marked rounding
// that follows it. Fills and splat constants are no units, they are cloned
// into the groups that use them. Everything else that depends on a unit, the
// terminator included, is an opaque unit that stays outside of groups.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PLANNER_UNITS_H
#define FUSION_PLANNER_UNITS_H

#include "fusion/Analysis/ChainedProducts.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/OnlineSoftmax.h"
#include "fusion/Analysis/OpWork.h"
#include "fusion/Analysis/Window.h"
#include "llvm/ADT/DenseSet.h"
#include <string>

namespace mlir::fusion {

/// A value that a unit needs from outside of itself.
struct UnitRead {
  Value value;
  /// From the unit's loops to the dims of `value`; null where the value is
  /// not a tensor operand (a scalar, a shape), which no fusion can cross.
  AffineMap map;
  /// The unit that makes the value, where one does.
  std::optional<unsigned> producer;
  /// Position among the operands of the linalg op.
  unsigned operandNumber = 0;
  /// The value is the initial value of an accumulator.
  bool isInit = false;
  /// What a choice depends on (Choice.h), which is a read of its own: `map` is
  /// null.
  bool isSide = false;
};

/// A value that a unit makes.
struct UnitValue {
  Value value;
  AffineMap map; ///< from the unit's loops to the dims of `value`
};

/// What fusion moves as a whole: one op of the graph, or a group's worth of ops
/// that only one kernel holds together (attention, a chain of contractions).
struct Unit {
  /// The ops, in order; one linalg op, then perhaps its marked rounding.
  SmallVector<Operation *, 2> ops;
  /// The linalg op that does the work; null for opaque units.
  linalg::LinalgOp anchor;
  IterationSpace space;
  OpWork work;
  SmallVector<UnitRead, 3> reads;
  SmallVector<UnitValue, 1> values;
  /// The units that read a value of this one, in order.
  SmallVector<unsigned, 2> users;
  /// The number of loop 0 among the loops of all units.
  unsigned firstLoop = 0;
  /// The unit is all of an OnlineSoftmax; `anchor` is its second contraction.
  bool isSoftmax = false;
  /// The unit is all of a ChainedProducts; `anchor` is its second contraction.
  bool isChain = false;

  bool isOpaque() const { return !anchor; }
  /// The unit has two contractions, whose loops and operands are its own.
  bool hasTwoContractions() const { return isSoftmax || isChain; }
  /// Returns how `value`, one of `values`, is written.
  AffineMap getMapOf(Value value) const;
};

/// By the two contractions, why they are not in one kernel.
using ChainRefusals =
    DenseMap<std::pair<Operation *, Operation *>, FusionDecision>;

/// The units of a block, in program order, which is a topological order.
struct UnitGraph {
  SmallVector<Unit, 0> units;
  /// The ops that groups clone in where they need them.
  DenseSet<Operation *> cloneable;
  unsigned numLoops = 0;
  ChainRefusals chainRefusals;
};

/// Recognises an op that only pads what contractions and reductions over
/// windows read: their kernels can read what it pads. Nothing if it is no such
/// op.
std::optional<PaddedRead> getAbsorbedPadding(linalg::LinalgOp op);

/// Collects the units of `block`, which prepareForGrouping has seen. With
/// `absorbPadding` an op that only pads what contractions and windows read is
/// no unit but part of theirs: their kernels read the tensor that it pads. Each
/// of `softmaxes` and of `chains` becomes one unit.
UnitGraph collectUnits(Block &block, bool absorbPadding = false,
                       ArrayRef<OnlineSoftmax> softmaxes = {},
                       ArrayRef<ChainedProducts> chains = {});

/// Returns whether a copy of what `fill` uses, a fill that may be cloned, goes
/// into the group of its user: where linalg ops of `block` accumulate into it,
/// and where they read it and its shape is static.
bool isCopiedInto(OpOperand &fill, Block &block);

/// Returns the name of the source node in `loc`, or nothing.
StringRef getSourceName(Location loc);

/// Returns the name of `op` for people: its source node, else what it is.
std::string getDisplayName(Operation *op);

/// Brings the ops of `block` into the form that grouping relies on: dead ops
/// are erased, sizes of tensors are computed from the block's arguments alone
/// where possible, and results that do not read their destination get a
/// `tensor.empty` of their own.
void prepareForGrouping(Block &block);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_UNITS_H
