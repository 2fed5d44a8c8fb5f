//===- TabulateParameters.cpp - parameters that a kernel cannot take ------===//

#include "fusion/Conversion/TabulateParameters/TabulateParameters.h"

#include "fusion/Conversion/Passes.h"
#include "fusion/Schedule/Limits.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_TABULATEPARAMETERS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

static constexpr StringLiteral kMainFunction = "main";
static constexpr int64_t kEntryBytes = 8;

using Launches = SmallVector<tile::LaunchOp, 1>;

/// The number of kernel parameters that a launch's argument becomes.
static unsigned getNumParameters(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? 1 + memref.getNumDynamicDims() : 1;
}

int64_t fusion::getParameterBytes(TypeRange arguments) {
  constexpr int64_t kTensorMapBytes = 128, kTensorMapAlignment = 64;
  int64_t bytes = 0;
  for (Type type : arguments) {
    if (isa<tile::TensorMapType>(type)) {
      bytes = llvm::alignTo(bytes, kTensorMapAlignment) + kTensorMapBytes;
    } else {
      bytes += kEntryBytes * getNumParameters(type);
    }
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// The first op of the innermost block that holds all users of `value`, or
/// within which they are: where a load of it is needed first, and by no more
/// branches than use it.
static Operation *findFirstUser(Value value) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    if (!first) {
      first = user;
      continue;
    }
    Operation *other = nullptr;
    while (!(other = first->getBlock()->findAncestorOpInBlock(*user))) {
      first = first->getParentOp();
    }
    first = other->isBeforeInBlock(first) ? other : first;
  }
  return first;
}

/// Replaces `parameter` by a load of entry `number` of the table.
static void readEntry(Value parameter, Value table, int64_t number) {
  Operation *user = findFirstUser(parameter);
  if (!user) {
    return;
  }
  OpBuilder builder(user);
  Location loc = parameter.getLoc();
  Value address = LLVM::GEPOp::create(
      builder, loc, table.getType(), builder.getI64Type(), table,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(number)});
  auto load = LLVM::LoadOp::create(builder, loc, parameter.getType(), address,
                                   kEntryBytes);
  load.setInvariant(true);
  parameter.replaceAllUsesWith(load);
}

/// Makes `kernel` take a table in place of the parameters of `arguments`, the
/// types of its launches' arguments; returns the number of entries.
static int64_t readFromTable(LLVM::LLVMFuncOp kernel, TypeRange arguments) {
  Block &entry = kernel.getBody().front();
  Builder builder(kernel.getContext());
  Type pointer = LLVM::LLVMPointerType::get(kernel.getContext(), 1);
  NamedAttribute unwritten[] = {
      {LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr()},
      {LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr()}};
  SmallVector<Type> types{pointer};
  SmallVector<DictionaryAttr> attributes{builder.getDictionaryAttr(unwritten)};
  llvm::BitVector erased(entry.getNumArguments() + 1);
  Value table = entry.insertArgument(0u, pointer, kernel.getLoc());
  unsigned parameter = 0;
  int64_t entries = 0;
  for (Type type : arguments) {
    for (unsigned i = 0; i < getNumParameters(type); ++i, ++parameter) {
      BlockArgument value = entry.getArgument(parameter + 1);
      if (isa<tile::TensorMapType>(type)) {
        types.push_back(value.getType());
        DictionaryAttr known = kernel.getArgAttrDict(parameter);
        attributes.push_back(known ? known : builder.getDictionaryAttr({}));
        continue;
      }
      readEntry(value, table, entries++);
      erased.set(parameter + 1);
    }
  }
  entry.eraseArguments(erased);
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(
      kernel.getFunctionType().getReturnType(), types));
  kernel.setAllArgAttrs(attributes);
  return entries;
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

/// Allocates a table of `type` before `op`, which is in @main.
static Value allocate(Operation *op, MemRefType type) {
  OpBuilder builder(op);
  return memref::AllocOp::create(builder, op->getLoc(), type);
}

/// Gives `launch` a table of `type` that @main allocates.
static LogicalResult passTable(tile::LaunchOp launch, MemRefType type,
                               ModuleOp module) {
  auto function = launch->getParentOfType<func::FuncOp>();
  if (function.getName() == kMainFunction) {
    launch.getTableMutable().assign(allocate(launch, type));
    return success();
  }
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) {
    if (call.getCallee() == function.getName()) {
      calls.push_back(call);
    }
  });
  for (func::CallOp call : calls) {
    auto caller = call->getParentOfType<func::FuncOp>();
    if (caller.getName() != kMainFunction) {
      return call.emitOpError("expected a launch whose kernel reads a table to "
                              "be called by @main alone");
    }
    call.getOperandsMutable().append(allocate(call, type));
  }
  unsigned last = function.getNumArguments();
  if (failed(function.insertArgument(last, type, {}, launch.getLoc()))) {
    return failure();
  }
  launch.getTableMutable().assign(function.getArgument(last));
  return success();
}

/// The kernels of `module` with their launches.
static llvm::MapVector<Operation *, Launches> findLaunches(ModuleOp module) {
  llvm::MapVector<Operation *, Launches> launches;
  SymbolTableCollection symbols;
  module.walk([&](tile::LaunchOp launch) {
    auto kernel = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
        launch, launch.getKernelAttr());
    if (kernel && !launch.getTable()) {
      launches[kernel].push_back(launch);
    }
  });
  return launches;
}

LogicalResult fusion::tabulateParameters(ModuleOp module, int64_t limit) {
  for (auto &[op, launches] : findLaunches(module)) {
    TypeRange arguments = launches.front().getArgs().getTypes();
    if (getParameterBytes(arguments) <= limit) {
      continue;
    }
    auto kernel = cast<LLVM::LLVMFuncOp>(op);
    if (llvm::all_of(arguments, llvm::IsaPred<tile::TensorMapType>)) {
      auto opts = remark::RemarkOpts::name("TabulateParameters")
                      .category("fusion")
                      .function(kernel.getName());
      remark::missed(kernel.getLoc(), opts)
          << remark::reason("all parameters are tensor maps, which no table "
                            "holds");
      continue;
    }
    unsigned parameters = 0;
    for (Type type : arguments) {
      parameters += getNumParameters(type);
    }
    if (parameters != kernel.getNumArguments()) {
      return launches.front().emitOpError(
                 "expected arguments for the kernel's ")
             << kernel.getNumArguments() << " parameters, but got "
             << parameters;
    }
    int64_t entries = readFromTable(kernel, arguments);
    auto type =
        MemRefType::get({entries}, IntegerType::get(module.getContext(), 64));
    for (tile::LaunchOp launch : launches) {
      if (failed(passTable(launch, type, module))) {
        return failure();
      }
    }
  }
  return success();
}

namespace {
struct TabulateParameters
    : fusion::impl::TabulateParametersBase<TabulateParameters> {
  using TabulateParametersBase::TabulateParametersBase;

  void runOnOperation() override {
    int64_t bytes =
        limit ? limit : getKernelLimits(getOperation(), "").parameterBytes;
    if (failed(tabulateParameters(getOperation(), bytes))) {
      signalPassFailure();
    }
  }
};
} // namespace
