//===- VerifyPTXLegal.cpp - what LLVM's PTX back end cannot select --------===//

#include "fusion/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_VERIFYPTXLEGAL
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Number types that the back end computes with.
static bool isLegalNumber(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto integer = dyn_cast<IntegerType>(element)) {
    return integer.getWidth() <= 64;
  }
  if (isa<FloatType>(element)) {
    return element.isF16() || element.isBF16() || element.isF32() ||
           element.isF64();
  }
  return true;
}

/// Math that is an instruction, or that LLVM expands into some.
static bool isLegalMath(Operation *op) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<math::AbsFOp, math::AbsIOp, math::CopySignOp,
          math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp,
          math::FmaOp>(op)) {
    return true;
  }
  bool isWide = element.isF32() || element.isF64();
  return isWide && isa<math::CeilOp, math::FloorOp, math::RoundEvenOp,
                       math::RsqrtOp, math::SqrtOp, math::TruncOp>(op);
}

/// LLVM intrinsics that would become calls of a library.
static bool isLibraryIntrinsic(Operation *op) {
  return isa<LLVM::ACosOp, LLVM::ASinOp, LLVM::ATanOp, LLVM::ATan2Op,
             LLVM::CosOp, LLVM::CoshOp, LLVM::ExpOp, LLVM::Exp2Op,
             LLVM::Exp10Op, LLVM::FRemOp, LLVM::LogOp, LLVM::Log2Op,
             LLVM::Log10Op, LLVM::PowOp, LLVM::PowIOp, LLVM::SinOp,
             LLVM::SincosOp, LLVM::SinhOp, LLVM::TanOp, LLVM::TanhOp>(op);
}

/// Whether `op` calls a function that the kernels' module does not define.
static bool callsOutside(Operation *op, SymbolTableCollection &symbols) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call) {
    return false;
  }
  auto callee = call.getCalleeAttr();
  auto function =
      callee ? symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(op, callee)
             : LLVM::LLVMFuncOp();
  return !function || function.isExternal();
}

/// Whether `op` may be in a kernel's module at all.
static bool isLegalDialect(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, cf::ControlFlowDialect,
                         LLVM::LLVMDialect, math::MathDialect,
                         NVVM::NVVMDialect, scf::SCFDialect,
                         vector::VectorDialect>(op->getDialect()) ||
         isa<ModuleOp, gpu::GPUModuleOp, UnrealizedConversionCastOp>(op);
}

/// Why the back end cannot select `op`; empty if it can.
static std::string getRefusal(Operation *op, SymbolTableCollection &symbols) {
  if (!isLegalDialect(op)) {
    return "expected an op of stage 5 in a kernel";
  }
  auto types =
      llvm::concat<const Type>(llvm::to_vector_of<Type>(op->getOperandTypes()),
                               llvm::to_vector_of<Type>(op->getResultTypes()));
  for (Type type : types) {
    // Eight-bit floats may be moved and reinterpreted as they are.
    if (!isLegalNumber(type) && !isa<arith::BitcastOp>(op)) {
      return llvm::formatv(
                 "expected numbers that PTX computes with, but got '{0}'", type)
          .str();
    }
  }
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
      !isLegalMath(op)) {
    return llvm::formatv("expected a function that PTX has (or that "
                         "fusion-expand-math expands), but got it on '{0}'",
                         op->getResult(0).getType())
        .str();
  }
  if (isa<arith::RemFOp>(op) || isLibraryIntrinsic(op)) {
    return "expected arithmetic that is exact in PTX without a library";
  }
  if (callsOutside(op, symbols)) {
    return "expected a call of a function that the module defines";
  }
  return "";
}

namespace {
struct VerifyPTXLegal : fusion::impl::VerifyPTXLegalBase<VerifyPTXLegal> {
  using VerifyPTXLegalBase::VerifyPTXLegalBase;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    bool legal = true;
    getOperation()->walk([&](Operation *op) {
      std::string refusal = getRefusal(op, symbols);
      if (!refusal.empty()) {
        op->emitOpError(refusal);
        legal = false;
      }
    });
    if (!legal) {
      signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
