//===- Decode.cpp - from operations to a Program --------------------------===//

#include "Decode.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::fusion::emulator;

unsigned mlir::fusion::emulator::getBits(Kind kind) {
  static constexpr unsigned bits[] = {1, 8, 16, 32, 64, 16, 16, 32, 64};
  return bits[static_cast<unsigned>(kind)];
}

Counters::Class mlir::fusion::emulator::getClass(Opcode op) {
  static constexpr Counters::Class classes[] = {
#define EMULATOR_OPCODE(name, class) Counters::class,
#include "Opcodes.def"
  };
  return classes[static_cast<unsigned>(op)];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The kind of a scalar, if slots hold such.
static std::optional<Kind> getScalarKind(Type type) {
  if (isa<LLVM::LLVMPointerType, IndexType>(type)) {
    return Kind::I64;
  }
  if (type.isF16()) {
    return Kind::F16;
  }
  if (type.isBF16()) {
    return Kind::BF16;
  }
  if (type.isF32()) {
    return Kind::F32;
  }
  if (type.isF64()) {
    return Kind::F64;
  }
  auto integer = dyn_cast<IntegerType>(type);
  switch (integer ? integer.getWidth() : 0) {
  case 1:
    return Kind::I1;
  case 8:
    return Kind::I8;
  case 16:
    return Kind::I16;
  case 32:
    return Kind::I32;
  case 64:
    return Kind::I64;
  default:
    return std::nullopt;
  }
}

LogicalResult mlir::fusion::emulator::flatten(Type type,
                                              SmallVectorImpl<Kind> &kinds) {
  if (auto fields = dyn_cast<LLVM::LLVMStructType>(type)) {
    for (Type field : fields.getBody()) {
      if (failed(flatten(field, kinds))) {
        return failure();
      }
    }
    return success();
  }
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    count = vector.getNumElements();
    type = vector.getElementType();
  } else if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    count = array.getNumElements();
    type = array.getElementType();
  }
  std::optional<Kind> kind = getScalarKind(type);
  if (!kind) {
    return failure();
  }
  kinds.append(count, *kind);
  return success();
}

Kind mlir::fusion::emulator::getKind(Type type) {
  return *getScalarKind(getElementTypeOrSelf(type));
}

Space mlir::fusion::emulator::getSpace(Type type) {
  switch (cast<LLVM::LLVMPointerType>(type).getAddressSpace()) {
  case 0:
    return Space::Generic;
  case 3:
  case 7:
    return Space::Shared;
  default:
    return Space::Global;
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

ArrayRef<uint32_t> Decoder::define(Value value) {
  SmallVector<Kind> kinds;
  LogicalResult flat = flatten(value.getType(), kinds);
  (void)flat;
  assert(succeeded(flat) && "expected decodeOp to check the types of results");
  Slots &list = slots[value];
  list.clear();
  for (size_t i = 0; i < kinds.size(); ++i) {
    list.push_back(newSlot());
  }
  return list;
}

uint32_t Decoder::constant(uint64_t value) {
  // Two values are no keys of a DenseMap: those get a slot each time.
  bool isKey = value < ~uint64_t(1);
  if (isKey) {
    auto it = constants.find(value);
    if (it != constants.end()) {
      return it->second;
    }
  }
  uint32_t slot = newSlot();
  program.constants.push_back({slot, value});
  if (isKey) {
    constants[value] = slot;
  }
  return slot;
}

Inst &Decoder::emit(Opcode op) {
  Inst &inst = program.code.emplace_back();
  inst.op = op;
  inst.source = source;
  return inst;
}

void Decoder::setList(Inst &inst, ArrayRef<uint32_t> list) {
  inst.list = static_cast<uint32_t>(program.lists.size());
  program.lists.insert(program.lists.end(), list.begin(), list.end());
}

void Decoder::emitCopies(ArrayRef<uint32_t> from, ArrayRef<uint32_t> to) {
  assert(from.size() == to.size() && "expected as many sources as targets");
  auto move = [&](uint32_t source, uint32_t target) {
    if (source != target) {
      Inst &inst = emit(Opcode::Move);
      inst.a = source;
      inst.dst = target;
    }
  };
  // A source that an earlier copy overwrites is saved first.
  std::set<uint32_t> written;
  SmallVector<uint32_t> sources(from.begin(), from.end());
  for (auto [source, target] : llvm::zip(sources, to)) {
    if (written.count(source)) {
      uint32_t saved = newSlot();
      move(source, saved);
      source = saved;
    }
    written.insert(target);
  }
  // The saves must stand before all copies: they were emitted above.
  for (auto [source, target] : llvm::zip(sources, to)) {
    move(source, target);
  }
}

LogicalResult Decoder::decodeOp(Operation *op) {
  auto it = table.find(op->getName().getStringRef());
  if (it == table.end()) {
    return op->emitError("expected an op that the emulator knows, but got '")
           << op->getName() << "'";
  }
  for (Type type : op->getResultTypes()) {
    SmallVector<Kind> kinds;
    if (failed(flatten(type, kinds))) {
      return op->emitError("expected scalars, vectors or structs of them, but "
                           "got ")
             << type;
    }
  }
  source = static_cast<uint32_t>(program.sources.size());
  program.sources.push_back(op);
  return it->second(op, *this);
}

LogicalResult Decoder::decodeBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (failed(decodeOp(&op))) {
      return failure();
    }
  }
  source = static_cast<uint32_t>(program.sources.size());
  program.sources.push_back(block.getTerminator());
  return success();
}

LogicalResult Decoder::run(LLVM::LLVMFuncOp func) {
  if (!func.getBody().hasOneBlock()) {
    return func.emitError("expected a kernel with structured control flow");
  }
  program.name = func.getName().str();
  if (auto shared = func->getAttrOfType<IntegerAttr>("fusion.shared_bytes")) {
    program.sharedBytes = shared.getInt();
  }
  if (auto threads = func->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getMaxntidAttrName())) {
    program.blockSize = 1;
    for (int32_t size : threads.asArrayRef()) {
      program.blockSize *= size;
    }
  }
  StringRef byValue = LLVM::LLVMDialect::getByValAttrName();
  for (BlockArgument argument : func.getArguments()) {
    SmallVector<Kind> kinds;
    if (failed(flatten(argument.getType(), kinds)) || kinds.size() != 1) {
      return func.emitError("expected scalar parameters, but got ")
             << argument.getType();
    }
    uint32_t slot = define(argument).front();
    bool isMap = !!func.getArgAttr(argument.getArgNumber(), byValue);
    program.parameters.push_back(
        {slot, isMap ? 128 : std::max(getBits(kinds.front()) / 8, 1u)});
  }
  if (failed(decodeBlock(func.getBody().front()))) {
    return failure();
  }
  emit(Opcode::Return);
  return success();
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

static const DecodeTable &getTable() {
  static const DecodeTable table = [] {
    DecodeTable table;
    addControlDecoders(table);
    addArithmeticDecoders(table);
    addValueDecoders(table);
    addMemoryDecoders(table);
    addWarpDecoders(table);
    addBarrierDecoders(table);
    addAsyncDecoders(table);
    addMatrixDecoders(table);
    return table;
  }();
  return table;
}

Image::~Image() = default;

std::unique_ptr<Image> Image::load(Operation *root) {
  std::unique_ptr<Image> image(new Image());
  WalkResult result = root->walk([&](LLVM::LLVMFuncOp func) {
    if (!func->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
        func.isExternal()) {
      return WalkResult::skip();
    }
    auto &kernel = image->kernels.emplace_back(new Kernel());
    Decoder decoder(kernel->program, getTable());
    return failed(decoder.run(func)) ? WalkResult::interrupt()
                                     : WalkResult::skip();
  });
  return result.wasInterrupted() ? nullptr : std::move(image);
}

const Image::Kernel *Image::find(StringRef name) const {
  for (const auto &kernel : kernels) {
    if (kernel->program.name == name) {
      return kernel.get();
    }
  }
  return nullptr;
}

int64_t Image::getBlockSize(const Kernel &kernel) {
  return kernel.program.blockSize;
}

int64_t Image::getSharedBytes(const Kernel &kernel) {
  return kernel.program.sharedBytes;
}

int64_t Image::getNumParameters(const Kernel &kernel) {
  return static_cast<int64_t>(kernel.program.parameters.size());
}
