//===- OutlineGroups.cpp - groups to functions on memrefs -----------------===//

#include "fusion/Conversion/OutlineGroups/OutlineGroups.h"

#include "fusion/Analysis/Renaming.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Dialect/Fusion/IR/Encodings.h"
#include "fusion/Dialect/Fusion/Transforms/DeadOps.h"
#include "fusion/Planner/FormGroups.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_OUTLINEGROUPS
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

static MemRefType getBufferType(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

namespace {
/// Rebuilds @main on memrefs: `source` in stage 3 becomes `host`.
class HostBuilder {
public:
  HostBuilder(func::FuncOp source, GroupFunctions &functions)
      : source(source), functions(functions), builder(source.getContext()) {}

  LogicalResult build();

private:
  LogicalResult check();
  void collectConstants();
  void makeFunction();
  void placeResults();
  Value undoRenaming(Value buffer, Operation *rename);
  void visit(Operation &op);
  void visitGroup(GroupOp group);
  Value allocate(Value init);
  Value getJoined(tensor::ConcatOp concat, Value init);
  void rename(Operation &op);

  func::FuncOp source;
  func::FuncOp host;
  GroupFunctions &functions;
  OpBuilder builder;
  SmallVector<Value> constants;  // tensors that become arguments
  IRMapping mapping;             // tensors to memrefs, indices to indices
  DenseMap<Value, Value> placed; // results of groups to their buffers
};
} // namespace

/// Returns whether stage 3 allows `op` outside of groups.
static bool isAllowedOutside(Operation &op) {
  if (isa<GroupOp, tensor::EmptyOp, tensor::ConcatOp, func::ReturnOp>(op) ||
      isRenaming(&op) || op.hasTrait<OpTrait::ConstantLike>()) {
    return true;
  }
  if (auto dimOp = dyn_cast<tensor::DimOp>(op)) {
    return dimOp.getConstantIndex().has_value();
  }
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return isPure(&op) && op.getNumRegions() == 0 &&
         llvm::all_of(op.getOperandTypes(), isScalar) &&
         llvm::all_of(op.getResultTypes(), isScalar);
}

/// Returns what a person can write instead of `op`, which stands outside of
/// groups; empty where that depends.
static StringRef getAdvice(Operation &op) {
  if (isa<LoopLikeOpInterface>(op)) {
    return "a loop around operations on tensors is not compiled: write out "
           "each of its steps, or a linalg operation in its place";
  }
  if (isa<CallOpInterface>(op)) {
    return "a call is compiled where the function's body is in this module, "
           "and does not call itself";
  }
  StringRef dialect = op.getName().getDialectNamespace();
  if (dialect == "linalg" || (dialect == "fusion" && !isa<IfOp>(op))) {
    return "what computes stands in groups, which fusion-form-groups makes";
  }
  if (op.getNumRegions() > 1) {
    return "a branch is compiled where it gives tensors of known rank only (a "
           "scalar can be a tensor of one element), has no effects, and its "
           "condition is made of elements of tensors by simple code";
  }
  return "";
}

/// Refuses `op`, which is in no group.
static LogicalResult refuse(Operation &op) {
  InFlightDiagnostic error =
      op.emitError("expected only groups, renaming reshapes, "
                   "concatenations, sizes and constants outside of "
                   "groups, but got '")
      << op.getName() << "'";
  if (StringRef advice = getAdvice(op); !advice.empty()) {
    error.attachNote() << advice;
  }
  return error;
}

/// Checks that it is known where each part of `concat` lies.
static LogicalResult checkConcat(tensor::ConcatOp concat) {
  for (Value part : concat.getInputs()) {
    auto type = cast<RankedTensorType>(part.getType());
    if (type.isDynamicDim(concat.getDim())) {
      return concat.emitOpError("expected parts of known sizes along dim ")
             << concat.getDim() << ", but got " << type;
    }
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (dim != int64_t(concat.getDim()) &&
          type.getDimSize(dim) != concat.getType().getDimSize(dim)) {
        return concat.emitOpError("expected parts of the result's shape along "
                                  "other dims, but got ")
               << type << " in " << concat.getType();
      }
    }
  }
  return success();
}

LogicalResult HostBuilder::check() {
  if (failed(checkEncodings(source))) {
    return failure();
  }
  if (source.isExternal() || !source.getBody().hasOneBlock()) {
    return source.emitError("expected a body of one block");
  }
  for (Type type : llvm::concat<const Type>(source.getArgumentTypes(),
                                            source.getResultTypes())) {
    if (!isa<RankedTensorType>(type)) {
      return source.emitError("expected arguments and results that are ranked "
                              "tensors, but got ")
             << type;
    }
  }
  for (Operation &op : source.getBody().front()) {
    if (!isAllowedOutside(op)) {
      return refuse(op);
    }
    auto group = dyn_cast<GroupOp>(op);
    if (group && failed(checkLaunch(group))) {
      return failure();
    }
    auto concat = dyn_cast<tensor::ConcatOp>(op);
    if (concat && failed(checkConcat(concat))) {
      return failure();
    }
    if (isRenaming(&op) && op.getOperand(0).getDefiningOp<tensor::EmptyOp>()) {
      return op.emitError("expected a reshape of a value, but got one of "
                          "'tensor.empty'");
    }
  }
  return success();
}

void HostBuilder::collectConstants() {
  for (Operation &op : source.getBody().front()) {
    if (op.hasTrait<OpTrait::ConstantLike>() && isTensor(op.getResult(0))) {
      constants.push_back(op.getResult(0));
    }
  }
}

/// Makes the function and its arguments: those of the graph, the constants,
/// the results.
void HostBuilder::makeFunction() {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  SmallVector<Location> locations;
  auto add = [&](Value value, ArrayRef<NamedAttribute> attrs) {
    types.push_back(getBufferType(value));
    attributes.push_back(builder.getDictionaryAttr(attrs));
    locations.push_back(value.getLoc());
  };
  for (auto [index, argument] : llvm::enumerate(source.getArguments())) {
    add(argument, cast<FunctionOpInterface>(*source).getArgAttrs(index));
  }
  for (Value constant : constants) {
    Attribute value;
    matchPattern(constant, m_Constant(&value));
    add(constant, builder.getNamedAttr(kConstantAttr, value));
  }
  Operation *terminator = source.getBody().front().getTerminator();
  for (auto [index, result] : llvm::enumerate(terminator->getOperands())) {
    SmallVector<NamedAttribute> attrs(
        cast<FunctionOpInterface>(*source).getResultAttrs(index));
    attrs.push_back(builder.getNamedAttr(kResultAttr, builder.getUnitAttr()));
    add(result, attrs);
  }
  builder.setInsertionPoint(source);
  host = func::FuncOp::create(builder, source.getLoc(), source.getName(),
                              builder.getFunctionType(types, {}));
  host.setAllArgAttrs(attributes);
  Block *body = host.addEntryBlock();
  for (auto [argument, loc] :
       llvm::zip_equal(body->getArguments(), locations)) {
    argument.setLoc(loc);
  }
  builder.setInsertionPointToStart(body);
  unsigned numArguments = source.getNumArguments();
  mapping.map(source.getArguments(),
              host.getArguments().take_front(numArguments));
  mapping.map(constants,
              host.getArguments().slice(numArguments, constants.size()));
}

/// Returns `buffer`, which holds the result of `rename`, as its operand.
Value HostBuilder::undoRenaming(Value buffer, Operation *rename) {
  Location loc = rename->getLoc();
  MemRefType type = getBufferType(rename->getOperand(0));
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(rename)) {
    return memref::CollapseShapeOp::create(builder, loc, type, buffer,
                                           expand.getReassociationIndices());
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(rename)) {
    return memref::ExpandShapeOp::create(builder, loc, type, buffer,
                                         collapse.getReassociationIndices());
  }
  return memref::CastOp::create(builder, loc, type, buffer);
}

/// Lets the group that makes a returned value write it in its place.
void HostBuilder::placeResults() {
  Operation *terminator = source.getBody().front().getTerminator();
  unsigned first = source.getNumArguments() + constants.size();
  for (auto [index, result] : llvm::enumerate(terminator->getOperands())) {
    Value value = result;
    Value buffer = host.getArgument(first + index);
    while (value) {
      if (value.getDefiningOp<tensor::ConcatOp>()) {
        placed[value] = buffer;
        break;
      }
      if (value.getDefiningOp<GroupOp>()) {
        placed[value] = buffer;
        // What another group wrote to the same destination lies there too.
        value = getKeptDestination(cast<OpResult>(value));
        continue;
      }
      buffer = undoRenaming(buffer, value.getDefiningOp());
      value = value.getDefiningOp()->getOperand(0);
    }
  }
}

/// Allocates a buffer of the shape of `init`.
Value HostBuilder::allocate(Value init) {
  MemRefType type = getBufferType(init);
  SmallVector<Value> sizes;
  if (auto empty = init.getDefiningOp<tensor::EmptyOp>()) {
    for (Value size : empty.getDynamicSizes()) {
      sizes.push_back(mapping.lookup(size));
    }
  } else {
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (type.isDynamicDim(dim)) {
        sizes.push_back(memref::DimOp::create(builder, init.getLoc(),
                                              mapping.lookup(init), dim));
      }
    }
  }
  return memref::AllocOp::create(builder, init.getLoc(), type, sizes);
}

/// Returns the buffer of `concat`; `init` has the sizes of one of its parts.
Value HostBuilder::getJoined(tensor::ConcatOp concat, Value init) {
  Value buffer = mapping.lookupOrNull(concat.getResult());
  if (buffer) {
    return buffer;
  }
  buffer = placed.lookup(concat.getResult());
  if (!buffer) {
    Location loc = concat.getLoc();
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Value> sizes;
    MemRefType type = getBufferType(concat.getResult());
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      if (ShapedType::isDynamic(size)) {
        auto empty = init.getDefiningOp<tensor::EmptyOp>();
        sizes.push_back(mapping.lookup(empty.getDynamicSize(dim)));
      }
    }
    buffer = memref::AllocOp::create(builder, loc, type, sizes);
  }
  mapping.map(concat.getResult(), buffer);
  return buffer;
}

void HostBuilder::visitGroup(GroupOp group) {
  SmallVector<Value> operands;
  for (Value input : group.getInputs()) {
    Value buffer = mapping.lookupOrNull(input);
    operands.push_back(buffer ? buffer : allocate(input)); // a tensor.empty
  }
  SmallVector<ResultPlace> places;
  for (auto [result, init] :
       llvm::zip_equal(group->getResults(), group.getInits())) {
    places.push_back(getPlace(result));
    if (places.back().whole) {
      auto concat = cast<tensor::ConcatOp>(*result.user_begin());
      operands.push_back(getJoined(concat, init));
      continue;
    }
    Value buffer = placed.lookup(result);
    if (!buffer) {
      Value kept = getKeptDestination(result);
      buffer = kept ? mapping.lookup(kept) : allocate(init);
    }
    mapping.map(result, buffer);
    operands.push_back(buffer);
  }
  func::CallOp::create(builder, group.getLoc(),
                       functions.getOrCreate(group, places), operands);
}

/// Returns whether upstream's lowering of memref.expand_shape can find all
/// sizes: it knows at most one dynamic size for each dim of the source.
static bool hasDerivableSizes(tensor::ExpandShapeOp expand) {
  RankedTensorType type = expand.getResultType();
  return llvm::all_of(expand.getReassociationIndices(), [&](const auto &dims) {
    return llvm::count_if(
               dims, [&](int64_t dim) { return type.isDynamicDim(dim); }) <= 1;
  });
}

/// Returns `buffer`, which is dense, with other sizes.
static Value makeDenseView(OpBuilder &builder, Location loc, MemRefType type,
                           Value buffer, ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(sizes.size());
  AffineExpr a = builder.getAffineSymbolExpr(0);
  AffineExpr b = builder.getAffineSymbolExpr(1);
  OpFoldResult stride = builder.getIndexAttr(1);
  for (int64_t dim = sizes.size() - 1; dim >= 0; --dim) {
    strides[dim] = stride;
    stride = affine::makeComposedFoldedAffineApply(builder, loc, a * b,
                                                   {stride, sizes[dim]});
  }
  return memref::ReinterpretCastOp::create(
      builder, loc, type, buffer, builder.getIndexAttr(0), sizes, strides);
}

void HostBuilder::rename(Operation &op) {
  Location loc = op.getLoc();
  Value buffer = mapping.lookup(op.getOperand(0));
  MemRefType type = getBufferType(op.getResult(0));
  Value renamed;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<OpFoldResult> shape = expand.getMixedOutputShape();
    for (OpFoldResult &size : shape) {
      if (auto value = dyn_cast<Value>(size)) {
        size = mapping.lookup(value);
      }
    }
    renamed = hasDerivableSizes(expand)
                  ? memref::ExpandShapeOp::create(
                        builder, loc, type, buffer,
                        expand.getReassociationIndices(), shape)
                        .getResult()
                  : makeDenseView(builder, loc, type, buffer, shape);
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    renamed = memref::CollapseShapeOp::create(
        builder, loc, type, buffer, collapse.getReassociationIndices());
  } else {
    renamed = memref::CastOp::create(builder, loc, type, buffer);
  }
  mapping.map(op.getResult(0), renamed);
}

void HostBuilder::visit(Operation &op) {
  if (auto group = dyn_cast<GroupOp>(op)) {
    visitGroup(group);
  } else if (isRenaming(&op)) {
    rename(op);
  } else if (auto dimOp = dyn_cast<tensor::DimOp>(op)) {
    auto empty = dimOp.getSource().getDefiningOp<tensor::EmptyOp>();
    int64_t dim = *dimOp.getConstantIndex();
    Value size;
    if (empty && empty.getType().isDynamicDim(dim)) {
      size = mapping.lookup(empty.getDynamicSize(dim));
    } else if (empty) {
      size = arith::ConstantIndexOp::create(builder, op.getLoc(),
                                            empty.getType().getDimSize(dim));
    } else {
      size = memref::DimOp::create(builder, op.getLoc(),
                                   mapping.lookup(dimOp.getSource()), dim);
    }
    mapping.map(dimOp.getResult(), size);
  } else if (op.getNumResults() != 0 && !isTensor(op.getResult(0))) {
    builder.clone(op, mapping);
  }
}

LogicalResult HostBuilder::build() {
  if (failed(check())) {
    return failure();
  }
  copySharedResults(source);
  separateParts(source);
  separateDestinations(source);
  Block &body = source.getBody().front();
  eraseDeadOps(body);
  collectConstants();
  addResultDims(source, constants);
  makeFunction();
  placeResults();
  for (Operation &op : body) {
    visit(op);
  }
  func::ReturnOp::create(builder, source.getLoc());
  eraseDeadOps(host.getBody().front());
  source.erase();
  return success();
}

LogicalResult fusion::outlineGroups(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main) {
    return module.emitError("expected a function 'main'");
  }
  GroupFunctions functions(module);
  return HostBuilder(main, functions).build();
}

namespace {
struct OutlineGroupsPass
    : mlir::fusion::impl::OutlineGroupsBase<OutlineGroupsPass> {
  void runOnOperation() override {
    if (failed(outlineGroups(getOperation()))) {
      signalPassFailure();
    }
  }
};
} // namespace
