//===- LinalgToVector.cpp - elementwise ops and reductions on vectors -----===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"

#include "LoopEmitter.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Emits one linalg op as loops with vectors along loop `dim`.
class LinalgEmitter : public LoopEmitter {
public:
  LinalgEmitter(RewriterBase &rewriter, linalg::LinalgOp op, int64_t lanes,
                unsigned dim);
  /// `dim` is parallel and innermost in every result.
  void emitParallel();
  /// `dim` is reduced by `combiner` of the op's one result.
  void emitReduction(Operation *combiner);

private:
  void emitLoops(ArrayRef<unsigned> dims, llvm::function_ref<void()> body);
  SmallVector<Value>
  emitLoops(ArrayRef<unsigned> dims, ValueRange inits,
            llvm::function_ref<SmallVector<Value>(ValueRange)> body);
  void emitChunk(Value mask);
  Value emitLanes(Operation *combiner);
  Value combineLanes(Operation *combiner, Value lanes);
  SmallVector<Value> emitBody(ValueRange outs, Value mask);
  Value input(unsigned argument, Value mask);
  Value combine(Operation *combiner, Value lhs, Value rhs, int64_t length);

  linalg::LinalgOp op;
  Block &body;
  const unsigned dim;
  SmallVector<Access> accesses;              // one per argument of the body
  SmallVector<unsigned> parallel, reduction; // other loops than `dim`
  SmallVector<Value> sizes, ivs;
};

} // namespace

LinalgEmitter::LinalgEmitter(RewriterBase &rewriter, linalg::LinalgOp op,
                             int64_t lanes, unsigned dim)
    : LoopEmitter(rewriter, op.getLoc(), lanes), op(op), body(*op.getBlock()),
      dim(dim) {
  for (OpOperand &operand : op->getOpOperands()) {
    accesses.push_back({operand.get(), op.getMatchingIndexingMap(&operand)});
  }
  for (Range range : op.createLoopRanges(b, op.getLoc())) {
    sizes.push_back(
        getValueOrCreateConstantIndexOp(b, op.getLoc(), range.size));
  }
  ivs.assign(sizes.size(), index(0));
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (loop != dim) {
      (iterator == utils::IteratorType::parallel ? parallel : reduction)
          .push_back(loop);
    }
  }
}

void LinalgEmitter::emitLoops(ArrayRef<unsigned> dims,
                              llvm::function_ref<void()> body) {
  emitLoops(dims, {}, [&](ValueRange) -> SmallVector<Value> {
    body();
    return {};
  });
}

SmallVector<Value> LinalgEmitter::emitLoops(
    ArrayRef<unsigned> dims, ValueRange inits,
    llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  if (dims.empty()) {
    return body(inits);
  }
  return loop(index(0), sizes[dims.front()], 1, inits,
              [&](Value iv, ValueRange carried) {
                ivs[dims.front()] = iv;
                return emitLoops(dims.drop_front(), carried, body);
              });
}

/// The value of a body argument, as a vector or a scalar to broadcast.
Value LinalgEmitter::input(unsigned argument, Value mask) {
  const Access &access = accesses[argument];
  if (access.isScalar() || access.isInvariantIn(dim)) {
    return loadScalar(access, ivs);
  }
  return load(access, ivs, mask);
}

SmallVector<Value> LinalgEmitter::emitBody(ValueRange outs, Value mask) {
  IRMapping mapping;
  int64_t numInputs = op.getNumDpsInputs();
  for (BlockArgument argument : body.getArguments()) {
    int64_t number = argument.getArgNumber();
    if (number >= numInputs) {
      mapping.map(argument, outs[number - numInputs]);
    } else if (!argument.use_empty()) {
      mapping.map(argument, input(number, mask));
    }
  }
  for (Operation &nested : body.without_terminator()) {
    auto indexOp = dyn_cast<linalg::IndexOp>(nested);
    if (!indexOp) {
      cloneElementwise(nested, mapping, lanes);
      continue;
    }
    Value value = ivs[indexOp.getDim()];
    if (indexOp.getDim() == dim) {
      Value step = vector::StepOp::create(b, vectorType(b.getIndexType()));
      value = arith::AddIOp::create(b, splat(value), step);
    }
    mapping.map(indexOp.getResult(), value);
  }
  SmallVector<Value> results;
  for (Value result : body.getTerminator()->getOperands()) {
    Value value = mapping.lookupOrDefault(result);
    results.push_back(isa<VectorType>(value.getType()) ? value : splat(value));
  }
  return results;
}

void LinalgEmitter::emitParallel() {
  emitLoops(parallel, [&] {
    Value whole = sub(sizes[dim],
                      b.createOrFold<arith::RemUIOp>(sizes[dim], index(lanes)));
    loop(index(0), whole, lanes, [&](Value iv) {
      ivs[dim] = iv;
      emitChunk(Value());
    });
    // The rest, if any: at most one iteration.
    loop(whole, sizes[dim], lanes, [&](Value iv) {
      ivs[dim] = iv;
      emitChunk(mask(sub(sizes[dim], iv)));
    });
  });
}

void LinalgEmitter::emitChunk(Value mask) {
  SmallVector<Value> outs;
  for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
    unsigned argument = op.getNumDpsInputs() + number;
    Type element = accesses[argument].getElementType();
    outs.push_back(body.getArgument(argument).use_empty()
                       ? zeros(element)
                       : load(accesses[argument], ivs, mask));
  }
  outs = emitLoops(reduction, outs,
                   [&](ValueRange carried) { return emitBody(carried, mask); });
  for (auto [number, value] : llvm::enumerate(outs)) {
    store(value, accesses[op.getNumDpsInputs() + number], ivs, mask);
  }
}

Value LinalgEmitter::combine(Operation *combiner, Value lhs, Value rhs,
                             int64_t length) {
  IRMapping mapping;
  mapping.map(combiner->getOperand(0), lhs);
  mapping.map(combiner->getOperand(1), rhs);
  return cloneElementwise(*combiner, mapping, length)->getResult(0);
}

Value LinalgEmitter::combineLanes(Operation *combiner, Value vector) {
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    auto part = [&](int64_t offset) -> Value {
      return vector::ExtractStridedSliceOp::create(
          b, vector, ArrayRef<int64_t>{offset}, ArrayRef<int64_t>{half},
          ArrayRef<int64_t>{1});
    };
    vector = combine(combiner, part(0), part(half), half);
  }
  return vector::ExtractOp::create(b, vector, 0);
}

/// The combination of all elements, lane by lane.
Value LinalgEmitter::emitLanes(Operation *combiner) {
  TypedAttr neutral = *arith::getNeutralElement(combiner);
  Value init = splat(arith::ConstantOp::create(b, neutral));
  Value whole =
      sub(sizes[dim], b.createOrFold<arith::RemUIOp>(sizes[dim], index(lanes)));
  auto rows = emitLoops(reduction, init, [&](ValueRange outer) {
    auto acc =
        loop(index(0), whole, lanes, outer, [&](Value iv, ValueRange carried) {
          ivs[dim] = iv;
          return emitBody(carried, Value());
        });
    return loop(
        whole, sizes[dim], lanes, acc,
        [&](Value iv, ValueRange carried) -> SmallVector<Value> {
          ivs[dim] = iv;
          Value inside = mask(sub(sizes[dim], iv));
          Value next = emitBody(carried, inside).front();
          return {arith::SelectOp::create(b, inside, next, carried.front())};
        });
  });
  return rows.front();
}

void LinalgEmitter::emitReduction(Operation *combiner) {
  const Access &out = accesses.back();
  emitLoops(parallel, [&] {
    Value lanes = emitLanes(combiner);
    Value result = combine(combiner, loadScalar(out, ivs),
                           combineLanes(combiner, lanes), 0);
    memref::StoreOp::create(b, result, out.source, indices(out, ivs));
  });
}

/// Whether the body of `op` has a vector form that may run on masked lanes.
static bool hasVectorForm(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(), [](Operation &op) {
    if (isa<linalg::IndexOp>(op) || op.hasTrait<OpTrait::ConstantLike>()) {
      return true;
    }
    return OpTrait::hasElementwiseMappableTraits(&op) && isSpeculatable(&op) &&
           isMemoryEffectFree(&op) &&
           llvm::all_of(op.getResultTypes(),
                        [](Type t) { return t.isIntOrIndexOrFloat(); });
  });
}

/// Whether each operand of `op` is contiguous or invariant in loop `dim`.
static bool isVectorLoop(linalg::LinalgOp op, unsigned dim) {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    Access access{operand.get(), op.getMatchingIndexingMap(&operand)};
    if (access.isScalar()) {
      return true;
    }
    return access.isContiguousIn(dim) ||
           (access.isInvariantIn(dim) && !op.isDpsInit(&operand));
  });
}

/// The innermost dimension of the results, if it is one parallel loop that can
/// be vectorized.
static std::optional<unsigned> findParallelLoop(linalg::LinalgOp op) {
  AffineMap map = op.getIndexingMapsArray().back();
  if (map.getNumResults() == 0) {
    return std::nullopt;
  }
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  if (!last || !isVectorLoop(op, last.getPosition())) {
    return std::nullopt;
  }
  return last.getPosition();
}

/// The one op that combines the elements of a reduction with one result.
static Operation *findCombiner(linalg::LinalgOp op) {
  SmallVector<Operation *, 1> combiners;
  if (op.getNumDpsInits() != 1 ||
      !matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 || !arith::getNeutralElement(combiners.front())) {
    return nullptr;
  }
  return combiners.front();
}

/// The last reduction loop, if all inputs are contiguous or invariant in it.
static std::optional<unsigned> findReductionLoop(linalg::LinalgOp op) {
  std::optional<unsigned> result;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (iterator == utils::IteratorType::reduction) {
      result = dim;
    }
  }
  if (!result) {
    return std::nullopt;
  }
  bool anyContiguous = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Access access{input->get(), op.getMatchingIndexingMap(input)};
    if (access.isScalar() || access.isInvariantIn(*result)) {
      continue;
    }
    if (!access.isContiguousIn(*result)) {
      return std::nullopt;
    }
    anyContiguous = true;
  }
  return anyContiguous ? result : std::nullopt;
}

LogicalResult fusion::linalgToVector(RewriterBase &rewriter,
                                     linalg::LinalgOp op,
                                     const CPUVectorOptions &options) {
  if (!op.hasPureBufferSemantics() || !hasVectorForm(op)) {
    return failure();
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  int64_t lanes = options.getLanes();
  if (std::optional<unsigned> dim = findParallelLoop(op)) {
    LinalgEmitter(rewriter, op, lanes, *dim).emitParallel();
    rewriter.eraseOp(op);
    return success();
  }
  Operation *combiner = findCombiner(op);
  std::optional<unsigned> dim = findReductionLoop(op);
  if (!combiner || !dim) {
    return failure();
  }
  LinalgEmitter(rewriter, op, lanes, *dim).emitReduction(combiner);
  rewriter.eraseOp(op);
  return success();
}
