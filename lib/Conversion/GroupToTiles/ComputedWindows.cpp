//===- ComputedWindows.cpp - code that makes operands, where they are read
//-===//
//
// A contraction may read what elementwise code of the group makes in windows,
// perhaps padded, or with a factor for each block of k. That code is then done
// in the space in which it is read: once for each place and each element of the
// window there. The arrays that it reads are read in windows, of which one may
// know only some of the loops that the contraction takes as one, or have others
// in between (places of several images, and channels). What pads is put around
// its result: nothing is computed from the padding.
//
//===----------------------------------------------------------------------===//

#include "GroupAnalysis.h"
#include "KernelBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Elementwise code to be done for each point of the space.
struct Maker {
  linalg::GenericOp op;
  /// Of each loop of `op`: where it is, in the loops of the space, and below
  /// what it has to be (null: always).
  SmallVector<AffineExpr> places;
  SmallVector<Value> extents;
  linalg::GenericOp made;
};

/// The loops of a contraction that one of its operands has.
class OperandSpace {
public:
  OperandSpace(linalg::GenericOp consumer, OpOperand &operand)
      : consumer(consumer), operand(operand),
        map(consumer.getMatchingIndexingMap(&operand)) {}

  /// Finds the code to do; false where there is none, or none that can be
  /// moved.
  bool collect();
  /// Whether it has to be done here.
  bool isNeeded();
  /// Does it; calls `note` with each read in a window.
  using Note = llvm::function_ref<void(OpOperand &, GroupAnalysis::WindowRead)>;
  LogicalResult emit(Note note);

  linalg::GenericOp getResult() const { return makers.front().made; }
  std::optional<GroupAnalysis::WindowRead> getBounds() const;

private:
  bool addMaker(Value value, ArrayRef<AffineExpr> places,
                ArrayRef<Value> extents);
  std::optional<size_t> find(linalg::GenericOp op,
                             ArrayRef<AffineExpr> places) const;
  void getPlaces(const Maker &maker, AffineMap read,
                 SmallVectorImpl<AffineExpr> &places,
                 SmallVectorImpl<Value> &extents) const;
  void collectGroups();
  unsigned countKnown(ArrayRef<AffineExpr> places,
                      ArrayRef<unsigned> group) const;
  bool haveTogether(ArrayRef<AffineExpr> places,
                    ArrayRef<unsigned> group) const;
  bool hasPart(ArrayRef<AffineExpr> places) const;
  bool isPlain(ArrayRef<AffineExpr> places, ArrayRef<Value> extents) const;
  bool staysApart(ArrayRef<AffineExpr> places, ArrayRef<Value> extents) const;
  bool isWindow(const Maker &maker, OpOperand &input);
  FailureOr<Value> makeEmpty(OpBuilder &b, Type element);
  LogicalResult emit(Maker &maker, Note note);

  linalg::GenericOp consumer;
  OpOperand &operand;
  AffineMap map;
  std::optional<PaddedRead> padded;
  SmallVector<unsigned> loops;       ///< of the consumer
  SmallVector<AffineExpr> positions; ///< of the operand's dims
  SmallVector<Maker, 0> makers;      ///< the operand's first
  /// Loops of the space that the contraction may take as one.
  SmallVector<SmallVector<unsigned>> groups;
};
} // namespace

/// Whether the body of `op` is the same for all elements but for its operands.
static bool isUniform(linalg::GenericOp op) {
  bool plain = llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return isPlainRead(op.getMatchingIndexingMap(input));
  });
  for (OpOperand &init : op.getDpsInitsMutable()) {
    plain &= op.getMatchingIndexingMap(&init).isPermutation() &&
             !op.payloadUsesValueFromOperand(&init);
  }
  return plain && llvm::all_of(*op.getBody(), [](Operation &inner) {
           return inner.getNumRegions() == 0 &&
                  !isa<linalg::IndexOp, tensor::ExtractOp>(inner);
         });
}

std::optional<size_t> OperandSpace::find(linalg::GenericOp op,
                                         ArrayRef<AffineExpr> places) const {
  for (auto [number, maker] : llvm::enumerate(makers)) {
    if (maker.op == op && ArrayRef(maker.places) == places) {
      return number;
    }
  }
  return std::nullopt;
}

/// Adds what makes `value`, whose dims are at `places`; false if it cannot be
/// done here. What is no code of the group needs nothing.
bool OperandSpace::addMaker(Value value, ArrayRef<AffineExpr> places,
                            ArrayRef<Value> extents) {
  auto op = lookThroughCasts(value).getDefiningOp<linalg::GenericOp>();
  if (!op) {
    return true;
  }
  if (staysApart(places, extents)) {
    return true;
  }
  if (op.getNumReductionLoops() != 0 || !isUniform(op)) {
    return false;
  }
  AffineMap written =
      op.getIndexingMapMatchingResult(cast<OpResult>(lookThroughCasts(value)));
  Maker maker = {op,
                 SmallVector<AffineExpr>(op.getNumLoops()),
                 SmallVector<Value>(op.getNumLoops()),
                 {}};
  for (auto [position, place] : llvm::enumerate(places)) {
    unsigned loop = written.getDimPosition(position);
    maker.places[loop] = place;
    maker.extents[loop] = extents[position];
  }
  if (!find(op, maker.places)) {
    makers.push_back(std::move(maker));
  }
  return true;
}

/// Where `maker` reads the dims of an input through `read`.
void OperandSpace::getPlaces(const Maker &maker, AffineMap read,
                             SmallVectorImpl<AffineExpr> &places,
                             SmallVectorImpl<Value> &extents) const {
  for (AffineExpr expr : read.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    places.push_back(dim ? maker.places[dim.getPosition()] : expr);
    extents.push_back(dim ? maker.extents[dim.getPosition()] : Value());
  }
}

bool OperandSpace::collect() {
  Value source = lookThroughCasts(operand.get());
  if (auto producer = source.getDefiningOp<linalg::LinalgOp>()) {
    padded = matchPaddedRead(producer);
  }
  source = padded ? lookThroughCasts(padded->source) : source;
  if (!source.getDefiningOp<linalg::GenericOp>() || !matchWindow(map)) {
    return false;
  }
  SmallVector<AffineExpr> spaceDims(map.getNumDims());
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
    bool used = map.isFunctionOfDim(loop);
    spaceDims[loop] =
        getAffineDimExpr(used ? loops.size() : 0, map.getContext());
    if (used) {
      loops.push_back(loop);
    }
  }
  SmallVector<Value> extents(map.getNumResults());
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    int64_t low = padded ? padded->low[dim] : 0;
    positions.push_back(expr.replaceDimsAndSymbols(spaceDims, {}) - low);
    extents[dim] = padded ? padded->extents[dim] : Value();
  }
  collectGroups();
  if (!addMaker(source, positions, extents)) {
    return false;
  }
  for (size_t i = 0; i < makers.size(); ++i) {
    Maker maker = makers[i];
    for (OpOperand *input : maker.op.getDpsInputOperands()) {
      SmallVector<AffineExpr> places;
      SmallVector<Value> bounds;
      getPlaces(maker, maker.op.getMatchingIndexingMap(input), places, bounds);
      if (!addMaker(input->get(), places, bounds)) {
        return false;
      }
    }
  }
  return !makers.empty();
}

/// The loops of the operand alone, and the reduced ones, unless blocks of them
/// are whole steps of any kernel: these get a loop of their own.
void OperandSpace::collectGroups() {
  constexpr int64_t kStep = 32;
  unsigned number = operand.getOperandNumber();
  AffineMap other = consumer.getIndexingMapsArray()[1 - number];
  SmallVector<utils::IteratorType> types = consumer.getIteratorTypesArray();
  SmallVector<unsigned> own, reduced;
  for (auto [dim, loop] : llvm::enumerate(loops)) {
    if (types[loop] == utils::IteratorType::reduction) {
      reduced.push_back(dim);
    } else if (!other.isFunctionOfDim(loop)) {
      own.push_back(dim);
    }
  }
  int64_t block = 0;
  SmallVector<int64_t> sizes = consumer.getStaticLoopRanges();
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && types[dim.getPosition()] == utils::IteratorType::reduction) {
      block = sizes[dim.getPosition()];
    }
  }
  bool steps = isPlainRead(map) && block > 0 && block % kStep == 0;
  groups.push_back(own);
  groups.push_back(steps ? SmallVector<unsigned>() : reduced);
}

/// How many loops of `group` move `places`.
unsigned OperandSpace::countKnown(ArrayRef<AffineExpr> places,
                                  ArrayRef<unsigned> group) const {
  return llvm::count_if(group, [&](unsigned dim) {
    return llvm::any_of(
        places, [&](AffineExpr place) { return place.isFunctionOfDim(dim); });
  });
}

/// Whether dims at `places` are the loops of `group`, side by side, in order.
bool OperandSpace::haveTogether(ArrayRef<AffineExpr> places,
                                ArrayRef<unsigned> group) const {
  SmallVector<AffineExpr> whole = llvm::map_to_vector(group, [&](unsigned dim) {
    return getAffineDimExpr(dim, map.getContext());
  });
  const AffineExpr *at = llvm::find(places, whole.front());
  ArrayRef<AffineExpr> rest(at, places.end());
  return rest.size() >= whole.size() &&
         rest.take_front(whole.size()) == ArrayRef(whole);
}

/// Whether `places` know some loops of a group and others not, or all of those
/// of rows or columns, but with others in between.
bool OperandSpace::hasPart(ArrayRef<AffineExpr> places) const {
  return llvm::any_of(groups, [&](ArrayRef<unsigned> group) {
    unsigned known = countKnown(places, group);
    bool isPart = known != 0 && known != group.size();
    bool isOwn = ArrayRef(groups.front()) == group;
    return isPart || (isOwn && known > 1 && !haveTogether(places, group));
  });
}

/// Whether `places` are single loops that nothing bounds.
bool OperandSpace::isPlain(ArrayRef<AffineExpr> places,
                           ArrayRef<Value> extents) const {
  auto read = AffineMap::get(loops.size(), 0, places, map.getContext());
  return isPlainRead(read) &&
         llvm::none_of(extents, [](Value extent) { return bool(extent); });
}

/// Whether what is at `places` is the same along all that loops are merged of,
/// and so is all that it is computed from: that may be done as it is.
bool OperandSpace::staysApart(ArrayRef<AffineExpr> places,
                              ArrayRef<Value> extents) const {
  return isPlain(places, extents) &&
         llvm::all_of(groups, [&](ArrayRef<unsigned> group) {
           return group.size() <= 1 || countKnown(places, group) == 0;
         });
}

/// Whether `maker` reads the array `input` otherwise than along whole dims.
bool OperandSpace::isWindow(const Maker &maker, OpOperand &input) {
  linalg::GenericOp op = maker.op;
  if (!isa<RankedTensorType>(input.get().getType()) ||
      !getReadTensor(lookThroughCasts(input.get())).memory) {
    return false;
  }
  SmallVector<AffineExpr> places;
  SmallVector<Value> extents;
  getPlaces(maker, op.getMatchingIndexingMap(&input), places, extents);
  return !isPlain(places, extents) || hasPart(places);
}

bool OperandSpace::isNeeded() {
  return padded || !isPlainRead(map) ||
         llvm::any_of(makers, [&](const Maker &maker) {
           linalg::GenericOp op = maker.op;
           bool windows =
               llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
                 return isWindow(maker, *input);
               });
           return windows || hasPart(maker.places);
         });
}

/// A tensor over the space; fails where the size of a loop is not at hand.
FailureOr<Value> OperandSpace::makeEmpty(OpBuilder &b, Type element) {
  SmallVector<int64_t> ranges = consumer.getStaticLoopRanges();
  Value init = lookThroughCasts(consumer.getDpsInits().front());
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    init = lookThroughCasts(fill.getDpsInits().front());
  }
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  AffineMap result = consumer.getIndexingMapsArray().back();
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : loops) {
    if (!ShapedType::isDynamic(ranges[loop])) {
      sizes.push_back(b.getIndexAttr(ranges[loop]));
      continue;
    }
    std::optional<unsigned> at =
        result.getResultPosition(getAffineDimExpr(loop, map.getContext()));
    if (!at || !empty) {
      return failure();
    }
    sizes.push_back(empty.getMixedSizes()[*at]);
  }
  return Value(tensor::EmptyOp::create(b, consumer.getLoc(), sizes, element));
}

/// Where `places` are single loops that nothing bounds; zeros elsewhere.
static AffineMap getPlainPart(ArrayRef<AffineExpr> places,
                              ArrayRef<Value> extents, unsigned count,
                              MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (auto [place, extent] : llvm::zip_equal(places, extents)) {
    bool plain = isa<AffineDimExpr>(place) && !extent;
    exprs.push_back(plain ? place : getAffineConstantExpr(0, context));
  }
  return AffineMap::get(count, 0, exprs, context);
}

LogicalResult OperandSpace::emit(Maker &maker, Note note) {
  linalg::GenericOp op = maker.op;
  OpBuilder b(consumer);
  MLIRContext *context = op.getContext();
  unsigned count = loops.size();
  SmallVector<Value> inputs, inits;
  SmallVector<Attribute> maps;
  SmallVector<std::pair<unsigned, GroupAnalysis::WindowRead>> reads;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap read = op.getMatchingIndexingMap(input);
    SmallVector<AffineExpr> places;
    SmallVector<Value> extents;
    getPlaces(maker, read, places, extents);
    Value value = lookThroughCasts(input->get());
    AffineMap plain = getPlainPart(places, extents, count, context);
    if (auto producer = value.getDefiningOp<linalg::GenericOp>()) {
      Maker wanted = {producer, {}, {}, {}};
      wanted.places.resize(producer.getNumLoops());
      AffineMap written =
          producer.getIndexingMapMatchingResult(cast<OpResult>(value));
      for (auto [position, place] : llvm::enumerate(places)) {
        wanted.places[written.getDimPosition(position)] = place;
      }
      if (std::optional<size_t> found = find(producer, wanted.places)) {
        unsigned result = cast<OpResult>(value).getResultNumber();
        value = makers[*found].made.getResult(result);
        plain = b.getMultiDimIdentityMap(count);
      }
    } else if (isWindow(maker, *input)) {
      AffineMap whole = AffineMap::get(count, 0, places, context);
      reads.push_back(
          {unsigned(inputs.size()), {*matchWindow(whole), extents, Value()}});
    }
    inputs.push_back(value);
    maps.push_back(AffineMapAttr::get(plain));
  }
  SmallVector<Type> types;
  for (Type type : op->getResultTypes()) {
    FailureOr<Value> empty = makeEmpty(b, getElementTypeOrSelf(type));
    if (failed(empty)) {
      return failure();
    }
    inits.push_back(*empty);
    types.push_back(empty->getType());
    maps.push_back(AffineMapAttr::get(b.getMultiDimIdentityMap(count)));
  }
  SmallVector<Attribute> iterators(
      count,
      linalg::IteratorTypeAttr::get(context, utils::IteratorType::parallel));
  maker.made = linalg::GenericOp::create(
      b, op.getLoc(), types, inputs, inits, b.getArrayAttr(maps),
      b.getArrayAttr(iterators), /*doc=*/nullptr, /*library_call=*/nullptr);
  IRMapping mapping;
  op.getRegion().cloneInto(&maker.made.getRegion(), mapping);
  for (auto &[number, read] : reads) {
    note(maker.made->getOpOperand(number), std::move(read));
  }
  return success();
}

LogicalResult OperandSpace::emit(Note note) {
  SmallVector<size_t> order =
      llvm::to_vector(llvm::seq<size_t>(0, makers.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    linalg::GenericOp first = makers[a].op, second = makers[b].op;
    return first == second ? a < b : first->isBeforeInBlock(second);
  });
  for (size_t number : order) {
    if (failed(emit(makers[number], note))) {
      return failure();
    }
  }
  SmallVector<AffineExpr> dims;
  for (unsigned loop : loops) {
    dims.push_back(getAffineDimExpr(loop, map.getContext()));
  }
  SmallVector<AffineMap> maps = consumer.getIndexingMapsArray();
  maps[operand.getOperandNumber()] =
      AffineMap::get(map.getNumDims(), 0, dims, map.getContext());
  consumer.setIndexingMapsAttr(
      Builder(map.getContext()).getAffineMapArrayAttr(maps));
  Value source = lookThroughCasts(padded ? padded->source : operand.get());
  unsigned result = cast<OpResult>(source).getResultNumber();
  if (padded) {
    auto producer =
        lookThroughCasts(operand.get()).getDefiningOp<linalg::LinalgOp>();
    llvm::for_each(padded->extents, [&](Value v) { moveOut(producer, v); });
    moveOut(producer, padded->outside);
  }
  operand.set(getResult().getResult(result));
  return success();
}

std::optional<GroupAnalysis::WindowRead> OperandSpace::getBounds() const {
  if (!padded) {
    return std::nullopt;
  }
  AffineMap whole =
      AffineMap::get(loops.size(), 0, positions, map.getContext());
  return GroupAnalysis::WindowRead{*matchWindow(whole), padded->extents,
                                   padded->outside};
}

void GroupAnalysis::computeWhereRead(linalg::GenericOp op, OpOperand &operand) {
  if (!isMatrixProduct(cast<linalg::LinalgOp>(op.getOperation()))) {
    return;
  }
  OperandSpace space(op, operand);
  if (!space.collect() || !space.isNeeded()) {
    return;
  }
  auto note = [&](OpOperand &input, WindowRead read) {
    windows[{input.getOwner(), input.getOperandNumber()}] = std::move(read);
  };
  if (failed(space.emit(note))) {
    return;
  }
  if (std::optional<WindowRead> read = space.getBounds()) {
    bounds[space.getResult()] = std::move(*read);
  }
}
