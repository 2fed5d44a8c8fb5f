//===- ResultDimsInMemory.cpp - sizes of results through a pointer --------===//

#include "HostEntry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::fusion;

/// The address of `array[index]`, an array of i64.
static Value getElement(ImplicitLocOpBuilder &b, Value array, size_t index) {
  return LLVM::GEPOp::create(b, array.getType(), b.getI64Type(), array,
                             ArrayRef<LLVM::GEPArg>{int32_t(index)});
}

/// Makes `function` store what it returned through a last argument.
static void storeResults(func::FuncOp function) {
  ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
  unsigned last = function.getNumArguments();
  (void)function.insertArgument(
      last, LLVM::LLVMPointerType::get(b.getContext()), {}, b.getLoc());
  function.walk([&](func::ReturnOp end) {
    b.setInsertionPoint(end);
    for (auto [i, dim] : llvm::enumerate(end.getOperands())) {
      Value value = arith::IndexCastOp::create(b, b.getI64Type(), dim);
      LLVM::StoreOp::create(b, value,
                            getElement(b, function.getArgument(last), i));
    }
    end->setOperands({});
  });
  (void)function.eraseResults(BitVector(function.getNumResults(), true));
}

/// Replaces `call` by one of `function`, which stores what `call` returned.
static void loadResults(func::CallOp call, func::FuncOp function) {
  ImplicitLocOpBuilder b(call.getLoc(), call.getContext());
  auto caller = call->getParentOfType<func::FuncOp>();
  b.setInsertionPointToStart(&caller.getBody().front());
  Value count = LLVM::ConstantOp::create(
      b, b.getI64Type(), b.getI64IntegerAttr(call.getNumResults()));
  SmallVector<Value> operands(call.getOperands());
  operands.push_back(LLVM::AllocaOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext()), b.getI64Type(), count));
  b.setInsertionPoint(call);
  func::CallOp::create(b, function, operands);
  for (auto [i, dim] : llvm::enumerate(call.getResults())) {
    if (!dim.use_empty()) {
      Value value = LLVM::LoadOp::create(b, b.getI64Type(),
                                         getElement(b, operands.back(), i));
      dim.replaceAllUsesWith(
          arith::IndexCastOp::create(b, b.getIndexType(), value).getResult());
    }
  }
  call.erase();
}

void fusion::passResultDimsInMemory(func::FuncOp function) {
  SmallVector<func::CallOp> calls;
  function->getParentOfType<ModuleOp>().walk([&](func::CallOp call) {
    if (call.getCallee() == function.getName()) {
      calls.push_back(call);
    }
  });
  if (function.isExternal() || function.getNumResults() == 0) {
    return;
  }
  storeResults(function);
  for (func::CallOp call : calls) {
    loadResults(call, function);
  }
  if (calls.empty()) {
    function.erase();
  }
}
