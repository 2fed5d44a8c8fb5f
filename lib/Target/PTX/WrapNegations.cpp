//===- WrapNegations.cpp - negations that wrap ----------------------------===//

#include "WrapNegations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using llvm::Instruction;
using llvm::Type;
namespace match = llvm::PatternMatch;

/// The 16-bit integer, or vector of them, whose negation or absolute value
/// `instruction` is; null for any other instruction.
static llvm::Value *getNegated(Instruction &instruction) {
  llvm::Value *value = nullptr;
  bool matches =
      match::match(&instruction, match::m_Neg(match::m_Value(value))) ||
      match::match(&instruction, match::m_Intrinsic<llvm::Intrinsic::abs>(
                                     match::m_Value(value)));
  bool narrow = instruction.getType()->isIntOrIntVectorTy(16) &&
                !llvm::isa<llvm::ScalableVectorType>(instruction.getType());
  return matches && narrow ? value : nullptr;
}

/// The negation of an i16 in two instructions whose results ptxas wraps.
static llvm::Value *negate(llvm::IRBuilder<> &b, llvm::Value *value) {
  Type *type = b.getInt16Ty();
  auto *text =
      llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false),
                           "{\n\t.reg .b16 %t;\n\tnot.b16 %t, $1;\n\t"
                           "add.s16 $0, %t, 1;\n\t}",
                           "=h,h", /*hasSideEffects=*/false);
  return b.CreateCall(text, {value});
}

/// The result of `instruction` for one element of its operand.
static llvm::Value *wrapElement(llvm::IRBuilder<> &b, Instruction &instruction,
                                llvm::Value *value) {
  llvm::Value *negated = negate(b, value);
  return llvm::isa<llvm::IntrinsicInst>(instruction)
             ? b.CreateSelect(b.CreateICmpSLT(value, b.getInt16(0)), negated,
                              value)
             : negated;
}

/// The larger one of `value` and its negation.
static llvm::Value *makeAbsolute(llvm::IRBuilder<> &b, llvm::Value *value) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value,
                                 b.CreateNeg(value));
}

void mlir::fusion::wrapNegations(llvm::Module &module) {
  for (llvm::Function &function : module) {
    for (Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Value *value = getNegated(instruction);
      auto *absolute = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!value && absolute &&
          absolute->getIntrinsicID() == llvm::Intrinsic::abs) {
        llvm::IRBuilder<> b(absolute);
        absolute->replaceAllUsesWith(
            makeAbsolute(b, absolute->getArgOperand(0)));
        absolute->eraseFromParent();
        continue;
      }
      if (!value) {
        continue;
      }
      llvm::IRBuilder<> b(&instruction);
      llvm::Value *result = nullptr;
      if (auto *vector =
              llvm::dyn_cast<llvm::FixedVectorType>(value->getType())) {
        result = llvm::PoisonValue::get(vector);
        for (unsigned i = 0, e = vector->getNumElements(); i < e; ++i) {
          llvm::Value *element =
              wrapElement(b, instruction, b.CreateExtractElement(value, i));
          result = b.CreateInsertElement(result, element, i);
        }
      } else {
        result = wrapElement(b, instruction, value);
      }
      instruction.replaceAllUsesWith(result);
      instruction.eraseFromParent();
    }
  }
}
