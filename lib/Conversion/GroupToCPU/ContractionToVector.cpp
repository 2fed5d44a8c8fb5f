//===- ContractionToVector.cpp - packed contractions on vectors -----------===//
//
// The classical blocking: a block of the right factor is packed into panels
// that are one register tile wide, a block of the left factor into rows; then
// every register tile of the result is loaded, updated over the block of k, and
// stored.
//
//   for n0 by NB, k0 by KB:      pack rhs[k0.., n0..] -> panels [NB/NR][KB][NR]
//     for m0 by MB:              pack lhs[m0.., k0..] -> rows   [MB][KB]
//       for n1 by NR, m1 by MR:  MR x NR registers += over k
//
// Packing computes the factors (mostly it only widens to the type of the
// products), transposes where the operand needs it, and pads, so that the inner
// loops see whole tiles: what they make of the padding is not stored.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"

#include "ContractionMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// The sizes of the blocks, in elements.
struct Blocking {
  int64_t mr, nr;     // register tile
  int64_t mb, nb, kb; // packed blocks: multiples of mr and lanes, nr, lanes
};

/// A range of one loop: [base, base + count) of loop `dim`, or the one
/// iteration of a loop that is not there.
struct Span {
  std::optional<unsigned> dim;
  Value base, count;
};

class ContractionEmitter : public LoopEmitter {
public:
  ContractionEmitter(RewriterBase &rewriter, linalg::LinalgOp op,
                     const Contraction &contraction, int64_t lanes);
  void emit();

private:
  using Destination = llvm::function_ref<SmallVector<Value>(Value, Value)>;

  void chooseBlocking(ArrayRef<int64_t> staticSizes);
  Value getBuffer(ArrayRef<int64_t> shape);
  void emitLoops(ArrayRef<unsigned> dims, llvm::function_ref<void()> body);
  void emitBlocks(ArrayRef<unsigned> outerM);
  void emitBlock(Span m, Span n, Span k);
  /// The factor, in vectors of `length` lanes (0: a scalar), from `elements` of
  /// its operands.
  Value compute(const Factor &factor, ArrayRef<Value> elements, int64_t length);
  Value loadFactor(const Factor &factor, unsigned dim, ArrayRef<Value> ivs,
                   ArrayRef<Value> inBounds, Value mask);

  /// Packs factor[rows, cols] to `buffer` at `at(row, col)`, where consecutive
  /// columns are consecutive; writes zeros up to `paddedRows` x `paddedCols`.
  void pack(const Factor &factor, Span rows, Span cols, Value paddedRows,
            Value paddedCols, Value buffer, Destination at);
  void packRow(const Factor &factor, Span rows, Span cols, Value row, Value col,
               Value buffer, Destination at);
  void packTransposed(const Factor &factor, Span rows, Span cols, Value row,
                      Value col, Value buffer, Destination at);
  void packElement(const Factor &factor, Span rows, Span cols, Value row,
                   Value col, Value buffer, Destination at);
  SmallVector<Value> at(Span rows, Value row, Span cols, Value col);

  void emitRegisterTile(Span m, Span n, Span k, Value m1, Value n1);
  SmallVector<Value> multiply(Value k, Value m1, Value panel, ValueRange acc);

  const Contraction &c;
  Block *scope; // whose entry holds the buffers
  Blocking size;
  SmallVector<Value> sizes; // of all loops
  SmallVector<Value> ivs;   // the current value of all outer loops
  std::optional<unsigned> mDim;
  unsigned nDim, kDim;
  Value rows, panels; // the packed blocks
};

} // namespace

/// The parent block whose entry holds the buffers of `op`: that of the parallel
/// loop or function around it.
static Block *getBufferScope(Operation *op) {
  Operation *parent = op->getParentOp();
  while (!isa<scf::ForallOp, FunctionOpInterface>(parent)) {
    parent = parent->getParentOp();
  }
  return &parent->getRegion(0).front();
}

ContractionEmitter::ContractionEmitter(RewriterBase &rewriter,
                                       linalg::LinalgOp op,
                                       const Contraction &contraction,
                                       int64_t lanes)
    : LoopEmitter(rewriter, op.getLoc(), lanes), c(contraction),
      scope(getBufferScope(op)) {
  for (Range range : op.createLoopRanges(b, op.getLoc())) {
    sizes.push_back(
        getValueOrCreateConstantIndexOp(b, op.getLoc(), range.size));
  }
  ivs.assign(sizes.size(), index(0));
  const AffineMap &out = c.out.map;
  nDim = out.getDimPosition(out.getNumResults() - 1);
  kDim = c.k.back();
  for (AffineExpr expr : out.getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    if (llvm::is_contained(c.m, dim)) {
      mDim = dim; // the last one wins
    }
  }
  chooseBlocking(op.getStaticLoopRanges());
}

void ContractionEmitter::chooseBlocking(ArrayRef<int64_t> staticSizes) {
  // The least multiple of `unit` that holds a static size, at most `limit`.
  auto fit = [&](unsigned dim, int64_t unit, int64_t limit) {
    int64_t extent = staticSizes[dim];
    int64_t blocks = llvm::divideCeil(std::max<int64_t>(extent, 1), unit);
    return ShapedType::isDynamic(extent) ? limit
                                         : std::min(limit, blocks * unit);
  };
  // Sums, one row of the right factor and one element of the left one fill the
  // 32 registers of AVX-512, or the 16 of narrower vectors.
  int64_t registerRows = lanes >= 16 ? 8 : 6;
  size.mr = mDim ? fit(*mDim, 1, registerRows) : 1;
  size.nr = fit(nDim, lanes, 2 * lanes);
  size.nb = fit(nDim, size.nr, 256 / size.nr * size.nr);
  size.kb = fit(kDim, lanes, 256);
  // Packing writes whole vectors of rows where it transposes.
  int64_t rowUnit = std::lcm(size.mr, lanes);
  size.mb = mDim ? fit(*mDim, rowUnit, 128 / rowUnit * rowUnit) : lanes;
  size.mb = std::max(size.mb, rowUnit);
}

Value ContractionEmitter::getBuffer(ArrayRef<int64_t> shape) {
  auto type = MemRefType::get(shape, c.type);
  // Ops of one scope run one after the other and share their buffers; the two
  // factors of one op have different ranks.
  for (auto alloca : scope->getOps<memref::AllocaOp>()) {
    if (alloca->hasAttr("fusion.pack_buffer") && alloca.getType() == type) {
      return alloca;
    }
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scope);
  auto alloca = memref::AllocaOp::create(b, type, b.getI64IntegerAttr(64));
  alloca->setAttr("fusion.pack_buffer", b.getUnitAttr());
  return alloca;
}

void ContractionEmitter::emit() {
  rows = getBuffer({size.mb, size.kb});
  panels = getBuffer({size.nb / size.nr, size.kb, size.nr});
  auto without = [](SmallVector<unsigned> dims, std::optional<unsigned> dim) {
    llvm::erase_if(dims, [&](unsigned other) { return dim == other; });
    return dims;
  };
  SmallVector<unsigned> outer(c.batch);
  llvm::append_range(outer, without(c.n, nDim));
  llvm::append_range(outer, without(c.k, kDim));
  // The loops of m are inside: they share the packed right factor.
  emitLoops(outer, [&] { emitBlocks(without(c.m, mDim)); });
}

void ContractionEmitter::emitLoops(ArrayRef<unsigned> dims,
                                   llvm::function_ref<void()> body) {
  if (dims.empty()) {
    body();
    return;
  }
  loop(index(0), sizes[dims.front()], 1, [&](Value iv) {
    ivs[dims.front()] = iv;
    emitLoops(dims.drop_front(), body);
  });
}

void ContractionEmitter::emitBlocks(ArrayRef<unsigned> outerM) {
  auto block = [&](unsigned dim, Value base, int64_t step) {
    return Span{dim, base, min(sub(sizes[dim], base), index(step))};
  };
  loop(index(0), sizes[nDim], size.nb, [&](Value n0) {
    Span n = block(nDim, n0, size.nb);
    loop(index(0), sizes[kDim], size.kb, [&](Value k0) {
      Span k = block(kDim, k0, size.kb);
      int64_t nr = size.nr;
      pack(c.rhs, k, n, k.count, roundUp(n.count, nr), panels,
           [&](Value row, Value col) -> SmallVector<Value> {
             Value width = index(nr);
             return {b.createOrFold<arith::DivUIOp>(col, width), row,
                     b.createOrFold<arith::RemUIOp>(col, width)};
           });
      if (!mDim) {
        emitBlock({std::nullopt, index(0), index(1)}, n, k);
        return;
      }
      emitLoops(outerM, [&] {
        loop(index(0), sizes[*mDim], size.mb,
             [&](Value m0) { emitBlock(block(*mDim, m0, size.mb), n, k); });
      });
    });
  });
}

void ContractionEmitter::emitBlock(Span m, Span n, Span k) {
  pack(c.lhs, m, k, roundUp(m.count, size.mr), k.count, rows,
       [](Value row, Value col) -> SmallVector<Value> { return {row, col}; });
  loop(index(0), n.count, size.nr, [&](Value n1) {
    loop(index(0), m.count, size.mr,
         [&](Value m1) { emitRegisterTile(m, n, k, m1, n1); });
  });
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

Value ContractionEmitter::compute(const Factor &factor,
                                  ArrayRef<Value> elements, int64_t length) {
  IRMapping mapping;
  for (auto [argument, element] : llvm::zip_equal(factor.arguments, elements)) {
    mapping.map(argument, element);
  }
  for (Operation *op : factor.ops) {
    cloneElementwise(*op, mapping, length);
  }
  Value value = mapping.lookup(factor.value);
  bool isVector = isa<VectorType>(value.getType());
  return length != 0 && !isVector ? splat(value) : value;
}

/// Loads a line along `dim` from `ivs` on and computes the factor. What is the
/// same along the line is read at `inBounds`, which may not be the line's place
/// where the mask has no lane.
Value ContractionEmitter::loadFactor(const Factor &factor, unsigned dim,
                                     ArrayRef<Value> ivs,
                                     ArrayRef<Value> inBounds, Value mask) {
  SmallVector<Value> elements;
  for (const Access &access : factor.accesses) {
    bool line = !access.isScalar() && !access.isInvariantIn(dim);
    elements.push_back(line ? load(access, ivs, mask)
                            : loadScalar(access, inBounds));
  }
  return compute(factor, elements, lanes);
}

SmallVector<Value> ContractionEmitter::at(Span rows, Value row, Span cols,
                                          Value col) {
  SmallVector<Value> result(ivs);
  if (rows.dim) {
    result[*rows.dim] = add(rows.base, row);
  }
  if (cols.dim) {
    result[*cols.dim] = add(cols.base, col);
  }
  return result;
}

void ContractionEmitter::pack(const Factor &factor, Span rows, Span cols,
                              Value paddedRows, Value paddedCols, Value buffer,
                              Destination at) {
  auto emitter = &ContractionEmitter::packElement;
  int64_t rowStep = 1;
  int64_t colStep = 1;
  if (cols.dim && factor.isContiguousIn(*cols.dim)) {
    emitter = &ContractionEmitter::packRow;
    colStep = lanes;
  } else if (rows.dim && factor.isContiguousIn(*rows.dim)) {
    emitter = &ContractionEmitter::packTransposed;
    rowStep = colStep = lanes;
  }
  loop(index(0), paddedRows, rowStep, [&](Value row) {
    loop(index(0), paddedCols, colStep, [&](Value col) {
      (this->*emitter)(factor, rows, cols, row, col, buffer, at);
    });
  });
}

void ContractionEmitter::packRow(const Factor &factor, Span rows, Span cols,
                                 Value row, Value col, Value buffer,
                                 Destination at) {
  Value inside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, row, rows.count);
  Value count =
      arith::SelectOp::create(b, inside, sub(cols.count, col), index(0));
  Value last = min(row, sub(rows.count, index(1)));
  Value value = loadFactor(factor, *cols.dim, this->at(rows, row, cols, col),
                           this->at(rows, last, cols, col), mask(count));
  vector::StoreOp::create(b, value, buffer, at(row, col));
}

void ContractionEmitter::packTransposed(const Factor &factor, Span rows,
                                        Span cols, Value row, Value col,
                                        Value buffer, Destination at) {
  SmallVector<Value> tile;
  Value left = sub(rows.count, row);
  for (int64_t i = 0; i < lanes; ++i) {
    Value column = add(col, index(i));
    Value inside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, column, cols.count);
    Value count = arith::SelectOp::create(b, inside, left, index(0));
    Value last = min(column, sub(cols.count, index(1)));
    tile.push_back(loadFactor(factor, *rows.dim,
                              this->at(rows, row, cols, column),
                              this->at(rows, row, cols, last), mask(count)));
  }
  for (auto [i, line] : llvm::enumerate(transpose(tile))) {
    vector::StoreOp::create(b, line, buffer, at(add(row, index(i)), col));
  }
}

void ContractionEmitter::packElement(const Factor &factor, Span rows, Span cols,
                                     Value row, Value col, Value buffer,
                                     Destination at) {
  Value inside = arith::AndIOp::create(
      b, arith::CmpIOp::create(b, arith::CmpIPredicate::slt, row, rows.count),
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, col, cols.count));
  auto ifOp = scf::IfOp::create(b, c.type, inside, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    SmallVector<Value> elements;
    for (const Access &access : factor.accesses) {
      elements.push_back(loadScalar(access, this->at(rows, row, cols, col)));
    }
    scf::YieldOp::create(b, compute(factor, elements, 0));
    b.setInsertionPointToStart(ifOp.elseBlock());
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(c.type));
    scf::YieldOp::create(b, zero);
  }
  memref::StoreOp::create(b, ifOp.getResult(0), buffer, at(row, col));
}

//===----------------------------------------------------------------------===//
// Register tiles
//===----------------------------------------------------------------------===//

void ContractionEmitter::emitRegisterTile(Span m, Span n, Span k, Value m1,
                                          Value n1) {
  struct Part {
    SmallVector<Value> ivs;
    Value mask;
  };
  SmallVector<Part> parts;
  SmallVector<Value> acc;
  for (int64_t i = 0; i < size.mr; ++i) {
    Value row = add(m1, index(i));
    Value inside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, row, m.count);
    Value count =
        arith::SelectOp::create(b, inside, sub(n.count, n1), index(0));
    for (int64_t j = 0; j < size.nr; j += lanes) {
      Part part{at(m, row, n, add(n1, index(j))), mask(sub(count, index(j)))};
      acc.push_back(load(c.out, part.ivs, part.mask));
      parts.push_back(std::move(part));
    }
  }
  Value panel = b.createOrFold<arith::DivUIOp>(n1, index(size.nr));
  acc = loop(index(0), k.count, 1, acc, [&](Value iv, ValueRange carried) {
    return multiply(iv, m1, panel, carried);
  });
  for (auto [part, value] : llvm::zip_equal(parts, acc)) {
    store(value, c.out, part.ivs, part.mask);
  }
}

SmallVector<Value> ContractionEmitter::multiply(Value k, Value m1, Value panel,
                                                ValueRange acc) {
  SmallVector<Value> right;
  for (int64_t j = 0; j < size.nr; j += lanes) {
    right.push_back(vector::LoadOp::create(b, vectorType(c.type), panels,
                                           ValueRange{panel, k, index(j)}));
  }
  SmallVector<Value> result;
  for (int64_t i = 0; i < size.mr; ++i) {
    Value left = splat(
        memref::LoadOp::create(b, rows, ValueRange{add(m1, index(i)), k}));
    for (Value factor : right) {
      Value sum = acc[result.size()];
      if (isa<FloatType>(c.type)) {
        // Not vector.fma: LLVM may split that one in two.
        result.push_back(math::FmaOp::create(b, left, factor, sum));
        continue;
      }
      Value product = arith::MulIOp::create(b, left, factor);
      result.push_back(arith::AddIOp::create(b, sum, product));
    }
  }
  return result;
}

LogicalResult fusion::contractionToVector(RewriterBase &rewriter,
                                          linalg::LinalgOp op,
                                          const CPUVectorOptions &options) {
  FailureOr<Contraction> contraction = matchContraction(op);
  if (failed(contraction) || !op.hasPureBufferSemantics()) {
    return failure();
  }
  const AffineMap &out = contraction->out.map;
  unsigned last = out.getDimPosition(out.getNumResults() - 1);
  if (!contraction->out.isContiguousIn(last)) {
    return failure();
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  ContractionEmitter(rewriter, op, *contraction, options.getLanes()).emit();
  rewriter.eraseOp(op);
  return success();
}
