//===- MergedBodies.cpp - the code of a merged kernel ---------------------===//

#include "MergedKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

/// The barrier of some of a block's threads while others wait at that of all.
static constexpr int64_t kOwnBarrier = 15;

Value MergedKernel::constant(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

/// The kernel's value, an i32, of a count of blocks on the host.
Value MergedKernel::getCount(Value blocks) {
  APInt known;
  if (matchPattern(blocks, m_ConstantInt(&known))) {
    return constant(known.getSExtValue());
  }
  Value parameter = kernel.getArgument(arguments.lookup(blocks));
  return arith::TruncIOp::create(builder, loc, builder.getI32Type(), parameter);
}

/// The value of a condition of the host, which is computed from predicates in
/// memory, in the kernel.
Value MergedKernel::emitCondition(Value condition) {
  Operation *def = condition.getDefiningOp();
  if (auto load = dyn_cast<memref::LoadOp>(def)) {
    Value byte = registers.lookup(load.getMemref());
    if (!byte) {
      Value pointer = kernel.getArgument(arguments.lookup(load.getMemref()));
      byte = LLVM::LoadOp::create(builder, loc, builder.getI8Type(), pointer);
    }
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 8);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, byte,
                                 zero);
  }
  // No deep recursion: the canonicalizer joins the conditions of nested
  // branches, and nothing else.
  IRMapping mapping;
  for (Value operand : def->getOperands()) {
    mapping.map(operand, emitCondition(operand));
  }
  return builder.clone(*def, mapping)->getResult(0);
}

void MergedKernel::cloneBody(LLVM::LLVMFuncOp from, IRMapping &mapping,
                             Value block, Value count, int64_t barrier) {
  int64_t bodyThreads = getBlockThreads(from);
  SmallVector<Operation *> replaced;
  auto visit = [&](Operation *op) {
    OpBuilder at(op);
    Value value;
    if (isa<NVVM::BlockIdXOp>(op)) {
      value = block;
    } else if (isa<NVVM::GridDimXOp>(op)) {
      value = count;
    } else if (isa<NVVM::BlockIdYOp, NVVM::BlockIdZOp>(op)) {
      value = arith::ConstantIntOp::create(at, op->getLoc(), 0, 32);
    } else if (isa<NVVM::GridDimYOp, NVVM::GridDimZOp>(op)) {
      value = arith::ConstantIntOp::create(at, op->getLoc(), 1, 32);
    } else if (isa<NVVM::Barrier0Op>(op) && bodyThreads != threads) {
      Value id = arith::ConstantIntOp::create(at, op->getLoc(), barrier, 32);
      Value all =
          arith::ConstantIntOp::create(at, op->getLoc(), bodyThreads, 32);
      NVVM::BarrierOp::create(at, op->getLoc(), TypeRange(), id, all,
                              NVVM::BarrierReductionAttr(), Value());
      replaced.push_back(op);
    }
    if (value) {
      op->getResult(0).replaceAllUsesWith(value);
      replaced.push_back(op);
    }
  };
  // Not before all are cloned: users are found through the mapping.
  SmallVector<Operation *> clones;
  for (Operation &op : from.getBody().front().without_terminator()) {
    clones.push_back(builder.clone(op, mapping));
  }
  for (Operation *clone : clones) {
    clone->walk(visit);
  }
  for (Operation *op : replaced) {
    op->erase();
  }
}

/// Lets accesses through `pointer`, a stand-in, and what is computed from it go
/// to `slot`, or, loads, be `value` where there is that. All are of the one
/// element of a buffer.
static void replaceAccesses(Value pointer, Value slot, Value value) {
  SmallVector<Operation *> ops{pointer.getDefiningOp()};
  for (size_t i = 0; i < ops.size(); ++i) {
    if (auto load = dyn_cast<LLVM::LoadOp>(ops[i]); load && value) {
      load.replaceAllUsesWith(value);
    } else if (load) {
      load.getAddrMutable().assign(slot);
    } else if (auto store = dyn_cast<LLVM::StoreOp>(ops[i])) {
      store.getAddrMutable().assign(slot);
    } else {
      llvm::append_range(ops, ops[i]->getUsers());
    }
  }
  for (Operation *op : llvm::reverse(ops)) {
    if (isa<LLVM::GEPOp, LLVM::ZeroOp>(op) ||
        (isa<LLVM::LoadOp>(op) && value)) {
      op->erase();
    }
  }
}

/// Emits the body of `member`'s kernel. Buffers of `slots` are these places in
/// shared memory to it, those that are in registers are these.
void MergedKernel::emitBody(const MergedLaunch &member, Value block,
                            Value count, const DenseMap<Value, Value> &slots) {
  tile::LaunchOp launch = member.launch;
  LLVM::LLVMFuncOp source = member.kernel;
  OpBuilder::InsertionGuard guard(builder);
  if (getBlockThreads(source) != threads) {
    Value takesPart =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, thread,
                              constant(getBlockThreads(source)));
    auto first = scf::IfOp::create(builder, loc, takesPart);
    builder.setInsertionPoint(first.thenYield());
  }
  IRMapping mapping;
  unsigned number = 0;
  SmallVector<std::pair<Value, Value>> standIns; // and buffers
  for (Value argument : launch.getArgs()) {
    if (computed.contains(argument)) {
      Value parameter = source.getArgument(number++);
      Value standIn =
          LLVM::ZeroOp::create(builder, loc, parameter.getType()).getResult();
      mapping.map(parameter, standIn);
      standIns.push_back({standIn, argument});
      continue;
    }
    unsigned parameter = arguments.lookup(argument);
    for (unsigned i = 0; i < getNumParameters(argument.getType()); ++i) {
      mapping.map(source.getArgument(number++),
                  kernel.getArgument(parameter + i));
    }
  }
  // The rest of the threads wait at the block's barrier for what each block
  // computes.
  cloneBody(source, mapping, block, count, slots.empty() ? 0 : kOwnBarrier);
  for (auto [standIn, buffer] : standIns) {
    replaceAccesses(standIn, slots.lookup(buffer), registers.lookup(buffer));
  }
}

/// Returns whether two counts of blocks are known to be equal.
static bool areEqual(Value a, Value b) {
  APInt first, second;
  return a == b || (matchPattern(a, m_ConstantInt(&first)) &&
                    matchPattern(b, m_ConstantInt(&second)) && first == second);
}

void MergedKernel::emitBranch(const LaunchRange &range, Value block) {
  auto branch = scf::IfOp::create(builder, loc, emitCondition(range.condition),
                                  /*withElseRegion=*/!range.parts[1].isEmpty());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [side, yield] :
       llvm::zip(range.parts,
                 std::array{branch.thenYield(), range.parts[1].isEmpty()
                                                    ? branch.thenYield()
                                                    : branch.elseYield()})) {
    if (side.isEmpty()) {
      continue;
    }
    builder.setInsertionPoint(yield);
    if (!areEqual(side.blocks, range.blocks)) {
      // The other side needs more blocks: the rest has nothing to do here.
      Value takesPart =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, block,
                                getCount(side.blocks));
      auto inside = scf::IfOp::create(builder, loc, takesPart);
      builder.setInsertionPoint(inside.thenYield());
    }
    emit(side, block);
  }
}

/// Finds the part of `block` by halving; `starts` has the first block of each.
void MergedKernel::emitSequence(ArrayRef<LaunchRange> parts,
                                ArrayRef<Value> starts, Value block) {
  if (parts.size() == 1) {
    emit(parts.front(),
         arith::SubIOp::create(builder, loc, block, starts.front()));
    return;
  }
  size_t half = parts.size() / 2;
  Value before = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       block, starts[half]);
  auto branch =
      scf::IfOp::create(builder, loc, before, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenYield());
  emitSequence(parts.take_front(half), starts.take_front(half), block);
  builder.setInsertionPoint(branch.elseYield());
  emitSequence(parts.drop_front(half), starts.drop_front(half), block);
}

void MergedKernel::emit(const LaunchRange &range, Value block) {
  if (range.launch) {
    emitBody(*range.launch, block, getCount(range.blocks), /*slots=*/
             DenseMap<Value, Value>());
  } else if (range.condition) {
    emitBranch(range, block);
  } else if (range.parts.size() == 1) {
    emit(range.parts.front(), block);
  } else {
    SmallVector<Value> starts{constant(0)};
    for (const LaunchRange &part : ArrayRef(range.parts).drop_back()) {
      starts.push_back(builder.createOrFold<arith::AddIOp>(
          loc, starts.back(), getCount(part.blocks)));
    }
    emitSequence(range.parts, starts, block);
  }
}

//===----------------------------------------------------------------------===//
// What each block computes for itself
//===----------------------------------------------------------------------===//

static bool fetchesInBulk(const MergedLaunch &member) {
  tile::LaunchOp launch = member.launch;
  return llvm::any_of(launch.getArgs().getTypes(),
                      llvm::IsaPred<tile::TensorMapType>);
}

/// The place in shared memory of what is computed as the n-th.
Value MergedKernel::getSharedSlot(unsigned number) {
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value shared = LLVM::AddressOfOp::create(builder, loc, type, kSharedSymbol);
  return LLVM::GEPOp::create(builder, loc, type, builder.getI8Type(), shared,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(
                                 slotOffset + kSlotBytes * number)});
}

/// Emits the one block that `launch` has, and returns its results.
SmallVector<Value> MergedKernel::emitOnce(const EachBlockLaunch &launch) {
  DenseMap<Value, Value> slots;
  for (Value buffer : launch.results) {
    auto *at = computed.find(buffer);
    slots[buffer] = getSharedSlot(std::distance(computed.begin(), at));
  }
  emitBody(launch.launch, constant(0), constant(1), slots);
  NVVM::Barrier0Op::create(builder, loc);
  SmallVector<Value> values;
  for (auto [buffer, type] : llvm::zip_equal(launch.results, launch.types)) {
    values.push_back(
        LLVM::LoadOp::create(builder, loc, type, slots.lookup(buffer)));
  }
  // What follows may use the same memory, and let bulk copies write it.
  if (llvm::any_of(launches, fetchesInBulk)) {
    NVVM::FenceProxyOp::create(
        builder, loc, NVVM::ProxyKind::async_shared,
        NVVM::SharedSpaceAttr::get(builder.getContext(),
                                   NVVM::SharedSpace::shared_cta));
  }
  NVVM::Barrier0Op::create(builder, loc);
  return values;
}

/// Emits `launch` for each block, under its conditions; where one does not
/// hold, nobody reads the results.
void MergedKernel::emitForEachBlock(const EachBlockLaunch &launch) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<scf::IfOp> branches;
  for (auto [condition, holds] : launch.launch.conditions) {
    auto branch =
        scf::IfOp::create(builder, loc, launch.types, emitCondition(condition),
                          /*withElseRegion=*/true);
    Block *taken = holds ? branch.thenBlock() : branch.elseBlock();
    Block *other = holds ? branch.elseBlock() : branch.thenBlock();
    builder.setInsertionPointToEnd(other);
    SmallVector<Value> zeros;
    for (Type type : launch.types) {
      zeros.push_back(
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
    }
    scf::YieldOp::create(builder, loc, zeros);
    builder.setInsertionPointToEnd(taken);
    branches.push_back(branch);
  }
  SmallVector<Value> values = emitOnce(launch);
  for (scf::IfOp branch : llvm::reverse(branches)) {
    scf::YieldOp::create(builder, loc, values);
    values.assign(branch.getResults().begin(), branch.getResults().end());
    builder.setInsertionPointAfter(branch);
  }
  for (auto [buffer, value] : llvm::zip_equal(launch.results, values)) {
    registers[buffer] = value;
  }
}
