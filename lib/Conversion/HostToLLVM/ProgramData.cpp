//===- ProgramData.cpp - the data `fusion_program` ------------------------===//

#include "ProgramData.h"

#include "ElementType.h"
#include "HostEntry.h"
#include "fusion-c/Runtime.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::fusion;

#ifndef FUSION_VERSION
#define FUSION_VERSION "0.1.0"
#endif

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The element type of argument `i` in the model: arrays of unsigned integers
/// are signless here, with the type that they had in `fusion.dtype`.
static Type getModelElementType(func::FuncOp main, unsigned i,
                                MemRefType type) {
  Type element = type.getElementType();
  auto dtype = main.getArgAttrOfType<StringAttr>(i, kDTypeAttr);
  if (!dtype || !dtype.getValue().starts_with("u") || !element.isInteger()) {
    return element;
  }
  return IntegerType::get(main.getContext(), element.getIntOrFloatBitWidth(),
                          IntegerType::Unsigned);
}

FailureOr<SmallVector<ProgramData::Argument>>
fusion::readProgramArguments(func::FuncOp main) {
  SmallVector<ProgramData::Argument> result;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    if (main.getArgAttr(i, kWorkspaceAttr)) {
      continue;
    }
    auto type = dyn_cast<MemRefType>(main.getArgument(i).getType());
    FailureOr<int32_t> dtype =
        type ? getRuntimeElementType(getModelElementType(main, i, type))
             : FailureOr<int32_t>(failure());
    if (failed(dtype) || !type.getLayout().isIdentity()) {
      return main.emitOpError("expected argument ")
             << i << " to be a dense array of a type of the runtime, but got "
             << main.getArgument(i).getType();
    }
    ProgramData::Argument argument;
    argument.dtype = *dtype;
    if (auto name = main.getArgAttrOfType<StringAttr>(i, kNameAttr)) {
      argument.name = name.str();
    }
    auto dimNames = main.getArgAttrOfType<ArrayAttr>(i, kDimsAttr);
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      argument.dims.push_back(type.isDynamicDim(dim) ? -1
                                                     : type.getDimSize(dim));
      bool named = dimNames && dim < int64_t(dimNames.size());
      argument.dimNames.push_back(named ? cast<StringAttr>(dimNames[dim]).str()
                                        : "");
    }
    argument.data = main.getArgAttrOfType<ElementsAttr>(i, kConstantAttr);
    argument.donated = bool(main.getArgAttr(i, kDonatedAttr));
    argument.role = argument.data                     ? FUSION_CONSTANT
                    : main.getArgAttr(i, kResultAttr) ? FUSION_RESULT
                    : main.getArgAttr(i, kWeightAttr) ? FUSION_WEIGHT
                                                      : FUSION_INPUT;
    result.push_back(std::move(argument));
  }
  return result;
}

/// The bytes of the elements of `data`, as the runtime reads them.
static FailureOr<std::string> getBytes(ElementsAttr data) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(data)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob) {
      return failure();
    }
    return std::string(blob->getData().data(), blob->getData().size());
  }
  auto dense = dyn_cast<DenseElementsAttr>(data);
  if (!dense) {
    return failure();
  }
  std::string bytes;
  if (dense.getElementType().isInteger(1)) {
    for (bool value : dense.getValues<bool>()) {
      bytes.push_back(value ? 1 : 0);
    }
    return bytes;
  }
  ArrayRef<char> raw = dense.getRawData();
  int64_t copies = dense.isSplat() ? dense.getNumElements() : 1;
  bytes.reserve(raw.size() * copies);
  for (int64_t i = 0; i < copies; ++i) {
    bytes.append(raw.begin(), raw.end());
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {

/// Builds constant globals. Fields of structs are given as functions that build
/// their value in the initializer of the global.
class GlobalBuilder {
public:
  explicit GlobalBuilder(ModuleOp module)
      : b(module.getLoc(), module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {
    b.setInsertionPointToEnd(module.getBody());
  }

  using Field = std::function<Value()>;
  Field integer(int64_t value, unsigned bits = 32);
  Field address(StringRef symbol); // null where empty

  std::string bytes(StringRef name, StringRef data);
  std::string text(StringRef name, StringRef data) {
    return bytes(name, (data + Twine('\0')).str());
  }
  std::string integers(StringRef name, ArrayRef<int64_t> values);
  std::string array(StringRef name, Type element,
                    ArrayRef<SmallVector<Field>> rows);
  void structure(StringRef name, Type type, ArrayRef<Field> fields);

  Type structType(ArrayRef<Type> fields) {
    return LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  }

  ImplicitLocOpBuilder b;
  Type pointer;

private:
  LLVM::GlobalOp create(StringRef name, Type type, LLVM::Linkage linkage,
                        Attribute value, int64_t alignment);
  Value aggregate(Type type, ArrayRef<Field> fields);
};

} // namespace

LLVM::GlobalOp GlobalBuilder::create(StringRef name, Type type,
                                     LLVM::Linkage linkage, Attribute value,
                                     int64_t alignment) {
  return LLVM::GlobalOp::create(b, type, /*isConstant=*/true, linkage, name,
                                value, alignment);
}

GlobalBuilder::Field GlobalBuilder::integer(int64_t value, unsigned bits) {
  return [this, value, bits]() -> Value {
    Type type = b.getIntegerType(bits);
    return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  };
}

GlobalBuilder::Field GlobalBuilder::address(StringRef symbol) {
  return [this, name = symbol.str()]() -> Value {
    if (name.empty()) {
      return LLVM::ZeroOp::create(b, pointer);
    }
    return LLVM::AddressOfOp::create(b, pointer, name);
  };
}

/// Data is aligned as the runtime promises arrays to be.
std::string GlobalBuilder::bytes(StringRef name, StringRef data) {
  if (data.empty()) {
    return "";
  }
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), data.size());
  create(name, type, LLVM::Linkage::Internal, b.getStringAttr(data), 64);
  return name.str();
}

std::string GlobalBuilder::integers(StringRef name, ArrayRef<int64_t> values) {
  SmallVector<SmallVector<Field>> rows;
  for (int64_t value : values) {
    rows.push_back({integer(value, 64)});
  }
  return array(name, b.getI64Type(), rows);
}

Value GlobalBuilder::aggregate(Type type, ArrayRef<Field> fields) {
  if (!isa<LLVM::LLVMStructType>(type)) {
    return fields.front()();
  }
  Value result = LLVM::UndefOp::create(b, type);
  for (auto [i, field] : llvm::enumerate(fields)) {
    result = LLVM::InsertValueOp::create(b, result, field(), i);
  }
  return result;
}

std::string GlobalBuilder::array(StringRef name, Type element,
                                 ArrayRef<SmallVector<Field>> rows) {
  if (rows.empty()) {
    return "";
  }
  auto type = LLVM::LLVMArrayType::get(element, rows.size());
  auto global = create(name, type, LLVM::Linkage::Internal, Attribute(), 0);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&global.getInitializerRegion());
  Value result = LLVM::UndefOp::create(b, type);
  for (auto [i, row] : llvm::enumerate(rows)) {
    result = LLVM::InsertValueOp::create(b, result, aggregate(element, row), i);
  }
  LLVM::ReturnOp::create(b, result);
  return name.str();
}

void GlobalBuilder::structure(StringRef name, Type type,
                              ArrayRef<Field> fields) {
  auto global = create(name, type, LLVM::Linkage::External, Attribute(), 0);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&global.getInitializerRegion());
  Value result = aggregate(type, fields);
  LLVM::ReturnOp::create(b, result);
}

/// The array of FusionArgument; its symbol.
static FailureOr<std::string>
createArguments(GlobalBuilder &g, ArrayRef<ProgramData::Argument> arguments) {
  Type i32 = g.b.getI32Type();
  Type p = g.pointer;
  SmallVector<SmallVector<GlobalBuilder::Field>> rows;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    std::string prefix = llvm::formatv("fusion_argument_{0}", i);
    SmallVector<SmallVector<GlobalBuilder::Field>> names;
    for (auto [dim, name] : llvm::enumerate(argument.dimNames)) {
      std::string symbol = llvm::formatv("{0}_dim_{1}_name", prefix, dim);
      names.push_back({g.address(g.text(symbol, name))});
    }
    std::string data;
    if (argument.data) {
      FailureOr<std::string> bytes = getBytes(argument.data);
      if (failed(bytes)) {
        return emitError(g.b.getLoc(), "expected the elements of constant '")
               << argument.name << "' in the module";
      }
      data = g.bytes(prefix + "_data", *bytes);
    }
    rows.push_back({g.address(g.text(prefix + "_name", argument.name)),
                    g.integer(argument.dtype), g.integer(argument.dims.size()),
                    g.address(g.integers(prefix + "_dims", argument.dims)),
                    g.address(g.array(prefix + "_dim_names", p, names)),
                    g.integer(argument.role), g.integer(argument.donated),
                    g.address(data)});
  }
  return g.array("fusion_arguments",
                 g.structType({p, i32, i32, p, p, i32, i32, p}), rows);
}

LogicalResult fusion::createProgramData(ModuleOp module,
                                        const ProgramData &data) {
  GlobalBuilder g(module);
  FailureOr<std::string> arguments = createArguments(g, data.arguments);
  if (failed(arguments)) {
    return failure();
  }
  Type i32 = g.b.getI32Type();
  Type i64 = g.b.getI64Type();
  Type p = g.pointer;
  SmallVector<SmallVector<GlobalBuilder::Field>> rows;
  for (auto [i, kernel] : llvm::enumerate(data.kernels)) {
    std::string symbol = llvm::formatv("fusion_kernel_{0}_name", i);
    rows.push_back({g.address(g.text(symbol, kernel.name)),
                    g.integer(kernel.blockSize),
                    g.integer(kernel.sharedBytes)});
  }
  std::string kernels =
      g.array("fusion_kernels", g.structType({p, i32, i32}), rows);
  bool onCPU = data.target == "cpu";
  // A PTX image ends with a NUL, which a cubin does not mind.
  std::string image =
      data.image.empty() ? "" : g.text("fusion_image", data.image);
  g.structure(
      "fusion_program",
      g.structType({i32, i32, p, p, i32, i32, p, i32, p, p, i64, p, p, p}),
      {g.integer(FUSION_ABI_VERSION),
       g.integer(onCPU ? FUSION_CPU : FUSION_CUDA),
       g.address(g.text("fusion_version", FUSION_VERSION)),
       g.address(g.text("fusion_target", data.target)),
       g.integer(data.leastDriver), g.integer(data.arguments.size()),
       g.address(*arguments), g.integer(data.kernels.size()),
       g.address(kernels), g.address(image), g.integer(data.image.size(), 64),
       g.address(kWorkspaceEntry), g.address(kResultDimsEntry),
       g.address(kRunEntry)});
  return success();
}
