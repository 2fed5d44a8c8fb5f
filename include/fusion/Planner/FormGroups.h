//===- FormGroups.h - gather linalg ops into groups -------------*- C++ -*-===//

#ifndef FUSION_PLANNER_FORMGROUPS_H
#define FUSION_PLANNER_FORMGROUPS_H

#include "fusion/Planner/Decisions.h"
#include "fusion/Planner/Partition.h"
#include "fusion/Schedule/Choose.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Sets what the options `target` and `fuse` of a pass on `func` say; fails
/// with an error at `func`.
LogicalResult setPlannerOptions(func::FuncOp func, StringRef target,
                                StringRef fuse, PlannerOptions &options);

/// Calls `plan` on `func`, if that is one block, with what the options `target`
/// and `fuse` of a pass say; fails with an error at `func`.
LogicalResult
planBlock(func::FuncOp func, StringRef target, StringRef fuse,
          llvm::function_ref<void(func::FuncOp, const PlannerOptions &)> plan);

/// Puts every linalg op of the body of `func`, one block, into a fusion.group;
/// see the description of the pass.
void formGroups(func::FuncOp func, const PlannerOptions &options);

/// Moves renaming reshapes out from between ops that one kernel could hold; see
/// the description of the pass `fusion-sink-reshapes`.
void sinkReshapes(func::FuncOp func);

/// Applies `patterns`, which move reshapes through linalg ops, to `func`, and
/// with them what folds reshapes of destinations and of each other.
void moveReshapes(func::FuncOp func, RewritePatternSet &&patterns);

/// Computes what ops read at computed positions in their own bodies; see the
/// description of the pass `fusion-inline-reads`.
void inlineReads(func::FuncOp func);

/// Marks the copies of all parts of a concatenation but the first: the graph
/// has one op for all of them.
constexpr StringLiteral kFurtherPartAttr = "fusion.further_part";

/// Lets what makes the parts of concatenations write them where they lie; see
/// the description of the pass `fusion-place-parts`.
void placeParts(func::FuncOp func);

/// Gives heads that share keys and values a dim of their own; see the
/// description of the pass `fusion-expand-repeats`.
void expandRepeats(func::FuncOp func);

/// Gives blocks of k that each have a factor a dim of their own; see the
/// description of the pass `fusion-expand-blocks`. Where that is not possible,
/// and on a CPU, it only says why.
void expandBlocks(func::FuncOp func, bool isCPU = false);

/// Returns each contraction, softmax of its rows and contraction over its
/// columns in `block` that one kernel of `device` can hold, a GPU; says in
/// remarks, and in `refusals` if that is given, why others stay apart.
SmallVector<OnlineSoftmax, 0>
findOnlineSoftmaxes(Block &block, const DeviceModel &device,
                    ChainRefusals *refusals = nullptr);

/// Finds the sizes of `softmax`, or says why code generation cannot take its
/// two contractions.
FusionDecision getOnlineSoftmaxShape(const OnlineSoftmax &softmax,
                                     OnlineSoftmaxShape &shape);

/// The pairs of contractions of a block that one kernel does, one after the
/// other, and why others are not.
struct FoundChains {
  SmallVector<ChainedProducts, 0> chains;
  ChainRefusals refusals;
};

/// Returns the contractions in `block` whose result, after elementwise code, is
/// an operand of another one, where one kernel for both is legal and estimated
/// to be faster; says in remarks why others stay apart. No op of `softmaxes` is
/// in one.
FoundChains findChainedProducts(Block &block, const PlannerOptions &options,
                                ArrayRef<OnlineSoftmax> softmaxes);

/// Describes in `work` the loop of the kernel that `products` become on
/// `device`, where they are a chain: one unit, or both contractions. Returns
/// whether they are.
bool addChainedSchedule(ArrayRef<const Unit *> products,
                        const DeviceModel &device, KernelWork &work);

/// Lets elementwise ops read, in place of a broadcast tensor of one element,
/// that tensor.
void readScalars(func::FuncOp func);

/// Moves transposes down through elementwise ops to contractions; see the
/// description of the pass `fusion-sink-transposes`.
void sinkTransposes(func::FuncOp func);

/// Turns each `tensor.pad` by one value into an elementwise op that reads where
/// its position is inside.
void lowerPads(func::FuncOp func);

/// Lets contractions read through the transposes and broadcasts that make their
/// operands; see the description of the pass `fusion-fold-transposes`.
void foldTransposes(func::FuncOp func);

/// Lets products run on the shape in which what reorders their results reads
/// them; see the description of the pass `fusion-split-products`.
void splitProducts(func::FuncOp func);

/// Lets products make the parts that are cut out of their results, where those
/// are all that is read of them; see the description of the pass
/// `fusion-slice-products`.
void sliceProducts(func::FuncOp func);

/// Lets products of windows read tensors in which channels lie side by side,
/// where that is estimated to be faster on `device` or where `always`, and ops
/// behind them keep that order; see the description of the pass
/// `fusion-lay-out-windows`.
void layOutWindows(func::FuncOp func, const DeviceModel &device,
                   bool always = false);

/// Adds patterns that turn dims of size one, which a reduction kept and its
/// readers repeat, into renaming reshapes and remove these.
void populateDropUnitDimsPatterns(RewritePatternSet &patterns);

/// Makes one fusion.group of each cluster of `partition`, in an order in which
/// they can run, and erases the ops that went into them.
void buildGroups(Block &block, UnitGraph &graph, const Partition &partition);

/// Makes every value that `func` returns a result of a group that no other
/// returned value comes from (reshapes that only rename aside): arguments,
/// constants and values returned twice are copied by a group.
void copySharedResults(func::FuncOp func);

/// Copies `value` by a group called `name` before `builder`'s insertion point.
Value copyByGroup(OpBuilder &builder, Location loc, Value value,
                  StringRef name = "copy");

/// Returns the value behind the renaming reshapes and casts that make `value`,
/// itself where there are none.
Value getRenamedSource(Value value);

/// Keeps roundings that the graph's types ask for out of the inside of groups;
/// see the description of the pass `fusion-elide-roundings`.
void elideRoundings(func::FuncOp func);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_FORMGROUPS_H
