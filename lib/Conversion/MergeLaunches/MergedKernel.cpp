//===- MergedKernel.cpp - who gets which blocks, and the arguments --------===//

#include "MergedKernel.h"

#include "fusion/Schedule/Limits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr StringLiteral kSharedBytes = "fusion.shared_bytes";

LLVM::LLVMFuncOp fusion::getKernel(tile::LaunchOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      launch, launch.getKernelAttr());
}

int64_t fusion::getBlockThreads(LLVM::LLVMFuncOp kernel) {
  auto threads = kernel->getAttrOfType<DenseI32ArrayAttr>(
      NVVM::NVVMDialect::getMaxntidAttrName());
  return threads && !threads.empty() ? threads[0] : 0;
}

int64_t fusion::getSharedBytes(LLVM::LLVMFuncOp kernel) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytes);
  return bytes ? bytes.getInt() : 0;
}

unsigned fusion::getNumParameters(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? 1 + memref.getNumDynamicDims() : 1;
}

MergedKernel::MergedKernel(OpBuilder &host, ArrayRef<MergedLaunch> launches,
                           ArrayRef<EachBlockLaunch> ofEachBlock)
    : host(host), builder(host.getContext()),
      loc(tile::LaunchOp(launches.front().launch).getLoc()), launches(launches),
      ofEachBlock(ofEachBlock) {
  for (const EachBlockLaunch &launch : ofEachBlock) {
    for (auto [buffer, type] : llvm::zip_equal(launch.results, launch.types)) {
      computed[buffer] = type;
    }
  }
}

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
      range.blocks = host.createOrFold<arith::MinUIOp>(loc, range.blocks,
                                                       index(blocksOfUnknown));
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

void MergedKernel::addArguments(const MergedLaunch &member) {
  DictionaryAttr none = host.getDictionaryAttr({});
  tile::LaunchOp launch = member.launch;
  LLVM::LLVMFuncOp source = member.kernel;
  unsigned number = 0;
  for (Value argument : launch.getArgs()) {
    unsigned count = getNumParameters(argument.getType());
    SmallVector<DictionaryAttr> attrs;
    for (unsigned i = number; i < number + count; ++i) {
      DictionaryAttr known = source.getArgAttrDict(i);
      attrs.push_back(known ? known : none);
    }
    if (!computed.contains(argument)) {
      addArgument(argument,
                  TypeRange(source.getArgumentTypes()).slice(number, count),
                  attrs);
    }
    number += count;
  }
}

void MergedKernel::collectArguments() {
  auto addConditions = [&](const MergedLaunch &member) {
    for (auto [condition, holds] : member.conditions) {
      addCondition(condition);
    }
  };
  llvm::for_each(launches,
                 [&](const MergedLaunch &member) { addArguments(member); });
  for (const EachBlockLaunch &launch : ofEachBlock) {
    addArguments(launch.launch);
  }
  llvm::for_each(launches, addConditions);
  for (const EachBlockLaunch &launch : ofEachBlock) {
    addConditions(launch.launch);
  }
}

/// Adds the predicates in memory that `condition` is computed from.
void MergedKernel::addCondition(Value condition) {
  SmallVector<Value> worklist{condition};
  while (!worklist.empty()) {
    Operation *def = worklist.pop_back_val().getDefiningOp();
    auto load = dyn_cast_or_null<memref::LoadOp>(def);
    if (load && !computed.contains(load.getMemref())) {
      addArgument(load.getMemref(),
                  Type(LLVM::LLVMPointerType::get(host.getContext(), 1)),
                  host.getDictionaryAttr({}));
    } else if (def && !load) {
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
  LLVM::LLVMFuncOp first = launches.front().kernel;
  builder.setInsertionPointAfter(first);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(host.getContext()), types);
  kernel = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  kernel->setDiscardableAttrs(llvm::to_vector(first->getDiscardableAttrs()));
  int64_t shared = 0;
  IntegerAttr registers;
  auto add = [&](const MergedLaunch &member) {
    LLVM::LLVMFuncOp source = member.kernel;
    threads = std::max(threads, getBlockThreads(source));
    shared = std::max(shared, getSharedBytes(source));
    auto own = source->getAttrOfType<IntegerAttr>(kTileRegistersAttr);
    bool isMost = own && (!registers || own.getInt() > registers.getInt());
    registers = isMost ? own : registers;
  };
  // The slots follow what the code of each block uses: it is over when the
  // bodies begin.
  for (const EachBlockLaunch &launch : ofEachBlock) {
    add(launch.launch);
  }
  slotOffset = llvm::alignTo(shared, kSlotBytes);
  shared = computed.empty() ? 0 : slotOffset + kSlotBytes * computed.size();
  llvm::for_each(launches, add);
  kernel->setAttr(
      NVVM::NVVMDialect::getMaxntidAttrName(),
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  kernel->setAttr(kSharedBytes, builder.getI32IntegerAttr(shared));
  if (registers) {
    kernel->setAttr(kTileRegistersAttr, registers);
  }
  kernel.setAllArgAttrs(attributes);
  builder.setInsertionPointToStart(kernel.addEntryBlock(builder));
}

/// Shares out, to launches whose grids are not known, the blocks that the other
/// ones leave.
void MergedKernel::shareBlocks() {
  tile::LaunchOp first = launches.front().launch;
  int64_t left = getKernelLimits(first, "").gridBlocks, unknown = 0;
  for (const MergedLaunch &member : launches) {
    tile::LaunchOp launch = member.launch;
    APInt blocks;
    bool isKnown = matchPattern(launch.getGridX(), m_ConstantInt(&blocks));
    left -= isKnown ? blocks.getSExtValue() : 0;
    unknown += !isKnown;
  }
  blocksOfUnknown = std::max<int64_t>(1, left / std::max<int64_t>(unknown, 1));
}

LogicalResult MergedKernel::build(StringRef name) {
  shareBlocks();
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
  for (const EachBlockLaunch &launch : ofEachBlock) {
    emitForEachBlock(launch);
  }
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

LogicalResult
fusion::createMergedLaunch(OpBuilder &host, StringRef name,
                           ArrayRef<MergedLaunch> launches,
                           ArrayRef<EachBlockLaunch> ofEachBlock) {
  return MergedKernel(host, launches, ofEachBlock).build(name);
}
