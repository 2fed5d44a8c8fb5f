//===- ReshapedReads.cpp - what is read in another shape ------------------===//

#include "ReshapedReads.h"

#include "Reasons.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Renaming.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/Decisions.h"
#include "fusion/Planner/FormGroups.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

static OpRole getRole(LinalgOp op) { return getIterationSpace(op).role; }

/// Returns the linalg ops of `group` that read argument `number`, or a renaming
/// of it: as an operand or at positions that their bodies compute.
static SmallVector<LinalgOp> findReaders(GroupOp group, unsigned number) {
  Block *body = group.getBodyBlock();
  llvm::SetVector<Operation *> readers;
  SmallVector<Value> pending = {body->getArgument(number)};
  while (!pending.empty()) {
    for (Operation *user : pending.pop_back_val().getUsers()) {
      Operation *op = body->findAncestorOpInBlock(*user);
      if (isReshape(op)) {
        pending.push_back(op->getResult(0));
      } else if (isa<LinalgOp>(op)) {
        readers.insert(op);
      }
    }
  }
  SmallVector<LinalgOp> ordered;
  for (auto op : body->getOps<LinalgOp>()) {
    if (readers.contains(op)) {
      ordered.push_back(op);
    }
  }
  return ordered;
}

/// Returns the linalg ops of the group of `op` that need it, itself among them,
/// in order.
static llvm::SetVector<Operation *> findDependents(LinalgOp op) {
  llvm::SetVector<Operation *> found;
  found.insert(op);
  for (size_t i = 0; i < found.size(); ++i) {
    for (Operation *user : found[i]->getUsers()) {
      if (Operation *own = op->getBlock()->findAncestorOpInBlock(*user)) {
        found.insert(own);
      }
    }
  }
  return found;
}

static bool isContraction(Operation *op) {
  auto linalgOp = dyn_cast<LinalgOp>(op);
  return linalgOp && getRole(linalgOp) == OpRole::Contraction;
}

static bool hasContraction(GroupOp group) {
  return llvm::any_of(*group.getBodyBlock(),
                      [](Operation &op) { return isContraction(&op); });
}

/// Returns whether a contraction of `group` needs another one of it.
static bool hasChain(GroupOp group) {
  return llvm::any_of(
      group.getBodyBlock()->getOps<LinalgOp>(), [](LinalgOp op) {
        return isContraction(op) &&
               llvm::count_if(findDependents(op), isContraction) > 1;
      });
}

/// Returns whether something between `producer` and `consumer`, groups of one
/// block, needs the one and feeds the other; looks at so many ops at most.
static bool hasOpBetween(GroupOp producer, GroupOp consumer) {
  constexpr size_t kMostOps = 256;
  auto isMade = [&](Value value) {
    return getRenamedSource(value).getDefiningOp() == producer.getOperation();
  };
  llvm::SetVector<Operation *> needed;
  auto add = [&](Operation *op) {
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      bool follows = def && def->getBlock() == producer->getBlock() &&
                     producer->isBeforeInBlock(def);
      if (follows && !isMade(operand)) {
        needed.insert(def);
      }
    }
  };
  add(consumer);
  for (size_t i = 0; i < needed.size() && i < kMostOps; ++i) {
    if (llvm::any_of(needed[i]->getOperands(), isMade)) {
      return true;
    }
    add(needed[i]);
  }
  return false;
}

/// Returns how many places `op` has, zero where that is not known: those of
/// what a contraction gives; of other ops those that they combine too.
static int64_t countPlaces(LinalgOp op) {
  bool isProduct = isContraction(op);
  int64_t count = 1;
  for (auto [size, type] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (!isProduct || type == utils::IteratorType::parallel) {
      count *= ShapedType::isDynamic(size) ? 0 : size;
    }
  }
  return count;
}

/// Returns the most places that an op of `group` has, of `dependents` if there
/// are any; zero where one's are not known.
static int64_t countMostPlaces(GroupOp group,
                               ArrayRef<Operation *> dependents = {}) {
  int64_t most = 1;
  for (auto op : group.getBodyBlock()->getOps<LinalgOp>()) {
    if (dependents.empty() || llvm::is_contained(dependents, op)) {
      int64_t count = countPlaces(op);
      most = count == 0 || most == 0 ? 0 : std::max(most, count);
    }
  }
  return most;
}

/// Returns whether `producer`, which reduces, has more places than what
/// `consumer` reads of it.
static bool combinesMore(GroupOp producer, GroupOp consumer) {
  int64_t made = countMostPlaces(producer);
  return llvm::all_of(consumer.getInputs(), [&](Value input) {
    auto type = cast<RankedTensorType>(input.getType());
    return getRenamedSource(input).getDefiningOp() != producer.getOperation() ||
           (type.hasStaticShape() && type.getNumElements() < made);
  });
}

StringRef fusion::explainReshapedRead(GroupOp producer, GroupOp consumer,
                                      LinalgOp reader) {
  if (producer->getBlock() == consumer->getBlock() &&
      hasOpBetween(producer, consumer)) {
    return "an operation between the two needs the one and feeds the other";
  }
  if (getRole(reader) == OpRole::Window) {
    return kWindowsRepeat;
  }
  llvm::SetVector<Operation *> dependents = findDependents(reader);
  auto isReduction = [](Operation &op) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    return linalgOp && getRole(linalgOp) == OpRole::Reduction;
  };
  bool leadsToContraction = llvm::any_of(dependents, isContraction);
  bool leadsToRows =
      llvm::any_of(dependents, [&](Operation *op) { return isReduction(*op); });
  bool isProduct = hasContraction(producer);
  if (isProduct && leadsToContraction) {
    return kOperandIsContraction;
  }
  if (hasChain(consumer)) {
    return kChainReadsMemory;
  }
  if (isProduct && leadsToRows) {
    return kTilesHoldNoRows;
  }
  bool reduces = llvm::any_of(*producer.getBodyBlock(), isReduction);
  if (reduces && isContraction(reader) && combinesMore(producer, consumer)) {
    return kOperandHasOtherLoops;
  }
  int64_t made = countMostPlaces(producer);
  if ((reduces || isProduct) && !leadsToContraction && made != 0 &&
      countMostPlaces(consumer, dependents.getArrayRef()) > made) {
    return isProduct ? kRepeatsResult : kRepeatsRows;
  }
  return "a reshape is between them, which the loops of both cannot follow";
}

void fusion::recordReshapedReads(func::FuncOp func) {
  std::set<std::pair<std::string, std::string>> known;
  for (const RecordedDecision &decision : readDecisions(func)) {
    // Of several ops of one name some may be together.
    if (!decision.reason.empty()) {
      known.insert({decision.producer, decision.consumer});
    }
  }
  SmallVector<RecordedDecision, 0> records;
  func.walk([&](GroupOp group) {
    for (OpOperand &input : group.getInputsMutable()) {
      auto result = dyn_cast<OpResult>(getRenamedSource(input.get()));
      auto producer = result ? dyn_cast<GroupOp>(result.getOwner()) : GroupOp();
      if (!producer || result == input.get()) {
        continue;
      }
      Operation *maker = producer.getBodyBlock()
                             ->getTerminator()
                             ->getOperand(result.getResultNumber())
                             .getDefiningOp();
      for (LinalgOp reader : findReaders(group, input.getOperandNumber())) {
        std::string names[] = {maker ? getDisplayName(maker) : "",
                               getDisplayName(reader)};
        if (maker && known.insert({names[0], names[1]}).second) {
          records.push_back({names[0], names[1],
                             explainReshapedRead(producer, group, reader).str(),
                             std::nullopt});
        }
      }
    }
  });
  if (!records.empty()) {
    appendDecisions(func, records);
  }
}
