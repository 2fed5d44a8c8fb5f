//===- EmulateKernel.cpp - what fusion-emulate does -----------------------===//

#include "EmulateKernel.h"
#include "Arguments.h"
#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion::emulator;

void mlir::fusion::emulator::registerForEmulation(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  NVVM::NVVMDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect, tile::TileDialect>();
}

static int fail(const Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

int mlir::fusion::emulator::emulateKernel(ModuleOp module,
                                          const EmulateOptions &options) {
  std::unique_ptr<Image> image = Image::load(module);
  if (!image) {
    return 1;
  }
  const Image::Kernel *kernel = image->find(options.kernel);
  if (!kernel) {
    return fail("expected a kernel of the file, but got '" + options.kernel +
                "'");
  }
  GlobalMemory memory;
  Arguments arguments(memory);
  for (const std::string &text : options.arguments) {
    if (llvm::Error error = arguments.add(text)) {
      return fail(llvm::toString(std::move(error)));
    }
  }
  std::vector<void *> pointers = arguments.getPointers();
  int64_t wanted = Image::getNumParameters(*kernel);
  if (static_cast<int64_t>(pointers.size()) != wanted) {
    return fail("expected " + Twine(wanted) + " arguments, but got " +
                Twine(pointers.size()));
  }
  LaunchShape shape;
  std::copy_n(options.grid.begin(), std::min<size_t>(options.grid.size(), 3),
              shape.grid.begin());
  shape.block = options.block ? options.block : Image::getBlockSize(*kernel);
  shape.sharedBytes = Image::getSharedBytes(*kernel);
  Options how;
  how.seed = options.seed;
  LaunchResult result = launch(*kernel, shape, pointers.data(), memory, how);
  for (unsigned index : options.shown) {
    if (llvm::Error error =
            arguments.print(index, options.most, llvm::outs())) {
      return fail(llvm::toString(std::move(error)));
    }
  }
  if (options.counters) {
    result.counters.print(llvm::outs());
  }
  llvm::outs().flush();
  llvm::errs() << result.describe();
  return result.faults.empty() ? 0 : 2;
}
