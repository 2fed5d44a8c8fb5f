//===- MergedKernel.h - one kernel with several bodies ----------*- C++ -*-===//
//
//   p = what each block computes for itself: a predicate, say
//   if (block < n0) { body of the first, as block `block` of n0 }
//   else if (p)     { body of the second, as block `block - n0` of its own }
//   else            { that of the third }
//
// Branches are uniform: all threads of a block take the same. So what a body
// does with barriers, partitions and shared memory stays right. A body of fewer
// threads is run by the first ones, and its barriers count just these.
//
// What each block computes for itself, one thread leaves in shared memory, all
// threads take from there into registers: to the bodies after it, a load of it
// from device memory is that register. Nothing goes through device memory,
// where blocks would write over one another.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_CONVERSION_MERGELAUNCHES_MERGEDKERNEL_H
#define LIB_CONVERSION_MERGELAUNCHES_MERGEDKERNEL_H

#include "fusion/Conversion/MergeLaunches/MergeLaunches.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::fusion {

/// The dynamic shared memory of a launch.
constexpr StringLiteral kSharedSymbol = "smem";
/// In shared memory, of each value that a block hands over to all its threads.
constexpr int64_t kSlotBytes = 16;

/// The number of kernel parameters that a launch's argument becomes.
unsigned getNumParameters(Type type);

/// The bytes of shared memory that `kernel` asks for.
int64_t getSharedBytes(LLVM::LLVMFuncOp kernel);

/// What blocks are given to: one launch, the sides of a condition, or several
/// of these one after the other.
struct LaunchRange {
  const MergedLaunch *launch = nullptr;
  Value condition;                // on the host
  std::vector<LaunchRange> parts; // sides of the condition, or in order
  Value blocks;                   // on the host

  bool isEmpty() const { return !launch && parts.empty(); }
};

/// Builds one merged kernel and its launch.
class MergedKernel {
public:
  MergedKernel(OpBuilder &host, ArrayRef<MergedLaunch> launches,
               ArrayRef<EachBlockLaunch> ofEachBlock);

  LogicalResult build(StringRef name);

private:
  // On the host.
  LaunchRange arrange(ArrayRef<const MergedLaunch *> members, unsigned depth);
  void shareBlocks();
  LogicalResult countBlocks(LaunchRange &range);
  unsigned addArgument(Value value, TypeRange types,
                       ArrayRef<DictionaryAttr> attributes);
  void addArguments(const MergedLaunch &member);
  void collectArguments();
  void addCondition(Value condition);
  void addCounts(const LaunchRange &range);
  void createKernel(StringRef name);

  // In the kernel.
  Value constant(int64_t value);
  Value getCount(Value blocks);
  Value emitCondition(Value condition);
  void emitForEachBlock(const EachBlockLaunch &launch);
  SmallVector<Value> emitOnce(const EachBlockLaunch &launch);
  Value getSharedSlot(unsigned number);
  void emit(const LaunchRange &range, Value block);
  void emitSequence(ArrayRef<LaunchRange> parts, ArrayRef<Value> starts,
                    Value block);
  void emitBranch(const LaunchRange &range, Value block);
  void emitBody(const MergedLaunch &member, Value block, Value count,
                const DenseMap<Value, Value> &slots);
  void cloneBody(LLVM::LLVMFuncOp from, IRMapping &mapping, Value block,
                 Value count, int64_t barrier);

  OpBuilder &host;
  OpBuilder builder;
  Location loc;
  ArrayRef<MergedLaunch> launches;
  ArrayRef<EachBlockLaunch> ofEachBlock;
  LLVM::LLVMFuncOp kernel;
  int64_t threads = 0;
  /// The most blocks of a launch whose grid is not known.
  int64_t blocksOfUnknown = 1;
  Value thread;
  /// Arguments of the launch, and the first kernel parameter of each.
  llvm::MapVector<Value, unsigned> arguments;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  /// The types of what each block computes for itself, by the buffers on the
  /// host that it would be in; then the registers.
  llvm::MapVector<Value, Type> computed;
  DenseMap<Value, Value> registers;
  /// Where in shared memory it is handed over.
  int64_t slotOffset = 0;
};

} // namespace mlir::fusion

#endif // LIB_CONVERSION_MERGELAUNCHES_MERGEDKERNEL_H
