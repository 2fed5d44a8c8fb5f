//===- GroupDims.cpp - merging and numbering the dims of a group ----------===//

#include "Group.h"
#include "Kernels.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Chains of loop classes that may be one dim.
class DimMerger {
public:
  DimMerger(Group &group, const LoopClasses &classes)
      : group(group), classes(classes) {}
  void run();

private:
  void number();
  bool mergeOnePair();
  bool canMerge(int64_t first, int64_t second);
  bool mayJoin(const GroupOperand &window, int64_t first, int64_t second);
  bool mayFollow(const GroupOperand &operand, int64_t first, int64_t second);
  bool sameLoops(const GroupMember &op, int64_t first, int64_t second);
  void join(int64_t first, int64_t second);
  void findFactors();
  bool hasOnlyProducts();
  SmallVector<int64_t> getSide(const GroupMember &product, unsigned number);
  bool mergeOfSides(
      ArrayRef<unsigned> ops,
      llvm::function_ref<bool(const GroupMember &, unsigned, int64_t, int64_t)>
          pick);
  bool openOnePair();
  bool mergeHeldPair();
  bool canOpen(int64_t first, int64_t second);
  bool shouldOpen(const GroupMember &product, unsigned number, int64_t first,
                  int64_t second);
  bool mayOpen(const GroupMember &op, bool isFactor, int64_t first,
               int64_t second);
  void open(GroupOperand &operand, int64_t first, int64_t second);
  int64_t chainOf(int64_t cls) const {
    return cls < 0 ? cls : chainNumbers[cls];
  }
  /// Whether a body asks for positions along a class of `chain`.
  bool isSeparate(int64_t chain) const {
    return llvm::any_of(chains[chain],
                        [&](int64_t cls) { return classes.separate[cls]; });
  }
  void finish();

  Group &group;
  const LoopClasses &classes;
  SmallVector<SmallVector<int64_t>> chains; ///< emptied when merged away
  SmallVector<int64_t> chainNumbers;        ///< class -> chain, -1 if unused
  SmallVector<bool> factors;                ///< by op: products need it
  SmallVector<unsigned> products;
};
} // namespace

/// Every class that an op has a loop in gets a chain: those of stores first, in
/// memory order.
void DimMerger::number() {
  chainNumbers.assign(classes.sizes.size(), -1);
  for (bool stores : {true, false}) {
    for (GroupMember &op : group.ops) {
      if (op.isStore() != stores) {
        continue;
      }
      for (int64_t cls : op.loops) {
        if (cls >= 0 && chainNumbers[cls] < 0) {
          chainNumbers[cls] = chains.size();
          chains.push_back({cls});
        }
      }
    }
  }
}

/// The chains along an operand's dims, each once; kFirstElement stays.
static SmallVector<int64_t> compress(ArrayRef<int64_t> dims,
                                     llvm::function_ref<int64_t(int64_t)> map) {
  SmallVector<int64_t> result;
  for (int64_t dim : dims) {
    int64_t chain = map(dim);
    if (chain != kUnitDim &&
        (result.empty() || result.back() != chain || chain < 0)) {
      result.push_back(chain);
    }
  }
  return result;
}

/// Whether a window can read the two chains as one dim: it splits positions
/// itself, but has to know the inner sizes.
bool DimMerger::mayJoin(const GroupOperand &window, int64_t first,
                        int64_t second) {
  SmallVector<int64_t> used = window.getUsedDims();
  auto has = [&](int64_t chain) {
    return llvm::any_of(used,
                        [&](int64_t cls) { return chainOf(cls) == chain; });
  };
  bool known = llvm::none_of(chains[second], [&](int64_t cls) {
    return ShapedType::isDynamic(classes.sizes[cls]);
  });
  bool both = has(first) == has(second) || window.readsParts;
  return both && (known || (!has(first) && !has(second)));
}

/// Whether the operand has both chains, the second right after the first, or
/// neither. Only memory has an order.
bool DimMerger::mayFollow(const GroupOperand &operand, int64_t first,
                          int64_t second) {
  if (!operand.value) {
    return true;
  }
  if (operand.isWindow()) {
    return mayJoin(operand, first, second);
  }
  SmallVector<int64_t> wanted(operand.dims);
  for (auto [position, cls] : llvm::enumerate(wanted)) {
    if (!operand.isCut(position)) {
      continue;
    }
    if (chainOf(cls) == first || chainOf(cls) == second) {
      return false;
    }
    // One element of a dim of memory: what is around it is apart.
    cls = cls == kUnitDim ? kFirstElement : cls;
  }
  auto dims = compress(wanted, [&](int64_t c) { return chainOf(c); });
  auto firstAt = llvm::find(dims, first), secondAt = llvm::find(dims, second);
  bool hasFirst = firstAt != dims.end(), hasSecond = secondAt != dims.end();
  if (hasFirst != hasSecond) {
    return false;
  }
  if (!hasFirst || !operand.memory) {
    return true;
  }
  return llvm::count(dims, first) == 1 && llvm::count(dims, second) == 1 &&
         firstAt + 1 == secondAt;
}

/// Whether the op iterates over both chains, in the same way, or over neither.
bool DimMerger::sameLoops(const GroupMember &op, int64_t first,
                          int64_t second) {
  auto has = [&](ArrayRef<int64_t> dims, int64_t chain) {
    return llvm::any_of(dims, [&](int64_t c) { return chainOf(c) == chain; });
  };
  SmallVector<int64_t> reduced = group.getReducedDims(op);
  return has(op.loops, first) == has(op.loops, second) &&
         has(reduced, first) == has(reduced, second);
}

bool DimMerger::canMerge(int64_t first, int64_t second) {
  if (isSeparate(first) || isSeparate(second)) {
    return false;
  }
  return llvm::all_of(group.ops, [&](GroupMember &op) {
    auto ok = [&](GroupOperand &o) { return mayFollow(o, first, second); };
    return sameLoops(op, first, second) && llvm::all_of(op.inputs, ok) &&
           llvm::all_of(op.inits, ok) && ok(op.destination) &&
           (!op.bounds.isWindow() || mayJoin(op.bounds, first, second));
  });
}

/// Makes one chain of two, the second inside of the first.
void DimMerger::join(int64_t first, int64_t second) {
  for (int64_t cls : chains[second]) {
    chainNumbers[cls] = first;
  }
  llvm::append_range(chains[first], chains[second]);
  chains[second].clear();
}

/// Merges the first pair that may be; neighbours in memory are the candidates.
bool DimMerger::mergeOnePair() {
  auto tryOperand = [&](const GroupOperand &operand) {
    if (!operand.memory) {
      return false;
    }
    auto dims = compress(operand.dims, [&](int64_t c) { return chainOf(c); });
    for (size_t i = 0; i + 1 < dims.size(); ++i) {
      int64_t first = dims[i], second = dims[i + 1];
      if (first < 0 || second < 0 || !canMerge(first, second)) {
        continue;
      }
      join(first, second);
      return true;
    }
    return false;
  };
  return llvm::any_of(group.ops, [&](GroupMember &op) {
    return tryOperand(op.destination) || llvm::any_of(op.inputs, tryOperand) ||
           llvm::any_of(op.inits, tryOperand);
  });
}

//===----------------------------------------------------------------------===//
// Rows and columns of products that other arrays have in parts
//===----------------------------------------------------------------------===//

/// Finds the products, and what their factors are computed from.
void DimMerger::findFactors() {
  factors.assign(group.ops.size(), false);
  for (int64_t number = group.ops.size(); number-- > 0;) {
    GroupMember &op = group.ops[number];
    bool isProduct = !op.isStore() && group.isReduction(op) &&
                     op.inputs.size() == 2 &&
                     linalg::isaContractionOpInterface(
                         cast<linalg::LinalgOp>(op.op.getOperation()));
    if (isProduct) {
      products.push_back(number);
    }
    for (const GroupOperand &input : op.inputs) {
      if (input.producer >= 0 && (isProduct || factors[number])) {
        factors[input.producer] = true;
      }
    }
  }
}

/// Whether tiles of `product` should run along both chains, neighbours in input
/// `number` alone, as one: the second by itself would leave tiles half empty.
bool DimMerger::shouldOpen(const GroupMember &product, unsigned number,
                           int64_t first, int64_t second) {
  constexpr int64_t kLeastSide = 32;
  int64_t inner = 1;
  for (int64_t cls : chains[second]) {
    inner = ShapedType::isDynamic(inner) ||
                    ShapedType::isDynamic(classes.sizes[cls])
                ? ShapedType::kDynamic
                : inner * classes.sizes[cls];
  }
  auto isElsewhere = [&](int64_t cls) {
    int64_t chain = chainOf(cls);
    return chain == first || chain == second;
  };
  return !ShapedType::isDynamic(inner) && inner % kLeastSide != 0 &&
         llvm::none_of(product.inputs[1 - number].getUsedDims(), isElsewhere);
}

/// Whether `op` can run along the two chains as one dim, perhaps with arrays
/// that it reads or writes in windows. Factors are read as they lie.
bool DimMerger::mayOpen(const GroupMember &op, bool isFactor, int64_t first,
                        int64_t second) {
  auto follows = [&](const GroupOperand &operand) {
    return mayFollow(operand, first, second);
  };
  // A window splits positions itself: it has to know the inner sizes.
  bool known = llvm::all_of(op.loops, [&](int64_t cls) {
    return cls < 0 || llvm::none_of(
                          ArrayRef(chains[chainOf(cls)]).drop_front(),
                          [&](int64_t inner) {
                            return ShapedType::isDynamic(classes.sizes[inner]);
                          });
  });
  auto opens = [&](const GroupOperand &operand) {
    return follows(operand) ||
           (!isFactor && known && operand.memory && !operand.isWindow());
  };
  return sameLoops(op, first, second) && llvm::all_of(op.inputs, opens) &&
         llvm::all_of(op.inits, follows) && opens(op.destination) &&
         !op.bounds.isWindow();
}

bool DimMerger::canOpen(int64_t first, int64_t second) {
  if (isSeparate(first) || isSeparate(second)) {
    return false;
  }
  return llvm::all_of(llvm::enumerate(group.ops), [&](auto at) {
    bool isFactor =
        factors[at.index()] || llvm::is_contained(products, at.index());
    return mayOpen(at.value(), isFactor, first, second);
  });
}

/// Makes a window of `operand` where only that can have both chains as one dim.
void DimMerger::open(GroupOperand &operand, int64_t first, int64_t second) {
  if (mayFollow(operand, first, second)) {
    return;
  }
  for (auto [position, cls] : llvm::enumerate(operand.dims)) {
    GroupPosition where;
    where.start = operand.starts.empty() ? 0 : operand.starts[position];
    if (cls >= 0) {
      where.terms.push_back({cls, 0, 1});
    }
    operand.window.push_back(std::move(where));
  }
  operand.dims.assign(operand.dims.size(), kWindowDim);
  operand.starts.clear();
  operand.readsParts = true;
}

/// The chains of one side of `product`, in the order of its result.
SmallVector<int64_t> DimMerger::getSide(const GroupMember &product,
                                        unsigned number) {
  SmallVector<int64_t> reduced = group.getReducedDims(product);
  SmallVector<int64_t> own = product.getOwnDims(number);
  SmallVector<int64_t> side =
      llvm::filter_to_vector(product.loops, [&](int64_t cls) {
        return llvm::is_contained(own, cls) &&
               !llvm::is_contained(reduced, cls);
      });
  return compress(side, [&](int64_t c) { return chainOf(c); });
}

/// Merges the first pair of neighbours on one side of one of `ops`, products,
/// that `pick` accepts, with the product and the number of the input.
bool DimMerger::mergeOfSides(
    ArrayRef<unsigned> ops,
    llvm::function_ref<bool(const GroupMember &, unsigned, int64_t, int64_t)>
        pick) {
  for (unsigned product : ops) {
    for (unsigned number : {0u, 1u}) {
      SmallVector<int64_t> dims = getSide(group.ops[product], number);
      for (size_t i = 0; i + 1 < dims.size(); ++i) {
        if (pick(group.ops[product], number, dims[i], dims[i + 1])) {
          join(dims[i], dims[i + 1]);
          return true;
        }
      }
    }
  }
  return false;
}

/// Merges a pair of dims of one side of products that other arrays have apart,
/// or in another order: heads, each an array of its own.
bool DimMerger::openOnePair() {
  return mergeOfSides(products, [&](const GroupMember &product, unsigned number,
                                    int64_t first, int64_t second) {
    if (!shouldOpen(product, number, first, second) ||
        !canOpen(first, second)) {
      return false;
    }
    for (GroupMember &op : group.ops) {
      llvm::for_each(op.inputs,
                     [&](GroupOperand &o) { open(o, first, second); });
      open(op.destination, first, second);
    }
    return true;
  });
}

/// Merges a pair of dims of one side of products, those of windows among them,
/// that are reduced together after them, and that no array has: the places of
/// an image.
bool DimMerger::mergeHeldPair() {
  SmallVector<unsigned> all;
  SmallVector<int64_t> held;
  for (auto [number, op] : llvm::enumerate(group.ops)) {
    if (group.isReduction(op) && isSumOfProducts(op)) {
      all.push_back(number);
    } else {
      llvm::append_range(held, group.getReducedDims(op));
    }
  }
  auto isHeld = [&](int64_t chain) {
    return llvm::any_of(held,
                        [&](int64_t cls) { return chainOf(cls) == chain; });
  };
  return mergeOfSides(
      all, [&](const GroupMember &, unsigned, int64_t first, int64_t second) {
        return isHeld(first) && isHeld(second) && canMerge(first, second);
      });
}

/// Whether one loop over k makes all products, and nothing is reduced after it.
bool DimMerger::hasOnlyProducts() {
  return llvm::all_of(llvm::enumerate(group.ops), [&](auto at) {
    bool isProduct = llvm::is_contained(products, at.index());
    return isProduct ? !factors[at.index()]
                     : factors[at.index()] || !group.isReduction(at.value());
  });
}

/// Replaces chains by group dims, now numbered without gaps.
void DimMerger::finish() {
  SmallVector<int64_t> dimOf(chains.size(), -1);
  for (auto [number, chain] : llvm::enumerate(chains)) {
    if (chain.empty()) {
      continue;
    }
    dimOf[number] = group.dims.size();
    GroupDim dim;
    for (int64_t cls : chain) {
      dim.parts.push_back(cls);
      dim.partSizes.push_back(classes.sizes[cls]);
      dim.sources.push_back(classes.sources[cls]);
      bool dynamic = ShapedType::isDynamic(dim.size) ||
                     ShapedType::isDynamic(classes.sizes[cls]);
      dim.size = dynamic ? ShapedType::kDynamic : dim.size * classes.sizes[cls];
      dim.reduced = dim.reduced || classes.reduced[cls];
    }
    group.dims.push_back(dim);
  }
  auto renumber = [&](SmallVector<int64_t> &dims) {
    for (int64_t &dim : dims) {
      dim = dim < 0 ? dim : dimOf[chainNumbers[dim]];
    }
  };
  auto renumberTerm = [&](GroupTerm &term) {
    const SmallVector<int64_t> &chain = chains[chainNumbers[term.dim]];
    term.part = llvm::find(chain, term.dim) - chain.begin();
    term.dim = dimOf[chainNumbers[term.dim]];
  };
  if (group.parts) {
    for (int64_t *dim : {&group.parts->dim, &group.parts->part}) {
      *dim = dimOf[chainNumbers[*dim]];
    }
  }
  for (GroupMember &op : group.ops) {
    renumber(op.loops);
    renumber(op.destination.dims);
    for (GroupOperand *operand : {&op.destination, &op.bounds}) {
      for (GroupPosition &position : operand->window) {
        llvm::for_each(position.terms, renumberTerm);
      }
    }
    for (auto *operands : {&op.inputs, &op.inits}) {
      for (GroupOperand &operand : *operands) {
        renumber(operand.dims);
        for (GroupPosition &position : operand.window) {
          llvm::for_each(position.terms, renumberTerm);
        }
      }
    }
  }
}

void DimMerger::run() {
  number();
  while (mergeOnePair()) {
  }
  findFactors();
  while (mergeHeldPair()) {
  }
  bool opens = hasOnlyProducts();
  while (opens && openOnePair()) {
    while (mergeOnePair()) {
    }
  }
  finish();
}

void mlir::fusion::mergeDims(Group &group, const LoopClasses &classes) {
  DimMerger(group, classes).run();
}
