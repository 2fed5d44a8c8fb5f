//===- KernelWork.cpp - how the kernel of some units will work ------------===//

#include "fusion/Planner/KernelWork.h"

#include "ProductLoops.h"
#include "SoftmaxOperands.h"

#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/PrologueReads.h"
#include "fusion/Schedule/KernelLoop.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// Returns the schedule that `pinned` says, if it says one of `kinds`.
static std::optional<Schedule> readPinned(DictionaryAttr pinned,
                                          ArrayRef<Schedule::Kind> kinds) {
  auto kind = pinned ? pinned.getAs<StringAttr>("kind") : StringAttr();
  bool fits = kind && llvm::any_of(kinds, [&](Schedule::Kind one) {
                return stringifyKind(one) == kind.getValue();
              });
  if (!fits) {
    return std::nullopt;
  }
  // Whoever makes the kernel diagnoses what is wrong with it.
  ScopedDiagnosticHandler quiet(pinned.getContext(),
                                [](Diagnostic &) { return success(); });
  FailureOr<Schedule> schedule = parseSchedule(
      pinned, [&] { return emitError(UnknownLoc::get(pinned.getContext())); });
  return succeeded(schedule) ? std::optional(*schedule) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

static FetchKind getFetchKind(bool window, bool aligned) {
  return window    ? aligned ? FetchKind::WindowLines : FetchKind::Window
         : aligned ? FetchKind::Lines
                   : FetchKind::Stray;
}

/// What an element of an operand costs that goes through registers: it is
/// converted, rounded and stored.
static constexpr double kComputedOps = 4;

/// What an element costs whose place decides whether it is padding.
static constexpr double kBoundsOps = 2;
/// What a factor costs that is fetched for each element, of which neighbours
/// often share it, against an element of a window.
static constexpr double kFactorFetch = 0.5;

namespace {
/// What a kernel does for each element of an operand that it computes.
struct OperandWork {
  double ops = 0;     ///< 0 where it only loads the operand
  double fetches = 0; ///< elements at computed positions, beyond one
  double bytes = 0;   ///< of memory
};
} // namespace

static double countElements(Value value) {
  double elements = 1;
  for (int64_t size : cast<ShapedType>(value.getType()).getShape()) {
    elements *= getNominalSize(size);
  }
  return std::max(1.0, elements);
}

/// Returns those of `units` that make `operand`, from elements.
static SmallVector<const Unit *> findMakers(ArrayRef<const Unit *> units,
                                            Value operand) {
  llvm::SmallSetVector<const Unit *, 4> makers;
  auto add = [&](Value value) {
    for (const Unit *unit : units) {
      if (unit->space.role == OpRole::Elementwise && unit->getMapOf(value)) {
        makers.insert(unit);
      }
    }
  };
  add(operand);
  for (size_t i = 0; i < makers.size(); ++i) {
    for (const UnitRead &read : makers[i]->reads) {
      add(read.value);
    }
  }
  return makers.takeVector();
}

/// Returns the elements of one block of k of `unit` where a factor for each
/// block is fetched for each element: k of several loops, which steps cross.
static std::optional<double> getSumLength(const Unit &unit) {
  constexpr int64_t kStep = 32;
  ArrayRef<unsigned> reduced = unit.space.reduced;
  if (reduced.size() < 2 || unit.space.sizes[reduced.back()] % kStep == 0) {
    return std::nullopt;
  }
  double length = 1;
  for (unsigned loop : reduced) {
    length *= getNominalSize(unit.space.sizes[loop]);
  }
  return length;
}

/// Returns what `units` do for each element of operand `number` of `product`.
static OperandWork getOperandWork(ArrayRef<const Unit *> units,
                                  const Unit &product, unsigned number) {
  LinalgOp op = product.anchor;
  Value operand = op.getDpsInputOperand(number)->get();
  auto producer = operand.getDefiningOp<LinalgOp>();
  std::optional<PaddedRead> padded =
      producer ? getAbsorbedPadding(producer) : std::nullopt;
  operand = padded ? padded->source : operand;
  SmallVector<const Unit *> makers = findMakers(units, operand);
  OperandWork work;
  if (makers.empty()) {
    return work;
  }
  bool windows = readsInWindows(product, number);
  std::optional<double> sum = getSumLength(product);
  double elements = countElements(operand);
  work.ops = kComputedOps + (padded ? kBoundsOps : 0);
  work.fetches = windows ? -1 : 0;
  for (const Unit *maker : makers) {
    // In windows all is done for each element, however few makers have.
    double own = countElements(maker->values.front().value);
    work.ops += maker->work.flops / (windows ? own : elements);
    for (const UnitRead &read : maker->reads) {
      bool inside = llvm::any_of(
          makers, [&](const Unit *m) { return bool(m->getMapOf(read.value)); });
      if (inside || !read.map) {
        continue;
      }
      double size = countElements(read.value);
      work.bytes += size >= elements ? getElementBytes(read.value) : 0;
      bool isPart = sum && size < elements && size > elements / *sum;
      work.fetches += windows && size >= elements ? 1
                      : windows || isPart         ? kFactorFetch
                                                  : 0;
    }
  }
  work.fetches = std::max(0.0, work.fetches);
  return work;
}

/// Notes in `found` which operands of `products` are made by others of `units`:
/// no bulk copy fetches those.
static void addComputedOperands(ArrayRef<const Unit *> units,
                                ArrayRef<const Unit *> products,
                                ProductsShape &found) {
  LinalgOp op = products.front()->anchor;
  ProductLoops loops = sortLoops(*products.front());
  AffineMap mapOfFirst = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  unsigned m = mapOfFirst.isFunctionOfDim(loops.rows.front()) ? 0 : 1;
  for (const Unit *product : products) {
    OperandWork workM = getOperandWork(units, *product, m);
    OperandWork workN = getOperandWork(units, *product, 1 - m);
    found.opsM += workM.ops;
    found.opsN += workN.ops;
    found.bytesM += workM.bytes;
    found.bytesN += workN.bytes;
    found.fetchesM += workM.fetches;
    found.fetchesN += workN.fetches;
  }
  found.shape.computesM = found.opsM != 0;
  found.shape.computesN = found.opsN != 0;
  found.shape.bulkCopies &= !found.shape.computesM && !found.shape.computesN;
}

/// Returns how many reductions, each of which needs the one before, come before
/// the products of `units`.
static unsigned countRowLevels(ArrayRef<const Unit *> units) {
  DenseMap<Value, unsigned> levels;
  DenseSet<Value> results; // of products, and of what follows from them
  unsigned most = 0;
  for (const Unit *unit : units) {
    bool follows = unit->space.role == OpRole::Contraction ||
                   llvm::any_of(unit->reads, [&](const UnitRead &read) {
                     return results.contains(read.value);
                   });
    if (follows) {
      for (const UnitValue &made : unit->values) {
        results.insert(made.value);
      }
      continue;
    }
    unsigned level = unit->space.role == OpRole::Reduction;
    for (const UnitRead &read : unit->reads) {
      unsigned before = levels.lookup(read.value);
      level = std::max<unsigned>(
          level, before + (unit->space.role == OpRole::Reduction));
    }
    for (const UnitValue &made : unit->values) {
      levels[made.value] = level;
    }
    most = std::max(most, level);
  }
  return most;
}

/// Adds to `loop` the pieces of rows of the operands that are reduced before.
static void addRowPieces(const ProductsShape &products,
                         const Schedule &schedule, TileLoop &loop) {
  int64_t rows = products.opsN > 0 ? schedule.columns : schedule.rows;
  double k = products.shape.k;
  int64_t piece = getRowPiece(schedule, rows, products.shape.k);
  // Rows that fit in registers stay there.
  double times = k <= piece ? 1 : products.rowLevels;
  loop.pieces = std::ceil(k / piece) * times;
  loop.pieceBytes = rows * k * products.shape.elementBytes * times;
}

/// Returns how many more bytes than the operands that it computes have are
/// fetched in a step of `schedule` for them.
static double getComputedBytes(const ProductsShape &products,
                               const Schedule &schedule) {
  const ContractionShape &shape = products.shape;
  double bytes = 0;
  if (shape.computesM && !products.windowM) {
    bytes += schedule.rows *
             (products.bytesM - double(shape.elementBytes * shape.operandsM));
  }
  if (shape.computesN && !products.windowN) {
    bytes += schedule.columns *
             (products.bytesN - double(shape.elementBytes * shape.operandsN));
  }
  return bytes * schedule.depth;
}

/// Returns the schedule of `products`, and completes their shape in `shape`.
static Schedule getProductsSchedule(const ProductsShape &products,
                                    DictionaryAttr pinned,
                                    const DeviceModel &device,
                                    ContractionShape &shape) {
  using Kind = Schedule::Kind;
  shape = products.shape;
  shape.fetchM = getFetchKind(products.windowM, products.alignedM);
  shape.fetchN = getFetchKind(products.windowN, products.alignedN);
  std::optional<Schedule> schedule =
      readPinned(pinned, {Kind::WGMMA, Kind::MMA, Kind::FMA});
  return schedule ? *schedule
                  : chooseContraction(shape, ScheduleTarget::get(device.chip));
}

std::string fusion::refuseHeldRows(const ProductsShape &products,
                                   DictionaryAttr pinned,
                                   const DeviceModel &device) {
  ContractionShape shape;
  Schedule schedule = getProductsSchedule(products, pinned, device, shape);
  return refuseContraction(schedule, shape, ScheduleTarget::get(device.chip));
}

static TileLoop getLoop(const ProductsShape &products, DictionaryAttr pinned,
                        const DeviceModel &device) {
  ContractionShape shape;
  Schedule schedule = getProductsSchedule(products, pinned, device, shape);
  for (int64_t *size : {&shape.batch, &shape.m, &shape.n, &shape.k}) {
    *size = getNominalSize(*size);
  }
  TileLoop loop = describeLoop(shape, schedule);
  loop.vectorOps += schedule.depth * (schedule.rows * products.opsM +
                                      schedule.columns * products.opsN);
  loop.windowElements +=
      schedule.depth * (schedule.rows * products.fetchesM +
                        schedule.columns * products.fetchesN);
  if (schedule.multistage) {
    loop.lineBytes =
        std::max(0.0, loop.lineBytes + getComputedBytes(products, schedule));
  }
  if (products.rowLevels > 0) {
    ProductsShape known = products;
    known.shape = shape;
    addRowPieces(known, schedule, loop);
  }
  return loop;
}

double fusion::estimateProducts(const ProductsShape &products,
                                const DeviceModel &device) {
  return estimateLoops(getLoop(products, DictionaryAttr(), device), device);
}

static bool addProducts(ArrayRef<const Unit *> units,
                        ArrayRef<const Unit *> products, DictionaryAttr pinned,
                        const DeviceModel &device, KernelWork &work) {
  std::optional<ProductsShape> found =
      getProductsShape(products, findHeldLoops(units, products));
  if (!found) {
    return false;
  }
  addComputedOperands(units, products, *found);
  found->rowLevels = countRowLevels(units);
  work.loop = getLoop(*found, pinned, device);
  // Parts of one launch have blocks of one size.
  found->shape.blockWarps = kSharedBlockWarps;
  work.loopBeside = getLoop(*found, pinned, device);
  work.blocks = work.loop.tiles;
  return true;
}

//===----------------------------------------------------------------------===//
// A softmax between contractions
//===----------------------------------------------------------------------===//

/// Returns those of the ops of `units` that are not of `softmax` itself, but
/// come before it: they make its operands.
static SmallVector<LinalgOp> findOthers(ArrayRef<const Unit *> units,
                                        const OnlineSoftmax &softmax) {
  SmallVector<LinalgOp> others;
  for (const Unit *unit : units) {
    for (Operation *op : unit->ops) {
      bool isBefore = op->getBlock() == softmax.values->getBlock() &&
                      op->isBeforeInBlock(softmax.values);
      if (isBefore && !llvm::is_contained(softmax.ops, op)) {
        others.push_back(cast<LinalgOp>(op));
      }
    }
  }
  return others;
}

static bool addSoftmaxUnits(ArrayRef<const Unit *> units,
                            ArrayRef<const Unit *> products,
                            const DeviceModel &device, KernelWork &work) {
  for (const Unit *unit : products) {
    for (Operation *op : unit->ops) {
      auto scores = cast<LinalgOp>(op);
      if (getIterationSpace(scores).role != OpRole::Contraction) {
        continue;
      }
      FusionDecision refusal = FusionDecision::allow();
      std::optional<OnlineSoftmax> softmax =
          matchOnlineSoftmax(scores, refusal);
      if (softmax) {
        return addOnlineSoftmax(*softmax, findOthers(units, *softmax), device,
                                work);
      }
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

AffineExpr fusion::getInnermostPosition(LinalgOp op, OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  auto shape = cast<ShapedType>(operand->get().getType()).getShape();
  for (auto [position, size] :
       llvm::reverse(llvm::zip_equal(map.getResults(), shape))) {
    if (size != 1) {
      return position;
    }
  }
  return {};
}

/// Returns whether the largest input of `op` has reduced dims innermost.
static bool reducesAlongMemory(LinalgOp op, const IterationSpace &space) {
  OpOperand *largest = nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    bool larger = !largest || getTensorBytes(input->get().getType()) >
                                  getTensorBytes(largest->get().getType());
    largest = larger ? input : largest;
  }
  AffineExpr innermost = getInnermostPosition(op, largest);
  return !innermost || llvm::any_of(space.reduced, [&](unsigned loop) {
    return innermost.isFunctionOfDim(loop);
  });
}

RowsShape fusion::getRowsShape(LinalgOp op, const IterationSpace &space) {
  RowsShape shape;
  for (unsigned loop : space.reduced) {
    bool isCut = space.partSize != 0 && loop == space.split;
    int64_t size = space.sizes[loop];
    shape.columns =
        multiplySizes(shape.columns, isCut && !ShapedType::isDynamic(size)
                                         ? std::min(size, space.partSize)
                                         : size);
  }
  shape.outerRows = space.getParts();
  if (!space.parallel.empty()) {
    shape.rows = space.sizes[space.parallel.back()];
    for (unsigned loop : ArrayRef(space.parallel).drop_back()) {
      shape.outerRows = multiplySizes(shape.outerRows, space.sizes[loop]);
    }
  }
  shape.contiguousColumns = reducesAlongMemory(op, space);
  shape.elementBytes = getElementBytes(op.getDpsInputs()[0]);
  return shape;
}

/// The time of a piece that is only added up, against one that warps hand over.
static constexpr double kShareOfSums = 0.4;

void fusion::addRowsWork(RowsShape shape, const Schedule &schedule,
                         size_t reductions, KernelWork &work) {
  for (int64_t *size : {&shape.rows, &shape.columns, &shape.outerRows}) {
    *size = getNominalSize(*size);
  }
  // Pieces are loaded again for each reduction that needs the one before.
  double pieces = countPieces(shape, schedule);
  work.rounds = pieces > 1 ? pieces * reductions : 1;
  // Along other dims than memory nothing but sums waits for a piece.
  work.rounds *= shape.contiguousColumns ? 1 : kShareOfSums;
  work.blocks = countBlocks(shape, schedule);
  work.threads = schedule.warps * 32;
}

static void addRows(ArrayRef<const Unit *> units, DictionaryAttr pinned,
                    const DeviceModel &device, KernelWork &work) {
  const Unit &first = *units.front();
  LinalgOp op = first.anchor;
  if (op.getNumDpsInputs() == 0) {
    return;
  }
  RowsShape shape = getRowsShape(op, first.space);
  std::optional<Schedule> schedule = readPinned(pinned, {Schedule::Kind::Rows});
  if (!schedule) {
    schedule = chooseRows(shape, ScheduleTarget::get(device.chip));
  }
  addRowsWork(shape, *schedule, units.size(), work);
}

void fusion::addSchedule(ArrayRef<const Unit *> units, DictionaryAttr pinned,
                         const DeviceModel &device, KernelWork &work) {
  if (device.isCPU()) {
    return;
  }
  SmallVector<const Unit *> products, reductions;
  bool isSoftmax = false;
  for (const Unit *unit : units) {
    OpRole role = unit->space.role;
    if (role == OpRole::Contraction) {
      products.push_back(unit);
      isSoftmax |= unit->isSoftmax;
    } else if (role == OpRole::Reduction) {
      reductions.push_back(unit);
    }
  }
  // A group has the parts of a softmax one by one, a graph as one unit.
  bool between = products.size() == 2 && !reductions.empty();
  if ((isSoftmax || between) &&
      addSoftmaxUnits(units, products, device, work)) {
    return;
  }
  if (addChainedSchedule(products, device, work)) {
    return;
  }
  if (!products.empty() && addProducts(units, products, pinned, device, work)) {
    return;
  }
  if (!products.empty()) {
    // Blocks have rows of the products, whatever else they reduce.
    work.tensorCores = false;
    reductions.insert(reductions.begin(), products.begin(), products.end());
  }
  if (!reductions.empty()) {
    addRows(reductions, pinned, device, work);
  }
}
