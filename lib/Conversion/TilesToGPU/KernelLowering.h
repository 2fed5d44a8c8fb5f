//===- KernelLowering.h - rebuilds one kernel on registers ------*- C++ -*-===//
//
// The walker behind `fusion-tiles-to-gpu`, and what the lowerings of single ops
// find there: what each value has become, who runs the code, shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_TILESTOGPU_KERNELLOWERING_H
#define FUSION_LIB_CONVERSION_TILESTOGPU_KERNELLOWERING_H

#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <deque>
#include <functional>

namespace mlir::fusion {

class OpLoweringTable;

/// The warps that run the code being lowered.
struct Partition {
  int64_t firstWarp = 0;
  int64_t warps = 0;
  /// The hardware barrier of these warps; 0 is that of the whole block.
  int64_t namedBarrier = 0;
  /// One thread of the partition runs the code.
  bool singleThread = false;
};

/// Rebuilds a kernel op by op: tiles become the registers of one thread.
///
/// What a value becomes on each thread:
/// - a tile: its registers, in the order of its layout's register numbers;
/// - a memref: its pointer (!llvm.ptr<1>), then an i64 for each dynamic dim;
/// - a buffer or barriers: !llvm.ptr<3>;
/// - an accumulator: one !llvm.struct;
/// - a tensor map: one !llvm.ptr;
/// - an index: an i64; another scalar: itself.
class KernelLowering {
public:
  /// Prepares to fill `kernel` (with an entry block, not yet terminated) from
  /// code that `warps` warps run. `smem` is the shared memory's symbol.
  KernelLowering(LLVM::LLVMFuncOp kernel, LLVM::GlobalOp smem, int64_t warps,
                 const OpLoweringTable &table);

  /// Inserts where the current op's code goes.
  OpBuilder builder;

  /// The location of the op being lowered.
  Location loc() const { return currentLoc; }

  /// What `value` has become; the reference stays valid.
  SmallVector<Value> &get(Value value);
  /// The only value that `value` has become.
  Value getOne(Value value);
  void set(Value value, ValueRange lowered);

  /// The type of each register that holds (an element of) a value of `type`.
  Type getRegisterType(Type type) const;
  /// The types that a value of `type` becomes; none and a diagnostic where the
  /// type cannot cross a loop or branch.
  FailureOr<SmallVector<Type>> getLoweredTypes(Type type) const;

  /// An i32, computed at the kernel's start. Threads count from the first of
  /// the partition, warps too.
  Value threadInPartition();
  Value laneId();
  Value warpInPartition();
  const Partition &partition() const { return partitions.back(); }

  /// A constant at the kernel's start, one op for each distinct value.
  Value constant(TypedAttr value);
  Value constantI32(int64_t value);
  Value constantI64(int64_t value);
  Value constantInt(Type type, int64_t value);

  /// Runs `build` with the builder at the end of the kernel's prologue, where
  /// only other values of the prologue may be used.
  Value inPrologue(function_ref<Value()> build);

  /// The sum of the lane's and the warp's part of the coordinate along `dim`
  /// in `layout`: an i64 of the prologue, null if it is zero for all threads.
  Value threadCoordinate(const tile::TileLayout &layout, int64_t dim);

  /// A pointer into the block's shared memory, for this use alone.
  Value allocShared(int64_t bytes, int64_t alignment);
  /// Scratch shared by all its users in the partition, 16-byte aligned: wait
  /// for earlier ones (syncPartition) before writing.
  Value allocScratch(int64_t bytes);
  /// A barrier of the partition's threads.
  void syncPartition();

  /// Lowers the ops of `block`, without its terminator if `skipTerminator`.
  LogicalResult lowerBlock(Block &block, bool skipTerminator = true);
  LogicalResult lowerOp(Operation *op);

  /// Places the scratch areas; returns the bytes of shared memory.
  int64_t finish();

private:
  friend class PartitionScope;

  LLVM::LLVMFuncOp kernel;
  LLVM::GlobalOp smem;
  const OpLoweringTable &table;
  Location currentLoc;
  SmallVector<Partition> partitions;

  /// Storage and index: references must outlive insertions.
  std::deque<SmallVector<Value>> storage;
  llvm::DenseMap<Value, SmallVector<Value> *> lowered;

  Operation *lastOfPrologue = nullptr;
  llvm::DenseMap<Attribute, Value> constants;
  llvm::DenseMap<int64_t, std::pair<Value, Value>> threadAndWarp;
  Value threadId, lane, smemBase;

  struct Scratch {
    LLVM::GEPOp pointer;
    int64_t bytes = 0;
  };
  /// By the first warp and the number of warps of the partition.
  llvm::MapVector<std::pair<int64_t, int64_t>, Scratch> scratches;
  int64_t sharedBytes = 0;
};

/// Code lowered during the scope's life is run by another set of warps.
class PartitionScope {
public:
  PartitionScope(KernelLowering &lowering, Partition partition)
      : lowering(lowering) {
    lowering.partitions.push_back(partition);
  }
  ~PartitionScope() { lowering.partitions.pop_back(); }

private:
  KernelLowering &lowering;
};

/// Rebuilds one op. Looks at its own op, operands, results and layouts only.
using OpLowering = std::function<LogicalResult(Operation *, KernelLowering &)>;

/// Which lowering an op has: its own, else its dialect's.
class OpLoweringTable {
public:
  template <typename... Ops> void add(OpLowering lowering) {
    (ops.try_emplace(TypeID::get<Ops>(), lowering), ...);
  }
  template <typename DialectTy> void addDialect(OpLowering lowering) {
    dialects.try_emplace(DialectTy::getDialectNamespace(), std::move(lowering));
  }
  /// Null if the op has none.
  const OpLowering *find(Operation *op) const;

private:
  llvm::DenseMap<TypeID, OpLowering> ops;
  llvm::DenseMap<StringRef, OpLowering> dialects;
};

/// load, store, gather.
void addMemoryLowerings(OpLoweringTable &table);
/// splat, broadcast, reduce, index, mask, convert_layout.
void addTileValueLowerings(OpLoweringTable &table);
/// arith and math on tiles and scalars, sizes and ids.
void addScalarLowerings(OpLoweringTable &table);
/// The parts of the above in files of their own.
void addGatherLowering(OpLoweringTable &table);
void addReduceLowering(OpLoweringTable &table);
void addConvertLayoutLowering(OpLoweringTable &table);
/// scf.for, scf.if, scf.while.
void addControlFlowLowerings(OpLoweringTable &table);
/// warp_specialize, shared memory, barriers, and the two below.
void addConcurrencyLowerings(OpLoweringTable &table);
/// load_window, copy_window.
void addWindowLowerings(OpLoweringTable &table);
/// copy_async and its groups.
void addCopyLowerings(OpLoweringTable &table);
/// copy_tma, store_tma, store_wait.
void addBulkCopyLowerings(OpLoweringTable &table);
/// acc_zero, mma, mma_wait, acc_read.
void addMultiplyLowerings(OpLoweringTable &table);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_TILESTOGPU_KERNELLOWERING_H
