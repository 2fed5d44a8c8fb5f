//===- Reference.cpp - the unfused program behind a plan --------*- C++ -*-===//

#include "fusion/Verify/Reference.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

/// The terms that one result element of `op` adds up; kDynamic if unknown.
static int64_t getReductionLength(linalg::LinalgOp op) {
  int64_t length = 1;
  for (auto [range, kind] :
       llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::reduction) {
      continue;
    }
    if (ShapedType::isDynamic(range)) {
      return ShapedType::kDynamic;
    }
    length *= range;
  }
  return length;
}

static int64_t getLonger(int64_t a, int64_t b) {
  bool isDynamic = ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
  return isDynamic ? ShapedType::kDynamic : std::max(a, b);
}

/// The names of the source nodes in a group, in order, each once; those of its
/// ops where there are none.
static std::string describeOps(GroupOp group) {
  llvm::SmallSetVector<StringRef, 8> nodes, ops;
  group.getBodyBlock()->walk([&](linalg::LinalgOp op) {
    ops.insert(op->getName().stripDialect());
    if (auto name = op->getLoc()->findInstanceOf<NameLoc>()) {
      nodes.insert(name.getName().getValue());
    }
  });
  constexpr size_t kMost = 12;
  ArrayRef<StringRef> names = (nodes.empty() ? ops : nodes).getArrayRef();
  return llvm::join(names.take_front(kMost), ", ") +
         (names.size() > kMost ? ", ..." : "");
}

/// How far apart above 1 floats of the narrowest type are that values inside of
/// `group` are rounded to, 0 where none is: where the graph says so, and where
/// a product multiplies what follows. Other roundings are left out.
static double getSpacing(GroupOp group) {
  double spacing = 0, marked = 0;
  group->walk([&](Operation *op) {
    if (auto rounding = dyn_cast<arith::TruncFOp>(op)) {
      auto type = cast<FloatType>(getElementTypeOrSelf(rounding.getType()));
      int bits = static_cast<int>(type.getFPMantissaWidth());
      bool isMarked = rounding->hasAttr(FusionDialect::kRoundingAttr);
      double &known = isMarked ? marked : spacing;
      known = std::max(known, std::ldexp(1.0, 1 - bits));
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    bool isProduct = linalgOp && linalgOp.getNumReductionLoops() != 0 &&
                     linalgOp.getNumDpsInputs() > 1;
    spacing = isProduct ? std::max(spacing, marked) : spacing;
  });
  return spacing;
}

static GroupOutput describe(GroupOp group, int64_t number, OpResult value) {
  GroupOutput output;
  output.group = number;
  output.name = group.getName().str();
  output.number = value.getResultNumber();
  output.ops = describeOps(group);
  group->walk([&](linalg::LinalgOp op) {
    output.reductionLength =
        getLonger(output.reductionLength, getReductionLength(op));
  });
  output.spacing = getSpacing(group);
  return output;
}

static func::FuncOp getEntry(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>("main");
}

static SmallVector<GroupOp> getGroups(ModuleOp module) {
  return llvm::to_vector(getEntry(module).getOps<GroupOp>());
}

/// The name of result `value` of the group with this number.
static DictionaryAttr makeAttributes(OpResult value, int64_t group) {
  Builder builder(value.getContext());
  std::string name = "group " + std::to_string(group) + " result " +
                     std::to_string(value.getResultNumber());
  SmallVector<NamedAttribute> attributes{builder.getNamedAttr(
      FusionDialect::kNameAttr, builder.getStringAttr(name))};
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.hasStaticShape()) {
    SmallVector<std::string> dims;
    for (int64_t i = 0, e = type.getRank(); i < e; ++i) {
      dims.push_back(type.isDynamicDim(i) ? name + " dim " + std::to_string(i)
                                          : "");
    }
    SmallVector<StringRef> refs(dims.begin(), dims.end());
    attributes.push_back(builder.getNamedAttr(FusionDialect::kDimsAttr,
                                              builder.getStrArrayAttr(refs)));
  }
  return builder.getDictionaryAttr(attributes);
}

int64_t mlir::fusion::countGroups(ModuleOp module) {
  return getGroups(module).size();
}

//===----------------------------------------------------------------------===//
// The fused side
//===----------------------------------------------------------------------===//

/// The results of groups that `op`, a group, reads: itself, or through ops
/// outside of groups (reshapes, sizes) and groups of branches, whose results
/// not every run writes.
static void addReads(Operation *op, SetVector<Value> &values) {
  SetVector<Operation *> steps;
  steps.insert(op);
  for (unsigned at = 0; at < steps.size(); ++at) {
    for (Value operand : steps[at]->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (isa_and_nonnull<GroupOp>(maker) &&
          isAlwaysWritten(cast<OpResult>(operand))) {
        values.insert(operand);
      } else if (maker) {
        steps.insert(maker);
      }
    }
  }
}

SmallVector<GroupOutput> mlir::fusion::exposeGroupResults(ModuleOp module,
                                                          GroupRange range) {
  func::FuncOp entry = getEntry(module);
  Operation *end = entry.getBody().front().getTerminator();
  SmallVector<GroupOp> groups = getGroups(module);
  SetVector<Value> wanted;
  for (int64_t number = range.first; number < range.last; ++number) {
    for (OpResult value : groups[number]->getResults()) {
      if (isAlwaysWritten(value)) {
        wanted.insert(value);
      }
    }
    addReads(groups[number], wanted);
  }
  SmallVector<Value> returned(end->getOperands());
  SmallVector<GroupOutput> outputs;
  for (auto [number, group] : llvm::enumerate(groups)) {
    for (OpResult value : group->getResults()) {
      if (!wanted.contains(value)) {
        continue;
      }
      auto *found = llvm::find(returned, Value(value));
      outputs.push_back(describe(group, number, value));
      outputs.back().result = found - returned.begin();
      if (found == returned.end()) {
        (void)entry.insertResult(returned.size(), value.getType(),
                                 makeAttributes(value, number));
        returned.push_back(value);
      }
    }
  }
  end->setOperands(returned);
  return outputs;
}

//===----------------------------------------------------------------------===//
// The reference
//===----------------------------------------------------------------------===//

/// Erases what nobody needs but groups of `range`, which stay. Others that are
/// needed make what a branch leaves unwritten.
static void eraseOthers(func::FuncOp entry, MutableArrayRef<GroupOp> groups,
                        GroupRange range) {
  for (int64_t number = groups.size() - 1; number >= 0; --number) {
    if (!range.contains(number) && groups[number]->use_empty()) {
      groups[number].erase();
    }
  }
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(entry.getBody().front()))) {
    if (!isa<GroupOp>(op) && isOpTriviallyDead(&op)) {
      op.erase();
    }
  }
}

/// The element types that results of `entry` have for the caller where the IR
/// has another (unsigned ones), by the value that is returned.
static DenseMap<Value, Attribute> getDTypes(func::FuncOp entry) {
  DenseMap<Value, Attribute> dtypes;
  Operation *end = entry.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(end->getOperands())) {
    if (Attribute dtype =
            entry.getResultAttr(index, FusionDialect::kDTypeAttr)) {
      dtypes[value] = dtype;
    }
  }
  return dtypes;
}

/// `attributes` with `dtype`, if that is given.
static DictionaryAttr addDType(DictionaryAttr attributes, Attribute dtype) {
  NamedAttrList list(attributes);
  if (dtype) {
    list.set(FusionDialect::kDTypeAttr, dtype);
  }
  return list.getDictionary(attributes.getContext());
}

SmallVector<GroupOutput>
mlir::fusion::cutAtGroups(ModuleOp module, GroupRange range,
                          SmallVectorImpl<GroupOutput> &reads) {
  func::FuncOp entry = getEntry(module);
  Operation *end = entry.getBody().front().getTerminator();
  SmallVector<GroupOp> groups = getGroups(module);
  SmallVector<GroupOutput> outputs, candidates;
  SmallVector<Value> returned;
  SmallVector<Type> types;
  unsigned given = entry.getNumArguments();
  DenseMap<Value, Attribute> dtypes = getDTypes(entry);
  end->setOperands({});
  for (auto [number, group] : llvm::enumerate(groups)) {
    for (OpResult value : group->getResults()) {
      if (!isAlwaysWritten(value)) {
        continue;
      }
      GroupOutput output = describe(group, number, value);
      if (range.contains(number)) {
        output.result = returned.size();
        outputs.push_back(output);
        returned.push_back(value);
      }
      unsigned argument = entry.getNumArguments();
      (void)entry.insertArgument(
          argument, value.getType(),
          addDType(makeAttributes(value, number), dtypes.lookup(value)),
          value.getLoc());
      value.replaceAllUsesWith(entry.getArgument(argument));
      candidates.push_back(output);
    }
  }
  end->setOperands(returned);
  SmallVector<DictionaryAttr> attributes;
  for (const GroupOutput &output : outputs) {
    auto value = cast<OpResult>(returned[output.result]);
    attributes.push_back(
        addDType(makeAttributes(value, output.group), dtypes.lookup(value)));
  }
  entry.setType(FunctionType::get(module.getContext(), entry.getArgumentTypes(),
                                  TypeRange(returned)));
  entry.setAllResultAttrs(attributes);
  eraseOthers(entry, groups, range);
  BitVector unused(entry.getNumArguments());
  for (auto [index, output] : llvm::enumerate(candidates)) {
    if (entry.getArgument(given + index).use_empty()) {
      unused.set(given + index);
      continue;
    }
    output.result = given + reads.size();
    reads.push_back(output);
  }
  (void)entry.eraseArguments(unused);
  return outputs;
}

static void dissolve(GroupOp group) {
  IRMapping mapping;
  mapping.map(group.getInputArguments(), group.getInputs());
  mapping.map(group.getInitArguments(), group.getInits());
  OpBuilder builder(group);
  for (Operation &op : group.getBodyBlock()->without_terminator()) {
    builder.clone(op, mapping);
  }
  for (auto [result, value] :
       llvm::zip(group->getResults(), group.getYield().getValues())) {
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  }
  group.erase();
}

void mlir::fusion::dissolveGroups(ModuleOp module) {
  SmallVector<GroupOp> groups;
  module.walk([&](GroupOp group) { groups.push_back(group); });
  for (GroupOp group : groups) {
    dissolve(group);
  }
}
