//===- DotLoop.cpp - the loop over k of a multiply ------------------------===//

#include "fusion/Tile/DotLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion::tile;

DotOperand &DotLoop::getOperand(Value tile) {
  auto *found = llvm::find_if(
      operands, [&](DotOperand &o) { return o.getTile() == tile; });
  assert(found != operands.end() && "not an operand of this loop");
  return *found;
}

static bool isTile(Type type) { return isa<RankedTensorType>(type); }

/// Whether `dot` multiplies what was computed before its loop.
static bool multipliesEarlier(DotOp dot) {
  Operation *def = dot.getA().getDefiningOp();
  return def && def->getBlock() != dot->getBlock() &&
         !isa<LoadOp, LoadWindowOp>(def);
}

bool mlir::fusion::tile::isChainedLoop(scf::ForOp loop) {
  DenseSet<Value> carried; // tiles that depend on dots or the step before
  for (BlockArgument arg : loop.getRegionIterArgs()) {
    carried.insert(arg);
  }
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto dot = dyn_cast<DotOp>(op);
    auto depends = [&](Operation *inner) {
      bool found = llvm::any_of(inner->getOperands(), [&](Value operand) {
        return carried.contains(operand) && !(dot && operand == dot.getAcc());
      });
      return found ? WalkResult::interrupt() : WalkResult::advance();
    };
    bool makesTile = llvm::any_of(op.getResultTypes(), isTile);
    if ((makesTile && op.walk(depends).wasInterrupted()) ||
        (dot && multipliesEarlier(dot))) {
      return true;
    }
    if (dot) {
      carried.insert(dot.getResult());
    }
  }
  return false;
}

SmallVector<Operation *> mlir::fusion::tile::getTileSlice(Value tile,
                                                          Block &block) {
  DenseSet<Operation *> wanted;
  auto want = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (def && def->getBlock() == &block && isTile(value.getType())) {
      wanted.insert(def);
    }
  };
  want(tile);
  SmallVector<Operation *> slice;
  for (Operation &op : llvm::reverse(block)) {
    if (wanted.contains(&op)) {
      slice.push_back(&op);
      llvm::for_each(op.getOperands(), want);
    }
  }
  std::reverse(slice.begin(), slice.end());
  return slice;
}

bool mlir::fusion::tile::isComputedFromLoads(Value tile) {
  if (isa_and_nonnull<LoadOp>(tile.getDefiningOp())) {
    return false;
  }
  llvm::SetVector<Value> values;
  values.insert(tile);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *def = values[i].getDefiningOp();
    if (!def ||
        isa<DotOp, AccReadOp, scf::ForOp, scf::IfOp, scf::WhileOp>(def)) {
      return false;
    }
    for (Value operand : def->getOperands()) {
      if (isTile(operand.getType())) {
        values.insert(operand);
      }
    }
  }
  return true;
}

SmallVector<Operation *>
mlir::fusion::tile::getLoadsOf(ArrayRef<Operation *> slice) {
  DenseSet<Operation *> wanted;
  SmallVector<Operation *> loads;
  for (Operation *op : llvm::reverse(slice)) {
    if (isa<LoadOp, LoadWindowOp, GatherOp>(op) || wanted.contains(op)) {
      loads.push_back(op);
      for (Value operand : op->getOperands()) {
        if (Operation *def = operand.getDefiningOp()) {
          wanted.insert(def);
        }
      }
    }
  }
  std::reverse(loads.begin(), loads.end());
  return loads;
}

void mlir::fusion::tile::cloneNew(OpBuilder &builder, ArrayRef<Operation *> ops,
                                  IRMapping &mapping) {
  for (Operation *op : ops) {
    if (!mapping.contains(op->getResult(0))) {
      builder.clone(*op, mapping);
    }
  }
}

bool mlir::fusion::tile::staysInRegisters(DotOp dot, StringRef kind) {
  constexpr int64_t kNarrow = 64, kMostColumns = 128;
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  Operation *def = dot.getA().getDefiningOp();
  int64_t columns = cast<RankedTensorType>(dot.getA().getType()).getDimSize(1);
  return kind == "wgmma" && loop && def &&
         def->getBlock() == loop->getBlock() &&
         (isa<LoadOp>(def) || isComputedFromLoads(dot.getA())) &&
         columns > kNarrow && columns <= kMostColumns && isChainedLoop(loop);
}

SmallVector<scf::ForOp> mlir::fusion::tile::findDotLoops(Operation *root) {
  llvm::SetVector<Operation *> loops;
  root->walk([&](DotOp dot) {
    if (auto loop = dyn_cast<scf::ForOp>(dot->getParentOp())) {
      loops.insert(loop);
    }
  });
  return llvm::map_to_vector(
      loops, [](Operation *op) { return cast<scf::ForOp>(op); });
}

/// The ring for the tile `loaded`: what the multiplies of `kind` want to read.
/// wgmma reads 128-byte swizzled panels; mma.sync any swizzle that fits
/// (ldmatrix is then free of conflicts); scalar code rows padded by 16 bytes.
static BufferType chooseRing(Value loaded, int64_t rowDim, int64_t columnDim,
                             bool kMajor, StringRef kind) {
  auto tile = cast<RankedTensorType>(loaded.getType());
  int64_t rows = tile.getDimSize(rowDim), columns = tile.getDimSize(columnDim);
  int64_t rowBytes = columns * getElementBytes(tile.getElementType());
  int64_t swizzle = 0, padding = 0;
  if (kind == "fma") {
    padding = kMajor ? 16 : 0;
  } else {
    swizzle = rowBytes % 128 == 0 ? 128 : rowBytes % 64 == 0 ? 64 : 32;
  }
  return BufferType::get(loaded.getContext(), {1, rows, columns},
                         tile.getElementType(), swizzle, padding);
}

int64_t mlir::fusion::tile::getInnermostDim(LoadWindowOp window) {
  ArrayRef<int64_t> parts = window.getParts();
  std::optional<std::pair<int64_t, int64_t>> best; // step, negative size
  int64_t found = parts.size() - 1, coordinate = -1;
  for (auto [dim, part] : llvm::enumerate(parts)) {
    coordinate += part;
    int64_t step = std::abs(getSteps(window.getMap(), coordinate).back());
    int64_t size = window.getSizes()[coordinate];
    std::pair<int64_t, int64_t> key(
        step, ShapedType::isDynamic(size) ? INT64_MIN : -size);
    if (step != 0 && (!best || key < *best)) {
      best = key;
      found = dim;
    }
  }
  return found;
}

/// Describes `window`, in which k is tile dim `kDim`.
static FailureOr<DotOperand> readWindowOperand(DotOp dot, LoadWindowOp window,
                                               int64_t kDim, StringRef kind) {
  if (window->getBlock() != dot->getBlock() || window.getOther()) {
    // Shared memory is filled with zeros.
    return dot.emitOpError("expected a window that is zero outside, in the "
                           "dot's loop");
  }
  int64_t columnDim = getInnermostDim(window);
  bool kMajor = columnDim == kDim;
  return DotOperand{
      LoadOp(),
      window,
      Value(),
      kMajor,
      1 - columnDim,
      columnDim,
      chooseRing(window.getResult(), 1 - columnDim, columnDim, kMajor, kind)};
}

FailureOr<DotOperand>
mlir::fusion::tile::describeOperand(LoadOp load, int64_t kDim, StringRef kind) {
  SmallVector<int64_t> mapped;
  for (int64_t dim : load.getDims()) {
    if (dim >= 0) {
      mapped.push_back(dim);
    }
  }
  if (mapped.size() != 2) {
    return load.emitOpError("expected both tile dims to run along the array");
  }
  bool kMajor = mapped[1] == kDim;
  return DotOperand{load,
                    LoadWindowOp(),
                    Value(),
                    kMajor,
                    mapped[0],
                    mapped[1],
                    chooseRing(load, mapped[0], mapped[1], kMajor, kind)};
}

DotOperand mlir::fusion::tile::describeComputedOperand(Value tile, int64_t kDim,
                                                       StringRef kind) {
  TileLayout layout = getLayout(cast<RankedTensorType>(tile.getType()));
  int64_t widths[] = {layout.getVectorWidth(0), layout.getVectorWidth(1)};
  bool lanes = layout.lane.front()[0] != 0;
  int64_t columnDim =
      widths[0] == widths[1] ? (lanes ? 0 : 1) : widths[0] < widths[1];
  bool kMajor = columnDim == kDim;
  return DotOperand{LoadOp(),
                    LoadWindowOp(),
                    tile,
                    kMajor,
                    1 - columnDim,
                    columnDim,
                    chooseRing(tile, 1 - columnDim, columnDim, kMajor, kind)};
}

/// Describes the computed `tile`, in which k is tile dim `kDim`.
static FailureOr<DotOperand> readComputedOperand(DotOp dot, Value tile,
                                                 int64_t kDim, StringRef kind) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (!type.getEncoding() || tile.getParentBlock() != dot->getBlock()) {
    return dot.emitOpError("expected what is multiplied to be computed in its "
                           "loop, in a known layout");
  }
  return describeComputedOperand(tile, kDim, kind);
}

/// Describes the load behind `tile`, in which k is tile dim `kDim`.
static FailureOr<DotOperand> readOperand(DotOp dot, Value tile, int64_t kDim,
                                         StringRef kind, bool bulkCopies) {
  if (bulkCopies && !tile.getDefiningOp<LoadOp>()) {
    return dot.emitOpError("expected operands that are loaded as they lie in "
                           "memory, which bulk copies can bring");
  }
  if (auto window = tile.getDefiningOp<LoadWindowOp>()) {
    return readWindowOperand(dot, window, kDim, kind);
  }
  auto load = tile.getDefiningOp<LoadOp>();
  if (!load) {
    return readComputedOperand(dot, tile, kDim, kind);
  }
  if (load->getBlock() != dot->getBlock()) {
    return dot.emitOpError("expected its operands to be loads in its loop");
  }
  return describeOperand(load, kDim, kind);
}

/// Whether `value` is a tile of zeros.
static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

FailureOr<DotLoop> mlir::fusion::tile::readDotLoop(scf::ForOp loop,
                                                   StringRef kind,
                                                   bool bulkCopies) {
  DotLoop result;
  result.loop = loop;
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [arg, init, yielded] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs(),
                 yield->getOperands())) {
    auto dot = yielded.getDefiningOp<DotOp>();
    if (!dot || dot.getAcc() != arg || !isZero(init)) {
      return loop.emitOpError("expected the loop to carry accumulators of "
                              "tile.dot only, from zero");
    }
    result.dots.push_back(dot);
    for (auto [tile, kDim] : {std::pair<Value, int64_t>(dot.getA(), 1),
                              std::pair<Value, int64_t>(dot.getB(), 0)}) {
      auto same = [&, tile = tile](DotOperand &o) {
        return o.getTile() == tile;
      };
      if (llvm::any_of(result.operands, same)) {
        continue;
      }
      FailureOr<DotOperand> operand =
          readOperand(dot, tile, kDim, kind, bulkCopies);
      if (failed(operand)) {
        return failure();
      }
      if (kind == "wgmma" && !bulkCopies &&
          operand->type.getSwizzle() != kWgmmaSwizzle) {
        return dot.emitOpError("expected rows of a multiple of ")
               << kWgmmaSwizzle << " bytes for wgmma, but got "
               << operand->type.getColumns() * operand->type.getElementBytes();
      }
      result.operands.push_back(*operand);
    }
  }
  // A dot beside them, such as one whose loop over k was inlined.
  for (DotOp dot : loop.getBody()->getOps<DotOp>()) {
    if (!llvm::is_contained(result.dots, dot)) {
      return dot.emitOpError("expected a loop over k that carries its result");
    }
  }
  return result;
}

bool mlir::fusion::tile::isScalarOp(Operation *op) {
  // Single elements are predicates, which no kernel writes that reads them.
  bool isFree = isMemoryEffectFree(op) || isa<memref::LoadOp>(op);
  if (!isFree || op->hasTrait<OpTrait::IsTerminator>()) {
    return false;
  }
  bool tiles = op->walk([](Operation *nested) {
                   return llvm::any_of(nested->getOperandTypes(), isTile) ||
                                  llvm::any_of(nested->getResultTypes(), isTile)
                              ? WalkResult::interrupt()
                              : WalkResult::advance();
                 }).wasInterrupted();
  return !tiles;
}

void mlir::fusion::tile::cloneScalarOps(OpBuilder &builder, Block &block,
                                        IRMapping &mapping) {
  for (Operation &op : block) {
    if (isScalarOp(&op)) {
      builder.clone(op, mapping);
    }
  }
}

SmallVector<Value>
mlir::fusion::tile::emitMultiplies(OpBuilder &builder, DotLoop &dots,
                                   ArrayRef<Value> rings, Value stage,
                                   ValueRange accs, StringRef kind) {
  SmallVector<Value> results;
  for (auto [dot, acc] : llvm::zip(dots.dots, accs)) {
    DotOperand &a = dots.getOperand(dot.getA());
    DotOperand &b = dots.getOperand(dot.getB());
    Value aRing = rings[&a - dots.operands.begin()];
    Value bRing = rings[&b - dots.operands.begin()];
    results.push_back(MMAOp::create(
        builder, dot.getLoc(), acc.getType(), aRing, stage, bRing, stage, acc,
        builder.getStringAttr(kind), builder.getBoolAttr(a.kMajor),
        builder.getBoolAttr(b.kMajor)));
  }
  return results;
}

Value mlir::fusion::tile::nextStage(OpBuilder &builder, Location loc,
                                    Value stage, int64_t stages) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value last = arith::ConstantIndexOp::create(builder, loc, stages - 1);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value next = arith::AddIOp::create(builder, loc, stage, one);
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      stage, last);
  return arith::SelectOp::create(builder, loc, wraps, zero, next);
}
