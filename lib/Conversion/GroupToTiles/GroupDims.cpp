//===- GroupDims.cpp - merging and numbering the dims of a group ----------===//

#include "Group.h"

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
  int64_t chainOf(int64_t cls) const {
    return cls < 0 ? cls : chainNumbers[cls];
  }
  void finish();

  Group &group;
  const LoopClasses &classes;
  SmallVector<SmallVector<int64_t>> chains; ///< emptied when merged away
  SmallVector<int64_t> chainNumbers;        ///< class -> chain, -1 if unused
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
  for (int64_t chain : {first, second}) {
    if (llvm::any_of(chains[chain],
                     [&](int64_t cls) { return classes.separate[cls]; })) {
      return false;
    }
  }
  return llvm::all_of(group.ops, [&](GroupMember &op) {
    auto ok = [&](GroupOperand &o) { return mayFollow(o, first, second); };
    return sameLoops(op, first, second) && llvm::all_of(op.inputs, ok) &&
           llvm::all_of(op.inits, ok) && ok(op.destination) &&
           (!op.bounds.isWindow() || mayJoin(op.bounds, first, second));
  });
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
      for (int64_t cls : chains[second]) {
        chainNumbers[cls] = first;
      }
      llvm::append_range(chains[first], chains[second]);
      chains[second].clear();
      return true;
    }
    return false;
  };
  return llvm::any_of(group.ops, [&](GroupMember &op) {
    return tryOperand(op.destination) || llvm::any_of(op.inputs, tryOperand) ||
           llvm::any_of(op.inits, tryOperand);
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
    for (GroupPosition &position : op.bounds.window) {
      llvm::for_each(position.terms, renumberTerm);
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
  finish();
}

void mlir::fusion::mergeDims(Group &group, const LoopClasses &classes) {
  DimMerger(group, classes).run();
}
