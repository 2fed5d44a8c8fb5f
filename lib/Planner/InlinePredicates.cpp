//===- InlinePredicates.cpp - predicates join the launches that read them -===//

#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_INLINEPREDICATES
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

namespace {
/// Makes one launch of a group and of the predicates that it reads.
class LaunchJoiner {
public:
  explicit LaunchJoiner(GroupOp reader)
      : reader(reader), inits(reader.getInits()) {}

  LogicalResult join(ArrayRef<GroupOp> makers);

private:
  void rename(LaunchPart &part);
  void addMaker(LaunchPart part, ValueRange makerInits);

  GroupOp reader;
  SmallVector<LaunchPart, 0> parts;
  SmallVector<Value> inits;
  DenseMap<Value, Value> renamed; // results of parts that are there already
};
} // namespace

void LaunchJoiner::rename(LaunchPart &part) {
  for (PartCondition &condition : part.conditions) {
    Value name = renamed.lookup(condition.value);
    condition.value = name ? name : condition.value;
  }
  for (Value &input : part.inputs) {
    Value name = renamed.lookup(input);
    input = name ? name : input;
  }
}

static bool areEqual(const LaunchPart &a, const LaunchPart &b) {
  GroupOp first = a.group, second = b.group;
  return a.conditions == b.conditions && a.inputs == b.inputs &&
         first.getScheduleAttr() == second.getScheduleAttr() &&
         OperationEquivalence::isRegionEquivalentTo(
             &first.getBody(), &second.getBody(),
             OperationEquivalence::IgnoreLocations);
}

/// Adds a part of a launch that makes predicates, once.
void LaunchJoiner::addMaker(LaunchPart part, ValueRange makerInits) {
  rename(part);
  for (const LaunchPart &other : parts) {
    if (areEqual(part, other)) {
      for (auto [result, known] :
           llvm::zip_equal(part.results, other.results)) {
        renamed[result] = known;
      }
      return;
    }
  }
  for (unsigned &slot : part.slots) {
    Value init = makerInits[slot];
    slot = inits.size();
    inits.push_back(init);
  }
  parts.push_back(std::move(part));
}

LogicalResult LaunchJoiner::join(ArrayRef<GroupOp> makers) {
  for (GroupOp maker : makers) {
    FailureOr<SmallVector<LaunchPart, 0>> read = getLaunchParts(maker);
    if (failed(read)) {
      return failure();
    }
    for (LaunchPart &part : *read) {
      addMaker(std::move(part), maker.getInits());
    }
  }
  FailureOr<SmallVector<LaunchPart, 0>> own = getLaunchParts(reader);
  if (failed(own)) {
    return failure();
  }
  for (LaunchPart &part : *own) {
    rename(part);
    parts.push_back(std::move(part));
  }
  SmallVector<StringRef> kinds;
  for (Attribute kind : reader.getKinds()) {
    kinds.push_back(cast<StringAttr>(kind).getValue());
  }
  if (!llvm::is_contained(kinds, "conditional")) {
    kinds.push_back("conditional");
  }
  OpBuilder builder(reader);
  GroupOp made = createComposite(builder, reader.getLoc(), reader.getName(),
                                 kinds, parts, inits);
  made->setDiscardableAttrs(llvm::to_vector(reader->getDiscardableAttrs()));
  for (auto [result, replacement] :
       llvm::zip(reader->getResults(), made->getResults())) {
    result.replaceAllUsesWith(replacement);
  }
  reader.erase();
  return success();
}

/// Says what `use`, of what a marked group makes, needs a launch for.
static StringRef explainUse(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<func::ReturnOp>(user)) {
    return "it stays a launch: the function returns what it makes";
  }
  auto reader = dyn_cast<GroupOp>(user);
  if (!reader) {
    return "it stays a launch: what reads the predicate is none";
  }
  return reader.isDpsInit(&use)
             ? "it stays a launch: another one writes over what it makes"
             : "it stays a launch: what reads the predicate is in a region";
}

LogicalResult fusion::inlinePredicates(func::FuncOp func) {
  Block &block = func.getBody().front();
  // In order: what reads a predicate may make one itself.
  SmallVector<GroupOp> groups(block.getOps<GroupOp>());
  for (GroupOp group : groups) {
    llvm::SetVector<GroupOp> makers;
    for (Value input : group.getInputs()) {
      auto maker = input.getDefiningOp<GroupOp>();
      if (maker && maker->hasAttr(kEachBlockAttr)) {
        makers.insert(maker);
      }
    }
    SmallVector<GroupOp> ordered = makers.takeVector();
    llvm::sort(ordered,
               [](GroupOp a, GroupOp b) { return a->isBeforeInBlock(b); });
    if (!ordered.empty() && failed(LaunchJoiner(group).join(ordered))) {
      return failure();
    }
  }
  SmallVector<GroupOp> left(block.getOps<GroupOp>());
  for (GroupOp group : llvm::reverse(left)) {
    if (!group->hasAttr(kEachBlockAttr)) {
      continue;
    }
    if (group->use_empty()) {
      group.erase();
      continue;
    }
    llvm::SetVector<StringRef> reasons;
    for (OpOperand &use : group->getUses()) {
      reasons.insert(explainUse(use));
    }
    for (StringRef reason : reasons) {
      reportKept("InlinePredicates", group, reason);
    }
  }
  func.walk([](GroupOp group) { group->removeAttr(kEachBlockAttr); });
  return success();
}

/// Of several blocks nobody knows which one runs when.
static void reportBlocks(func::FuncOp func) {
  func.walk([](GroupOp group) {
    if (group->hasAttr(kEachBlockAttr)) {
      reportKept("InlinePredicates", group,
                 "it stays a launch: the function has several blocks");
    }
  });
}

namespace {
struct InlinePredicatesPass
    : mlir::fusion::impl::InlinePredicatesBase<InlinePredicatesPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal()) {
      return;
    }
    if (!func.getBody().hasOneBlock()) {
      reportBlocks(func);
      return;
    }
    if (failed(inlinePredicates(func))) {
      signalPassFailure();
    }
  }
};
} // namespace
