//===- Group.cpp - the iteration space of a group -------------------------===//

#include "Group.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;

using Materialize = bufferization::MaterializeInDestinationOp;

Type GroupOperand::getElementType() const {
  return getElementTypeOrSelf(value.getType());
}

SmallVector<int64_t> Group::getDims(const GroupMember &op) const {
  SmallVector<int64_t> all;
  for (int64_t dim : op.loops) {
    if (dim >= 0 && !llvm::is_contained(all, dim)) {
      all.push_back(dim);
    }
  }
  llvm::sort(all);
  return all;
}

SmallVector<int64_t> Group::getReducedDims(const GroupMember &op) const {
  SmallVector<int64_t> reduced;
  if (op.isStore()) {
    return reduced;
  }
  auto iterators = linalg::GenericOp(op.op).getIteratorTypesArray();
  for (auto [dim, type] : llvm::zip_equal(op.loops, iterators)) {
    if (dim >= 0 && type == utils::IteratorType::reduction &&
        !llvm::is_contained(reduced, dim)) {
      reduced.push_back(dim);
    }
  }
  llvm::sort(reduced);
  return reduced;
}

bool Group::isReduction(const GroupMember &op) const {
  return !getReducedDims(op).empty();
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

namespace {
/// A tensor seen through casts.
Value lookThroughCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>()) {
    value = cast.getSource();
  }
  return value;
}

/// Loops are numbered through the whole function; a store's dims count as its
/// loops.
class GroupAnalysis {
public:
  explicit GroupAnalysis(func::FuncOp func) { group.func = func; }
  FailureOr<Group> run();

private:
  LogicalResult generalise();
  LogicalResult collect();
  LogicalResult collectOp(Operation &op);
  LogicalResult checkMaps(linalg::GenericOp op);
  void addLoops(Operation *op, ArrayRef<int64_t> sizes,
                ArrayRef<utils::IteratorType> types);

  void tieAll();
  void tieEqualSizes();
  void tieUse(Operation *user, Value value, AffineMap map, bool arguments);
  bool tie(int64_t a, int64_t b);
  void noteSource(Operation *user, Value value, AffineMap map);
  void describeClasses();

  LogicalResult demandAll();
  FailureOr<GroupOperand> makeOperand(Location loc, Value value,
                                      ArrayRef<int64_t> classes);
  FailureOr<int64_t> demand(linalg::GenericOp op, unsigned result,
                            ArrayRef<int64_t> classes, Location loc);
  LogicalResult fillOperands(int64_t number);
  SmallVector<int64_t> mapToClasses(AffineMap map, ArrayRef<int64_t> loops);
  SmallVector<int64_t> getNaturalLoops(Operation *op);
  void sortByProgramOrder();

  Group group;
  LoopClasses classes;
  SmallVector<Operation *> ops; ///< generics and stores in program order
  llvm::MapVector<Operation *, std::pair<int64_t, int64_t>> loopsOf;
  SmallVector<int64_t> loopSizes;
  SmallVector<bool> loopReduced;
  SmallVector<int64_t> classOf;              ///< loop -> class (a loop number)
  SmallVector<SmallVector<int64_t>> members; ///< class -> loops
  SmallVector<Operation *> ownerOf;          ///< loop -> op
  llvm::MapVector<std::pair<Value, int64_t>, int64_t> argumentDims;
  llvm::MapVector<Operation *, SmallVector<int64_t>> instances;
};
} // namespace

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
  return success();
}

LogicalResult GroupAnalysis::checkMaps(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics()) {
    return op.emitOpError("expected tensor operands in a group");
  }
  for (AffineMap map : op.getIndexingMapsArray()) {
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
    if (!op.getMatchingIndexingMap(&init).isProjectedPermutation()) {
      return op.emitOpError("expected results indexed by distinct dims");
    }
  }
  return success();
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
    auto type = dyn_cast<MemRefType>(store.getDest().getType());
    if (!type || !type.getLayout().isIdentity()) {
      return op.emitOpError("expected a dense memref as destination");
    }
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
// Ties between loops
//===----------------------------------------------------------------------===//

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
        source = {memory, unsigned(position)};
      }
    }
  }
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

/// Makes the operands of instance `number`, and with them the instances that
/// produce them.
LogicalResult GroupAnalysis::fillOperands(int64_t number) {
  linalg::GenericOp op = group.ops[number].op;
  SmallVector<int64_t> loops = group.ops[number].loops;
  SmallVector<GroupOperand> inputs, inits;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = op.isDpsInit(&operand);
    Value value = operand.get();
    if (isInit && !op.payloadUsesValueFromOperand(&operand)) {
      inits.push_back({});
      continue;
    }
    auto wanted = mapToClasses(op.getMatchingIndexingMap(&operand), loops);
    FailureOr<GroupOperand> made = makeOperand(op.getLoc(), value, wanted);
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
      GroupOperand destination;
      destination.value = store.getSource();
      destination.memory = store.getDest();
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
