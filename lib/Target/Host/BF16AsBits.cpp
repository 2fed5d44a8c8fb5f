//===- BF16AsBits.cpp - bf16 values of host programs as integers ----------===//

#include "BF16AsBits.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;

static bool isBF16(Type type) { return getElementTypeOrSelf(type).isBF16(); }

/// Whether `op` reads or makes bf16 numbers other than by moving them.
static bool computesOnBF16(Operation *op) {
  bool hasBF16 = llvm::any_of(op->getOperandTypes(), isBF16) ||
                 llvm::any_of(op->getResultTypes(), isBF16);
  // Arithmetic, comparisons and intrinsics of floats have fast-math flags.
  bool isArithmetic =
      isa<LLVM::FastmathFlagsInterface>(op) && !isa<LLVM::SelectOp>(op);
  return hasBF16 && (isArithmetic ||
                     isa<LLVM::FPExtOp, LLVM::FPTruncOp, LLVM::SIToFPOp,
                         LLVM::UIToFPOp, LLVM::FPToSIOp, LLVM::FPToUIOp>(op));
}

void fusion::storeBF16AsBits(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return computesOnBF16(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (found.wasInterrupted()) {
    return;
  }
  auto bits = IntegerType::get(module.getContext(), 16);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](BFloat16Type) -> Type { return bits; });
  replacer.addReplacement([&](FloatAttr number) -> std::optional<Attribute> {
    if (!number.getType().isBF16()) {
      return std::nullopt;
    }
    return IntegerAttr::get(bits, number.getValue().bitcastToAPInt());
  });
  replacer.addReplacement(
      [&](DenseElementsAttr numbers) -> std::optional<Attribute> {
        if (!numbers.getElementType().isBF16()) {
          return std::nullopt;
        }
        return numbers.bitcast(bits);
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}
