//===- Partition.h - units gathered into groups-to-be -----------*- C++ -*-===//
//
// Starts with one cluster per unit and merges clusters on request, where one
// kernel can hold both. A kernel has one root iteration space, of one of three
// forms, which is the contract with code generation:
//
//   elementwise   loops in parallel over one space; parts of it may be smaller
//                 (broadcast) if their values stay inside
//   rows          reductions over the same dims, wherever these stand, and
//                 elementwise work over rows or rows x columns before, between
//                 and after
//   contraction   contractions of equal spaces that share an operand, before
//                 them elementwise work that makes operands, then elementwise
//                 work over their result space, and reductions of whole rows or
//                 columns of a tile
//
// Legality and profit are asked apart, each answer is a FusionDecision.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PLANNER_PARTITION_H
#define FUSION_PLANNER_PARTITION_H

#include "fusion/Analysis/Convexity.h"
#include "fusion/Cost/CostModel.h"
#include "fusion/Planner/FuseKinds.h"
#include "fusion/Planner/Units.h"
#include "llvm/ADT/IntEqClasses.h"
#include <array>

namespace mlir::fusion {

/// The form of a kernel; later ones absorb earlier ones.
enum class KernelForm { Elementwise, Rows, Contraction, Alone };

/// The units of one group-to-be.
struct Cluster {
  KernelForm form = KernelForm::Alone;
  /// The root space: loop classes, outermost first. Rows: rows, then columns.
  /// Contraction: the dims of the result.
  SmallVector<unsigned, 4> space;
  /// Rows: the columns, which are the last of `space`. Contraction: K.
  SmallVector<unsigned, 2> reduced;
  SmallVector<unsigned, 2> units; // ascending
  /// Rows: of the reductions in parts (IterationSpace::partSize).
  int64_t partSize = 0;
  /// Contraction: those of `units` that compute operands, step by step of K.
  SmallVector<unsigned, 2> prologue;
  /// Contraction: loops of `space` that what follows reduces: a tile has all of
  /// them.
  SmallVector<unsigned, 2> held;
  /// Loops of `prologue` that the contraction reads in windows.
  SmallVector<unsigned, 2> windowed;
  /// `prologue` is computed for each place that the contraction reads: in
  /// windows, or with parts of loops that the contraction takes as one.
  bool computedAtReads = false;
  KernelWork work;
  bool vertical = false;
  bool horizontal = false;

  /// Returns the loops of `space` that results of the group must have.
  SmallVector<unsigned, 4> getResultSpace() const;
};

/// A map from the loop classes of one cluster to those of another.
class LoopAlignment {
public:
  /// Says that `from` and `to` are one loop; false where either is taken.
  bool pair(unsigned from, unsigned to);
  bool hasSource(unsigned from) const { return forward.contains(from); }
  bool hasTarget(unsigned to) const { return backward.contains(to); }
  /// Returns the image of `loop`, itself where it is not paired.
  unsigned map(unsigned loop) const;
  SmallVector<unsigned, 4> map(ArrayRef<unsigned> loops) const;
  ArrayRef<std::pair<unsigned, unsigned>> getPairs() const { return pairs; }

private:
  llvm::SmallDenseMap<unsigned, unsigned> forward, backward;
  SmallVector<std::pair<unsigned, unsigned>> pairs;
};

/// Which fusions are wanted, and for which device.
struct PlannerOptions : FuseKinds {
  /// Every value of the graph is rounded to its type.
  bool strict = false;
  DeviceModel device;
};

/// Returns the schedule that the ops of `cluster` pin, null where none does.
DictionaryAttr getPinnedSchedule(const UnitGraph &graph,
                                 const Cluster &cluster);

/// Returns whether a kernel of `device` can take `maps` tensor maps. All its
/// other parameters may go to a table in memory.
FusionDecision checkTensorMaps(unsigned maps, const DeviceModel &device);

/// The units of a graph in clusters, each of which is to be one kernel; at
/// first each unit has its own. Units are named by their positions in the
/// graph, clusters by one of their units, the leader.
class Partition {
public:
  /// A group holds at most so many units: bounds compile time and code size.
  static constexpr unsigned kMaxUnits = 256;

  Partition(UnitGraph &graph, const PlannerOptions &options);

  /// Merges the clusters of two units, which must differ, or says why not.
  /// `consumer` reads from `producer`, or the two are siblings. With `force`
  /// the fusion need not pay.
  FusionDecision fuse(unsigned producer, unsigned consumer,
                      bool force = false) {
    return tryFuse(producer, consumer, force, /*keep=*/true);
  }
  /// Returns what fuse() would, and merges nothing.
  FusionDecision probe(unsigned producer, unsigned consumer) {
    return tryFuse(producer, consumer, /*force=*/false, /*keep=*/false);
  }
  /// Returns the estimated microseconds of all clusters as kernels, in as many
  /// launches as depend on each other where independent ones may share one.
  double getTotalUs() const;

  unsigned getClusterOf(unsigned unit) const { return order.find(unit); }
  const Cluster &getCluster(unsigned leader) const { return clusters[leader]; }
  /// For whoever moves units once nothing is merged any more.
  Cluster &getMutableCluster(unsigned leader) { return clusters[leader]; }
  /// Returns the leaders of all clusters in an order in which they can run.
  SmallVector<unsigned> getOrder() const { return order.getTopologicalOrder(); }

private:
  // Partition.cpp
  FusionDecision tryFuse(unsigned producer, unsigned consumer, bool force,
                         bool keep);
  FusionDecision alignClusters(unsigned producer, unsigned consumer,
                               LoopAlignment &loops);
  FusionDecision combine(unsigned producer, unsigned consumer,
                         LoopAlignment &loops, Cluster &merged);
  const Unit *findFed(unsigned producer, unsigned consumer) const;
  FusionDecision checkProfit(unsigned producer, unsigned consumer,
                             const Cluster &merged) const;
  unsigned getLoop(const Unit &unit, unsigned loop) const;
  SmallVector<unsigned, 4> getLoops(const Unit &unit,
                                    ArrayRef<unsigned> loops) const;
  bool isIn(unsigned unit, unsigned leader) const;
  bool isKernel(const Cluster &cluster) const;
  unsigned countSharedLaunches() const;
  bool leaves(const Unit &unit, unsigned a, unsigned b) const;
  FusionDecision checkSize(unsigned producer, unsigned consumer) const;
  FusionDecision checkSchedules(const Cluster &merged) const;
  FusionDecision checkEscapes(unsigned leader, const Cluster &merged,
                              const LoopAlignment &loops, unsigned a,
                              unsigned b) const;
  KernelWork getWork(const Cluster &merged, const LoopAlignment &loops,
                     unsigned a, unsigned b) const;
  double getBlocks(const Cluster &cluster) const;
  void commit(unsigned producer, unsigned consumer, Cluster merged,
              const LoopAlignment &loops);
  void initCluster(unsigned unit);

  // AlignLoops.cpp
  FusionDecision alignReads(unsigned producer, unsigned consumer,
                            LoopAlignment &loops) const;
  /// `space`: the loops that the producer's cluster runs over.
  FusionDecision alignRead(const Unit &producer, const Unit &consumer,
                           const UnitRead &read, ArrayRef<unsigned> space,
                           LoopAlignment &loops) const;
  void alignByCommonReads(unsigned producer, unsigned consumer,
                          LoopAlignment &loops) const;
  void alignBySize(unsigned producer, unsigned consumer,
                   LoopAlignment &loops) const;

  // FuseVertical.cpp: a producer and its consumer in one space.
  FusionDecision checkVertical(unsigned producer, unsigned consumer) const;
  FusionDecision combineSpaces(const Cluster &producer, const Cluster &consumer,
                               const LoopAlignment &loops,
                               Cluster &merged) const;

  // FusePrologue.cpp: a producer of contractions' operands.
  FusionDecision explainOperand(const Cluster &from, const Unit &unit) const;
  FusionDecision explainChain(const Cluster &from, const Unit &unit) const;
  FusionDecision checkOperand(unsigned producer, const Unit &unit) const;
  FusionDecision checkWindows(unsigned producer, const Unit &unit,
                              const UnitRead &read) const;
  FusionDecision checkPackedOperand(unsigned producer, const Unit &unit) const;
  FusionDecision checkPacked(ArrayRef<unsigned> units) const;
  FusionDecision checkLines(ArrayRef<unsigned> units) const;
  void addReadLoops(const Unit &reader, const LoopAlignment *loops,
                    SmallVectorImpl<SmallVector<unsigned, 4>> &reads) const;
  std::array<SmallVector<unsigned, 4>, 3>
  getLoopsTakenAsOne(const Unit &unit, const LoopAlignment &loops) const;
  FusionDecision checkMergedLoops(unsigned producer, const Unit &unit,
                                  const LoopAlignment &loops,
                                  bool &hasParts) const;
  void addWindowedLoops(unsigned producer, const Unit &unit,
                        const LoopAlignment &loops, Cluster &merged) const;
  FusionDecision checkSpace(unsigned producer, const Cluster &merged) const;
  FusionDecision checkAtReads(const Cluster &merged) const;
  bool makesOperands(const Cluster &cluster, unsigned unit) const;
  bool isPrologue(unsigned producer, unsigned consumer) const;
  FusionDecision combinePrologue(unsigned producer, unsigned consumer,
                                 const LoopAlignment &loops,
                                 Cluster &merged) const;
  /// How often each block's part of an operand is computed, where the unit
  /// spans the loops `spanned`.
  double getPrologueRepetitions(const Cluster &merged,
                                ArrayRef<unsigned> spanned) const;

  // FuseResultRows.cpp: reductions of what a contraction makes.
  FusionDecision checkResultRows(const Cluster &merged) const;

  // FuseOperandRows.cpp: of operands that are computed from sums of their rows.
  FusionDecision checkOperandRows(unsigned producer, const Unit &unit,
                                  const LoopAlignment &loops) const;
  /// Refuses what `decision` allows by less than estimates can tell.
  static FusionDecision checkRowsMargin(FusionDecision decision);

  // MemoryOrder.cpp: arrays that lie across the tiles of a kernel.
  struct ArrayAccess;
  /// Bytes that move beyond the sizes of arrays.
  struct StrayBytes {
    double read = 0, written = 0;
  };
  bool readsTransposed(const Cluster &cluster) const;
  void addAccess(const Unit &unit, Value value, AffineMap map,
                 const LoopAlignment &loops,
                 SmallVectorImpl<ArrayAccess> &accesses) const;
  SmallVector<ArrayAccess, 0> getAccesses(const Cluster &merged,
                                          const LoopAlignment &loops,
                                          unsigned a, unsigned b) const;
  static std::optional<unsigned>
  vote(ArrayRef<ArrayAccess> accesses,
       llvm::function_ref<bool(const ArrayAccess &)> counts);
  SmallVector<unsigned, 2> getTileLoops(const Cluster &merged,
                                        const LoopAlignment &loops,
                                        ArrayRef<ArrayAccess> accesses) const;
  StrayBytes getStrayBytes(const Cluster &merged, const LoopAlignment &loops,
                           unsigned a, unsigned b) const;
  /// Checks that transposed operands and results leave a contraction its tiles.
  bool canSplitPlaces(const Unit &unit) const;
  FusionDecision checkTransposed(const Cluster &merged,
                                 const LoopAlignment &loops, unsigned a,
                                 unsigned b) const;

  // FuseHorizontal.cpp: contractions that share an operand.
  FusionDecision checkHorizontal(unsigned a, unsigned b,
                                 LoopAlignment &loops) const;

  UnitGraph &graph;
  PlannerOptions options;
  ClusterGraph order;
  llvm::IntEqClasses loopClasses;
  SmallVector<int64_t> loopSizes;   // by class leader
  SmallVector<Cluster, 0> clusters; // by leader
};

} // namespace mlir::fusion

#endif // FUSION_PLANNER_PARTITION_H
