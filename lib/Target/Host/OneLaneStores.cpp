//===- OneLaneStores.cpp - masked stores of one lane as scalars -----------===//

#include "OneLaneStores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

using namespace mlir;

/// The only lane of `mask` that is on, or nothing where there are none or
/// several, or where a lane is not known.
static std::optional<unsigned> getOnlyLane(llvm::Value *mask) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(mask);
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(mask->getType());
  if (!constant || !type) {
    return std::nullopt;
  }
  std::optional<unsigned> only;
  for (unsigned lane = 0, e = type->getNumElements(); lane < e; ++lane) {
    llvm::Constant *element = constant->getAggregateElement(lane);
    if (element &&
        (llvm::isa<llvm::UndefValue>(element) || element->isNullValue())) {
      continue;
    }
    if (!element || !element->isOneValue() || only) {
      return std::nullopt;
    }
    only = lane;
  }
  return only;
}

/// Stores lane `lane` of the value that `store` stores.
static void storeLane(llvm::IntrinsicInst &store, unsigned lane) {
  llvm::IRBuilder<> builder(&store);
  llvm::Value *value =
      builder.CreateExtractElement(store.getArgOperand(0), uint64_t(lane));
  llvm::Value *pointer = store.getArgOperand(1);
  llvm::Align align = store.getParamAlign(1).valueOrOne();
  if (lane != 0) {
    pointer =
        builder.CreateConstInBoundsGEP1_64(value->getType(), pointer, lane);
    uint64_t bytes = store.getDataLayout()
                         .getTypeStoreSize(value->getType())
                         .getFixedValue();
    align = llvm::commonAlignment(align, lane * bytes);
  }
  llvm::StoreInst *scalar = builder.CreateAlignedStore(value, pointer, align);
  scalar->setAAMetadata(store.getAAMetadata());
}

void fusion::scalarizeOneLaneStores(llvm::Function &function) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *store = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!store || store->getIntrinsicID() != llvm::Intrinsic::masked_store) {
      continue;
    }
    if (std::optional<unsigned> lane = getOnlyLane(store->getArgOperand(2))) {
      storeLane(*store, *lane);
      store->eraseFromParent();
    }
  }
}
