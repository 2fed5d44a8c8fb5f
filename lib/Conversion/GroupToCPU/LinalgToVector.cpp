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

/// The vectors of each line that a reduction of columns adds at a time: enough
/// to use whole cache lines and to hide latency, few enough for 16 registers.
static constexpr int64_t kColumnVectors = 8;

/// The terms that one accumulator adds up before their sum is added to that of
/// all: the error of a sum grows with the terms of its longest chain.
static constexpr int64_t kRun = 64;

namespace {

/// Emits one linalg op as loops with vectors along loop `dim`.
class LinalgEmitter : public LoopEmitter {
public:
  /// `combiner` is what reduces to the op's one result, or null.
  LinalgEmitter(RewriterBase &rewriter, linalg::LinalgOp op, int64_t lanes,
                unsigned dim, Operation *combiner);
  /// `dim` is parallel and innermost in every result. Inputs are contiguous or
  /// invariant in it, but those that are contiguous in `other`, a parallel
  /// loop: they are read in square tiles and transposed.
  void emitParallel(std::optional<unsigned> other);
  /// `dim` is reduced by the combiner.
  void emitReduction();

private:
  void emitLoops(ArrayRef<unsigned> dims, llvm::function_ref<void()> body);
  SmallVector<Value>
  emitLoops(ArrayRef<unsigned> dims, ValueRange inits,
            llvm::function_ref<SmallVector<Value>(ValueRange)> body);
  SmallVector<Value>
  emitRuns(Value end, int64_t step, ValueRange inits,
           llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body);
  SmallVector<Value>
  emitReduced(ValueRange inits,
              llvm::function_ref<SmallVector<Value>(ValueRange)> body);
  void emitChunks(int64_t count, Value mask);
  void emitSquare(unsigned other);
  Value emitLanes();
  Value combineLanes(Value lanes);
  SmallVector<Value> emitBody(ValueRange outs, Value mask);
  Value input(unsigned argument, Value mask);
  bool isTransposed(unsigned argument) const {
    const Access &access = accesses[argument];
    return !access.isScalar() && !access.isInvariantIn(dim) &&
           !access.isContiguousIn(dim);
  }
  Value combine(Value lhs, Value rhs, int64_t length);

  linalg::LinalgOp op;
  Block &body;
  const unsigned dim;
  Operation *const combiner;
  SmallVector<Access> accesses;              // one per argument of the body
  SmallVector<unsigned> parallel, reduction; // other loops than `dim`
  SmallVector<Value> sizes, ivs;
  llvm::DenseMap<unsigned, Value> transposed; // the current line of arguments
};

} // namespace

LinalgEmitter::LinalgEmitter(RewriterBase &rewriter, linalg::LinalgOp op,
                             int64_t lanes, unsigned dim, Operation *combiner)
    : LoopEmitter(rewriter, op.getLoc(), lanes), op(op), body(*op.getBlock()),
      dim(dim), combiner(combiner) {
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

/// A loop from 0 to `end` that adds vectors to `inits`, `kRun` steps apart.
SmallVector<Value> LinalgEmitter::emitRuns(
    Value end, int64_t step, ValueRange inits,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  int64_t run = kRun * step;
  std::optional<int64_t> size = getConstantIntValue(end);
  if (size && *size <= run) {
    return loop(index(0), end, step, inits, body);
  }
  Value neutral =
      splat(arith::ConstantOp::create(b, *arith::getNeutralElement(combiner)));
  SmallVector<Value> start(inits.size(), neutral);
  return loop(index(0), end, run, inits, [&](Value begin, ValueRange carried) {
    Value stop = min(add(begin, index(run)), end);
    SmallVector<Value> sums = loop(begin, stop, step, start, body);
    for (auto [sum, before] : llvm::zip_equal(sums, carried)) {
      sum = combine(before, sum, lanes);
    }
    return sums;
  });
}

/// The loops that reduce, other than `dim`.
SmallVector<Value> LinalgEmitter::emitReduced(
    ValueRange inits, llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  if (!combiner || reduction.empty()) {
    return emitLoops(reduction, inits, body);
  }
  ArrayRef<unsigned> dims = reduction;
  return emitLoops(dims.drop_back(), inits, [&](ValueRange outer) {
    return emitRuns(sizes[dims.back()], 1, outer,
                    [&](Value iv, ValueRange carried) {
                      ivs[dims.back()] = iv;
                      return body(carried);
                    });
  });
}

/// The value of a body argument, as a vector or a scalar to broadcast.
Value LinalgEmitter::input(unsigned argument, Value mask) {
  const Access &access = accesses[argument];
  if (Value line = transposed.lookup(argument)) {
    return line;
  }
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

void LinalgEmitter::emitParallel(std::optional<unsigned> other) {
  if (other) {
    llvm::erase(parallel, *other);
    emitLoops(parallel, [&] { emitSquare(*other); });
    return;
  }
  // A reduction of columns reads several vectors of each line.
  int64_t unroll = reduction.empty() ? 1 : kColumnVectors;
  emitLoops(parallel, [&] {
    Value begin = index(0);
    for (int64_t count : {unroll, int64_t(1)}) {
      int64_t step = count * lanes;
      Value left = sub(sizes[dim], begin);
      Value end =
          sub(sizes[dim], b.createOrFold<arith::RemUIOp>(left, index(step)));
      loop(begin, end, step, [&](Value iv) {
        ivs[dim] = iv;
        emitChunks(count, Value());
      });
      begin = end;
    }
    // The rest, if any: at most one iteration.
    loop(begin, sizes[dim], lanes, [&](Value iv) {
      ivs[dim] = iv;
      emitChunks(1, mask(sub(sizes[dim], iv)));
    });
  });
}

/// Emits `count` vectors of each result, from the current value of `dim` on.
void LinalgEmitter::emitChunks(int64_t count, Value mask) {
  unsigned numInputs = op.getNumDpsInputs();
  unsigned numOuts = op.getNumDpsInits();
  Value first = ivs[dim];
  auto select = [&](int64_t chunk) {
    ivs[dim] = add(first, index(chunk * lanes));
  };
  SmallVector<Value> outs; // of the first chunk, of the second, ...
  for (int64_t chunk = 0; chunk < count; ++chunk) {
    select(chunk);
    for (unsigned number = 0; number < numOuts; ++number) {
      const Access &out = accesses[numInputs + number];
      outs.push_back(body.getArgument(numInputs + number).use_empty()
                         ? zeros(out.getElementType())
                         : load(out, ivs, mask));
    }
  }
  outs = emitReduced(outs, [&](ValueRange carried) {
    SmallVector<Value> next;
    for (int64_t chunk = 0; chunk < count; ++chunk) {
      select(chunk);
      llvm::append_range(
          next, emitBody(carried.slice(chunk * numOuts, numOuts), mask));
    }
    return next;
  });
  for (auto [i, value] : llvm::enumerate(outs)) {
    select(i / numOuts);
    store(value, accesses[numInputs + i % numOuts], ivs, mask);
  }
}

/// Emits squares of `lanes` in both loops: transposed inputs are loaded line by
/// line of `dim`, along `other`, and used line by line of `other`.
void LinalgEmitter::emitSquare(unsigned other) {
  loop(index(0), sizes[other], lanes, [&](Value row) {
    loop(index(0), sizes[dim], lanes, [&](Value column) {
      auto count = [&](Value iv, unsigned loop, Value full) -> Value {
        Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, iv,
                                             sizes[loop]);
        return arith::SelectOp::create(b, inside, full, index(0));
      };
      llvm::DenseMap<unsigned, SmallVector<Value>> lines;
      for (unsigned i = 0; i < unsigned(op.getNumDpsInputs()); ++i) {
        if (!isTransposed(i)) {
          continue;
        }
        SmallVector<Value> loaded;
        for (int64_t j = 0; j < lanes; ++j) {
          ivs[other] = row;
          ivs[dim] = add(column, index(j));
          Value full = sub(sizes[other], row);
          loaded.push_back(
              load(accesses[i], ivs, mask(count(ivs[dim], dim, full))));
        }
        lines[i] = transpose(loaded);
      }
      for (int64_t j = 0; j < lanes; ++j) {
        ivs[other] = add(row, index(j));
        ivs[dim] = column;
        for (auto &[argument, line] : lines) {
          transposed[argument] = line[j];
        }
        Value full = sub(sizes[dim], column);
        emitChunks(1, mask(count(ivs[other], other, full)));
      }
      transposed.clear();
    });
  });
}

Value LinalgEmitter::combine(Value lhs, Value rhs, int64_t length) {
  IRMapping mapping;
  mapping.map(combiner->getOperand(0), lhs);
  mapping.map(combiner->getOperand(1), rhs);
  return cloneElementwise(*combiner, mapping, length)->getResult(0);
}

Value LinalgEmitter::combineLanes(Value vector) {
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    auto part = [&](int64_t offset) -> Value {
      return vector::ExtractStridedSliceOp::create(
          b, vector, ArrayRef<int64_t>{offset}, ArrayRef<int64_t>{half},
          ArrayRef<int64_t>{1});
    };
    vector = combine(part(0), part(half), half);
  }
  return vector::ExtractOp::create(b, vector, 0);
}

/// The combination of all elements, lane by lane.
Value LinalgEmitter::emitLanes() {
  TypedAttr neutral = *arith::getNeutralElement(combiner);
  Value init = splat(arith::ConstantOp::create(b, neutral));
  Value whole =
      sub(sizes[dim], b.createOrFold<arith::RemUIOp>(sizes[dim], index(lanes)));
  auto rows = emitLoops(reduction, init, [&](ValueRange outer) {
    auto acc = emitRuns(whole, lanes, outer, [&](Value iv, ValueRange carried) {
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

void LinalgEmitter::emitReduction() {
  const Access &out = accesses.back();
  emitLoops(parallel, [&] {
    Value lanes = emitLanes();
    Value result = combine(loadScalar(out, ivs), combineLanes(lanes), 0);
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

/// The innermost dimension of the results, if it is one loop in which they are
/// contiguous.
static std::optional<unsigned> findParallelLoop(linalg::LinalgOp op) {
  AffineMap map = op.getIndexingMapsArray().back();
  if (map.getNumResults() == 0) {
    return std::nullopt;
  }
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  if (!last) {
    return std::nullopt;
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (!Access{init.get(), op.getMatchingIndexingMap(&init)}.isContiguousIn(
            last.getPosition())) {
      return std::nullopt;
    }
  }
  return last.getPosition();
}

/// How the inputs are read when loop `dim` is vectorized.
struct InputOrder {
  bool isVector = true;          // false: some input needs single elements
  std::optional<unsigned> other; // the loop in which some are contiguous
};

static InputOrder getInputOrder(linalg::LinalgOp op, unsigned dim) {
  InputOrder order;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    Access access{input->get(), op.getMatchingIndexingMap(input)};
    if (access.isScalar() || access.isContiguousIn(dim) ||
        access.isInvariantIn(dim)) {
      continue;
    }
    std::optional<unsigned> found;
    for (unsigned loop = 0; loop < iterators.size(); ++loop) {
      if (iterators[loop] == utils::IteratorType::parallel &&
          access.isContiguousIn(loop)) {
        found = loop;
      }
    }
    order.isVector &= found && (!order.other || order.other == found) &&
                      op.getNumReductionLoops() == 0;
    order.other = found;
  }
  return order;
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
  // Results at computed positions (reductions in parts) are scalar code.
  bool isPlain = llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.getMatchingIndexingMap(&init).isProjectedPermutation(
        /*allowZeroInResults=*/true);
  });
  if (!op.hasPureBufferSemantics() || !hasVectorForm(op) || !isPlain) {
    return failure();
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  int64_t lanes = options.getLanes();
  Operation *combiner =
      op.getNumReductionLoops() != 0 ? findCombiner(op) : nullptr;
  if (std::optional<unsigned> dim = findParallelLoop(op)) {
    InputOrder order = getInputOrder(op, *dim);
    if (order.isVector) {
      LinalgEmitter(rewriter, op, lanes, *dim, combiner)
          .emitParallel(order.other);
      rewriter.eraseOp(op);
      return success();
    }
  }
  std::optional<unsigned> dim = findReductionLoop(op);
  if (!combiner || !dim) {
    return failure();
  }
  LinalgEmitter(rewriter, op, lanes, *dim, combiner).emitReduction();
  rewriter.eraseOp(op);
  return success();
}
