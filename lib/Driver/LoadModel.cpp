//===- LoadModel.cpp - model files to stage 1 or 2 --------------*- C++ -*-===//

#include "fusion/Driver/LoadModel.h"
#include "BoundInputs.h"
#include "StaticDims.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Dialect/Fusion/IR/SignatureAttributes.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Import/ONNX/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// The entry function of MLIR input
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kLaterStages =
    "from stage 4 (tiles) on, fusion-opt and fusion-translate go on "
    "(docs/Debugging.md)";

/// Finds the function that is the model and names it @main.
static FailureOr<func::FuncOp> findEntry(ModuleOp module) {
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.getName() == "main" && !function.isDeclaration()) {
      return function;
    }
    if (function.isPublic() && !function.isDeclaration()) {
      candidates.push_back(function);
    }
  }
  if (candidates.size() != 1) {
    InFlightDiagnostic error =
        module.emitError("expected a function @main, or just one public "
                         "function, but got ")
        << candidates.size();
    if (module.lookupSymbol("main")) {
      error.attachNote() << kLaterStages;
    }
    return error;
  }
  candidates.front().setName("main");
  return candidates.front();
}

/// Puts the functions that `entry` calls into it; drops all others.
static LogicalResult inlineFunctions(ModuleOp module, func::FuncOp entry) {
  for (auto function : module.getOps<func::FuncOp>()) {
    function.setVisibility(function == entry
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
  }
  PassManager pm(module.getContext());
  auto nothingElse = [](OpPassManager &) {};
  pm.addPass(createInlinerPass(llvm::StringMap<OpPassManager>(), nothingElse));
  pm.addPass(createSymbolDCEPass());
  return pm.run(module);
}

/// Fails where arguments or results of `entry` have an attribute of ours that
/// says nothing there: a misspelt one.
static LogicalResult checkAttributes(func::FuncOp entry) {
  constexpr StringRef known[] = {
      FusionDialect::kNameAttr, FusionDialect::kWeightAttr,
      FusionDialect::kDimsAttr, FusionDialect::kDonatedAttr,
      FusionDialect::kDTypeAttr};
  SmallVector<DictionaryAttr> all;
  entry.getAllArgAttrs(all);
  entry.getAllResultAttrs(all);
  for (DictionaryAttr attributes : all) {
    for (NamedAttribute attribute :
         attributes ? attributes.getValue() : ArrayRef<NamedAttribute>()) {
      StringRef name = attribute.getName();
      if (name.starts_with("fusion.") && !llvm::is_contained(known, name)) {
        return entry.emitError("expected '")
               << llvm::join(ArrayRef(known).drop_back(), "', '") << "' or '"
               << known[std::size(known) - 1]
               << "' as an attribute of arguments and results, but got '"
               << name << "'";
      }
    }
  }
  return success();
}

/// Checks that the entry maps tensors to tensors, and names what has no name.
static LogicalResult nameArguments(func::FuncOp entry) {
  Builder builder(entry.getContext());
  SignatureAttributes attributes(entry);
  if (!entry.isExternal() && !entry.getBody().hasOneBlock()) {
    return entry.emitError("expected @main to be of one block, but got ")
           << entry.getBody().getBlocks().size()
           << ": write branches as 'scf.if'";
  }
  for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i) {
    Type type = entry.getArgumentTypes()[i];
    if (!isa<RankedTensorType>(type)) {
      InFlightDiagnostic error =
          entry.emitError("expected tensors of known rank as arguments of "
                          "@main, but got ")
          << type;
      if (isa<MemRefType>(type)) {
        error.attachNote() << kLaterStages;
      }
      return error;
    }
    if (!entry.getArgAttr(i, "fusion.name")) {
      attributes.setArgument(i, "fusion.name",
                             builder.getStringAttr("arg" + Twine(i)));
    }
  }
  for (unsigned i = 0, e = entry.getNumResults(); i < e; ++i) {
    if (!isa<RankedTensorType>(entry.getResultTypes()[i])) {
      return entry.emitError(
                 "expected tensors of known rank as results of @main, but got ")
             << entry.getResultTypes()[i];
    }
    if (!entry.getResultAttr(i, "fusion.name")) {
      attributes.setResult(i, "fusion.name",
                           builder.getStringAttr("result" + Twine(i)));
    }
  }
  return success();
}

/// Marks the arguments that a glob names and none with a leading `!` excludes.
static LogicalResult markWeights(func::FuncOp entry,
                                 ArrayRef<std::string> globs) {
  std::vector<bool> chosen(entry.getNumArguments()),
      excluded(entry.getNumArguments());
  for (StringRef glob : globs) {
    bool excludes = glob.consume_front("!");
    llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(glob);
    if (!pattern) {
      llvm::consumeError(pattern.takeError());
      return emitError(entry.getContext(),
                       "expected a glob in --weights, but got '" + glob + "'");
    }
    bool matched = false;
    for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i) {
      auto name = entry.getArgAttrOfType<StringAttr>(i, "fusion.name");
      if (name && pattern->match(name.getValue())) {
        (excludes ? excluded : chosen)[i] = matched = true;
      }
    }
    if (!matched) {
      return emitError(entry.getContext(),
                       "--weights: no input matches '" + glob + "'");
    }
  }
  SignatureAttributes attributes(entry);
  for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i) {
    if (chosen[i] && !excluded[i]) {
      attributes.setArgument(i, "fusion.weight",
                             UnitAttr::get(entry.getContext()));
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Text has no control characters but white space.
static bool looksLikeText(StringRef bytes) {
  return llvm::none_of(bytes.take_front(4096), [](char c) {
    return static_cast<unsigned char>(c) < 32 && !isspace(c);
  });
}

static OwningOpRef<ModuleOp>
loadMlir(StringRef path, std::unique_ptr<llvm::MemoryBuffer> buffer,
         const LoadOptions &options, MLIRContext *context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, context);
  if (!module) {
    return nullptr;
  }
  FailureOr<func::FuncOp> entry = findEntry(*module);
  if (failed(entry) || failed(inlineFunctions(*module, *entry)) ||
      failed(nameArguments(*entry)) || failed(checkAttributes(*entry)) ||
      failed(bindArguments(*entry, options.bound)) ||
      failed(markWeights(*entry, options.weights)) ||
      failed(fixDims(*entry, options.dims))) {
    return nullptr;
  }
  return module;
}

static OwningOpRef<ModuleOp> loadOnnx(StringRef path, StringRef bytes,
                                      const LoadOptions &options,
                                      MLIRContext *context) {
  OnnxImportOptions import;
  import.weights = options.weights;
  import.dims = options.dims;
  import.baseDir = llvm::sys::path::parent_path(path).str();
  import.fileName = path.str();
  for (const auto &[name, file] : options.bound) {
    llvm::Expected<DenseElementsAttr> contents = readBoundInput(file, context);
    if (!contents) {
      (void)emitError(context, contents.takeError());
      return nullptr;
    }
    import.bound[name] = *contents;
  }
  return importOnnx(bytes, context, import);
}

/// Reads what `buffer` holds; its name says where files beside it are.
static OwningOpRef<ModuleOp>
loadBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer, StringRef path,
           const LoadOptions &options, MLIRContext *context) {
  StringRef bytes = buffer->getBuffer();
  if (looksLikeOnnx(bytes)) {
    return loadOnnx(path, bytes, options, context);
  }
  if (!bytes.starts_with("ML\xefR") &&
      (bytes.trim().empty() || !looksLikeText(bytes))) {
    (void)emitError(
        context,
        path + ": expected an ONNX model or MLIR, but got something else");
    return nullptr;
  }
  return loadMlir(path, std::move(buffer), options, context);
}

OwningOpRef<ModuleOp> mlir::fusion::loadModel(StringRef path,
                                              const LoadOptions &options,
                                              MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    (void)emitError(context, path + ": " + buffer.getError().message());
    return nullptr;
  }
  return loadBuffer(std::move(*buffer), path, options, context);
}

OwningOpRef<ModuleOp>
mlir::fusion::loadModelFromMemory(StringRef bytes, StringRef name,
                                  const LoadOptions &options,
                                  MLIRContext *context) {
  return loadBuffer(llvm::MemoryBuffer::getMemBufferCopy(bytes, name), name,
                    options, context);
}

bool mlir::fusion::isPackage(StringRef path) {
  llvm::file_magic magic;
  return !llvm::identify_magic(path, magic) &&
         magic == llvm::file_magic::elf_shared_object;
}
