//===- HostCalls.cpp - context and status through host functions ----------===//

#include "HostCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion;

LLVM::LLVMFuncOp fusion::getRuntimeFunction(ModuleOp module, StringRef name,
                                            Type result,
                                            ArrayRef<Type> arguments) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name)) {
    return function;
  }
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  return LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), name,
      LLVM::LLVMFunctionType::get(result, arguments));
}

/// Whether `call` runs a step of the program: a function of ours with a body
/// that returns nothing. Others are libm's and the like.
static func::FuncOp getStep(func::CallOp call, SymbolTableCollection &symbols) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  bool isStep = callee && !callee.isExternal() && call.getNumResults() == 0 &&
                !call->hasAttr("fusion.parallel");
  return isStep ? callee : func::FuncOp();
}

/// @main and the steps that it calls, directly or not.
static SetVector<func::FuncOp> collectSteps(func::FuncOp main,
                                            SymbolTableCollection &symbols) {
  SetVector<func::FuncOp> steps;
  steps.insert(main);
  for (size_t i = 0; i < steps.size(); ++i) {
    func::FuncOp caller = steps[i];
    caller.walk([&](func::CallOp call) {
      if (func::FuncOp step = getStep(call, symbols)) {
        steps.insert(step);
      }
    });
  }
  return steps;
}

/// Adds the context, the stream and the status to the type of `function`.
static void extendSignature(func::FuncOp function) {
  Builder builder(function.getContext());
  Type pointer = LLVM::LLVMPointerType::get(function.getContext());
  Location loc = function.getLoc();
  (void)function.insertArguments({0, 0}, {pointer, pointer}, {{}, {}},
                                 {loc, loc});
  (void)function.insertResult(0, builder.getI32Type(), {});
}

/// Makes the call of a step pass the context and the stream; returns its
/// status.
static Value extendCall(func::CallOp call) {
  auto function = call->getParentOfType<func::FuncOp>();
  OpBuilder builder(call);
  SmallVector<Value> operands = {function.getArgument(0),
                                 function.getArgument(1)};
  llvm::append_range(operands, call.getOperands());
  auto extended =
      func::CallOp::create(builder, call.getLoc(), call.getCallee(),
                           TypeRange{builder.getI32Type()}, operands);
  call.erase();
  return extended.getResult(0);
}

/// Makes `function` return right after the op of each status that is not zero.
static LogicalResult checkStatuses(func::FuncOp function,
                                   ArrayRef<Value> statuses) {
  Location loc = function.getLoc();
  OpBuilder builder(function.getContext());
  for (auto returnOp :
       llvm::make_early_inc_range(function.getOps<func::ReturnOp>())) {
    builder.setInsertionPoint(returnOp);
    Value success = arith::ConstantIntOp::create(builder, loc, 0, 32);
    returnOp->setOperands(success);
  }
  if (statuses.empty()) {
    return success();
  }
  Region &body = function.getBody();
  Block *exit =
      builder.createBlock(&body, body.end(), builder.getI32Type(), {loc});
  func::ReturnOp::create(builder, loc, exit->getArguments());
  for (Value status : statuses) {
    Operation *call = status.getDefiningOp();
    if (call->getParentOp() != function) {
      return call->emitError("expected structured control flow to be lowered "
                             "before calls that may fail");
    }
    Block *block = call->getBlock();
    Block *rest = block->splitBlock(std::next(call->getIterator()));
    builder.setInsertionPointToEnd(block);
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
    Value ok = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                     status, zero);
    cf::CondBranchOp::create(builder, loc, ok, rest, ValueRange(), exit,
                             status);
  }
  return success();
}

LogicalResult fusion::lowerHostCalls(func::FuncOp main,
                                     const KernelNumbers &kernels,
                                     const LLVMTypeConverter &converter) {
  SymbolTableCollection symbols;
  SetVector<func::FuncOp> steps = collectSteps(main, symbols);
  // Calls of steps are told by their having no result yet.
  SmallVector<SmallVector<func::CallOp>> calls(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    func::FuncOp step = steps[i];
    step.walk([&](func::CallOp call) {
      if (getStep(call, symbols)) {
        calls[i].push_back(call);
      }
    });
  }
  for (func::FuncOp step : steps) {
    extendSignature(step);
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    func::FuncOp step = steps[i];
    SmallVector<Value> statuses;
    for (func::CallOp call : calls[i]) {
      statuses.push_back(extendCall(call));
    }
    if (failed(lowerLaunches(step, kernels, statuses)) ||
        failed(lowerParallelCalls(step, converter, statuses)) ||
        failed(checkStatuses(step, statuses))) {
      return failure();
    }
  }
  return success();
}
