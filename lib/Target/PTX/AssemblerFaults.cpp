//===- AssemblerFaults.cpp - what ptxas gets wrong ------------------------===//

#include "AssemblerFaults.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace match = llvm::PatternMatch;

/// The negation of an i16 or i32 in two instructions, which ptxas takes for
/// none.
static llvm::Value *negateElement(llvm::IRBuilder<> &b, llvm::Value *value) {
  llvm::Type *type = value->getType();
  bool narrow = type->isIntegerTy(16);
  auto *text =
      llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false),
                           narrow ? "{\n\t.reg .b16 %t;\n\tnot.b16 %t, $1;\n\t"
                                    "add.s16 $0, %t, 1;\n\t}"
                                  : "{\n\t.reg .b32 %t;\n\tnot.b32 %t, $1;\n\t"
                                    "add.s32 $0, %t, 1;\n\t}",
                           narrow ? "=h,h" : "=r,r", /*hasSideEffects=*/false);
  return b.CreateCall(text, {value});
}

/// The negation of an i16 or i32, or of each one of a vector.
static llvm::Value *negate(llvm::IRBuilder<> &b, llvm::Value *value) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (!vector) {
    return negateElement(b, value);
  }
  llvm::Value *result = llvm::PoisonValue::get(vector);
  for (unsigned i = 0, e = vector->getNumElements(); i < e; ++i) {
    llvm::Value *element = negateElement(b, b.CreateExtractElement(value, i));
    result = b.CreateInsertElement(result, element, i);
  }
  return result;
}

/// Whether `value` is a negation, in one of the forms that LLVM makes one of;
/// then `negated` is set.
static bool isNegation(llvm::Value *value, llvm::Value *&negated) {
  return match::match(value, match::m_Neg(match::m_Value(negated))) ||
         match::match(value, match::m_c_Mul(match::m_Value(negated),
                                            match::m_AllOnes())) ||
         match::match(value,
                      match::m_c_Add(match::m_Not(match::m_Value(negated)),
                                     match::m_One()));
}

/// Whether `instruction` may become an operand of a minimum or a maximum: what
/// reads it is one, or a comparison or choice that LLVM may make one of.
static bool isCompared(llvm::Instruction &instruction) {
  return llvm::any_of(instruction.users(), [](llvm::User *user) {
    return llvm::isa<llvm::MinMaxIntrinsic, llvm::ICmpInst, llvm::SelectInst,
                     llvm::ExtractElementInst, llvm::PHINode>(user);
  });
}

/// `select` on the bits of its floats, where one of them is -0.
static llvm::Value *selectBits(llvm::IRBuilder<> &b, llvm::SelectInst *select) {
  auto isNegativeZero = [](llvm::Value *value) {
    return match::match(value, match::m_NegZeroFP());
  };
  llvm::Type *type = select->getType();
  if (!type->isFPOrFPVectorTy() || (!isNegativeZero(select->getTrueValue()) &&
                                    !isNegativeZero(select->getFalseValue()))) {
    return nullptr;
  }
  llvm::Type *bits =
      type->getWithNewType(b.getIntNTy(type->getScalarSizeInBits()));
  llvm::Value *chosen = b.CreateSelect(
      select->getCondition(), b.CreateBitCast(select->getTrueValue(), bits),
      b.CreateBitCast(select->getFalseValue(), bits));
  return b.CreateBitCast(chosen, type);
}

/// What to compute instead of `instruction`, before it; null: it may stay.
static llvm::Value *rewrite(llvm::IRBuilder<> &b,
                            llvm::Instruction &instruction) {
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    return selectBits(b, select);
  }
  llvm::Type *type = instruction.getType();
  bool narrow = type->isIntOrIntVectorTy(16);
  bool word = type->isIntOrIntVectorTy(32);
  llvm::Value *value = nullptr;
  if (isNegation(&instruction, value)) {
    return narrow || (word && isCompared(instruction)) ? negate(b, value)
                                                       : nullptr;
  }
  if (match::match(&instruction, match::m_Intrinsic<llvm::Intrinsic::abs>(
                                     match::m_Value(value)))) {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value,
                                   narrow || word ? negate(b, value)
                                                  : b.CreateNeg(value));
  }
  return nullptr;
}

void mlir::fusion::avoidAssemblerFaults(llvm::Module &module) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::IRBuilder<> b(&instruction);
      if (llvm::Value *result = rewrite(b, instruction)) {
        instruction.replaceAllUsesWith(result);
        instruction.eraseFromParent();
      }
    }
  }
}
