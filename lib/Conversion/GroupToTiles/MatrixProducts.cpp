//===- MatrixProducts.cpp - recognising matrix products -------------------===//

#include "FactorRows.h"
#include "Kernels.h"
#include "TileEmitter.h"
#include "fusion/Analysis/HalfFloats.h"

using namespace mlir;
using namespace mlir::fusion;

/// The input of `op` that `value` is, seen through a widening; -1 if none.
static int64_t findInput(linalg::GenericOp op, Value value) {
  if (auto widen = value.getDefiningOp<arith::ExtFOp>()) {
    value = widen.getIn();
  }
  auto arg = dyn_cast<BlockArgument>(value);
  bool input = arg && arg.getOwner() == op.getBody() &&
               arg.getArgNumber() < op.getNumDpsInputs();
  return input ? int64_t(arg.getArgNumber()) : -1;
}

/// Whether a factor of products may be `operand`: memory, zero outside of what
/// a window reads (bulk and asynchronous copies fill with zeros), or what other
/// ops of the group compute.
static bool isFactor(const GroupOperand &operand) {
  bool zeros = !operand.outside || isZero(operand.outside);
  return zeros && (operand.memory || operand.producer >= 0);
}

bool mlir::fusion::isSumOfProducts(const GroupMember &op) {
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
  return llvm::all_of(op.inputs, isFactor) && x >= 0 && y >= 0 && x != y &&
         type == op.inputs[1].getElementType() &&
         (isHalfFloat(type) || type.isF32());
}

/// The dims of the array that `store` writes, outermost first; those that run
/// along it as several come as often.
static SmallVector<int64_t> getStoredDims(const GroupMember &store) {
  SmallVector<int64_t> dims;
  for (auto [position, dim] : llvm::enumerate(store.destination.dims)) {
    if (dim != kWindowDim) {
      dims.push_back(dim);
      continue;
    }
    for (const GroupTerm &term : store.destination.window[position].terms) {
      dims.push_back(term.dim);
    }
  }
  return dims;
}

/// The one of `dims` that tiles lie along: `held`, or the one that comes last
/// in the array that results go to.
static int64_t getInnermost(const Group &group, ArrayRef<int64_t> dims,
                            int64_t held) {
  if (llvm::is_contained(dims, held)) {
    return held;
  }
  for (const GroupMember &op : group.ops) {
    if (!op.isStore()) {
      continue;
    }
    SmallVector<int64_t> stored = getStoredDims(op);
    for (int64_t dim : llvm::reverse(stored)) {
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
    if (!op.isStore()) {
      continue;
    }
    SmallVector<int64_t> stored = getStoredDims(op);
    auto at = llvm::find(llvm::reverse(stored), dim);
    if (at != stored.rend()) {
      return at - stored.rbegin() + 1;
    }
  }
  return 0;
}

/// The dims of the arrays that `op` reads or, a store, writes.
static SmallVector<SmallVector<int64_t>> getArrays(const GroupMember &op) {
  SmallVector<SmallVector<int64_t>> arrays;
  if (op.isStore()) {
    arrays.push_back(getStoredDims(op));
    return arrays;
  }
  for (const GroupOperand &input : op.inputs) {
    if (input.memory) {
      arrays.push_back(input.dims);
    }
  }
  return arrays;
}

/// Which of two dims comes last in an array that has both, those that are
/// stored first; nothing where no array has both.
static std::optional<unsigned> findLast(const Group &group,
                                        ArrayRef<int64_t> dims) {
  for (bool stores : {true, false}) {
    for (const GroupMember &op : group.ops) {
      if (op.isStore() != stores) {
        continue;
      }
      for (ArrayRef<int64_t> array : getArrays(op)) {
        auto one = llvm::find(array, dims[0]), two = llvm::find(array, dims[1]);
        if (one != array.end() && two != array.end()) {
          return one > two ? 0 : 1;
        }
      }
    }
  }
  return std::nullopt;
}

/// Which of two inputs of a product, that have `inner` of their own, has the
/// columns of tiles: these run along memory. Where a dim is held and no array
/// tells, it is that: warps then have whole rows.
static unsigned pickColumns(const Group &group, ArrayRef<int64_t> inner,
                            int64_t held) {
  if (held == kUnitDim) {
    return getStride(group, inner[0]) < getStride(group, inner[1]) ? 0 : 1;
  }
  return findLast(group, inner).value_or(inner[0] == held ? 0 : 1);
}

/// Marks in `found` the ops that make `operands`.
static void markProducers(ArrayRef<GroupOperand> operands,
                          SmallVectorImpl<bool> &found) {
  for (const GroupOperand &operand : operands) {
    if (operand.producer >= 0) {
      found[operand.producer] = true;
    }
  }
}

SmallVector<bool>
mlir::fusion::findFactorOps(const Group &group,
                            const MatrixProducts &contraction) {
  SmallVector<bool> found(group.ops.size(), false);
  for (const MatrixProducts::Product &product : contraction.products) {
    markProducers(group.ops[product.number].inputs, found);
  }
  // Producers come before their users.
  for (int64_t number = group.ops.size(); number-- > 0;) {
    if (found[number]) {
      markProducers(group.ops[number].inputs, found);
      markProducers(group.ops[number].inits, found);
    }
  }
  return found;
}

SmallVector<bool>
mlir::fusion::findResultOps(const Group &group,
                            const MatrixProducts &contraction) {
  SmallVector<bool> found(group.ops.size(), false);
  for (int64_t number = group.ops.size(); number-- > 0;) {
    const GroupMember &op = group.ops[number];
    found[number] = found[number] || op.isStore();
    if (!found[number]) {
      continue;
    }
    bool product =
        llvm::any_of(contraction.products, [&](const auto &candidate) {
          return candidate.number == number;
        });
    if (!product) {
      markProducers(op.inputs, found);
    }
    markProducers(op.inits, found);
  }
  return found;
}

/// Whether no product has a factor that is computed from another product: one
/// loop over k makes them all.
static bool areIndependent(const Group &group,
                           const MatrixProducts &contraction) {
  SmallVector<bool> computed = findFactorOps(group, contraction);
  return llvm::none_of(contraction.products, [&](const auto &product) {
    return computed[product.number];
  });
}

/// Sorts the reduced dims of `op` as its first input has them, outermost first;
/// none where an input lacks one, or where steps along the last would cross the
/// others: blocks of k that each have a factor of their own.
static SmallVector<int64_t, 1> sortReduced(const Group &group,
                                           const GroupMember &op) {
  constexpr int64_t kLeastBlock = 16;
  SmallVector<int64_t> reduced = group.getReducedDims(op);
  SmallVector<int64_t> second = op.inputs[1].getUsedDims();
  SmallVector<int64_t, 1> sorted;
  for (int64_t dim : op.inputs[0].getUsedDims()) {
    if (llvm::is_contained(reduced, dim) && llvm::is_contained(second, dim)) {
      sorted.push_back(dim);
    }
  }
  if (sorted.empty() || sorted.size() != reduced.size()) {
    return {};
  }
  bool blocks = llvm::all_of(ArrayRef(sorted).drop_front(), [&](int64_t dim) {
    int64_t size = group.dims[dim].size;
    return !ShapedType::isDynamic(size) && size > 0;
  });
  bool steps =
      sorted.size() == 1 || group.dims[sorted.back()].size % kLeastBlock == 0;
  if (!blocks || !steps) {
    sorted.clear();
  }
  return sorted;
}

/// Whether op `number` reduces what tiles of the results have whole, and does
/// not run along k.
static bool isRowOfResults(const Group &group,
                           const MatrixProducts &contraction, int64_t number) {
  const GroupMember &op = group.ops[number];
  SmallVector<int64_t> dims = group.getDims(op);
  bool held =
      contraction.held == contraction.m || contraction.held == contraction.n;
  bool alongK = llvm::is_contained(dims, contraction.k) ||
                llvm::any_of(contraction.outerK, [&](int64_t dim) {
                  return llvm::is_contained(dims, dim);
                });
  return held && !alongK &&
         group.getReducedDims(op) == ArrayRef(contraction.held) &&
         isCombined(op.op);
}

/// Whether each of `reductions` is made for the rows of factors, and for
/// nothing else, or of whole rows or columns of results.
static bool areRowsOfProducts(const Group &group,
                              const MatrixProducts &contraction,
                              ArrayRef<int64_t> reductions) {
  if (reductions.empty()) {
    return true;
  }
  SmallVector<bool> factorOps = findFactorOps(group, contraction);
  SmallVector<bool> resultOps = findResultOps(group, contraction);
  return llvm::all_of(reductions, [&](int64_t number) {
    if (!factorOps[number]) {
      return isRowOfResults(group, contraction, number);
    }
    return !resultOps[number] && isRowOfFactor(group, contraction, number);
  });
}

/// The dim that a reduction which is no product reduces, other than what the
/// products sum over; kUnitDim where none does.
static int64_t findHeld(const Group &group) {
  SmallVector<int64_t> summed;
  for (const GroupMember &op : group.ops) {
    if (group.isReduction(op) && isSumOfProducts(op)) {
      llvm::append_range(summed, group.getReducedDims(op));
    }
  }
  for (const GroupMember &op : group.ops) {
    SmallVector<int64_t> reduced = group.getReducedDims(op);
    if (reduced.size() == 1 && !isSumOfProducts(op) &&
        !llvm::is_contained(summed, reduced.front())) {
      return reduced.front();
    }
  }
  return kUnitDim;
}

std::optional<MatrixProducts>
mlir::fusion::matchContraction(const Group &group) {
  std::optional<MatrixProducts> contraction;
  SmallVector<int64_t> others; // reductions that are no products
  int64_t held = findHeld(group);
  for (auto [number, op] : llvm::enumerate(group.ops)) {
    SmallVector<int64_t> reduced = group.getReducedDims(op);
    if (reduced.empty()) {
      continue;
    }
    if (!isSumOfProducts(op)) {
      others.push_back(number);
      continue;
    }
    SmallVector<int64_t, 1> k = sortReduced(group, op);
    if (k.empty()) {
      return std::nullopt;
    }
    SmallVector<int64_t> own[2] = {op.getOwnDims(0), op.getOwnDims(1)};
    if (own[0].empty() || own[1].empty()) {
      return std::nullopt;
    }
    int64_t inner[2] = {getInnermost(group, own[0], held),
                        getInnermost(group, own[1], held)};
    unsigned b = pickColumns(group, inner, held);
    MatrixProducts::Product product{int64_t(number), 1 - b, b};
    if (!contraction) {
      contraction =
          MatrixProducts{inner[1 - b], inner[b], k.back(), {}, {}, held};
      llvm::append_range(contraction->outerK, ArrayRef(k).drop_back());
    }
    if (contraction->m != inner[1 - b] || contraction->n != inner[b] ||
        contraction->k != k.back() ||
        contraction->outerK != ArrayRef(k).drop_back()) {
      return std::nullopt;
    }
    contraction->products.push_back(product);
  }
  if (contraction && (!areIndependent(group, *contraction) ||
                      !areRowsOfProducts(group, *contraction, others))) {
    return std::nullopt;
  }
  return contraction;
}
