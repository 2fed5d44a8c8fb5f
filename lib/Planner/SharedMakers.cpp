//===- SharedMakers.cpp - what attention and other kernels read -----------===//
//
// A mask that is broadcast for all layers, or tables of cosines: computed once
// it is written, as large as the scores, and read by each attention. Computed
// in each of them it costs arithmetic, and saves a launch and the way through
// memory.
//
//===----------------------------------------------------------------------===//

#include "SharedMakers.h"

#include "Reasons.h"
#include "SoftmaxOperands.h"
#include "fusion/Cost/CostModel.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace {
/// An attention that reads what others read too, and might compute it.
struct Taker {
  OnlineSoftmax *softmax;
  KernelWork before, after;
  double beforeUs = 0, afterUs = 0;

  bool isSlower() const { return afterUs > beforeUs; }
};
} // namespace

static bool reads(LinalgOp op, Value value) {
  return llvm::is_contained(op.getDpsInputs(), value);
}

/// Describes the kernel of `softmax` which computes `chain` too, of which it
/// reads the last, or with an empty one of `softmax` as it is.
static KernelWork describeTaker(const OnlineSoftmax &softmax,
                                ArrayRef<LinalgOp> chain,
                                const DeviceModel &device) {
  FusionDecision refusal = FusionDecision::allow();
  std::optional<OnlineSoftmax> pattern =
      matchOnlineSoftmax(softmax.scores, refusal);
  SmallVector<LinalgOp> all(chain), makers;
  llvm::append_range(all, softmax.ops);
  bool between = false;
  for (LinalgOp op : softmax.ops) {
    bool isInside = !pattern || llvm::is_contained(pattern->ops, op);
    if (!isInside) {
      makers.push_back(op);
    }
    between |= isInside && op != softmax.scores && op != softmax.values &&
               !chain.empty() &&
               reads(op, LinalgOp(chain.back())->getResult(0));
  }
  LinalgOp last = softmax.values;
  KernelWork work = describeKernel(all, last->getResult(0));
  double scores = getOpWork(softmax.rowMax).iterations;
  for (LinalgOp op : chain) {
    OpWork own = getOpWork(op);
    if (between) { // done for each score, however few elements it has
      work.flops += own.flops * (scores / std::max(1.0, own.iterations) - 1);
    } else {
      makers.push_back(op);
    }
  }
  llvm::sort(makers,
             [](LinalgOp a, LinalgOp b) { return a->isBeforeInBlock(b); });
  (void)addOnlineSoftmax(softmax, makers, device, work);
  return work;
}

/// Returns those of `softmaxes` that read the last of `chain`.
static SmallVector<Taker, 0> findTakers(ArrayRef<LinalgOp> chain,
                                        MutableArrayRef<OnlineSoftmax> found,
                                        const DeviceModel &device) {
  Value made = LinalgOp(chain.back())->getResult(0);
  SmallVector<Taker, 0> takers;
  for (OnlineSoftmax &softmax : found) {
    if (llvm::none_of(softmax.ops,
                      [&](LinalgOp op) { return reads(op, made); })) {
      continue;
    }
    Taker &taker = takers.emplace_back();
    taker.softmax = &softmax;
    taker.before = describeTaker(softmax, {}, device);
    taker.after = describeTaker(softmax, chain, device);
    taker.beforeUs = estimateKernel(taker.before, device).us;
    taker.afterUs = estimateKernel(taker.after, device).us;
  }
  return takers;
}

/// Clones `chain` for `softmax`; false, and nothing happens, where its kernel
/// would have no place for it.
static bool copyFor(OnlineSoftmax &softmax, ArrayRef<LinalgOp> chain) {
  Operation *last = chain.back();
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  IRMapping mapping;
  SmallVector<LinalgOp> copies;
  for (LinalgOp op : chain) {
    copies.push_back(cast<LinalgOp>(builder.clone(*op, mapping)));
  }
  Value made = last->getResult(0), copy = copies.back()->getResult(0);
  DenseSet<Operation *> inside(softmax.ops.begin(), softmax.ops.end());
  made.replaceUsesWithIf(
      copy, [&](OpOperand &use) { return inside.contains(use.getOwner()); });
  FusionDecision refusal = FusionDecision::allow();
  std::optional<OnlineSoftmax> pattern =
      matchOnlineSoftmax(softmax.scores, refusal);
  SmallVector<LinalgOp> places;
  if (pattern) {
    places = findMakers(pattern->ops, getFactors(softmax));
    llvm::append_range(places, pattern->ops);
  }
  bool fits = llvm::all_of(
      copies, [&](LinalgOp op) { return llvm::is_contained(places, op); });
  if (!fits) {
    copy.replaceAllUsesWith(made);
    for (LinalgOp op : llvm::reverse(copies)) {
      op->erase();
    }
    return false;
  }
  softmax.bounded = pattern->bounded;
  softmax.rowLoop = pattern->rowLoop;
  softmax.beyond = pattern->beyond;
  llvm::append_range(softmax.ops, copies);
  llvm::sort(softmax.ops,
             [](LinalgOp a, LinalgOp b) { return a->isBeforeInBlock(b); });
  return true;
}

/// Whether attention may compute `op` again, which others read too.
static FusionDecision mayCopy(LinalgOp op) {
  if (getAbsorbedPadding(op)) {
    return FusionDecision::forbid(kOperandIsShared + "; it pads");
  }
  bool fetches = op->walk([](tensor::ExtractOp) {
                     return WalkResult::interrupt();
                   }).wasInterrupted();
  return fetches
             ? FusionDecision::forbid(kOperandIsShared +
                                      "; it fetches from computed positions")
             : FusionDecision::allow();
}

/// Returns the ops that `softmaxes` and others read, in program order, which
/// could be computed in the kernels of attentions.
static SmallVector<LinalgOp> findShared(ArrayRef<OnlineSoftmax> softmaxes) {
  llvm::SetVector<Operation *> shared;
  for (const OnlineSoftmax &softmax : softmaxes) {
    DenseSet<Operation *> inside(softmax.ops.begin(), softmax.ops.end());
    Block *block = softmax.scores->getBlock();
    for (LinalgOp reader : softmax.ops) {
      for (Value input : reader.getDpsInputs()) {
        auto op = input.getDefiningOp<LinalgOp>();
        if (!op || op->getBlock() != block || inside.contains(op) ||
            !canMove(op)) {
          continue;
        }
        bool ends = llvm::any_of(op.getDpsInputs(), [&](Value value) {
          return endsKernel(value, block);
        });
        bool isShared = llvm::any_of(op->getUsers(), [&](Operation *user) {
          return !inside.contains(user);
        });
        if (isShared && !ends) {
          shared.insert(op);
        }
      }
    }
  }
  auto ops = llvm::map_to_vector(
      shared, [](Operation *op) { return cast<LinalgOp>(op); });
  llvm::sort(ops, [](LinalgOp a, LinalgOp b) { return a->isBeforeInBlock(b); });
  return ops;
}

/// Whether something but `takers` needs the last of `chain`.
static bool isReadElsewhere(ArrayRef<LinalgOp> chain, ArrayRef<Taker> takers) {
  Operation *last = chain.back();
  return llvm::any_of(last->getUsers(), [&](Operation *user) {
    return llvm::none_of(takers, [&](const Taker &taker) {
      return llvm::is_contained(taker.softmax->ops, user);
    });
  });
}

/// Finds whether all `takers` should compute `chain`; else why not.
static FusionDecision checkTakers(ArrayRef<LinalgOp> chain,
                                  ArrayRef<Taker> takers,
                                  const DeviceModel &device) {
  // Less is within the error of the estimate.
  constexpr double kMargin = 1.05;
  KernelWork own = describeKernel(chain, LinalgOp(chain.back())->getResult(0));
  double bytesApart = own.bytesRead + own.bytesWritten, bytesFused = 0;
  FusionTimes times;
  times.apartUs = estimateKernel(own, device).us;
  if (isReadElsewhere(chain, takers)) {
    bytesFused = bytesApart;
    times.fusedUs = times.apartUs;
  }
  for (const Taker &taker : takers) {
    times.apartUs += taker.beforeUs;
    times.fusedUs += taker.afterUs;
    bytesApart += taker.before.bytesRead;
    bytesFused += taker.after.bytesRead;
  }
  bool anySlower =
      llvm::any_of(takers, [](const Taker &taker) { return taker.isSlower(); });
  if (times.fusedUs * (anySlower ? kMargin : 1) > times.apartUs) {
    return FusionDecision::forbid(
               llvm::formatv(
                   "{0}; to compute it again is estimated at {1:F1} us in all "
                   "kernels concerned, to write and read it at {2:F1} us",
                   kOperandIsShared, times.fusedUs, times.apartUs)
                   .str())
        .withTimes(times);
  }
  if (bytesFused >= bytesApart) {
    return FusionDecision::forbid(
        llvm::formatv("{0}; to compute it again takes {1:F0} bytes in all "
                      "kernels concerned, to write and read it {2:F0}",
                      kOperandIsShared, bytesFused, bytesApart)
            .str());
  }
  return FusionDecision::allow();
}

/// Lets those of `found` that read the last of `chain` compute it where that
/// saves time or memory; else says in `refusals` why not. Returns whether one
/// does.
static bool takeChain(ArrayRef<LinalgOp> chain,
                      MutableArrayRef<OnlineSoftmax> found,
                      const DeviceModel &device, ChainRefusals &refusals) {
  LinalgOp root = chain.back();
  FusionDecision decision = FusionDecision::allow();
  for (LinalgOp op : chain) {
    decision = decision ? mayCopy(op) : std::move(decision);
  }
  SmallVector<Taker, 0> takers = findTakers(chain, found, device);
  decision =
      decision ? checkTakers(chain, takers, device) : std::move(decision);
  bool changed = false;
  for (const Taker &taker : takers) {
    std::pair<Operation *, Operation *> key = {root, taker.softmax->values};
    if (decision && copyFor(*taker.softmax, chain)) {
      refusals.erase(key);
      changed = true;
    } else if (!decision) {
      FusionDecision copy = FusionDecision::forbid(decision.getReason());
      refusals.insert_or_assign(
          key, decision.getTimes()
                   ? std::move(copy).withTimes(*decision.getTimes())
                   : std::move(copy));
    }
  }
  for (LinalgOp op : llvm::reverse(chain)) {
    if (op->use_empty()) {
      op->erase();
    }
  }
  return changed;
}

void fusion::copySharedMakers(MutableArrayRef<OnlineSoftmax> softmaxes,
                              const DeviceModel &device,
                              ChainRefusals &refusals) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (LinalgOp root : findShared(softmaxes)) {
      SmallVector<LinalgOp> chain = findMakers(root, root.getDpsInputs());
      chain.push_back(root);
      changed =
          takeChain(chain, softmaxes, device, refusals) ||
          (chain.size() > 1 && takeChain(root, softmaxes, device, refusals));
      if (changed) {
        break; // what it reads may be shared now
      }
    }
  }
}
