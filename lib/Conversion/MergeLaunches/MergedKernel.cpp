//===- MergedKernel.cpp - one kernel with several bodies ------------------===//
//
//   if (block < n0) { body of the first, as block `block` of n0 }
//   else if (*p)    { body of the second, as block `block - n0` of its own }
//   else            { that of the third }
//
// Branches are uniform: all threads of a block take the same. So what a body
// does with barriers, partitions and shared memory stays right. A body of fewer
// threads is run by the first ones, and its barriers count just these.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/MergeLaunches/MergeLaunches.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr StringLiteral kSharedBytes = "fusion.shared_bytes";
/// The largest grid along x.
static constexpr int64_t kMaxGrid = (int64_t(1) << 31) - 1;

LLVM::LLVMFuncOp fusion::getKernel(tile::LaunchOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      launch, launch.getKernelAttr());
}

int64_t fusion::getBlockThreads(LLVM::LLVMFuncOp kernel) {
  auto threads = kernel->getAttrOfType<DenseI32ArrayAttr>(
      NVVM::NVVMDialect::getMaxntidAttrName());
  return threads && !threads.empty() ? threads[0] : 0;
}

static int64_t getSharedBytes(LLVM::LLVMFuncOp kernel) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytes);
  return bytes ? bytes.getInt() : 0;
}

/// The number of kernel parameters that a launch's argument becomes.
static unsigned getNumParameters(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? 1 + memref.getNumDynamicDims() : 1;
}

namespace {
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
  MergedKernel(OpBuilder &host, ArrayRef<MergedLaunch> launches)
      : host(host), builder(host.getContext()),
        loc(tile::LaunchOp(launches.front().launch).getLoc()),
        launches(launches) {}

  LogicalResult build(StringRef name);

private:
  // On the host.
  LaunchRange arrange(ArrayRef<const MergedLaunch *> members, unsigned depth);
  LogicalResult countBlocks(LaunchRange &range);
  unsigned addArgument(Value value, TypeRange types,
                       ArrayRef<DictionaryAttr> attributes);
  void collectArguments();
  void addCondition(Value condition);
  void addCounts(const LaunchRange &range);
  void createKernel(StringRef name);

  // In the kernel.
  Value constant(int64_t value);
  Value getCount(Value blocks);
  Value emitCondition(Value condition);
  void emit(const LaunchRange &range, Value block);
  void emitSequence(ArrayRef<LaunchRange> parts, ArrayRef<Value> starts,
                    Value block);
  void emitBranch(const LaunchRange &range, Value block);
  void emitBody(const LaunchRange &range, Value block);
  void cloneBody(LLVM::LLVMFuncOp from, IRMapping &mapping, Value block,
                 Value count);

  OpBuilder &host;
  OpBuilder builder;
  Location loc;
  ArrayRef<MergedLaunch> launches;
  LLVM::LLVMFuncOp kernel;
  int64_t threads = 0;
  Value thread;
  /// Arguments of the launch, and the first kernel parameter of each.
  llvm::MapVector<Value, unsigned> arguments;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
};
} // namespace

//===----------------------------------------------------------------------===//
// Who gets which blocks
//===----------------------------------------------------------------------===//

/// Arranges `members`, whose first `depth` conditions hold here, in order.
LaunchRange MergedKernel::arrange(ArrayRef<const MergedLaunch *> members,
                                  unsigned depth) {
  LaunchRange range;
  llvm::MapVector<Value, std::array<SmallVector<const MergedLaunch *>, 2>>
      branches;
  for (const MergedLaunch *member : members) {
    if (member->conditions.size() == depth) {
      LaunchRange leaf;
      leaf.launch = member;
      range.parts.push_back(std::move(leaf));
    } else {
      auto [condition, holds] = member->conditions[depth];
      branches[condition][holds ? 0 : 1].push_back(member);
    }
  }
  for (auto &[condition, sides] : branches) {
    LaunchRange branch;
    branch.condition = condition;
    for (auto &side : sides) {
      branch.parts.push_back(arrange(side, depth + 1));
    }
    range.parts.push_back(std::move(branch));
  }
  return range;
}

/// Computes the blocks of `range` and of its parts on the host.
LogicalResult MergedKernel::countBlocks(LaunchRange &range) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(host, loc, value);
  };
  if (tile::LaunchOp launch =
          range.launch ? range.launch->launch : tile::LaunchOp()) {
    if (!matchPattern(launch.getGridY(), m_One()) ||
        !matchPattern(launch.getGridZ(), m_One())) {
      return launch.emitOpError("expected a grid along x alone");
    }
    range.blocks = launch.getGridX();
    // A grid that is not known walks its tiles in a loop: fewer blocks do.
    if (!matchPattern(range.blocks, m_Constant())) {
      range.blocks = host.createOrFold<arith::MinUIOp>(
          loc, range.blocks, index(kMaxGrid / launches.size()));
    }
    return success();
  }
  range.blocks = index(0);
  for (LaunchRange &part : range.parts) {
    if (failed(countBlocks(part))) {
      return failure();
    }
    range.blocks =
        range.condition
            ? host.createOrFold<arith::MaxUIOp>(loc, range.blocks, part.blocks)
            : host.createOrFold<arith::AddIOp>(loc, range.blocks, part.blocks);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Keeps of the attributes of a parameter what holds in every body.
static DictionaryAttr intersect(DictionaryAttr a, DictionaryAttr b) {
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute entry : a) {
    if (b.get(entry.getName()) == entry.getValue()) {
      kept.push_back(entry);
    }
  }
  return DictionaryAttr::get(a.getContext(), kept);
}

unsigned MergedKernel::addArgument(Value value, TypeRange parameterTypes,
                                   ArrayRef<DictionaryAttr> parameterAttrs) {
  auto [it, isNew] = arguments.insert({value, types.size()});
  unsigned first = it->second;
  if (isNew) {
    llvm::append_range(types, parameterTypes);
    llvm::append_range(attributes, parameterAttrs);
    return first;
  }
  for (auto [i, attrs] : llvm::enumerate(parameterAttrs)) {
    attributes[first + i] = intersect(attributes[first + i], attrs);
  }
  return first;
}

void MergedKernel::collectArguments() {
  DictionaryAttr none = host.getDictionaryAttr({});
  for (const MergedLaunch &member : launches) {
    tile::LaunchOp launch = member.launch;
    LLVM::LLVMFuncOp source = getKernel(launch);
    unsigned number = 0;
    for (Value argument : launch.getArgs()) {
      unsigned count = getNumParameters(argument.getType());
      SmallVector<DictionaryAttr> attrs;
      for (unsigned i = number; i < number + count; ++i) {
        DictionaryAttr known = source.getArgAttrDict(i);
        attrs.push_back(known ? known : none);
      }
      addArgument(argument,
                  TypeRange(source.getArgumentTypes()).slice(number, count),
                  attrs);
      number += count;
    }
  }
  for (const MergedLaunch &member : launches) {
    for (auto [condition, holds] : member.conditions) {
      addCondition(condition);
    }
  }
}

/// Adds the predicates in memory that `condition` is computed from.
void MergedKernel::addCondition(Value condition) {
  SmallVector<Value> worklist{condition};
  while (!worklist.empty()) {
    Operation *def = worklist.pop_back_val().getDefiningOp();
    auto load = dyn_cast_or_null<memref::LoadOp>(def);
    if (load) {
      addArgument(load.getMemref(),
                  Type(LLVM::LLVMPointerType::get(host.getContext(), 1)),
                  host.getDictionaryAttr({}));
    } else if (def) {
      llvm::append_range(worklist, def->getOperands());
    }
  }
}

/// Adds the counts of blocks that the kernel may ask for and are not known.
void MergedKernel::addCounts(const LaunchRange &range) {
  for (const LaunchRange &part : range.parts) {
    addCounts(part);
  }
  if (!matchPattern(range.blocks, m_Constant())) {
    addArgument(range.blocks, host.getI64Type(), host.getDictionaryAttr({}));
  }
}

void MergedKernel::createKernel(StringRef name) {
  LLVM::LLVMFuncOp first = getKernel(launches.front().launch);
  builder.setInsertionPointAfter(first);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(host.getContext()), types);
  kernel = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  kernel->setDiscardableAttrs(llvm::to_vector(first->getDiscardableAttrs()));
  int64_t shared = 0;
  for (const MergedLaunch &member : launches) {
    LLVM::LLVMFuncOp source = getKernel(member.launch);
    threads = std::max(threads, getBlockThreads(source));
    shared = std::max(shared, getSharedBytes(source));
  }
  kernel->setAttr(
      NVVM::NVVMDialect::getMaxntidAttrName(),
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  kernel->setAttr(kSharedBytes, builder.getI32IntegerAttr(shared));
  kernel.setAllArgAttrs(attributes);
  builder.setInsertionPointToStart(kernel.addEntryBlock(builder));
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

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
    Value pointer = kernel.getArgument(arguments.lookup(load.getMemref()));
    Value byte =
        LLVM::LoadOp::create(builder, loc, builder.getI8Type(), pointer);
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
                             Value block, Value count) {
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
      Value zero = arith::ConstantIntOp::create(at, op->getLoc(), 0, 32);
      Value all =
          arith::ConstantIntOp::create(at, op->getLoc(), bodyThreads, 32);
      NVVM::BarrierOp::create(at, op->getLoc(), TypeRange(), zero, all,
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

void MergedKernel::emitBody(const LaunchRange &range, Value block) {
  tile::LaunchOp launch = range.launch->launch;
  LLVM::LLVMFuncOp source = getKernel(launch);
  Value count = getCount(range.blocks);
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
  for (Value argument : launch.getArgs()) {
    unsigned parameter = arguments.lookup(argument);
    for (unsigned i = 0; i < getNumParameters(argument.getType()); ++i) {
      mapping.map(source.getArgument(number++),
                  kernel.getArgument(parameter + i));
    }
  }
  cloneBody(source, mapping, block, count);
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
    emitBody(range, block);
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

LogicalResult MergedKernel::build(StringRef name) {
  auto members = llvm::map_to_vector(
      launches, [](const MergedLaunch &member) { return &member; });
  LaunchRange range = arrange(members, 0);
  if (failed(countBlocks(range))) {
    return failure();
  }
  collectArguments();
  for (const LaunchRange &part : range.parts) {
    addCounts(part);
  }
  createKernel(name);
  thread = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  Value block = NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type());
  emit(range, block);
  LLVM::ReturnOp::create(builder, loc, ValueRange());

  SmallVector<Value> values;
  for (auto &[value, parameter] : arguments) {
    values.push_back(value);
  }
  auto symbol = SymbolRefAttr::get(
      host.getContext(), kernel->getParentOfType<gpu::GPUModuleOp>().getName(),
      FlatSymbolRefAttr::get(kernel));
  Value one = arith::ConstantIndexOp::create(host, loc, 1);
  tile::LaunchOp::create(host, loc, symbol, range.blocks, one, one, values);
  return success();
}

LogicalResult fusion::createMergedLaunch(OpBuilder &host, StringRef name,
                                         ArrayRef<MergedLaunch> launches) {
  return MergedKernel(host, launches).build(name);
}
