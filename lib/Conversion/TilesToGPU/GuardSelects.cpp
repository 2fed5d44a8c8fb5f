//===- GuardSelects.cpp - branches around what no element of a warp needs -===//
//
// A select of tiles has become one select for each register; both sides were
// computed. Where one side is expensive, and nothing else needs it, it moves
// into a branch that a warp takes where one of its lanes wants an element:
//
//   %a0, %a1 = ... expensive ...           %w = ori %c0, %c1
//   %r0 = select %c0, %a0, %b0             %any = nvvm.vote.sync any %w
//   %r1 = select %c1, %a1, %b1      ->     %v:2 = scf.if %any {
//                                            %a0, %a1 = ... expensive ...
//                                            yield %a0, %a1
//                                          } else { yield 0, 0 }
//                                          %r0 = select %c0, %v#0, %b0 ...
//
// Nothing traps on the device, so this is for speed alone: the values are the
// same bit for bit. How often a side is wanted is not known. The rule: a guard
// may cost a sixteenth of what it guards. That much is lost where some lane
// always wants the side, and all of the side is saved where none does.
//
//===----------------------------------------------------------------------===//

#include "GuardSelects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

/// Registers that one vote decides about, where they have conditions of their
/// own: more of them are needed by some lane more often.
static constexpr size_t kElements = 8;
/// What a guard may cost of what it guards: one of so many parts.
static constexpr int64_t kWorth = 16;
/// A vote, its branch, and what the code around loses by them, in
/// instructions.
static constexpr int64_t kVote = 4;

//===----------------------------------------------------------------------===//
// What code costs and does
//===----------------------------------------------------------------------===//

/// About the instructions that `op` becomes (Target/PTX expands functions). A
/// load counts for the time it waits.
static int64_t getOwnCost(Operation *op) {
  int64_t cost =
      TypeSwitch<Operation *, int64_t>(op)
          .Case<LLVM::LoadOp>([](auto) { return 16; })
          .Case<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
                arith::RemSIOp, arith::RemUIOp, math::SqrtOp>(
              [](auto) { return 8; })
          .Case<math::RsqrtOp>([](auto) { return 4; })
          .Case<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op>(
              [](auto) { return 12; })
          .Case<math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp,
                math::RoundEvenOp, math::TruncOp, math::CopySignOp, math::FmaOp,
                math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(
              [](auto) { return 1; })
          .Case<math::PowFOp, math::SinOp, math::CosOp, math::TanOp>(
              [](auto) { return 60; })
          .Default([](Operation *other) {
            return isa<math::MathDialect>(other->getDialect()) ? 25 : 1;
          });
  bool wide = llvm::any_of(op->getResultTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isF64();
  });
  return wide ? 4 * cost : cost;
}

static int64_t getCost(Operation *op) {
  int64_t cost = 0;
  op->walk([&](Operation *inner) { cost += getOwnCost(inner); });
  return cost;
}

/// Whether `op` is free of effects but reads of memory.
static bool onlyReads(Operation *op) {
  return !op->walk([](Operation *inner) {
              auto load = dyn_cast<LLVM::LoadOp>(inner);
              bool reads = (load && !load.getVolatile_()) ||
                           isa<scf::IfOp>(inner) ||
                           inner->hasTrait<OpTrait::IsTerminator>();
              return reads || isMemoryEffectFree(inner)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

/// Whether each lane runs `op` for itself: no loops, nothing that lanes do
/// together.
static bool isOfOneLane(Operation *op) {
  return !op->walk([](Operation *inner) {
              bool alone = !isa<NVVM::NVVMDialect>(inner->getDialect()) &&
                           !isa<LoopLikeOpInterface>(inner);
              return alone ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

namespace {
/// Selects under one vote; operand 0 is the condition, 1 and 2 the sides.
using Selects = ArrayRef<arith::SelectOp>;

class SelectGuards {
public:
  explicit SelectGuards(LLVM::LLVMFuncOp kernel) : kernel(kernel) {}
  void run();

private:
  void number();
  void guardAll(Selects selects);
  void guard(Selects selects, unsigned side);
  bool mayMove(Operation *op, Operation *to) const;
  SmallVector<Operation *> collect(Selects selects, unsigned side) const;

  /// Where an op stood in its block, and how many ops with effects before it.
  struct Place {
    unsigned order = 0, effects = 0;
  };

  LLVM::LLVMFuncOp kernel;
  DenseMap<Operation *, Place> places;
};
} // namespace

void SelectGuards::number() {
  kernel.walk([&](Block *block) {
    Place place;
    for (Operation &op : *block) {
      places[&op] = place;
      ++place.order;
      place.effects += !onlyReads(&op);
    }
  });
}

/// Whether `op` may stand where `to` is: free of effects, or reads what nothing
/// between the two may write.
bool SelectGuards::mayMove(Operation *op, Operation *to) const {
  if (op->hasTrait<OpTrait::IsTerminator>() || !isOfOneLane(op)) {
    return false;
  }
  return isMemoryEffectFree(op) ||
         (onlyReads(op) &&
          places.lookup(op).effects == places.lookup(to).effects);
}

/// The ops that make one side of `selects` and nothing else, in order.
SmallVector<Operation *> SelectGuards::collect(Selects selects,
                                               unsigned side) const {
  Operation *first = selects.front();
  Block *block = first->getBlock();
  // Up to where the uses of results are known to be by what was found. Of an op
  // that the whole kernel uses, no more are looked at than were found.
  DenseMap<Operation *, Operation::use_iterator> inside;
  SmallVector<Operation *> found;
  auto addUse = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != block ||
        def->hasTrait<OpTrait::ConstantLike>()) {
      return;
    }
    auto end = def->use_end();
    auto &seen = inside.try_emplace(def, def->use_begin()).first->second;
    if (seen != end && ++seen == end && mayMove(def, first)) {
      found.push_back(def);
    }
  };
  for (arith::SelectOp select : selects) {
    addUse(select->getOperand(side));
  }
  for (size_t i = 0; i < found.size(); ++i) {
    found[i]->walk(
        [&](Operation *op) { llvm::for_each(op->getOperands(), addUse); });
  }
  llvm::sort(found, [&](Operation *a, Operation *b) {
    return places.lookup(a).order < places.lookup(b).order;
  });
  return found;
}

/// Moves what makes operand `side` of `selects` into a branch.
void SelectGuards::guard(Selects selects, unsigned side) {
  SmallVector<Operation *> ops = collect(selects, side);
  llvm::SetVector<Value> conditions;
  for (arith::SelectOp select : selects) {
    conditions.insert(select.getCondition());
  }
  int64_t cost = 0;
  for (Operation *op : ops) {
    cost += getCost(op);
  }
  if (cost < kWorth * (int64_t(conditions.size()) + kVote)) {
    return;
  }
  Location loc = selects.front()->getLoc();
  OpBuilder b(selects.front());
  Value wanted;
  Value yes = arith::ConstantIntOp::create(b, loc, 1, /*width=*/1);
  for (Value condition : conditions) {
    Value wants =
        side == 1 ? condition
                  : arith::XOrIOp::create(b, loc, condition, yes).getResult();
    wanted = wanted ? arith::OrIOp::create(b, loc, wanted, wants).getResult()
                    : wants;
  }
  Value mask = arith::ConstantIntOp::create(b, loc, -1, /*width=*/32);
  Value any = NVVM::VoteSyncOp::create(b, loc, b.getI1Type(), mask, wanted,
                                       NVVM::VoteSyncKind::any);
  // Where no lane wants a value, none takes it.
  SmallVector<Value> needed, others;
  for (arith::SelectOp select : selects) {
    needed.push_back(select->getOperand(side));
    TypedAttr zero = b.getZeroAttr(select.getType());
    others.push_back(arith::ConstantOp::create(b, loc, zero));
  }
  auto branch = scf::IfOp::create(b, loc, ValueRange(needed).getTypes(), any,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [select, value] : llvm::zip_equal(selects, branch.getResults())) {
    arith::SelectOp(select)->setOperand(side, value);
  }
  b.setInsertionPointToEnd(branch.thenBlock());
  auto yield = scf::YieldOp::create(b, loc, needed);
  for (Operation *op : ops) {
    op->moveBefore(yield);
  }
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, loc, others);
}

/// Guards both sides of the selects of one tile.
void SelectGuards::guardAll(Selects selects) {
  while (!selects.empty()) {
    size_t same = 1;
    while (same < selects.size() &&
           arith::SelectOp(selects[same]).getCondition() ==
               arith::SelectOp(selects[0]).getCondition()) {
      ++same;
    }
    size_t count = std::min(selects.size(), std::max(same, kElements));
    guard(selects.take_front(count), 1);
    guard(selects.take_front(count), 2);
    selects = selects.drop_front(count);
  }
}

void SelectGuards::run() {
  SmallVector<SmallVector<arith::SelectOp>> tiles;
  kernel.walk([&](arith::SelectOp select) {
    auto count = select->getAttrOfType<IntegerAttr>(kTileSelects);
    if (!count) {
      return;
    }
    select->removeAttr(kTileSelects);
    SmallVector<arith::SelectOp> registers;
    Operation *op = select;
    for (int64_t i = 0; i < count.getInt() && op; ++i) {
      if (auto next = dyn_cast<arith::SelectOp>(op)) {
        registers.push_back(next);
      }
      op = op->getNextNode();
    }
    if (int64_t(registers.size()) == count.getInt()) {
      tiles.push_back(std::move(registers));
    }
  });
  if (tiles.empty()) {
    return;
  }
  number();
  // Later ones first: what they take with them may hold further selects.
  for (Selects selects : llvm::reverse(tiles)) {
    guardAll(selects);
  }
}

void mlir::fusion::guardSelects(LLVM::LLVMFuncOp kernel) {
  SelectGuards(kernel).run();
}
