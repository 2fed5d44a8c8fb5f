//===- MemoryOrder.cpp - arrays that lie across the tiles of a kernel -----===//
//
// A block works on a tile that spans one or two loops. Arrays whose elements
// lie side by side along one of these are read and written in whole lines:
// where there are two such loops, tiles turn in shared memory. Any other array
// costs a line for each element.
//
//===----------------------------------------------------------------------===//

#include "fusion/Planner/KernelWork.h"
#include "fusion/Planner/Partition.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;

/// How a kernel reads or writes an array.
struct Partition::ArrayAccess {
  SmallVector<unsigned, 4> loops; ///< by dim; those of size one left out
  double bytes = 0;
  double elementBytes = 4;
  bool written = false;
  bool isOperand = false; ///< of a contraction, or of what makes one

  bool has(unsigned loop) const { return llvm::is_contained(loops, loop); }
};

bool Partition::readsTransposed(const Cluster &cluster) const {
  return llvm::any_of(cluster.units, [&](unsigned index) {
    return graph.units[index].space.transposed;
  });
}

void Partition::addAccess(const Unit &unit, Value value, AffineMap map,
                          const LoopAlignment &loops,
                          SmallVectorImpl<ArrayAccess> &accesses) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!map || !type) {
    return;
  }
  ArrayAccess access;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    unsigned loop =
        dim ? loops.map(getLoop(unit, dim.getPosition())) : unsigned();
    if (dim && loopSizes[loop] != 1) {
      access.loops.push_back(loop);
    }
  }
  if (access.loops.empty()) {
    return;
  }
  access.bytes = getTensorBytes(type);
  Type element = type.getElementType();
  access.elementBytes = element.isIntOrFloat()
                            ? std::max(1u, element.getIntOrFloatBitWidth() / 8)
                            : 8;
  accesses.push_back(std::move(access));
}

SmallVector<Partition::ArrayAccess, 0>
Partition::getAccesses(const Cluster &merged, const LoopAlignment &loops,
                       unsigned a, unsigned b) const {
  SmallVector<ArrayAccess, 0> accesses;
  for (unsigned index : merged.units) {
    const Unit &unit = graph.units[index];
    for (const UnitRead &read : unit.reads) {
      bool inside =
          read.producer && (isIn(*read.producer, a) || isIn(*read.producer, b));
      size_t before = accesses.size();
      if (!inside && !read.isSide && !read.isInit) {
        addAccess(unit, read.value, read.map, loops, accesses);
      }
      if (accesses.size() != before) {
        accesses.back().isOperand = makesOperands(merged, index);
      }
    }
    size_t before = accesses.size();
    if (leaves(unit, a, b)) {
      Value value = unit.ops.back()->getResult(0);
      addAccess(unit, value, unit.getMapOf(value), loops, accesses);
    }
    if (accesses.size() != before) {
      accesses.back().written = true;
    }
  }
  return accesses;
}

/// Returns the last loop of `accesses` that most bytes lie along, of those that
/// `counts` takes.
std::optional<unsigned>
Partition::vote(ArrayRef<ArrayAccess> accesses,
                llvm::function_ref<bool(const ArrayAccess &)> counts) {
  llvm::MapVector<unsigned, double> bytes;
  for (const ArrayAccess &access : accesses) {
    if (counts(access)) {
      bytes[access.loops.back()] += access.bytes;
    }
  }
  auto best = llvm::max_element(
      bytes, [](auto &x, auto &y) { return x.second < y.second; });
  return best == bytes.end() ? std::nullopt : std::optional(best->first);
}

/// Returns the loops that the tiles of `merged` span, as code generation picks
/// them: at most two, of a contraction its rows come second.
SmallVector<unsigned, 2>
Partition::getTileLoops(const Cluster &merged, const LoopAlignment &loops,
                        ArrayRef<ArrayAccess> accesses) const {
  SmallVector<unsigned, 2> tile;
  auto add = [&](std::optional<unsigned> loop) {
    if (loop && !llvm::is_contained(tile, *loop)) {
      tile.push_back(*loop);
    }
  };
  if (merged.form == KernelForm::Contraction) {
    for (unsigned index : merged.units) {
      const Unit &unit = graph.units[index];
      if (unit.space.role == OpRole::Contraction && tile.empty()) {
        for (unsigned loop : getTiledLoops(unit)) {
          add(loops.map(getLoop(unit, loop)));
        }
      }
    }
    return tile;
  }
  if (merged.form == KernelForm::Rows) {
    for (bool reduced : {true, false}) {
      add(vote(accesses, [&](const ArrayAccess &access) {
        return llvm::is_contained(merged.reduced, access.loops.back()) ==
                   reduced &&
               llvm::any_of(merged.reduced,
                            [&](unsigned loop) { return access.has(loop); });
      }));
    }
    return tile;
  }
  auto first = llvm::find_if(
      accesses, [](const ArrayAccess &access) { return access.written; });
  if (first == accesses.end()) {
    return tile;
  }
  unsigned columns = first->loops.back();
  add(columns);
  add(vote(accesses, [&](const ArrayAccess &access) {
    return access.has(columns) && access.loops.back() != columns;
  }));
  return tile;
}

Partition::StrayBytes Partition::getStrayBytes(const Cluster &merged,
                                               const LoopAlignment &loops,
                                               unsigned a, unsigned b) const {
  // What an access to one element moves: half a sector, since neighbours, one
  // after the other, often find the rest in the first cache.
  constexpr double kStrayBytes = 16;
  StrayBytes stray;
  if (!readsTransposed(merged)) {
    return stray;
  }
  SmallVector<ArrayAccess, 0> accesses = getAccesses(merged, loops, a, b);
  SmallVector<unsigned, 2> tile = getTileLoops(merged, loops, accesses);
  if (tile.empty()) {
    return stray;
  }
  for (const ArrayAccess &access : accesses) {
    bool crosses =
        llvm::any_of(tile, [&](unsigned loop) { return access.has(loop); });
    bool along = llvm::is_contained(tile, access.loops.back());
    // A CPU has no tiles that turn; eight rows of accumulators follow each
    // other in a warp.
    bool isCPU = options.device.isCPU();
    bool isTurned = isCPU ? access.loops.back() != tile.front() : !along;
    double moved = isTurned ? kStrayBytes : 0;
    if (!isCPU && merged.form == KernelForm::Contraction && along &&
        access.loops.back() != tile.front()) {
      moved = 4;
    }
    if (!crosses || access.isOperand) {
      continue;
    }
    double more = access.bytes * std::max(0.0, moved / access.elementBytes - 1);
    (access.written ? stray.written : stray.read) += more;
  }
  return stray;
}

/// Returns whether a kernel of `unit`, a contraction, can run along two loops
/// as one where arrays have them apart: tiles of these are loaded and stored as
/// windows.
bool Partition::canSplitPlaces(const Unit &unit) const {
  return !options.device.isCPU() && !unit.isChain && !unit.isSoftmax;
}

FusionDecision Partition::checkTransposed(const Cluster &merged,
                                          const LoopAlignment &loops,
                                          unsigned a, unsigned b) const {
  if (!readsTransposed(merged) || merged.form != KernelForm::Contraction) {
    return FusionDecision::allow();
  }
  for (unsigned index : merged.prologue) {
    if (graph.units[index].space.transposed) {
      return FusionDecision::forbid(
          "the operand is computed from a tensor that is read transposed");
    }
  }
  SmallVector<ArrayAccess, 0> accesses = getAccesses(merged, loops, a, b);
  for (unsigned index : merged.units) {
    const Unit &unit = graph.units[index];
    if (unit.space.role == OpRole::Window) {
      return FusionDecision::forbid(
          "windows are read along the rows of the result: one of them is "
          "transposed");
    }
    if (unit.space.role != OpRole::Contraction) {
      continue;
    }
    // How many places the loops inside of the outer one run along as one.
    double width = 1;
    std::optional<unsigned> before;
    for (auto [outer, inner] : getMergedLoops(unit)) {
      width = before == inner ? width : 1;
      before = outer;
      unsigned first = loops.map(getLoop(unit, outer));
      unsigned second = loops.map(getLoop(unit, inner));
      bool splits = llvm::any_of(accesses, [&](const ArrayAccess &access) {
        auto at = llvm::find(access.loops, first);
        bool follows = at != access.loops.end() &&
                       std::next(at) != access.loops.end() &&
                       *std::next(at) == second;
        return !access.isOperand && access.has(first) && access.has(second) &&
               !follows;
      });
      // The narrowest tile of a product.
      constexpr int64_t kLeastSide = 32;
      width *= loopSizes[second] < 0 ? kLeastSide : loopSizes[second];
      if (splits && width < kLeastSide && !canSplitPlaces(unit)) {
        return FusionDecision::forbid("a transposed tensor keeps loops apart "
                                      "that the contraction's tiles "
                                      "run along as one");
      }
      width = splits ? 1 : width;
    }
  }
  return FusionDecision::allow();
}
