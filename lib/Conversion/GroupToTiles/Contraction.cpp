//===- Contraction.cpp - kernels of matrix products -----------------------===//

#include "Kernels.h"
#include "TileEmitter.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Recognising matrix products
//===----------------------------------------------------------------------===//

/// The input of `op` that `value` is, seen through a widening; -1 if none.
static int64_t findInput(linalg::GenericOp op, Value value) {
  if (auto widen = value.getDefiningOp<arith::ExtFOp>()) {
    value = widen.getIn();
  }
  auto arg = dyn_cast<BlockArgument>(value);
  bool input = arg && arg.getOwner() == op.getBody() &&
               arg.getArgNumber() < op.getNumDpsInputs();
  return input ? arg.getArgNumber() : -1;
}

/// Whether `op` is the sum of products of two floats in f32, straight from
/// memory.
static bool isProduct(const GroupMember &op) {
  linalg::GenericOp generic = op.op;
  if (generic.getNumDpsInputs() != 2 || generic.getNumDpsInits() != 1) {
    return false;
  }
  Operation *sum =
      generic.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  BlockArgument acc = generic.getRegionOutputArgs()[0];
  if (!isa_and_nonnull<arith::AddFOp>(sum) || !acc.hasOneUse() ||
      !acc.getType().isF32() || !llvm::is_contained(sum->getOperands(), acc)) {
    return false;
  }
  Value other = sum->getOperand(sum->getOperand(0) == acc ? 1 : 0);
  auto product = other.getDefiningOp<arith::MulFOp>();
  if (!product) {
    return false;
  }
  int64_t x = findInput(generic, product.getLhs());
  int64_t y = findInput(generic, product.getRhs());
  Type type = op.inputs[0].getElementType();
  // Bulk and asynchronous copies fill with zeros.
  bool zeros = llvm::all_of(op.inputs, [](const GroupOperand &input) {
    return !input.outside || isZero(input.outside);
  });
  return zeros && x >= 0 && y >= 0 && x != y && op.inputs[0].memory &&
         op.inputs[1].memory && type == op.inputs[1].getElementType() &&
         (type.isF16() || type.isBF16() || type.isF32());
}

/// The dims that input `one` has and the other has not.
static SmallVector<int64_t> getOwnDims(const GroupMember &op, unsigned one) {
  SmallVector<int64_t> other = op.inputs[1 - one].getUsedDims();
  return llvm::filter_to_vector(op.inputs[one].getUsedDims(), [&](int64_t dim) {
    return !llvm::is_contained(other, dim);
  });
}

/// The one of `dims` that comes last in the array that `op`'s results go to.
static int64_t getInnermost(const Group &group, ArrayRef<int64_t> dims) {
  for (const GroupMember &op : group.ops) {
    if (!op.isStore()) {
      continue;
    }
    for (int64_t dim : llvm::reverse(op.destination.dims)) {
      if (llvm::is_contained(dims, dim)) {
        return dim;
      }
    }
  }
  return dims.back();
}

/// How many dims come after `dim` in the first array that stores it.
static int64_t getStride(const Group &group, int64_t dim) {
  for (const GroupMember &op : group.ops) {
    auto at = llvm::find(op.destination.dims, dim);
    if (op.isStore() && at != op.destination.dims.end()) {
      return op.destination.dims.end() - at;
    }
  }
  return 0;
}

std::optional<MatrixProducts>
mlir::fusion::matchContraction(const Group &group) {
  std::optional<MatrixProducts> contraction;
  for (auto [number, op] : llvm::enumerate(group.ops)) {
    SmallVector<int64_t> reduced = group.getReducedDims(op);
    if (reduced.empty()) {
      continue;
    }
    if (reduced.size() != 1 || !isProduct(op)) {
      return std::nullopt;
    }
    SmallVector<int64_t> own[2] = {getOwnDims(op, 0), getOwnDims(op, 1)};
    bool both = llvm::all_of(op.inputs, [&](const GroupOperand &input) {
      return llvm::is_contained(input.getUsedDims(), reduced[0]);
    });
    if (!both || own[0].empty() || own[1].empty()) {
      return std::nullopt;
    }
    int64_t inner[2] = {getInnermost(group, own[0]),
                        getInnermost(group, own[1])};
    // Columns of the tile run along memory.
    unsigned b =
        getStride(group, inner[0]) < getStride(group, inner[1]) ? 0 : 1;
    MatrixProducts::Product product{int64_t(number), 1 - b, b};
    if (!contraction) {
      contraction = MatrixProducts{inner[1 - b], inner[b], reduced[0], {}};
    }
    if (contraction->m != inner[1 - b] || contraction->n != inner[b] ||
        contraction->k != reduced[0]) {
      return std::nullopt;
    }
    contraction->products.push_back(product);
  }
  return contraction;
}

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

/// Whether bulk copies can fetch tiles of `operand` along the two dims: at most
/// four dims, the innermost one of the two, rows of a multiple of 16 bytes.
static bool allowsBulkCopies(const GroupOperand &operand, int64_t first,
                             int64_t second) {
  if (operand.isWindow()) {
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

/// How many different arrays the products read as input a (or b).
static int64_t countOperands(const Group &group,
                             const MatrixProducts &contraction,
                             unsigned MatrixProducts::Product::*input) {
  SmallVector<std::pair<Value, ArrayRef<int64_t>>> seen;
  for (const MatrixProducts::Product &product : contraction.products) {
    const GroupOperand &operand =
        group.ops[product.number].inputs[product.*input];
    std::pair<Value, ArrayRef<int64_t>> key(operand.memory, operand.dims);
    if (!llvm::is_contained(seen, key)) {
      seen.push_back(key);
    }
  }
  return seen.size();
}

static ContractionShape describe(const Group &group,
                                 const MatrixProducts &contraction) {
  ContractionShape shape;
  shape.m = group.dims[contraction.m].size;
  shape.n = group.dims[contraction.n].size;
  shape.k = group.dims[contraction.k].size;
  for (auto [number, dim] : llvm::enumerate(group.dims)) {
    int64_t d = number;
    if (d != contraction.m && d != contraction.n && d != contraction.k) {
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
  shape.bulkCopies = true;
  shape.halfFloats = true;
  for (const MatrixProducts::Product &product : contraction.products) {
    const GroupMember &op = group.ops[product.number];
    Type type = op.inputs[0].getElementType();
    shape.elementBytes = tile::getElementBytes(type);
    shape.halfFloats &= type.isF16() || type.isBF16();
    shape.bulkCopies &=
        allowsBulkCopies(op.inputs[product.a], contraction.m, contraction.k) &&
        allowsBulkCopies(op.inputs[product.b], contraction.k, contraction.n);
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
      : group(group), contraction(contraction), schedule(schedule),
        builder(group, schedule),
        emitter(builder, {contraction.m, contraction.k, contraction.n}, strict),
        b(builder.getBuilder()), loc(builder.getLoc()) {}
  LogicalResult run();

private:
  SmallVector<GridDim> makeGrid();
  SmallVector<Value> raster(Value number, ValueRange counts);
  SmallVector<Value> multiply();
  LogicalResult emitTile(ArrayRef<GridDim> grid, ValueRange offsets);
  void setResult(const MatrixProducts::Product &product, Value sum);

  Group &group;
  const MatrixProducts &contraction;
  const Schedule &schedule;
  KernelBuilder builder;
  TileEmitter emitter;
  OpBuilder &b;
  Location loc;
};
} // namespace

/// Batch dims outermost, then m and n.
SmallVector<GridDim> ContractionEmitter::makeGrid() {
  auto [m, n, k, products] = contraction;
  SmallVector<GridDim> grid;
  for (int64_t dim = 0, e = group.dims.size(); dim < e; ++dim) {
    if (dim != m && dim != n && dim != k) {
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

/// The loop over k; returns the sum of each product.
SmallVector<Value> ContractionEmitter::multiply() {
  SmallVector<int64_t> along = {contraction.m, contraction.n};
  SmallVector<Value> zeros;
  for (const MatrixProducts::Product &product : contraction.products) {
    (void)product;
    zeros.push_back(emitter.splat(b.getF32FloatAttr(0.0f), along));
  }
  if (group.dims[contraction.k].size == 0) {
    return zeros;
  }
  auto loop = scf::ForOp::create(b, loc, builder.index(0),
                                 builder.getSize(contraction.k),
                                 builder.index(schedule.depth), zeros);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  emitter.dims[contraction.k].offset = loop.getInductionVar();
  SmallVector<Value> sums;
  for (auto [product, acc] :
       llvm::zip_equal(contraction.products, loop.getRegionIterArgs())) {
    const GroupMember &op = group.ops[product.number];
    Value x =
        emitter.getTile(op.inputs[product.a], {contraction.m, contraction.k});
    Value y =
        emitter.getTile(op.inputs[product.b], {contraction.k, contraction.n});
    sums.push_back(tile::DotOp::create(b, loc, acc.getType(), x, y, acc));
  }
  scf::YieldOp::create(b, loc, sums);
  emitter.forget({contraction.k});
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

LogicalResult ContractionEmitter::emitTile(ArrayRef<GridDim> grid,
                                           ValueRange offsets) {
  for (auto [dim, offset] : llvm::zip_equal(grid, offsets)) {
    emitter.dims[dim.dim].offset = offset;
  }
  SmallVector<Value> sums = multiply();
  for (auto [product, sum] : llvm::zip_equal(contraction.products, sums)) {
    setResult(product, sum);
  }
  for (int64_t number = 0, e = group.ops.size(); number < e; ++number) {
    if (!group.isReduction(group.ops[number]) && failed(emitter.emit(number))) {
      return failure();
    }
  }
  return success();
}

LogicalResult ContractionEmitter::run() {
  SmallVector<GridDim> grid = makeGrid();
  bool persistent = schedule.kind == Schedule::Kind::WGMMA;
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
