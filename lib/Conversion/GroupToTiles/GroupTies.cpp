//===- GroupTies.cpp - which loops of a group are one ---------------------===//

#include "GroupAnalysis.h"

#include "fusion/Analysis/IterationSpace.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

using Materialize = bufferization::MaterializeInDestinationOp;

/// Makes the loops one class unless an op would have two loops in it or the
/// sizes differ.
bool GroupAnalysis::tie(int64_t a, int64_t b) {
  int64_t first = classOf[a], second = classOf[b];
  if (first == second) {
    return true;
  }
  for (int64_t x : members[first]) {
    for (int64_t y : members[second]) {
      bool differ = !ShapedType::isDynamic(loopSizes[x]) &&
                    !ShapedType::isDynamic(loopSizes[y]) &&
                    loopSizes[x] != loopSizes[y];
      if (ownerOf[x] == ownerOf[y] || differ) {
        return false;
      }
    }
  }
  if (second < first) {
    std::swap(first, second);
  }
  for (int64_t loop : members[second]) {
    classOf[loop] = first;
  }
  llvm::append_range(members[first], members[second]);
  members[second].clear();
  return true;
}

/// Ties `user`'s loops to those of what it reads: a producer's, or with
/// `arguments` those of the first reader of the same argument dim.
void GroupAnalysis::tieUse(Operation *user, Value value, AffineMap map,
                           bool arguments) {
  value = lookThroughCasts(value);
  auto producer = value.getDefiningOp<linalg::GenericOp>();
  auto argument = value.getDefiningOp<bufferization::ToTensorOp>();
  int64_t base = loopsOf[user].first;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) {
      continue;
    }
    int64_t loop = base + dim.getPosition();
    if (!arguments && producer) {
      AffineMap written =
          producer.getIndexingMapMatchingResult(cast<OpResult>(value));
      if (!isa<AffineDimExpr>(written.getResult(position))) {
        partLoop = partLoop.value_or(loop);
        tie(*partLoop, loop);
        continue;
      }
      tie(loopsOf[producer].first + written.getDimPosition(position), loop);
    } else if (arguments && argument) {
      auto [it, isNew] = argumentDims.insert(
          {{argument.getBuffer(), int64_t(position)}, loop});
      if (!isNew) {
        tie(it->second, loop);
      }
    }
  }
}

void GroupAnalysis::tieAll() {
  for (bool arguments : {false, true}) {
    for (Operation *op : ops) {
      if (auto store = dyn_cast<Materialize>(op)) {
        auto map = AffineMap::getMultiDimIdentityMap(loopsOf[op].second,
                                                     op->getContext());
        tieUse(op, store.getSource(), map, arguments);
        continue;
      }
      auto generic = cast<linalg::GenericOp>(op);
      for (OpOperand &operand : op->getOpOperands()) {
        tieUse(op, operand.get(), generic.getMatchingIndexingMap(&operand),
               arguments);
      }
    }
  }
}

/// Ties what nothing ties but sizes: results of one shape, and reduced loops of
/// one size. Else every pair of their elements would be a point of the space.
void GroupAnalysis::tieEqualSizes() {
  auto tieStatic = [&](int64_t a, int64_t b) {
    if (!ShapedType::isDynamic(loopSizes[a]) && loopSizes[a] == loopSizes[b]) {
      tie(a, b);
    }
  };
  Operation *firstStore = nullptr;
  for (Operation *op : ops) {
    if (!isa<Materialize>(op)) {
      continue;
    }
    firstStore = firstStore ? firstStore : op;
    auto [base, rank] = loopsOf[op];
    auto [firstBase, firstRank] = loopsOf[firstStore];
    for (int64_t i = 0; rank == firstRank && i < rank; ++i) {
      tieStatic(firstBase + i, base + i);
    }
  }
  std::map<int64_t, int64_t> firstOfSize;
  for (int64_t loop = 0, e = loopSizes.size(); loop < e; ++loop) {
    if (loopReduced[loop]) {
      tieStatic(firstOfSize.insert({loopSizes[loop], loop}).first->second,
                loop);
    }
  }
}

/// Remembers where the sizes of a memory operand's dims can be read.
void GroupAnalysis::noteSource(Operation *user, Value memory, AffineMap map) {
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      int64_t loop = loopsOf[user].first + dim.getPosition();
      auto &source = classes.sources[classOf[loop]];
      if (!source.first) {
        source = {getSizedMemory(memory), unsigned(position)};
      }
    }
  }
}

/// Remembers the sizes of a computed tensor's dims that no memory has.
void GroupAnalysis::noteSizes(OpOperand &init) {
  auto op = cast<linalg::GenericOp>(init.getOwner());
  Value value = lookThroughCasts(init.get());
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    value = lookThroughCasts(fill.getDpsInits().front());
  }
  auto empty = value.getDefiningOp<tensor::EmptyOp>();
  if (!empty) {
    return;
  }
  for (auto [position, expr] :
       llvm::enumerate(op.getMatchingIndexingMap(&init).getResults())) {
    if (!isa<AffineDimExpr>(expr)) {
      continue;
    }
    int64_t loop = loopsOf[op].first + cast<AffineDimExpr>(expr).getPosition();
    auto &source = classes.sources[classOf[loop]];
    if (!source.first && empty.getType().isDynamicDim(position)) {
      source = {empty.getDynamicSize(position), 0};
    }
  }
}

/// Remembers that the class `part` counts the parts of `op`, whose result has
/// their number as its first dim.
LogicalResult GroupAnalysis::notePart(linalg::GenericOp op, int64_t part,
                                      Location loc) {
  ReductionParts parts = *matchReductionParts(op);
  int64_t loop = loopsOf[op].first + parts.loop;
  int64_t cls = classOf[loop];
  int64_t size = loopSizes[loop];
  if (!ShapedType::isDynamic(size) && size <= parts.size) {
    return success(); // one part
  }
  GroupParts found{cls, part, parts.size};
  if (part < 0 || (group.parts && !(*group.parts == found))) {
    return emitError(loc, "the reductions of a group have different parts");
  }
  group.parts = found;
  classes.separate[cls] = classes.separate[part] = true;
  return success();
}

void GroupAnalysis::describeClasses() {
  int64_t count = loopSizes.size();
  classes.sizes.assign(count, ShapedType::kDynamic);
  classes.reduced.assign(count, false);
  classes.separate.assign(count, false);
  classes.sources.assign(count, {});
  for (int64_t loop = 0; loop < count; ++loop) {
    int64_t cls = classOf[loop];
    if (!ShapedType::isDynamic(loopSizes[loop])) {
      classes.sizes[cls] = loopSizes[loop];
    }
    classes.reduced[cls] = classes.reduced[cls] || loopReduced[loop];
  }
  for (Operation *op : ops) {
    if (auto store = dyn_cast<Materialize>(op)) {
      auto map = AffineMap::getMultiDimIdentityMap(loopsOf[op].second,
                                                   op->getContext());
      noteSource(op, store.getDest(), map);
      continue;
    }
    auto generic = cast<linalg::GenericOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      auto argument = lookThroughCasts(operand.get())
                          .getDefiningOp<bufferization::ToTensorOp>();
      if (argument) {
        noteSource(op, argument.getBuffer(),
                   generic.getMatchingIndexingMap(&operand));
      }
    }
  }
  for (Operation *op : ops) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      for (OpOperand &init : generic.getDpsInitsMutable()) {
        noteSizes(init);
      }
    }
  }
}
