//===- EachBlock.cpp - may each block compute it for itself? --------------===//

#include "EachBlock.h"

#include "MergedKernel.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

/// A block's own code may use so much shared memory: what any device gives
/// without being asked.
static constexpr int64_t kMostShared = 48 * 1024;

bool fusion::movesRegisters(LLVM::LLVMFuncOp kernel) {
  return kernel
      .walk([](NVVM::SetMaxRegisterOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Returns the parameter that `argument` of `launch` is first.
static std::optional<unsigned> findParameter(tile::LaunchOp launch,
                                             Value argument) {
  unsigned number = 0;
  for (Value other : launch.getArgs()) {
    if (other == argument) {
      return number;
    }
    number += getNumParameters(other.getType());
  }
  return std::nullopt;
}

/// Collects the types of what `kernel` loads and stores through the parameter.
static FusionDecision collectAccesses(LLVM::LLVMFuncOp kernel,
                                      unsigned parameter,
                                      llvm::SetVector<Type> &loaded,
                                      llvm::SetVector<Type> &stored) {
  SmallVector<Value> pointers{kernel.getArgument(parameter)};
  while (!pointers.empty()) {
    for (OpOperand &use : pointers.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      auto store = dyn_cast<LLVM::StoreOp>(user);
      if (isa<LLVM::GEPOp>(user)) {
        pointers.push_back(user->getResult(0));
      } else if (auto load = dyn_cast<LLVM::LoadOp>(user)) {
        loaded.insert(load.getType());
      } else if (store && use.get() == store.getAddr()) {
        stored.insert(store.getValue().getType());
      } else {
        return FusionDecision::forbid(
            "'" + user->getName().getStringRef() +
            "' takes the address of what each block would compute");
      }
    }
  }
  return FusionDecision::allow();
}

/// Checks that the code of one block can stand before that of others.
static FusionDecision checkKernel(tile::LaunchOp launch) {
  LLVM::LLVMFuncOp kernel = getKernel(launch);
  for (Value size : {launch.getGridX(), launch.getGridY(), launch.getGridZ()}) {
    if (!matchPattern(size, m_One())) {
      return FusionDecision::forbid("it takes more than one block");
    }
  }
  bool hasRoles =
      kernel
          .walk([](Operation *op) {
            StringRef name = op->getName().getStringRef();
            bool isRole = name.starts_with("nvvm.mbarrier") ||
                          isa<NVVM::SetMaxRegisterOp>(op);
            return isRole ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  bool hasMaps = llvm::any_of(launch.getArgs().getTypes(),
                              llvm::IsaPred<tile::TensorMapType>);
  if (hasRoles || hasMaps) {
    return FusionDecision::forbid("its warps have roles of their own");
  }
  if (getSharedBytes(kernel) > kMostShared) {
    return FusionDecision::forbid("it needs too much shared memory");
  }
  return FusionDecision::allow();
}

/// Checks that `reader` takes nothing of `buffer` but elements of `type`.
static FusionDecision checkReader(tile::LaunchOp reader, Value buffer,
                                  Type type) {
  std::optional<unsigned> parameter = findParameter(reader, buffer);
  if (!parameter) {
    return FusionDecision::allow();
  }
  llvm::SetVector<Type> loaded, stored;
  FusionDecision decision =
      collectAccesses(getKernel(reader), *parameter, loaded, stored);
  bool isExpected = stored.empty() && llvm::all_of(loaded, [&](Type other) {
                      return other == type;
                    });
  if (decision && !isExpected) {
    decision = FusionDecision::forbid("it is read in another type than that "
                                      "which is written");
  }
  return decision;
}

FusionDecision fusion::canBeOfEachBlock(EachBlockLaunch &candidate,
                                        ArrayRef<MergedLaunch> readers) {
  tile::LaunchOp launch = candidate.launch.launch;
  if (FusionDecision decision = checkKernel(launch); !decision) {
    return decision;
  }
  LLVM::LLVMFuncOp kernel = getKernel(launch);
  for (Value buffer : candidate.results) {
    std::optional<unsigned> parameter = findParameter(launch, buffer);
    bool isElement = cast<MemRefType>(buffer.getType()).getRank() == 0;
    llvm::SetVector<Type> loaded, stored;
    if (!parameter || !isElement) {
      return FusionDecision::forbid("its results are no single elements");
    }
    FusionDecision decision =
        collectAccesses(kernel, *parameter, loaded, stored);
    if (!decision) {
      return decision;
    }
    if (stored.size() != 1 || !loaded.empty() ||
        !stored.front().isIntOrFloat()) {
      return FusionDecision::forbid("its results are written piece by piece");
    }
    candidate.types.push_back(stored.front());
  }
  int64_t threads = getBlockThreads(kernel);
  for (const MergedLaunch &reader : readers) {
    LLVM::LLVMFuncOp source = reader.kernel;
    if (getBlockThreads(source) < threads && movesRegisters(source)) {
      return FusionDecision::forbid(
          "it needs larger blocks than a warp-specialised kernel has");
    }
    for (auto [buffer, type] :
         llvm::zip_equal(candidate.results, candidate.types)) {
      FusionDecision decision = checkReader(reader.launch, buffer, type);
      if (!decision) {
        return decision;
      }
    }
  }
  return FusionDecision::allow();
}

/// Adds the buffers that `reader` reads, or its conditions are computed from.
static void addReads(const MergedLaunch &reader, llvm::DenseSet<Value> &reads) {
  tile::LaunchOp launch = reader.launch;
  reads.insert(launch.getArgs().begin(), launch.getArgs().end());
  SmallVector<Value> worklist;
  for (auto [condition, holds] : reader.conditions) {
    worklist.push_back(condition);
  }
  while (!worklist.empty()) {
    Operation *def = worklist.pop_back_val().getDefiningOp();
    if (auto load = dyn_cast_or_null<memref::LoadOp>(def)) {
      reads.insert(load.getMemref());
    } else if (def) {
      llvm::append_range(worklist, def->getOperands());
    }
  }
}

SmallVector<EachBlockLaunch, 0>
fusion::selectNeeded(ArrayRef<EachBlockLaunch> launches,
                     ArrayRef<MergedLaunch> readers) {
  llvm::DenseSet<Value> reads;
  for (const MergedLaunch &reader : readers) {
    addReads(reader, reads);
  }
  SmallVector<EachBlockLaunch, 0> needed;
  for (const EachBlockLaunch &launch : llvm::reverse(launches)) {
    if (llvm::any_of(launch.results,
                     [&](Value buffer) { return reads.contains(buffer); })) {
      needed.push_back(launch);
      addReads(launch.launch, reads);
    }
  }
  std::reverse(needed.begin(), needed.end());
  return needed;
}
