//===- ProductsShape.cpp - products as tiles see them ---------------------===//

#include "ProductLoops.h"

#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Planner/KernelWork.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

int64_t fusion::multiplySizes(int64_t a, int64_t b) {
  bool dynamic = ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
  return dynamic ? ShapedType::kDynamic : a * b;
}

int64_t fusion::getElementBytes(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8)
                             : 8;
}

/// Returns whether `map` reads `first` and then `second` as neighbours: one
/// loop could do both.
static bool areNeighbours(AffineMap map, unsigned first, unsigned second) {
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true)) {
    return true; // windows: images whose rows follow each other
  }
  AffineExpr one = getAffineDimExpr(first, map.getContext());
  AffineExpr two = getAffineDimExpr(second, map.getContext());
  auto at = llvm::find(map.getResults(), one);
  return at != map.getResults().end() && at + 1 != map.getResults().end() &&
         *(at + 1) == two;
}

ProductLoops fusion::sortLoops(const Unit &unit) {
  LinalgOp op = unit.anchor;
  AffineMap maps[2] = {op.getMatchingIndexingMap(op.getDpsInputOperand(0)),
                       op.getMatchingIndexingMap(op.getDpsInputOperand(1))};
  ProductLoops loops;
  std::optional<unsigned> last[2]; // the loop that came before, of each operand
  bool done[2] = {false, false};
  std::optional<unsigned> columnsOf;
  for (unsigned loop : llvm::reverse(unit.space.parallel)) {
    bool used[2] = {maps[0].isFunctionOfDim(loop),
                    maps[1].isFunctionOfDim(loop)};
    unsigned of = used[0] ? 0 : 1;
    bool own = used[0] != used[1];
    bool joins = own && !done[of] &&
                 (!last[of] || areNeighbours(maps[of], loop, *last[of]));
    // What lies between two loops keeps them apart.
    for (unsigned other : {0u, 1u}) {
      done[other] |= last[other].has_value() && (!own || other != of);
    }
    if (!joins) {
      loops.batch.push_back(loop);
      done[of] |= own;
      continue;
    }
    columnsOf = columnsOf.value_or(of);
    last[of] = loop;
    (of == *columnsOf ? loops.columns : loops.rows).push_back(loop);
  }
  return loops;
}

SmallVector<unsigned> fusion::getTiledLoops(const Unit &unit) {
  LinalgOp op = unit.anchor;
  if (op.getNumDpsInputs() < 2) {
    return {};
  }
  ProductLoops loops = sortLoops(unit);
  SmallVector<unsigned> tiled;
  for (ArrayRef<unsigned> side : {loops.columns, loops.rows}) {
    if (!side.empty()) {
      tiled.push_back(side.front());
    }
  }
  return tiled;
}

SmallVector<std::pair<unsigned, unsigned>>
fusion::getMergedLoops(const Unit &unit) {
  LinalgOp op = unit.anchor;
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  if (op.getNumDpsInputs() < 2) {
    return pairs;
  }
  ProductLoops loops = sortLoops(unit);
  for (ArrayRef<unsigned> side : {loops.columns, loops.rows}) {
    for (size_t i = 1; i < side.size(); ++i) {
      pairs.emplace_back(side[i], side[i - 1]);
    }
  }
  return pairs;
}

static int64_t getSize(const Unit &unit, ArrayRef<unsigned> loops) {
  int64_t size = 1;
  for (unsigned loop : loops) {
    size = multiplySizes(size, unit.space.sizes[loop]);
  }
  return size;
}

/// Returns whether the memory of operand `number` of `unit` runs along loops of
/// the tile, in rows of a multiple of 16 bytes. Reduced dims that follow each
/// other are one row.
static bool isAligned(const Unit &unit, unsigned number,
                      ArrayRef<unsigned> batch) {
  LinalgOp op = unit.anchor;
  OpOperand *operand = op.getDpsInputOperand(number);
  AffineMap map = op.getMatchingIndexingMap(operand);
  ArrayRef<int64_t> sizes =
      cast<ShapedType>(operand->get().getType()).getShape();
  auto runsAlong = [&](size_t dim, ArrayRef<unsigned> loops) {
    return llvm::any_of(loops, [&](unsigned loop) {
      return map.getResult(dim).isFunctionOfDim(loop);
    });
  };
  if (sizes.empty() || runsAlong(sizes.size() - 1, batch)) {
    return false;
  }
  int64_t row = 1;
  for (size_t dim = sizes.size(); dim-- > 0;) {
    row = multiplySizes(row, sizes[dim]);
    if (!runsAlong(dim, unit.space.reduced)) {
      break;
    }
  }
  return !ShapedType::isDynamic(row) &&
         row * getElementBytes(operand->get()) % 16 == 0;
}

/// Returns whether the elements that operand `number` of `unit` has side by
/// side are those of the last loop over k, and whole pieces of 16 bytes. k is
/// walked in the order of the other operand.
static bool readsPieces(const Unit &unit, unsigned number) {
  LinalgOp op = unit.anchor;
  OpOperand *operand = op.getDpsInputOperand(number);
  AffineMap map = op.getMatchingIndexingMap(operand);
  auto type = cast<ShapedType>(operand->get().getType());
  if (type.getRank() == 0) {
    return false;
  }
  unsigned last = type.getRank() - 1;
  auto inner = dyn_cast<AffineDimExpr>(map.getResult(last));
  AffineMap other =
      op.getMatchingIndexingMap(op.getDpsInputOperand(1 - number));
  std::optional<unsigned> lastOfK;
  for (AffineExpr expr : other.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (loop && llvm::is_contained(unit.space.reduced, loop.getPosition())) {
      lastOfK = loop.getPosition();
    }
  }
  int64_t size = type.getDimSize(last);
  return inner && inner.getPosition() == lastOfK &&
         !ShapedType::isDynamic(size) &&
         size * getElementBytes(operand->get()) % 16 == 0;
}

static bool isWindow(const Unit &unit, unsigned number) {
  LinalgOp op = unit.anchor;
  return !op.getMatchingIndexingMap(op.getDpsInputOperand(number))
              .isProjectedPermutation(/*allowZeroInResults=*/true);
}

/// Leaves, of the side of a tile that has the loops `held`, these alone, inner
/// ones first. Returns whether that are the columns.
static bool keepHeld(const Unit &unit, ArrayRef<unsigned> held,
                     ProductLoops &loops) {
  LinalgOp op = unit.anchor;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  bool columns =
      loops.columns.empty() || map.isFunctionOfDim(loops.columns.front()) ==
                                   map.isFunctionOfDim(held.front());
  SmallVector<unsigned> &side = columns ? loops.columns : loops.rows;
  llvm::append_range(loops.batch, side);
  llvm::erase_if(loops.batch,
                 [&](unsigned loop) { return llvm::is_contained(held, loop); });
  side.assign(held.rbegin(), held.rend());
  return columns;
}

/// Returns whether kernels of tiles exist for the types of `op`; of other ones
/// blocks hold rows.
static bool multipliesInTiles(LinalgOp op) {
  Type a = getElementTypeOrSelf(op.getDpsInputs()[0].getType());
  Type b = getElementTypeOrSelf(op.getDpsInputs()[1].getType());
  Type sum = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  return a == b && (isHalfFloat(a) || a.isF32()) && sum.isF32();
}

std::optional<ProductsShape>
fusion::getProductsShape(ArrayRef<const Unit *> units,
                         ArrayRef<unsigned> held) {
  const Unit &first = *units.front();
  LinalgOp op = first.anchor;
  if (op.getNumDpsInputs() != 2 || !multipliesInTiles(op)) {
    return std::nullopt;
  }
  ProductLoops loops = sortLoops(first);
  bool holdsColumns = !held.empty() && keepHeld(first, held, loops);
  if (loops.rows.empty() || loops.columns.empty()) {
    return std::nullopt;
  }
  ProductsShape found;
  ContractionShape &shape = found.shape;
  shape.batch = getSize(first, loops.batch);
  shape.m = getSize(first, loops.rows);
  shape.n = getSize(first, loops.columns);
  shape.k = getSize(first, first.space.reduced);
  shape.count = units.size();
  shape.wholeN = holdsColumns;
  shape.wholeM = !held.empty() && !holdsColumns;
  AffineMap mapOfFirst = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  unsigned m = mapOfFirst.isFunctionOfDim(loops.rows.front()) ? 0 : 1;
  found.windowM = isWindow(first, m);
  found.windowN = isWindow(first, 1 - m);
  shape.elementBytes = getElementBytes(op.getDpsInputs()[0]);
  shape.halfFloats = shape.bulkCopies = true;
  llvm::SmallSetVector<Value, 4> operands[2];
  for (const Unit *unit : units) {
    LinalgOp product = unit->anchor;
    found.alignedM &= found.windowM ? readsPieces(*unit, m)
                                    : isAligned(*unit, m, loops.batch);
    found.alignedN &= found.windowN ? readsPieces(*unit, 1 - m)
                                    : isAligned(*unit, 1 - m, loops.batch);
    for (auto [number, input] : llvm::enumerate(product.getDpsInputs())) {
      Type type = getElementTypeOrSelf(input.getType());
      auto shaped = cast<ShapedType>(input.getType());
      shape.halfFloats &= isHalfFloat(type);
      shape.bulkCopies &= shaped.getRank() <= 4;
      operands[number == m ? 0 : 1].insert(input);
    }
  }
  shape.operandsM = operands[0].size();
  shape.operandsN = operands[1].size();
  shape.bulkCopies &=
      found.alignedM && found.alignedN && !found.windowM && !found.windowN;
  return found;
}
