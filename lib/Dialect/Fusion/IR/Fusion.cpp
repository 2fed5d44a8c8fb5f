//===- Fusion.cpp - registration and dialect-wide hooks -------------------===//

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "ConstantFolding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

#include "fusion/Dialect/Fusion/IR/FusionDialect.cpp.inc"

#include "fusion/Dialect/Fusion/IR/FusionEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fusion/Dialect/Fusion/IR/FusionAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "fusion/Dialect/Fusion/IR/FusionOps.cpp.inc"

Type fusion::getBoolTypeLike(Type type) {
  auto shaped = cast<ShapedType>(type);
  return shaped.clone(IntegerType::get(type.getContext(), 1));
}

bool fusion::isUnsignedElement(Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

namespace {
/// Folds functions of constants that are rounded once wherever they run: ops
/// that have nothing else to fold.
struct FoldRoundedFunctions : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;

  LogicalResult fold(Operation *op, ArrayRef<Attribute> operands,
                     SmallVectorImpl<OpFoldResult> &results) const override {
    Attribute value =
        TypeSwitch<Operation *, Attribute>(op)
            .Case([&](SqrtOp) { return foldSqrt(operands[0]); })
            .Case([&](ReciprocalOp) { return foldReciprocal(operands[0]); })
            .Default(Attribute());
    if (value) {
      results.push_back(value);
    }
    return success(value != nullptr);
  }
};
} // namespace

void FusionDialect::initialize() {
  registerAttributes();
  registerOps();
  addInterfaces<FoldRoundedFunctions>();
}

void FusionDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fusion/Dialect/Fusion/IR/FusionAttrs.cpp.inc"
      >();
}

void FusionDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "fusion/Dialect/Fusion/IR/FusionOps.cpp.inc"
      >();
}

Operation *FusionDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || !isa<RankedTensorType>(type)) {
    return nullptr;
  }
  return ConstantOp::create(builder, loc, type, elements);
}

/// Checks `fusion.dims`: one string per dim of `type`, "" where it is static.
static LogicalResult verifyDimNames(Operation *op, Attribute attr, Type type) {
  auto names = dyn_cast<ArrayAttr>(attr);
  if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>)) {
    return op->emitError("expected 'fusion.dims' to be an array of strings");
  }
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank()) {
    return op->emitError("expected 'fusion.dims' on a ranked type, but got ")
           << type;
  }
  if (static_cast<int64_t>(names.size()) != shaped.getRank()) {
    return op->emitError("expected 'fusion.dims' to have ")
           << shaped.getRank() << " names, but got " << names.size();
  }
  for (auto [index, name] : llvm::enumerate(names)) {
    bool named = !cast<StringAttr>(name).getValue().empty();
    if (named && !shaped.isDynamicDim(index)) {
      return op->emitError("expected no name in 'fusion.dims' for static dim ")
             << index << ", but got " << name;
    }
  }
  return success();
}

/// Checks the attribute of one argument or result of type `type`.
static LogicalResult verifyValueAttribute(Operation *op, NamedAttribute attr,
                                          Type type) {
  StringRef name = attr.getName();
  if (name == FusionDialect::kDimsAttr) {
    return verifyDimNames(op, attr.getValue(), type);
  }
  bool isString =
      name == FusionDialect::kNameAttr || name == FusionDialect::kDTypeAttr;
  if (isString && !isa<StringAttr>(attr.getValue())) {
    return op->emitError("expected '") << name << "' to be a string";
  }
  bool isUnit =
      name == FusionDialect::kWeightAttr || name == FusionDialect::kDonatedAttr;
  if (isUnit && !isa<UnitAttr>(attr.getValue())) {
    return op->emitError("expected '") << name << "' to be a unit attribute";
  }
  return success();
}

LogicalResult FusionDialect::verifyRegionArgAttribute(Operation *op,
                                                      unsigned regionIndex,
                                                      unsigned argIndex,
                                                      NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function) {
    return success();
  }
  return verifyValueAttribute(op, attr, function.getArgumentTypes()[argIndex]);
}

LogicalResult FusionDialect::verifyRegionResultAttribute(Operation *op,
                                                         unsigned regionIndex,
                                                         unsigned resultIndex,
                                                         NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function) {
    return success();
  }
  return verifyValueAttribute(op, attr, function.getResultTypes()[resultIndex]);
}
