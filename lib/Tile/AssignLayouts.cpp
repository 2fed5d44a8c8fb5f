//===- AssignLayouts.cpp - which thread holds what ------------------------===//

#include "fusion/Tile/AssignLayouts.h"

#include "ChooseLayout.h"
#include "SplitTiles.h"
#include "fusion/Tile/DotLoop.h"
#include "fusion/Tile/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include <list>

namespace mlir::fusion {
#define GEN_PASS_DEF_TILEASSIGNLAYOUTS
#include "fusion/Tile/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::tile;

static RankedTensorType getTile(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

namespace {
/// Tiles that must have one layout, and what is known of it.
struct TileClass {
  std::list<Value> members;          ///< which merging appends in constant time
  SmallVector<Operation *> accesses; ///< loads and stores
  SmallVector<int64_t> reducedDims;
  std::optional<TileLayout> layout;
  std::optional<int64_t> mergedInto;
};

/// Assigns layouts to one kernel.
class LayoutAssigner {
public:
  explicit LayoutAssigner(gpu::GPUFuncOp kernel) : kernel(kernel) {}
  LogicalResult run();

private:
  void addTile(Value value);
  void unify(Value a, Value b);
  void unifyOp(Operation *op);
  void collect();
  LogicalResult anchorDots();
  void anchorComputedOperands();
  void chooseRest();
  void propagate();
  void apply();
  void convertBroadcast(BroadcastOp op);
  void convertReduce(ReduceOp op);
  void convertTransposed();
  int64_t findClass(Value tile);
  TileClass &classOf(Value tile) { return classes[findClass(tile)]; }

  gpu::GPUFuncOp kernel;
  int64_t warps = 1;
  SmallVector<TileClass, 0> classes; ///< some emptied by merging
  DenseMap<Value, int64_t> classNumber;
  SmallVector<BroadcastOp> broadcasts;
  SmallVector<ReduceOp> reductions;
};
} // namespace

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

void LayoutAssigner::addTile(Value value) {
  if (getTile(value) && !classNumber.contains(value)) {
    classNumber[value] = classes.size();
    classes.emplace_back().members = {value};
  }
}

/// The number of the class of `tile`. A tile that reads thousands of others, as
/// a concatenation does, merges as many classes: nothing is renumbered then.
int64_t LayoutAssigner::findClass(Value tile) {
  int64_t &number = classNumber[tile];
  while (std::optional<int64_t> next = classes[number].mergedInto) {
    if (classes[*next].mergedInto) {
      classes[number].mergedInto = classes[*next].mergedInto;
    }
    number = *next;
  }
  return number;
}

void LayoutAssigner::unify(Value a, Value b) {
  if (!getTile(a)) {
    return;
  }
  int64_t first = findClass(a), second = findClass(b);
  if (first == second) {
    return;
  }
  std::list<Value> &members = classes[first].members;
  members.splice(members.end(), classes[second].members);
  classes[second].mergedInto = first;
}

/// Ties the tiles that `op` wants in one layout.
void LayoutAssigner::unifyOp(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, arg, yielded, result] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                         loop.getYieldedValues(), loop.getResults())) {
      unify(init, arg);
      unify(init, yielded);
      unify(init, result);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : branch->getRegions()) {
      if (!region.empty()) {
        for (auto [result, yielded] :
             llvm::zip(branch.getResults(),
                       region.front().getTerminator()->getOperands())) {
          unify(result, yielded);
        }
      }
    }
  } else if (auto dot = dyn_cast<DotOp>(op)) {
    unify(dot.getAcc(), dot.getResult());
  } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    broadcasts.push_back(broadcast);
  } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
    reductions.push_back(reduce);
  } else if (op->getNumRegions() == 0 && op->getNumResults() > 0 &&
             !isa<ConvertLayoutOp>(op)) {
    for (Value operand : op->getOperands()) {
      if (getTile(operand) && getTile(op->getResult(0))) {
        unify(op->getResult(0), operand);
      }
    }
    for (Value result : op->getResults().drop_front()) {
      unify(op->getResult(0), result);
    }
  }
}

void LayoutAssigner::collect() {
  kernel.walk([&](Block *block) {
    llvm::for_each(block->getArguments(), [&](Value v) { addTile(v); });
    for (Operation &op : *block) {
      llvm::for_each(op.getResults(), [&](Value v) { addTile(v); });
    }
  });
  kernel.walk([&](Operation *op) { unifyOp(op); });
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      classOf(load.getResult()).accesses.push_back(op);
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      classOf(store.getValue()).accesses.push_back(op);
    } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
      classOf(reduce.getSource()).reducedDims.push_back(reduce.getDim());
    }
  });
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

LogicalResult LayoutAssigner::anchorDots() {
  StringRef kind = getMultiplyKind(kernel);
  // Multiplies that depend on each other: each warp keeps whole rows, so that
  // rows meet between multiplies without leaving their warp.
  bool chained = llvm::any_of(findDotLoops(kernel), isChainedLoop);
  WalkResult walked = kernel.walk([&](DotOp dot) {
    auto type = getTile(dot.getResult());
    std::optional<TileLayout> layout = getAccumulatorLayout(
        kind, type.getDimSize(0), type.getDimSize(1), warps, chained);
    if (!layout) {
      dot.emitOpError("expected a tile that ")
          << warps << " warps can hold as a " << kind << " accumulator";
      return WalkResult::interrupt();
    }
    classOf(dot.getResult()).layout = layout;
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

/// The layout of what is computed from windows: lanes lie along memory, and a
/// thread has few columns, whose part of the addresses stays the same. Nothing
/// where `cls` has no window.
static std::optional<TileLayout> getWindowLayout(const TileClass &cls,
                                                 int64_t warps) {
  constexpr int64_t kMostBytes = 16;
  for (Value member : cls.members) {
    auto window = member.getDefiningOp<LoadWindowOp>();
    if (!window || getTile(member).getRank() != 2) {
      continue;
    }
    int64_t column = getInnermostDim(window), row = 1 - column;
    int64_t last =
        column == 0 ? window.getParts()[0] : window.getSizes().size();
    bool neighbours = !window.getChecked().back() &&
                      getSteps(window.getMap(), last - 1).back() == 1;
    Type element = getTile(member).getElementType();
    int64_t vector = neighbours ? kMostBytes / getElementBytes(element) : 1;
    return spread(getTile(member).getShape(), warps, vector, {column, row},
                  {row, column});
  }
  return std::nullopt;
}

/// What a loop computes and then multiplies goes through registers to shared
/// memory: the layout is that of its loads, in pieces of 16 bytes as they are
/// written.
void LayoutAssigner::anchorComputedOperands() {
  constexpr int64_t kMostBytes = 16;
  for (scf::ForOp loop : findDotLoops(kernel)) {
    // What follows from a multiply there stays where that left it.
    bool chained = isChainedLoop(loop);
    for (DotOp dot : loop.getBody()->getOps<DotOp>()) {
      StringRef kind = getMultiplyKind(kernel);
      if (staysInRegisters(dot, kind)) {
        RankedTensorType a = getTile(dot.getA());
        classOf(dot.getA()).layout = getAccumulatorLayout(
            kind, a.getDimSize(0), a.getDimSize(1), warps, chained);
      }
      for (Value tile : {dot.getA(), dot.getB()}) {
        TileClass &cls = classOf(tile);
        if (isa_and_nonnull<LoadOp, LoadWindowOp>(tile.getDefiningOp()) ||
            cls.layout || (chained && !isComputedFromLoads(tile))) {
          continue;
        }
        if (cls.accesses.empty()) {
          cls.layout = getWindowLayout(cls, warps);
        }
        if (cls.layout) {
          continue;
        }
        RankedTensorType type = getTile(tile);
        cls.layout =
            chooseLayout(type, cls.accesses, {}, warps,
                         kMostBytes / getElementBytes(type.getElementType()));
      }
    }
  }
}

/// The layout of what `op` broadcasts.
static TileLayout getSourceLayout(BroadcastOp op, TileLayout layout) {
  for (int64_t dim = layout.getRank(); dim-- > 0;) {
    if (!llvm::is_contained(op.getDims(), dim)) {
      layout = layout.slice(dim);
    }
  }
  return layout;
}

/// Carries layouts over reductions and broadcasts until nothing changes.
void LayoutAssigner::propagate() {
  bool changed = true;
  auto set = [&](Value tile, const TileLayout &layout) {
    classOf(tile).layout = layout;
    changed = true;
  };
  while (changed) {
    changed = false;
    for (ReduceOp op : reductions) {
      std::optional<TileLayout> known = classOf(op.getSource()).layout;
      if (known && !classOf(op.getResult()).layout) {
        set(op.getResult(), known->slice(op.getDim()));
      }
    }
    for (BroadcastOp op : broadcasts) {
      std::optional<TileLayout> known = classOf(op.getResult()).layout;
      if (known && !classOf(op.getSource()).layout) {
        set(op.getSource(), getSourceLayout(op, *known));
      }
    }
  }
}

/// Chooses for the classes that no anchor reaches: the largest first, those
/// that move memory before others. Equal shapes get equal layouts, so that
/// tiles meet without a conversion.
void LayoutAssigner::chooseRest() {
  SmallVector<std::tuple<bool, int64_t, int64_t>> order;
  llvm::MapVector<ArrayRef<int64_t>, TileLayout> byShape;
  for (auto [number, cls] : llvm::enumerate(classes)) {
    if (cls.members.empty()) {
      continue;
    }
    RankedTensorType type = getTile(cls.members.front());
    order.push_back({cls.accesses.empty(), -type.getNumElements(), number});
    if (cls.layout) {
      byShape.insert({type.getShape(), *cls.layout});
    }
  }
  llvm::sort(order, [](auto &a, auto &b) {
    return std::make_tuple(std::get<1>(a), std::get<0>(a), std::get<2>(a)) <
           std::make_tuple(std::get<1>(b), std::get<0>(b), std::get<2>(b));
  });
  for (auto [idle, size, number] : order) {
    propagate();
    TileClass &cls = classes[number];
    if (cls.layout) {
      continue;
    }
    RankedTensorType type = getTile(cls.members.front());
    auto it = byShape.find(type.getShape());
    if (it == byShape.end()) {
      it = byShape
               .insert({type.getShape(), chooseLayout(type, cls.accesses,
                                                      cls.reducedDims, warps)})
               .first;
    }
    cls.layout = it->second;
  }
  propagate();
}

//===----------------------------------------------------------------------===//
// Encodings
//===----------------------------------------------------------------------===//

static RankedTensorType encode(RankedTensorType type,
                               const TileLayout &layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(),
                               getLayoutAttr(type.getContext(), layout));
}

static void setLayout(Value value, const TileLayout &layout) {
  auto type = encode(getTile(value), layout);
  value.setType(type);
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    auto elements = cast<DenseElementsAttr>(constant.getValue());
    constant.setValueAttr(
        DenseElementsAttr::get(type, elements.getSplatValue<Attribute>()));
  }
}

void LayoutAssigner::convertBroadcast(BroadcastOp op) {
  TileLayout wanted = getSourceLayout(op, getLayout(op.getResult()));
  if (getLayout(op.getSource()) == wanted) {
    return;
  }
  // Once, where a loop around the broadcast would repeat it.
  OpBuilder b(op);
  if (op.getSource().getParentBlock() != op->getBlock()) {
    b.setInsertionPointAfterValue(op.getSource());
  }
  op.getSourceMutable().set(ConvertLayoutOp::create(
      b, op.getLoc(), encode(getTile(op.getSource()), wanted), op.getSource()));
}

void LayoutAssigner::convertReduce(ReduceOp op) {
  TileLayout natural = getLayout(op.getSource()).slice(op.getDim());
  RankedTensorType wanted = getTile(op.getResult());
  if (getLayout(wanted) == natural) {
    return;
  }
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  op.getResult().setType(encode(wanted, natural));
  auto convert =
      ConvertLayoutOp::create(b, op.getLoc(), wanted, op.getResult());
  op.getResult().replaceAllUsesExcept(convert.getResult(), convert);
}

/// A load or store across the lanes' direction takes a layout of its own and
/// goes through shared memory. Not beside multiplies: their rings need it all.
void LayoutAssigner::convertTransposed() {
  SmallVector<Operation *> accesses;
  bool multiplies = false;
  kernel.walk([&](Operation *op) {
    multiplies |= isa<DotOp>(op);
    if (isa<LoadOp, StoreOp>(op)) {
      accesses.push_back(op);
    }
  });
  for (Operation *op : accesses) {
    auto load = dyn_cast<LoadOp>(op);
    Value tile = load ? load.getResult() : cast<StoreOp>(op).getValue();
    RankedTensorType type = getTile(tile);
    int64_t dim = getContiguousDim(op);
    if (multiplies || type.getRank() < 2 || dim < 0 ||
        type.getDimSize(dim) == 1 || getLayout(type).lane[0][dim] != 0) {
      continue;
    }
    RankedTensorType own = encode(type, chooseLayout(type, op, {}, warps));
    OpBuilder b(op);
    if (!load) {
      op->setOperand(0, ConvertLayoutOp::create(b, op->getLoc(), own, tile));
      continue;
    }
    b.setInsertionPointAfter(op);
    tile.setType(own);
    auto convert = ConvertLayoutOp::create(b, op->getLoc(), type, tile);
    tile.replaceAllUsesExcept(convert.getResult(), convert);
  }
}

void LayoutAssigner::apply() {
  for (TileClass &cls : classes) {
    bool shared = llvm::any_of(cls.members, [](Value tile) {
      return tile.getDefiningOp<LoadOp>() &&
             llvm::any_of(tile.getUses(), isMultiplied);
    });
    for (Value tile : cls.members) {
      if (!shared) {
        setLayout(tile, *cls.layout);
      }
    }
  }
  llvm::for_each(broadcasts, [&](BroadcastOp op) { convertBroadcast(op); });
  llvm::for_each(reductions, [&](ReduceOp op) { convertReduce(op); });
  convertTransposed();
}

LogicalResult LayoutAssigner::run() {
  auto attr = kernel->getAttrOfType<IntegerAttr>("tile.warps");
  if (!attr || !llvm::isPowerOf2_64(attr.getInt())) {
    return kernel.emitOpError("expected 'tile.warps', a power of two");
  }
  warps = attr.getInt();
  rematerialiseConstants(kernel);
  splitLoads(kernel);
  collect();
  if (failed(anchorDots())) {
    return failure();
  }
  anchorComputedOperands();
  chooseRest();
  apply();
  return success();
}

LogicalResult mlir::fusion::tile::assignLayouts(gpu::GPUFuncOp kernel) {
  return LayoutAssigner(kernel).run();
}

namespace {
struct TileAssignLayouts
    : fusion::impl::TileAssignLayoutsBase<TileAssignLayouts> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (failed(assignLayouts(kernel))) {
        return signalPassFailure();
      }
    }
  }
};
} // namespace
