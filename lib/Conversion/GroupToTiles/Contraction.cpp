//===- Contraction.cpp - kernels of matrix products -----------------------===//

#include "FactorRows.h"
#include "Kernels.h"
#include "TileEmitter.h"
#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

/// The longest steps along k that are chosen.
constexpr int64_t kDeepestStep = 64;

/// Whether bulk copies can fetch tiles of `operand` along the two dims: at most
/// four dims, the innermost one of the two, rows of a multiple of 16 bytes.
static bool allowsBulkCopies(const GroupOperand &operand, int64_t first,
                             int64_t second) {
  if (operand.isWindow() || !operand.memory) {
    return false;
  }
  MemoryView view = getView(operand);
  int64_t inner = view.getContiguousDim();
  int64_t size = view.type.getShape().back();
  int64_t bytes = tile::getElementBytes(view.type.getElementType());
  return view.dims.size() <= 4 && (inner == first || inner == second) &&
         !ShapedType::isDynamic(size) && size * bytes % 16 == 0 &&
         !llvm::is_contained(view.type.getShape(), 0);
}

/// Whether steps of `depth` along `k` read what lies behind a slice: there the
/// array goes on, so that nothing fills the tile with zeros.
static bool passesSlice(const GroupOperand &operand, int64_t k, int64_t depth) {
  if (!operand.memory || operand.isWindow()) {
    return false;
  }
  auto part = cast<ShapedType>(operand.value.getType());
  auto whole = cast<ShapedType>(operand.memory.getType());
  for (auto [position, dim] : llvm::enumerate(operand.dims)) {
    if (dim == k && operand.isCut(position)) {
      int64_t size = part.getDimSize(position);
      return size % depth != 0 &&
             operand.starts[position] + size < whole.getDimSize(position);
    }
  }
  return false;
}

/// Whether what `operand`, a window, has side by side is the last part of k: 16
/// bytes at a time are all of it or none.
static bool readsPieces(const Group &group, const GroupOperand &operand,
                        int64_t k) {
  const GroupPosition &inner = operand.window.back();
  auto type = operand.memory ? cast<ShapedType>(operand.memory.getType())
                             : ShapedType();
  if (!type || inner.extent || inner.terms.size() != 1 ||
      inner.terms[0].dim != k || inner.terms[0].step != 1 ||
      inner.terms[0].part + 1 != int64_t(group.dims[k].parts.size())) {
    return false;
  }
  int64_t size = type.getShape().back();
  return !ShapedType::isDynamic(size) &&
         size * tile::getElementBytes(type.getElementType()) % 16 == 0;
}

/// Notes in `fetch` and `computes` how the products' tiles of `operand` come,
/// whose side of a product and k are `first` and `second`.
static void addFetch(const Group &group, const GroupOperand &operand,
                     int64_t first, int64_t second, FetchKind &fetch,
                     bool &computes) {
  if (operand.isWindow()) {
    fetch = readsPieces(group, operand, second) ? FetchKind::WindowLines
                                                : FetchKind::Window;
  } else if (!operand.memory || passesSlice(operand, second, kDeepestStep)) {
    computes = true;
  } else if (!allowsBulkCopies(operand, first, second) &&
             getView(operand).dims.size() <= 4) {
    fetch = FetchKind::Stray;
  }
}

/// How many different arrays the products read as input a (or b).
static int64_t countOperands(const Group &group,
                             const MatrixProducts &contraction,
                             unsigned MatrixProducts::Product::*input) {
  SmallVector<std::tuple<Value, int64_t, ArrayRef<int64_t>>> seen;
  for (const MatrixProducts::Product &product : contraction.products) {
    const GroupOperand &operand =
        group.ops[product.number].inputs[product.*input];
    std::tuple<Value, int64_t, ArrayRef<int64_t>> key(
        operand.memory ? operand.memory : operand.value, operand.producer,
        operand.dims);
    if (!llvm::is_contained(seen, key)) {
      seen.push_back(key);
    }
  }
  return seen.size();
}

/// Whether a tile of the products lies at one place of `dim`.
static bool isBatch(const MatrixProducts &contraction, int64_t dim) {
  return dim != contraction.m && dim != contraction.n && dim != contraction.k &&
         !llvm::is_contained(contraction.outerK, dim);
}

static ContractionShape describe(const Group &group,
                                 const MatrixProducts &contraction) {
  ContractionShape shape;
  shape.m = group.dims[contraction.m].size;
  shape.n = group.dims[contraction.n].size;
  shape.k = group.dims[contraction.k].size;
  for (int64_t dim : contraction.outerK) {
    int64_t size = group.dims[dim].size;
    shape.blockK = group.dims[contraction.k].size;
    shape.k = ShapedType::isDynamic(size) ? size : shape.k * size;
  }
  for (auto [number, dim] : llvm::enumerate(group.dims)) {
    if (isBatch(contraction, number)) {
      bool dynamic =
          ShapedType::isDynamic(shape.batch) || ShapedType::isDynamic(dim.size);
      shape.batch = dynamic ? ShapedType::kDynamic : shape.batch * dim.size;
    }
  }
  shape.count = contraction.products.size();
  shape.operandsM =
      countOperands(group, contraction, &MatrixProducts::Product::a);
  shape.operandsN =
      countOperands(group, contraction, &MatrixProducts::Product::b);
  shape.wholeM = contraction.held == contraction.m;
  shape.wholeN = contraction.held == contraction.n;
  shape.bulkCopies = true;
  shape.halfFloats = true;
  shape.panelsAlongK = shape.panelsAlongN = false;
  for (const MatrixProducts::Product &product : contraction.products) {
    const GroupMember &op = group.ops[product.number];
    Type type = op.inputs[0].getElementType();
    shape.elementBytes = tile::getElementBytes(type);
    shape.halfFloats &= isHalfFloat(type);
    for (const GroupOperand &operand : op.inputs) {
      shape.bulkCopies &= !passesSlice(operand, contraction.k, kDeepestStep);
      int64_t inner = operand.memory && !operand.isWindow()
                          ? getView(operand).getContiguousDim()
                          : -1;
      shape.panelsAlongK |= inner == contraction.k;
      shape.panelsAlongN |= inner == contraction.n;
    }
    shape.bulkCopies &=
        allowsBulkCopies(op.inputs[product.a], contraction.m, contraction.k) &&
        allowsBulkCopies(op.inputs[product.b], contraction.k, contraction.n);
    addFetch(group, op.inputs[product.a], contraction.m, contraction.k,
             shape.fetchM, shape.computesM);
    addFetch(group, op.inputs[product.b], contraction.n, contraction.k,
             shape.fetchN, shape.computesN);
  }
  return shape;
}

static FailureOr<Schedule> schedule(Group &group,
                                    const MatrixProducts &contraction,
                                    const KernelContext &context) {
  using Kind = Schedule::Kind;
  ContractionShape shape = describe(group, contraction);
  // Parts of one launch have blocks of one size.
  constexpr int64_t kSharedBlockWarps = 8;
  shape.blockWarps = group.func->hasAttr("fusion.part") ? kSharedBlockWarps : 0;
  FailureOr<Schedule> picked =
      pickSchedule(group, context, {Kind::WGMMA, Kind::MMA, Kind::FMA},
                   [&] { return chooseContraction(shape, context.target); });
  if (failed(picked)) {
    return failure();
  }
  std::string reason = refuseContraction(*picked, shape, context.target);
  if (!reason.empty()) {
    return group.func.emitOpError("the schedule doesn't fit: ") << reason;
  }
  return picked;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {
class ContractionEmitter {
public:
  ContractionEmitter(Group &group, const MatrixProducts &contraction,
                     const Schedule &schedule, bool strict)
      : group(group), contraction(contraction),
        resultOps(findResultOps(group, contraction)), schedule(schedule),
        builder(group, schedule),
        emitter(builder, {contraction.m, contraction.k, contraction.n}, strict),
        rows(group, contraction, schedule, builder, emitter),
        b(builder.getBuilder()), loc(builder.getLoc()) {}
  LogicalResult run();

private:
  SmallVector<GridDim> makeGrid();
  SmallVector<Value> raster(Value number, ValueRange counts);
  FailureOr<SmallVector<Value>> multiply();
  void keepFactorsRounded();
  LogicalResult emitFactorOps();
  void placeStep(Value place);
  Value getFactor(const GroupOperand &operand, ArrayRef<int64_t> along);
  bool isProduct(int64_t number) const;
  int64_t getUniformDim() const;
  LogicalResult emitResult(int64_t number);
  LogicalResult emitTile(ArrayRef<GridDim> grid, ValueRange offsets);
  void setResult(const MatrixProducts::Product &product, Value sum);

  Group &group;
  const MatrixProducts &contraction;
  SmallVector<bool> resultOps; ///< by number
  /// Factors in this step, by producer, its result, and their first dim.
  std::map<std::tuple<int64_t, unsigned, int64_t>, Value> factors;
  const Schedule &schedule;
  KernelBuilder builder;
  TileEmitter emitter;
  FactorRows rows;
  OpBuilder &b;
  Location loc;
};
} // namespace

/// Batch dims outermost, then m and n.
SmallVector<GridDim> ContractionEmitter::makeGrid() {
  int64_t m = contraction.m, n = contraction.n, k = contraction.k;
  SmallVector<GridDim> grid;
  for (int64_t dim = 0, e = group.dims.size(); dim < e; ++dim) {
    if (isBatch(contraction, dim)) {
      grid.push_back({dim, 1});
    }
  }
  grid.push_back({m, schedule.rows});
  grid.push_back({n, schedule.columns});
  emitter.setTile(m, schedule.rows);
  emitter.setTile(n, schedule.columns);
  emitter.setTile(k, schedule.depth);
  return grid;
}

/// Blocks that run together share operands in the L2 cache: groups of eight
/// rows of tiles, column by column.
SmallVector<Value> ContractionEmitter::raster(Value number, ValueRange counts) {
  auto make = [&](auto op, Value x, Value y) -> Value {
    return b.createOrFold<decltype(op)>(loc, x, y);
  };
  arith::MulIOp mul;
  arith::DivUIOp div;
  arith::RemUIOp rem;
  Value countM = counts[counts.size() - 2], countN = counts.back();
  Value perBatch = make(mul, countM, countN);
  Value rest = number;
  SmallVector<Value> at(counts.size());
  if (counts.size() > 2) {
    rest = make(rem, number, perBatch);
    number = make(div, number, perBatch);
    for (size_t i = counts.size() - 2; i-- > 1;) {
      at[i] = make(rem, number, counts[i]);
      number = make(div, number, counts[i]);
    }
    at[0] = number;
  }
  Value eight = builder.index(8);
  Value perGroup = make(mul, countN, eight);
  Value first = make(mul, make(div, rest, perGroup), eight);
  Value left = make(arith::SubIOp(), countM, first);
  Value rows = make(arith::MinUIOp(), left, eight);
  Value inGroup = make(rem, rest, perGroup);
  at[counts.size() - 2] =
      make(arith::AddIOp(), first, make(rem, inGroup, rows));
  at.back() = make(div, inGroup, rows);
  return at;
}

/// What is multiplied is rounded to the factor's type for all its readers.
void ContractionEmitter::keepFactorsRounded() {
  for (const MatrixProducts::Product &product : contraction.products) {
    for (const GroupOperand &factor : group.ops[product.number].inputs) {
      if (factor.producer >= 0) {
        emitter.keepRounded(factor.producer, factor.producerResult);
      }
    }
  }
}

/// Emits, in the loop over k, what the products' factors are computed from.
LogicalResult ContractionEmitter::emitFactorOps() {
  // Both factors lie along k, and so may what is the same for all elements.
  emitter.assignDims(/*uniform=*/contraction.k);
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    if (rows.isInLoop(number) && failed(emitter.emit(number))) {
      return failure();
    }
  }
  return success();
}

/// The tile of a factor. Loads are zero past the end of k, but for those of
/// slices; what is computed from them need not be. Past the ends of m and n it
/// doesn't matter: such rows and columns of the sums are never stored.
Value ContractionEmitter::getFactor(const GroupOperand &operand,
                                    ArrayRef<int64_t> along) {
  if (operand.memory) {
    Value tile = emitter.getTile(operand, along);
    bool passes = passesSlice(operand, contraction.k, schedule.depth);
    return passes ? emitter.endAt(contraction.k, tile, along) : tile;
  }
  Value &known = factors[{operand.producer, operand.producerResult, along[0]}];
  if (!known) {
    known =
        emitter.endAt(contraction.k, emitter.getTile(operand, along), along);
  }
  return known;
}

/// Says where along the dims of k the step at `place` lies.
void ContractionEmitter::placeStep(Value place) {
  int64_t dim = contraction.k;
  for (int64_t outer : llvm::reverse(contraction.outerK)) {
    Value size = builder.getSize(dim);
    emitter.dims[dim].offset = arith::RemUIOp::create(b, loc, place, size);
    place = arith::DivUIOp::create(b, loc, place, size);
    dim = outer;
  }
  emitter.dims[dim].offset = place;
}

/// The loop over k; returns the sum of each product.
FailureOr<SmallVector<Value>> ContractionEmitter::multiply() {
  SmallVector<int64_t> along = {contraction.m, contraction.n};
  SmallVector<Value> zeros;
  for (const MatrixProducts::Product &product : contraction.products) {
    (void)product;
    zeros.push_back(emitter.splat(b.getF32FloatAttr(0.0f), along));
  }
  if (group.dims[contraction.k].size == 0) {
    emitter.assignDims(getUniformDim());
    return zeros;
  }
  keepFactorsRounded();
  if (failed(rows.emit())) {
    return failure();
  }
  Value size = builder.getSize(contraction.k);
  for (int64_t dim : contraction.outerK) {
    size = b.createOrFold<arith::MulIOp>(loc, size, builder.getSize(dim));
  }
  auto loop = scf::ForOp::create(b, loc, builder.index(0), size,
                                 builder.index(schedule.depth), zeros);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  placeStep(loop.getInductionVar());
  factors.clear();
  if (failed(emitFactorOps())) {
    return failure();
  }
  SmallVector<Value> sums;
  for (auto [product, acc] :
       llvm::zip_equal(contraction.products, loop.getRegionIterArgs())) {
    const GroupMember &op = group.ops[product.number];
    Value x = getFactor(op.inputs[product.a], {contraction.m, contraction.k});
    Value y = getFactor(op.inputs[product.b], {contraction.k, contraction.n});
    sums.push_back(tile::DotOp::create(b, loc, acc.getType(), x, y, acc));
  }
  scf::YieldOp::create(b, loc, sums);
  emitter.forgetAll();
  emitter.assignDims(getUniformDim());
  return llvm::to_vector_of<Value>(loop.getResults());
}

/// Adds the initial value, unless it is a plain zero.
void ContractionEmitter::setResult(const MatrixProducts::Product &product,
                                   Value sum) {
  const GroupOperand &init = group.ops[product.number].inits[0];
  auto constant = dyn_cast_or_null<FloatAttr>(init.constant);
  if (!constant || !constant.getValue().isPosZero()) {
    Value start = emitter.getTile(init, emitter.getResultDims(product.number));
    sum = arith::AddFOp::create(b, loc, start, sum);
  }
  emitter.setResult(product.number, 0, sum);
}

bool ContractionEmitter::isProduct(int64_t number) const {
  return llvm::any_of(contraction.products, [&](const auto &product) {
    return product.number == number;
  });
}

/// What a value lies along after the products that is the same for all
/// elements: a dim that nothing reduces.
int64_t ContractionEmitter::getUniformDim() const {
  return contraction.held == contraction.m ? contraction.n : contraction.m;
}

/// Emits an op after the products. The tile has all that it may reduce.
LogicalResult ContractionEmitter::emitResult(int64_t number) {
  if (!group.isReduction(group.ops[number])) {
    return emitter.emit(number);
  }
  FailureOr<SmallVector<Value>> tiles = emitter.emitReduced(number);
  return failed(tiles) ? failure() : emitter.finishReduction(number, *tiles);
}

LogicalResult ContractionEmitter::emitTile(ArrayRef<GridDim> grid,
                                           ValueRange offsets) {
  for (auto [dim, offset] : llvm::zip_equal(grid, offsets)) {
    emitter.dims[dim.dim].offset = offset;
  }
  FailureOr<SmallVector<Value>> sums = multiply();
  if (failed(sums)) {
    return failure();
  }
  for (auto [product, sum] : llvm::zip_equal(contraction.products, *sums)) {
    setResult(product, sum);
  }
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    // What only factors need lies along k.
    bool here = resultOps[number] && !isProduct(number);
    if (here && failed(emitResult(number))) {
      return failure();
    }
  }
  return success();
}

LogicalResult ContractionEmitter::run() {
  SmallVector<GridDim> grid = makeGrid();
  bool persistent = schedule.isWarpSpecialized();
  LogicalResult result = success();
  builder.forEachTile(
      grid, persistent ? Blocks::PerMultiprocessor : Blocks::PerTileInLoop,
      [&](Value number, ValueRange counts) { return raster(number, counts); },
      [&](ValueRange offsets) { result = emitTile(grid, offsets); });
  if (succeeded(result)) {
    builder.finish();
  }
  return result;
}

LogicalResult mlir::fusion::emitContraction(Group &group,
                                            const MatrixProducts &contraction,
                                            const KernelContext &context) {
  FailureOr<Schedule> picked = schedule(group, contraction, context);
  if (failed(picked)) {
    return failure();
  }
  return ContractionEmitter(group, contraction, *picked, context.strict).run();
}
