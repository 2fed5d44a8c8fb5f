//===- ParallelCalls.cpp - parallel calls to fusionRtParallelFor ----------===//
//
//   call @body(%c0, %n, captures...) {fusion.parallel}
//
// becomes: the captures are stored in a struct on the stack, and
//
//   fusionRtParallelFor(context, n, @body_range, &captures)
//
// where body_range(env, begin, end) loads them and calls
// @body(begin, end, captures...).
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::fusion;

/// Converts `value` to `type`, the LLVM type of it, or back.
static Value castTo(ImplicitLocOpBuilder &b, Value value, Type type) {
  if (value.getType() == type) {
    return value;
  }
  return UnrealizedConversionCastOp::create(b, type, value).getResult(0);
}

/// Creates `name(env, begin, end)`, which calls `body` on a range with the
/// captures that `env`, a struct of type `envType`, holds.
static void createRangeFunction(ModuleOp module, StringRef name,
                                func::FuncOp body, Type envType) {
  ImplicitLocOpBuilder b(body.getLoc(), module.getContext());
  b.setInsertionPointAfter(body);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type();
  auto function =
      func::FuncOp::create(b, name, b.getFunctionType({pointer, i64, i64}, {}));
  function.setPrivate();
  b.setInsertionPointToStart(function.addEntryBlock());
  Value env = LLVM::LoadOp::create(b, envType, function.getArgument(0));
  SmallVector<Value> operands;
  for (unsigned i : {1, 2}) {
    operands.push_back(arith::IndexCastOp::create(b, b.getIndexType(),
                                                  function.getArgument(i)));
  }
  for (auto [i, type] :
       llvm::enumerate(body.getArgumentTypes().drop_front(2))) {
    Value field = LLVM::ExtractValueOp::create(b, env, i);
    operands.push_back(castTo(b, field, type));
  }
  func::CallOp::create(b, body, operands);
  func::ReturnOp::create(b);
}

static FailureOr<Value> lowerParallelCall(func::CallOp call,
                                          const LLVMTypeConverter &converter) {
  auto module = call->getParentOfType<ModuleOp>();
  auto function = call->getParentOfType<func::FuncOp>();
  auto body = module.lookupSymbol<func::FuncOp>(call.getCallee());
  ImplicitLocOpBuilder b(call.getLoc(), call);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type();

  SmallVector<Type> fields;
  for (Type type : body.getArgumentTypes().drop_front(2)) {
    fields.push_back(converter.convertType(type));
    if (!fields.back()) {
      return call.emitOpError("expected captures with an LLVM type, but got ")
             << type;
    }
  }
  auto envType = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  std::string name = (call.getCallee() + "_range").str();
  if (!module.lookupSymbol(name)) {
    createRangeFunction(module, name, body, envType);
  }
  Value env = LLVM::PoisonOp::create(b, envType);
  for (auto [i, capture] : llvm::enumerate(call.getOperands().drop_front(2))) {
    env = LLVM::InsertValueOp::create(b, env, castTo(b, capture, fields[i]), i);
  }
  Value one = LLVM::ConstantOp::create(b, i64, 1);
  Value memory = LLVM::AllocaOp::create(b, pointer, envType, one);
  LLVM::StoreOp::create(b, env, memory);
  Value count = arith::IndexCastOp::create(b, i64, call.getOperand(1));
  Value range = LLVM::AddressOfOp::create(b, pointer, name);
  auto runtime =
      getRuntimeFunction(module, "fusionRtParallelFor", b.getI32Type(),
                         {pointer, i64, pointer, pointer});
  auto status = LLVM::CallOp::create(
      b, runtime, ValueRange{function.getArgument(0), count, range, memory});
  call.erase();
  return status.getResult();
}

LogicalResult fusion::lowerParallelCalls(func::FuncOp function,
                                         const LLVMTypeConverter &converter,
                                         SmallVectorImpl<Value> &statuses) {
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) {
    if (call->hasAttr("fusion.parallel")) {
      calls.push_back(call);
    }
  });
  for (func::CallOp call : calls) {
    FailureOr<Value> status = lowerParallelCall(call, converter);
    if (failed(status)) {
      return failure();
    }
    statuses.push_back(*status);
  }
  return success();
}
