//===- TilesToGPU.cpp - tile programs to threads --------------------------===//

#include "fusion/Conversion/TilesToGPU/TilesToGPU.h"
#include "GuardSelects.h"
#include "KernelLowering.h"
#include "RegisterDemand.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/IR/SignatureAttributes.h"
#include "fusion/Schedule/Choose.h"
#include "fusion/Schedule/Limits.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_TILESTOGPU
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

static constexpr StringLiteral kSharedSymbol = "smem";
static constexpr int64_t kMaxWarps = 32;

/// The external array that stands for the launch's dynamic shared memory.
static LLVM::GlobalOp getSharedSymbol(gpu::GPUModuleOp module) {
  if (auto smem = module.lookupSymbol<LLVM::GlobalOp>(kSharedSymbol)) {
    return smem;
  }
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), 0);
  return LLVM::GlobalOp::create(b, module.getLoc(), bytes, /*isConstant=*/false,
                                LLVM::Linkage::External, kSharedSymbol,
                                Attribute(), /*alignment=*/1024,
                                /*addrSpace=*/3);
}

/// The warps of the block: those of `tile.warp_specialize`, else `tile.warps`.
static FailureOr<int64_t> getWarps(gpu::GPUFuncOp func) {
  int64_t warps = 0;
  func.walk([&](tile::WarpSpecializeOp op) {
    int64_t sum = 0;
    for (int64_t partition : op.getWarps()) {
      sum += partition;
    }
    warps = std::max(warps, sum);
  });
  if (auto attr = func->getAttrOfType<IntegerAttr>("tile.warps");
      attr && warps == 0) {
    warps = attr.getInt();
  }
  if (warps < 1 || warps > kMaxWarps) {
    func.emitError("expected between 1 and ")
        << kMaxWarps << " warps (attribute 'tile.warps'), but got " << warps;
    return failure();
  }
  return warps;
}

/// The parameters of an argument of type `type`; none if it cannot be one.
static SmallVector<Type> getParameterTypes(Type type) {
  MLIRContext *context = type.getContext();
  if (auto memref = dyn_cast<MemRefType>(type)) {
    if (!memref.getLayout().isIdentity()) {
      return {};
    }
    SmallVector<Type> types{LLVM::LLVMPointerType::get(context, 1)};
    types.append(memref.getNumDynamicDims(), IntegerType::get(context, 64));
    return types;
  }
  if (isa<tile::TensorMapType>(type)) {
    return {LLVM::LLVMPointerType::get(context)};
  }
  if (type.isIndex()) {
    return {IntegerType::get(context, 64)};
  }
  return type.isIntOrFloat() ? SmallVector<Type>{type} : SmallVector<Type>{};
}

/// Marks parameter `number` of a kernel as a descriptor passed by value.
static void markTensorMap(SignatureAttributes &attributes, unsigned number,
                          Builder &b) {
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), 128);
  attributes.setArgument(number, LLVM::LLVMDialect::getByValAttrName(),
                         TypeAttr::get(bytes));
  attributes.setArgument(number, LLVM::LLVMDialect::getAlignAttrName(),
                         b.getI64IntegerAttr(64));
  attributes.setArgument(number, NVVM::NVVMDialect::getGridConstantAttrName(),
                         b.getUnitAttr());
}

/// Whether the memory behind `memref` is only read, by ops that are known;
/// perhaps as one side of a select.
static bool isReadOnly(Value memref) {
  llvm::SetVector<Value> values;
  values.insert(memref);
  for (size_t i = 0; i < values.size(); ++i) {
    for (Operation *user : values[i].getUsers()) {
      if (isa<arith::SelectOp>(user)) {
        values.insert(user->getResult(0));
      } else if (!isa<tile::LoadOp, tile::CopyAsyncOp, tile::LoadWindowOp,
                      tile::CopyWindowOp, memref::DimOp, memref::LoadOp>(
                     user)) {
        return false;
      }
    }
  }
  return true;
}

/// Gives the parameters of `argument`, from `number` on, their attributes.
static void annotate(SignatureAttributes &attributes, unsigned number,
                     gpu::GPUFuncOp func, BlockArgument argument) {
  Builder b(func.getContext());
  if (isa<tile::TensorMapType>(argument.getType())) {
    markTensorMap(attributes, number, b);
    return;
  }
  if (!isa<MemRefType>(argument.getType())) {
    return;
  }
  // The C contract aligns every array to 16 bytes.
  attributes.setArgument(number, LLVM::LLVMDialect::getAlignAttrName(),
                         b.getI64IntegerAttr(16));
  StringRef noAlias = LLVM::LLVMDialect::getNoAliasAttrName();
  if (func.getArgAttr(argument.getArgNumber(), noAlias)) {
    attributes.setArgument(number, noAlias, b.getUnitAttr());
  }
  if (isReadOnly(argument)) {
    attributes.setArgument(number, LLVM::LLVMDialect::getReadonlyAttrName(),
                           b.getUnitAttr());
  }
}

/// The empty kernel that `func` becomes.
static FailureOr<LLVM::LLVMFuncOp> createKernel(gpu::GPUFuncOp func,
                                                int64_t warps) {
  OpBuilder b(func);
  SmallVector<Type> types;
  SmallVector<unsigned> firsts;
  for (BlockArgument argument : func.getArguments()) {
    SmallVector<Type> parts = getParameterTypes(argument.getType());
    if (parts.empty()) {
      return func.emitError("expected arguments that are dense memrefs, tensor "
                            "maps or scalars, but got ")
             << argument.getType();
    }
    firsts.push_back(types.size());
    llvm::append_range(types, parts);
  }
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), types);
  auto kernel =
      LLVM::LLVMFuncOp::create(b, func.getLoc(), func.getName(), type);
  kernel->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
  kernel->setAttr(
      NVVM::NVVMDialect::getMaxntidAttrName(),
      b.getDenseI32ArrayAttr({static_cast<int32_t>(32 * warps), 1, 1}));
  kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  b.getI32IntegerAttr(1));
  kernel.addEntryBlock(b);
  SignatureAttributes attributes(kernel);
  for (auto [argument, first] : llvm::zip(func.getArguments(), firsts)) {
    annotate(attributes, first, func, argument);
  }
  return kernel;
}

static LogicalResult lowerBody(gpu::GPUFuncOp func, LLVM::LLVMFuncOp kernel,
                               KernelLowering &lowering) {
  ValueRange parameters = kernel.getArguments();
  for (BlockArgument argument : func.getArguments()) {
    size_t count = getParameterTypes(argument.getType()).size();
    lowering.set(argument, parameters.take_front(count));
    parameters = parameters.drop_front(count);
  }
  if (!func.getBody().hasOneBlock()) {
    return func.emitError("expected a kernel with structured control flow");
  }
  if (failed(lowering.lowerBlock(func.getBody().front()))) {
    return failure();
  }
  LLVM::ReturnOp::create(lowering.builder, func.getLoc(), ValueRange());
  return success();
}

LogicalResult fusion::lowerTileKernel(gpu::GPUFuncOp func,
                                      int64_t maxSharedBytes) {
  static const OpLoweringTable table = [] {
    OpLoweringTable table;
    addMemoryLowerings(table);
    addWindowLowerings(table);
    addTileValueLowerings(table);
    addScalarLowerings(table);
    addControlFlowLowerings(table);
    addConcurrencyLowerings(table);
    addMultiplyLowerings(table);
    return table;
  }();
  FailureOr<int64_t> warps = getWarps(func);
  if (failed(warps)) {
    return failure();
  }
  LLVM::GlobalOp smem =
      getSharedSymbol(func->getParentOfType<gpu::GPUModuleOp>());
  FailureOr<LLVM::LLVMFuncOp> kernel = createKernel(func, *warps);
  if (failed(kernel)) {
    return failure();
  }
  KernelLowering lowering(*kernel, smem, *warps, table);
  LogicalResult lowered = lowerBody(func, *kernel, lowering);
  int64_t shared = lowering.finish();
  if (succeeded(lowered) && shared > maxSharedBytes) {
    lowered = func.emitError("expected at most ")
              << maxSharedBytes
              << " bytes of shared memory, but the kernel needs " << shared;
  }
  if (failed(lowered)) {
    kernel->erase();
    return failure();
  }
  guardSelects(*kernel);
  (*kernel)->setAttr("fusion.shared_bytes",
                     lowering.builder.getI32IntegerAttr(shared));
  func.erase();
  return success();
}

namespace {
struct TilesToGPU : fusion::impl::TilesToGPUBase<TilesToGPU> {
  using TilesToGPUBase::TilesToGPUBase;

  void runOnOperation() override {
    auto kernels =
        llvm::to_vector(getOperation().getBody()->getOps<gpu::GPUFuncOp>());
    int64_t sharedBytes = ScheduleTarget::get(target).sharedBytes;
    for (gpu::GPUFuncOp func : kernels) {
      std::optional<int64_t> registers;
      if (getKernelLimits(func, target).registers != KernelLimits().registers) {
        registers = countTileRegisters(func);
      }
      std::string name = func.getName().str();
      if (failed(lowerTileKernel(func, sharedBytes))) {
        return signalPassFailure();
      }
      if (registers) {
        auto kernel = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name);
        kernel->setAttr(kTileRegistersAttr,
                        Builder(&getContext()).getI64IntegerAttr(*registers));
      }
    }
  }
};
} // namespace
