//===- FaultsOfPlaces.cpp - wrong loops, positions, buffers, branches -----===//

#include "Faults.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

//===----------------------------------------------------------------------===//
// Loops of linalg ops
//===----------------------------------------------------------------------===//

/// A loop of `op` of the kind, or nothing.
static std::optional<unsigned>
pickLoop(linalg::GenericOp op, utils::IteratorType kind, Random &random) {
  SmallVector<unsigned> loops;
  for (auto [number, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type == kind) {
      loops.push_back(static_cast<unsigned>(number));
    }
  }
  return loops.empty() ? std::nullopt
                       : std::optional(random.pick(ArrayRef<unsigned>(loops)));
}

/// How often `loop` of `op` runs.
static Value getTrips(OpBuilder &builder, linalg::GenericOp op, unsigned loop) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineExpr dim = builder.getAffineDimExpr(loop);
    std::optional<unsigned> at =
        op.getMatchingIndexingMap(&operand).getResultPosition(dim);
    if (at) {
      return tensor::DimOp::create(builder, op.getLoc(), operand.get(), *at);
    }
  }
  return Value();
}

/// In the body, before `inner`: whether `loop` is in its last `width` trips, as
/// far as these are whole steps.
static Value isInLast(linalg::GenericOp op, unsigned loop, int64_t width,
                      Operation *inner) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value trips = getTrips(builder, op, loop);
  if (!trips) {
    return Value();
  }
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value steps = arith::ConstantIndexOp::create(builder, loc, width);
  Value most = arith::SubIOp::create(builder, loc, trips, one);
  Value whole = arith::DivSIOp::create(builder, loc, most, steps);
  Value first = arith::MulIOp::create(builder, loc, whole, steps);
  builder.setInsertionPoint(inner);
  Value index = linalg::IndexOp::create(builder, loc, loop);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, index,
                               first);
}

static bool isReduced(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() > 0;
}

/// Leaves what the last trips of a reduced loop add out.
template <int64_t width> static bool dropTerms(Operation *op, Random &random) {
  auto generic = cast<linalg::GenericOp>(op);
  Operation *end = generic.getBody()->getTerminator();
  auto loop = pickLoop(generic, utils::IteratorType::reduction, random);
  Value isLast = isInLast(generic, *loop, width, end);
  if (!isLast) {
    return false;
  }
  OpBuilder builder(end);
  for (auto [number, argument] :
       llvm::enumerate(generic.getRegionOutputArgs())) {
    end->setOperand(number,
                    arith::SelectOp::create(builder, op->getLoc(), isLast,
                                            argument, end->getOperand(number)));
  }
  return true;
}

/// What one operand of a binary op of a body is left out of.
static Operation *findCombination(linalg::GenericOp op) {
  for (Operation &inner : *op.getBody()) {
    if (isa<arith::AddFOp, arith::MulFOp, arith::SubFOp, arith::AddIOp,
            arith::MaximumFOp>(inner)) {
      return &inner;
    }
  }
  return nullptr;
}

static bool isElementwise(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() == 0 &&
         generic.getNumLoops() > 0 && findCombination(generic);
}

/// Leaves an operand out, in the last rows or columns only.
static bool dropInLast(Operation *op, Random &random) {
  auto generic = cast<linalg::GenericOp>(op);
  Operation *inner = findCombination(generic);
  auto loop = pickLoop(generic, utils::IteratorType::parallel, random);
  Value isLast = isInLast(generic, *loop, random.pick<int64_t>({1, 8}), inner);
  if (!isLast) {
    return false;
  }
  OpBuilder builder(inner);
  builder.setInsertionPointAfter(inner);
  auto chosen = arith::SelectOp::create(
      builder, op->getLoc(), isLast, inner->getOperand(0), inner->getResult(0));
  inner->getResult(0).replaceAllUsesExcept(chosen, chosen);
  return true;
}

static bool readsThroughMap(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumDpsInputs() > 0;
}

static void setMap(linalg::GenericOp op, unsigned operand, AffineMap map) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand] = map;
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

/// Reads the first element along a dim everywhere.
static bool repeatFirst(Operation *op, Random &random) {
  auto generic = cast<linalg::GenericOp>(op);
  auto input = static_cast<unsigned>(random.below(generic.getNumDpsInputs()));
  AffineMap map = generic.getIndexingMapsArray()[input];
  if (map.getNumResults() == 0) {
    return false;
  }
  auto dim = static_cast<unsigned>(random.below(map.getNumResults()));
  SmallVector<AffineExpr> results(map.getResults());
  AffineExpr zero = getAffineConstantExpr(0, op->getContext());
  if (isa<AffineConstantExpr>(results[dim])) {
    return false;
  }
  results[dim] = zero;
  AffineMap changed =
      AffineMap::get(map.getNumDims(), 0, results, op->getContext());
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  maps[input] = changed;
  // Another array must tell how often the loop runs.
  if (!inversePermutation(concatAffineMaps(maps, op->getContext()))) {
    return false;
  }
  setMap(generic, input, changed);
  return true;
}

/// Exchanges two dims of equal size of what is read.
static bool transposeRead(Operation *op, Random &random) {
  auto generic = cast<linalg::GenericOp>(op);
  auto input = static_cast<unsigned>(random.below(generic.getNumDpsInputs()));
  auto type = dyn_cast<RankedTensorType>(
      generic.getDpsInputOperand(input)->get().getType());
  AffineMap map = generic.getIndexingMapsArray()[input];
  SmallVector<AffineExpr> results(map.getResults());
  for (unsigned i = 0, e = results.size(); type && i < e; ++i) {
    for (unsigned j = i + 1; j < e; ++j) {
      if (type.getDimSize(i) == type.getDimSize(j) && type.getDimSize(i) > 1 &&
          !type.isDynamicDim(i) && results[i] != results[j]) {
        std::swap(results[i], results[j]);
        setMap(generic, input,
               AffineMap::get(map.getNumDims(), 0, results, op->getContext()));
        return true;
      }
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static bool isMask(Operation *op) { return isa<tile::MaskOp>(op); }

/// One more element, or one fewer, exists along a dim.
template <int64_t change> static bool shiftMask(Operation *op, Random &random) {
  auto mask = cast<tile::MaskOp>(op);
  MutableOperandRange sizes = mask.getSizesMutable();
  if (sizes.empty()) {
    return false;
  }
  OpOperand &size = sizes[random.below(sizes.size())];
  OpBuilder builder(op);
  Value step = arith::ConstantIndexOp::create(builder, op->getLoc(), change);
  size.set(arith::AddIOp::create(builder, op->getLoc(), size.get(), step));
  return true;
}

static bool carriesTile(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && llvm::any_of(loop.getResultTypes(), [](Type type) {
           return isa<RankedTensorType, tile::AccType>(type);
         });
}

static bool dropLastStep(Operation *op, Random &) {
  auto loop = cast<scf::ForOp>(op);
  OpBuilder builder(op);
  loop.setUpperBound(arith::SubIOp::create(
      builder, op->getLoc(), loop.getUpperBound(), loop.getStep()));
  return true;
}

static bool isLoad(Operation *op) {
  return isa<tile::LoadOp, tile::CopyAsyncOp, tile::CopyTMAOp>(op);
}

/// Leaves the offset of a tile out along one dim, or adds one to it.
template <bool isZero> static bool moveLoad(Operation *op, Random &random) {
  SmallVector<OpOperand *> indices;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isFixed = matchPattern(operand.get(), m_Zero()) && isZero;
    if (operand.get().getType().isIndex() && !isFixed) {
      indices.push_back(&operand);
    }
  }
  if (indices.empty()) {
    return false;
  }
  OpOperand *index = random.pick(ArrayRef<OpOperand *>(indices));
  OpBuilder builder(op);
  Value number =
      arith::ConstantIndexOp::create(builder, op->getLoc(), isZero ? 0 : 1);
  index->set(isZero ? number
                    : arith::AddIOp::create(builder, op->getLoc(), index->get(),
                                            number)
                          .getResult());
  return true;
}

static bool isCopy(Operation *op) {
  return isa<tile::CopyAsyncOp, tile::CopyTMAOp, tile::CopyWindowOp,
             tile::StoreSharedOp, tile::SyncOp, tile::StoreOp>(op);
}

static bool erase(Operation *op, Random &) {
  op->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Branches and buffers
//===----------------------------------------------------------------------===//

static bool isBranch(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch && op->getParentOfType<func::FuncOp>() &&
         !op->getParentOfType<linalg::LinalgOp>();
}

static bool negateCondition(Operation *op, Random &) {
  OpBuilder builder(op);
  Value yes = arith::ConstantIntOp::create(builder, op->getLoc(), 1, 1);
  Value condition = op->getOperand(0);
  op->setOperand(0,
                 arith::XOrIOp::create(builder, op->getLoc(), condition, yes));
  return true;
}

static bool isStep(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return isa<func::CallOp>(op) && function && function.getName() == "main";
}

/// Runs a group before the one that writes what it reads.
static bool moveUp(Operation *op, Random &) {
  for (Operation *other = op->getPrevNode(); other;
       other = other->getPrevNode()) {
    bool shares = isa<func::CallOp>(other) &&
                  llvm::any_of(op->getOperands(), [&](Value value) {
                    return value.getDefiningOp<memref::AllocOp>() &&
                           llvm::is_contained(other->getOperands(), value);
                  });
    if (shares) {
      for (Value operand : op->getOperands()) {
        Operation *made = operand.getDefiningOp();
        if (made && made->getBlock() == other->getBlock() &&
            !made->isBeforeInBlock(other)) {
          return false;
        }
      }
      op->moveBefore(other);
      return true;
    }
  }
  return false;
}

/// Reads another array of the same type.
static bool changeBuffer(Operation *op, Random &random) {
  auto function = op->getParentOfType<func::FuncOp>();
  SmallVector<Value> arrays(function.getArguments());
  for (Operation &other : function.getBody().front()) {
    if (&other == op) {
      break;
    }
    llvm::append_range(arrays, other.getResults());
  }
  SmallVector<std::pair<OpOperand *, Value>> changes;
  for (OpOperand &operand : op->getOpOperands()) {
    for (Value array : arrays) {
      if (array.getType() == operand.get().getType() &&
          array != operand.get()) {
        changes.emplace_back(&operand, array);
      }
    }
  }
  if (changes.empty()) {
    return false;
  }
  auto [operand, array] =
      changes[random.below(static_cast<int64_t>(changes.size()))];
  operand->set(array);
  return true;
}

ArrayRef<FaultKind> fuzz::getFaultsOfPlaces() {
  static const FaultKind kinds[] = {
      {"the last term missing", isReduced, dropTerms<1>},
      {"the last step of terms missing", isReduced, dropTerms<16>},
      {"an operand left out in the last rows", isElementwise, dropInLast},
      {"the first element repeated", readsThroughMap, repeatFirst},
      {"equal dims exchanged", readsThroughMap, transposeRead},
      {"a mask one too short", isMask, shiftMask<-1>},
      {"a mask one too long", isMask, shiftMask<1>},
      {"the last step missing", carriesTile, dropLastStep},
      {"the offset of a tile left out", isLoad, moveLoad<true>},
      {"the offset of a tile off by one", isLoad, moveLoad<false>},
      {"a copy, store or barrier missing", isCopy, erase},
      {"arms exchanged", isBranch, negateCondition},
      {"a group before the one it reads", isStep, moveUp},
      {"another buffer", isStep, changeBuffer},
  };
  return kinds;
}
