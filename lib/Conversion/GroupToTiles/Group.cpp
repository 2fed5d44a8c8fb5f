//===- Group.cpp - the iteration space of a group -------------------------===//

#include "GroupAnalysis.h"
#include "Kernels.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

using Materialize = bufferization::MaterializeInDestinationOp;

Value mlir::fusion::getSizedMemory(Value memory) {
  while (auto choice = memory.getDefiningOp<arith::SelectOp>()) {
    memory = choice.getTrueValue();
  }
  return memory;
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

/// A tensor seen through casts.
Value mlir::fusion::lookThroughCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>()) {
    value = cast.getSource();
  }
  return value;
}

LogicalResult GroupAnalysis::generalise() {
  SmallVector<linalg::LinalgOp> named;
  group.func.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation())) {
      named.push_back(op);
    }
  });
  IRRewriter rewriter(group.func.getContext());
  for (linalg::LinalgOp op : named) {
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op))) {
      return emitError(loc, "expected an op that generalises to "
                            "'linalg.generic'");
    }
  }
  findWindows();
  WalkResult result = group.func.walk([](linalg::GenericOp op) {
    return failed(readAtComputedPositions(op)) ? WalkResult::interrupt()
                                               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A loop that one result is reduced over tells the elements of no other apart:
/// these would be what a running sum has at each step.
static LogicalResult checkReducedLoops(linalg::GenericOp op) {
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    for (OpOperand &init : op.getDpsInitsMutable()) {
      if (type == utils::IteratorType::reduction &&
          op.getMatchingIndexingMap(&init).isFunctionOfDim(loop)) {
        return op.emitOpError("expected results that no reduced loop indexes, "
                              "but got loop ")
               << loop << " in "
               << AffineMapAttr::get(op.getMatchingIndexingMap(&init));
      }
    }
  }
  return success();
}

LogicalResult GroupAnalysis::checkMaps(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics()) {
    return op.emitOpError("expected tensor operands in a group");
  }
  bool inParts = matchReductionParts(op).has_value();
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (inParts && op.isDpsInit(&operand)) {
      if (!operand.get().getDefiningOp<linalg::FillOp>()) {
        return op.emitOpError("expected a reduction in parts to start from a "
                              "fill");
      }
      continue;
    }
    bool plain = llvm::all_of(map.getResults(), [](AffineExpr expr) {
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      return isa<AffineDimExpr>(expr) || (constant && constant.getValue() == 0);
    });
    SmallVector<AffineExpr> dims =
        llvm::filter_to_vector(map.getResults(), llvm::IsaPred<AffineDimExpr>);
    bool distinct = llvm::all_of(
        dims, [&](AffineExpr e) { return llvm::count(dims, e) == 1; });
    if (!plain || !distinct) {
      return op.emitOpError(
                 "expected indexing maps of distinct dims and zeros, "
                 "but got ")
             << AffineMapAttr::get(map);
    }
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (!inParts &&
        !op.getMatchingIndexingMap(&init).isProjectedPermutation()) {
      return op.emitOpError("expected results indexed by distinct dims");
    }
  }
  return inParts ? success() : checkReducedLoops(op);
}

void GroupAnalysis::addLoops(Operation *op, ArrayRef<int64_t> sizes,
                             ArrayRef<utils::IteratorType> types) {
  loopsOf[op] = {loopSizes.size(), sizes.size()};
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t loop = loopSizes.size();
    loopSizes.push_back(size);
    loopReduced.push_back(!types.empty() &&
                          types[i] == utils::IteratorType::reduction);
    classOf.push_back(loop);
    members.push_back({loop});
    ownerOf.push_back(op);
  }
  ops.push_back(op);
}

/// Where `store` puts its tensor: dense memory, or a part of it whose bounds
/// are known; nothing where it is anything else.
static std::optional<GroupOperand> matchDestination(Materialize store) {
  GroupOperand destination;
  destination.value = store.getSource();
  destination.memory = store.getDest();
  auto source = cast<RankedTensorType>(store.getSource().getType());
  auto part = store.getDest().getDefiningOp<memref::SubViewOp>();
  if (part) {
    destination.memory = part.getSource();
    ArrayRef<int64_t> starts = part.getStaticOffsets();
    bool steps = llvm::all_of(part.getStaticStrides(),
                              [](int64_t step) { return step == 1; });
    if (!steps || part.getType().getRank() != int64_t(starts.size())) {
      return std::nullopt;
    }
    for (auto [dim, start] : llvm::enumerate(starts)) {
      int64_t size = part.getStaticSizes()[dim];
      bool isWhole = start == 0 && part.getType().getDimSize(dim) ==
                                       part.getSourceType().getDimSize(dim);
      bool isKnown = !ShapedType::isDynamic(start) &&
                     !ShapedType::isDynamic(size) &&
                     source.getDimSize(dim) == size;
      if (!isWhole && !isKnown) {
        return std::nullopt;
      }
      destination.starts.push_back(start);
    }
  }
  auto type = dyn_cast<MemRefType>(destination.memory.getType());
  return type && type.getLayout().isIdentity() ? std::optional(destination)
                                               : std::nullopt;
}

LogicalResult GroupAnalysis::collectOp(Operation &op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    if (failed(checkMaps(generic))) {
      return failure();
    }
    addLoops(&op, generic.getStaticLoopRanges(),
             generic.getIteratorTypesArray());
    return success();
  }
  if (auto store = dyn_cast<Materialize>(op)) {
    if (!matchDestination(store)) {
      return op.emitOpError("expected a dense memref, or a part of one with "
                            "known bounds, as destination");
    }
    auto type = cast<MemRefType>(store.getDest().getType());
    auto source =
        cast<RankedTensorType>(lookThroughCasts(store.getSource()).getType());
    SmallVector<int64_t> sizes(type.getShape());
    for (auto [size, known] : llvm::zip_equal(sizes, source.getShape())) {
      size = ShapedType::isDynamic(size) ? known : size;
    }
    addLoops(&op, sizes, {});
    return success();
  }
  bool onTensors = llvm::any_of(op.getResultTypes(), [](Type type) {
    return isa<RankedTensorType>(type);
  });
  if (onTensors &&
      !isa<bufferization::ToTensorOp, linalg::FillOp, arith::ConstantOp,
           tensor::EmptyOp, tensor::CastOp>(op)) {
    return op.emitOpError("cannot be tiled inside a group");
  }
  return success();
}

LogicalResult GroupAnalysis::collect() {
  if (!group.func.getBody().hasOneBlock()) {
    return group.func.emitOpError("expected one block in a group function");
  }
  for (Operation &op : group.func.getBody().front()) {
    if (failed(collectOp(op))) {
      return failure();
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Which ops are needed along which dims
//===----------------------------------------------------------------------===//

SmallVector<int64_t> GroupAnalysis::getNaturalLoops(Operation *op) {
  auto [base, count] = loopsOf[op];
  SmallVector<int64_t> loops;
  for (int64_t i = 0; i < count; ++i) {
    int64_t cls = classOf[base + i];
    loops.push_back(classes.sizes[cls] == 1 ? kUnitDim : cls);
  }
  return loops;
}

SmallVector<int64_t> GroupAnalysis::mapToClasses(AffineMap map,
                                                 ArrayRef<int64_t> loops) {
  SmallVector<int64_t> result;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    result.push_back(dim ? loops[dim.getPosition()] : kFirstElement);
  }
  return result;
}

/// Finds or makes the instance of `op` whose result lies along `wanted`.
FailureOr<int64_t> GroupAnalysis::demand(linalg::GenericOp op, unsigned result,
                                         ArrayRef<int64_t> wanted,
                                         Location loc) {
  SmallVector<int64_t> loops = getNaturalLoops(op);
  AffineMap map = op.getIndexingMapMatchingResult(op->getResult(result));
  for (auto [position, cls] : llvm::enumerate(wanted)) {
    if (!isa<AffineDimExpr>(map.getResult(position))) {
      if (failed(notePart(op, cls, loc))) {
        return failure();
      }
      continue;
    }
    int64_t &loop = loops[map.getDimPosition(position)];
    if (cls == kFirstElement && loop != kUnitDim) {
      return emitError(loc, "expected a value inside a group to be read along "
                            "its dims");
    }
    loop = cls == kFirstElement ? kUnitDim : cls;
  }
  SmallVector<int64_t> sorted = llvm::filter_to_vector(
      loops, [](int64_t cls) { return cls != kUnitDim; });
  llvm::sort(sorted);
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return emitError(loc, "a value is read along dims that its producer needs "
                          "for something else");
  }
  for (int64_t number : instances[op]) {
    if (group.ops[number].loops == loops) {
      return number;
    }
  }
  group.ops.push_back({op, op.getLoc(), loops, {}, {}, {}});
  instances[op].push_back(group.ops.size() - 1);
  return group.ops.size() - 1;
}

FailureOr<GroupOperand> GroupAnalysis::makeOperand(Location loc, Value value,
                                                   ArrayRef<int64_t> wanted) {
  value = lookThroughCasts(value);
  GroupOperand operand;
  operand.value = value;
  operand.dims.assign(wanted.begin(), wanted.end());
  Operation *op = value.getDefiningOp();
  if (auto argument = dyn_cast_or_null<bufferization::ToTensorOp>(op)) {
    operand.memory = argument.getBuffer();
    for (auto [dim, size] : llvm::zip_equal(
             operand.dims, cast<ShapedType>(value.getType()).getShape())) {
      dim = dim == kFirstElement && size == 1 ? kUnitDim : dim;
    }
    return operand;
  }
  if (auto generic = dyn_cast_or_null<linalg::GenericOp>(op)) {
    unsigned result = cast<OpResult>(value).getResultNumber();
    FailureOr<int64_t> producer = demand(generic, result, wanted, loc);
    if (failed(producer)) {
      return failure();
    }
    operand.producer = *producer;
    operand.producerResult = result;
    return operand;
  }
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op)) {
    operand.scalar = fill.value();
    matchPattern(operand.scalar, m_Constant(&operand.constant));
    return operand;
  }
  DenseElementsAttr elements;
  if (op && matchPattern(value, m_Constant(&elements)) && elements.isSplat()) {
    operand.constant = elements.getSplatValue<TypedAttr>();
    return operand;
  }
  if (isa_and_nonnull<tensor::EmptyOp>(op)) {
    return operand;
  }
  return emitError(loc, "expected operands from memory, the group's ops, fills "
                        "or splat constants");
}

/// A factor of products is read from memory, also where it is a part of an
/// argument.
FailureOr<GroupOperand>
GroupAnalysis::makeProductOperand(Location loc, Value value,
                                  ArrayRef<int64_t> wanted) {
  value = lookThroughCasts(value);
  auto op = value.getDefiningOp<linalg::GenericOp>();
  std::optional<Slice> slice =
      op ? getSlice(cast<linalg::LinalgOp>(op.getOperation())) : std::nullopt;
  auto argument = slice ? lookThroughCasts(slice->source)
                              .getDefiningOp<bufferization::ToTensorOp>()
                        : bufferization::ToTensorOp();
  if (!argument) {
    return makeOperand(loc, value, wanted);
  }
  GroupOperand operand;
  operand.value = value;
  operand.dims.assign(wanted.begin(), wanted.end());
  operand.memory = argument.getBuffer();
  operand.starts.assign(slice->starts.begin(), slice->starts.end());
  return operand;
}

/// Makes the operands of instance `number`, and with them the instances that
/// produce them.
LogicalResult GroupAnalysis::fillOperands(int64_t number) {
  linalg::GenericOp op = group.ops[number].op;
  SmallVector<int64_t> loops = group.ops[number].loops;
  SmallVector<GroupOperand, 0> inputs, inits;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = op.isDpsInit(&operand);
    Value value = operand.get();
    if (isInit && !op.payloadUsesValueFromOperand(&operand)) {
      inits.push_back({});
      continue;
    }
    if (windows.count({op, operand.getOperandNumber()})) {
      inputs.push_back(makeWindow(operand, loops));
      continue;
    }
    auto wanted = mapToClasses(op.getMatchingIndexingMap(&operand), loops);
    FailureOr<GroupOperand> made =
        !isInit && linalg::isaContractionOpInterface(op)
            ? makeProductOperand(op.getLoc(), value, wanted)
            : makeOperand(op.getLoc(), value, wanted);
    if (failed(made)) {
      return failure();
    }
    (isInit ? inits : inputs).push_back(*made);
  }
  op.walk([&](linalg::IndexOp index) {
    if (loops[index.getDim()] >= 0) {
      classes.separate[loops[index.getDim()]] = true;
    }
  });
  group.ops[number].inputs = std::move(inputs);
  group.ops[number].inits = std::move(inits);
  group.ops[number].bounds = makeBounds(op, loops);
  return success();
}

LogicalResult GroupAnalysis::demandAll() {
  for (Operation *op : llvm::reverse(ops)) {
    if (auto store = dyn_cast<Materialize>(op)) {
      SmallVector<int64_t> loops = getNaturalLoops(op);
      FailureOr<GroupOperand> source =
          makeOperand(op->getLoc(), store.getSource(), loops);
      if (failed(source)) {
        return failure();
      }
      GroupOperand destination = *matchDestination(store);
      destination.dims = loops;
      group.ops.push_back(
          {nullptr, op->getLoc(), loops, {*source}, {}, destination});
      instances[op].push_back(group.ops.size() - 1);
      continue;
    }
    SmallVector<int64_t> numbers = instances.lookup(op);
    for (int64_t number : numbers) {
      if (failed(fillOperands(number))) {
        return failure();
      }
    }
  }
  return success();
}

/// Demand went backwards; ops must stand before their users.
void GroupAnalysis::sortByProgramOrder() {
  SmallVector<GroupMember, 0> sorted;
  SmallVector<int64_t> newNumber(group.ops.size(), -1);
  for (Operation *op : ops) {
    for (int64_t number : instances.lookup(op)) {
      newNumber[number] = sorted.size();
      sorted.push_back(std::move(group.ops[number]));
    }
  }
  for (GroupMember &op : sorted) {
    for (auto *operands : {&op.inputs, &op.inits}) {
      for (GroupOperand &operand : *operands) {
        if (operand.producer >= 0) {
          operand.producer = newNumber[operand.producer];
        }
      }
    }
  }
  group.ops = std::move(sorted);
}

FailureOr<Group> GroupAnalysis::run() {
  if (failed(generalise()) || failed(collect())) {
    return failure();
  }
  tieAll();
  tieEqualSizes();
  describeClasses();
  if (failed(demandAll())) {
    return failure();
  }
  sortByProgramOrder();
  mergeDims(group, classes);
  return std::move(group);
}

FailureOr<Group> mlir::fusion::analyseGroup(func::FuncOp func) {
  return GroupAnalysis(func).run();
}
