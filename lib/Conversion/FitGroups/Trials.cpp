//===- Trials.cpp - compiles groups alone ---------------------------------===//

#include "Trials.h"

#include "fusion/Conversion/MergeLaunches/MergeLaunches.h"
#include "fusion/Conversion/OutlineGroups/OutlineGroups.h"
#include "fusion/Conversion/TabulateParameters/TabulateParameters.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Schedule/Limits.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// A module of one group
//===----------------------------------------------------------------------===//

/// What `group` is, but for its name and where it comes from.
static std::string describe(GroupOp group) {
  OwningOpRef<GroupOp> copy = group.clone();
  copy->setName("");
  std::string text;
  llvm::raw_string_ostream os(text);
  copy->print(os, OpPrintingFlags().useLocalScope().enableDebugInfo(false));
  return text;
}

/// Makes a function @main in `trial` that has `group` alone: its tensors are
/// arguments, its sizes those of further ones.
static void createMain(ModuleOp trial, GroupOp group) {
  Location loc = group.getLoc();
  OpBuilder builder = OpBuilder::atBlockEnd(trial.getBody());
  auto main = func::FuncOp::create(builder, loc, "main",
                                   builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(main.addEntryBlock());
  // The type of the function follows when it is complete.
  auto addArgument = [&](Type type) -> Value {
    return main.getBody().addArgument(type, loc);
  };
  auto addSize = [&]() -> Value {
    auto line =
        RankedTensorType::get({ShapedType::kDynamic}, builder.getI8Type());
    return tensor::DimOp::create(builder, loc, addArgument(line), 0);
  };
  IRMapping mapping;
  for (Value input : group.getInputs()) {
    if (!mapping.contains(input)) {
      mapping.map(input, input.getType().isIndex()
                             ? addSize()
                             : addArgument(input.getType()));
    }
  }
  SmallVector<Value> inits;
  for (Value init : group.getInits()) {
    auto type = cast<RankedTensorType>(init.getType());
    SmallVector<Value> sizes;
    for (size_t i = type.getNumDynamicDims(); i > 0; --i) {
      sizes.push_back(addSize());
    }
    inits.push_back(tensor::EmptyOp::create(builder, loc, type, sizes));
  }
  auto clone = cast<GroupOp>(builder.clone(*group, mapping));
  clone.getInitsMutable().assign(inits);
  // What stays inside of a composite goes nowhere.
  SmallVector<Value> results;
  for (OpResult result : clone->getResults()) {
    if (!staysInside(result)) {
      results.push_back(result);
    }
  }
  func::ReturnOp::create(builder, loc, results);
  main.setFunctionType(builder.getFunctionType(
      main.getBody().getArgumentTypes(), TypeRange(results)));
}

//===----------------------------------------------------------------------===//
// Its kernels
//===----------------------------------------------------------------------===//

/// The bytes of parameters that the kernel of `launch` takes at least: all but
/// tensor maps may go to a table.
static int64_t getLeastParameterBytes(tile::LaunchOp launch, int64_t limit) {
  SmallVector<Type> types(launch.getArgs().getTypes());
  if (getParameterBytes(types) <= limit) {
    return getParameterBytes(types);
  }
  llvm::erase_if(types,
                 [](Type type) { return !isa<tile::TensorMapType>(type); });
  types.insert(types.begin(), IndexType::get(launch.getContext()));
  return getParameterBytes(types);
}

/// Returns what `launch` takes too much of, if anything.
static std::string checkLaunchedKernel(tile::LaunchOp launch,
                                       const KernelLimits &limits) {
  LLVM::LLVMFuncOp kernel = getKernel(launch);
  auto getNumber = [&](StringRef name) {
    auto attr = kernel->getAttrOfType<IntegerAttr>(name);
    return attr ? attr.getInt() : 0;
  };
  APInt grid;
  bool isGridKnown = matchPattern(launch.getGridX(), m_ConstantInt(&grid));
  struct Demand {
    StringLiteral unit;
    int64_t needed, limit;
  };
  const Demand demands[] = {
      {"bytes of shared memory", getNumber("fusion.shared_bytes"),
       limits.sharedBytes},
      {"registers of a thread for tiles", getNumber(kTileRegistersAttr),
       limits.registers},
      {"bytes of parameters",
       getLeastParameterBytes(launch, limits.parameterBytes),
       limits.parameterBytes},
      {"threads of a block", getBlockThreads(kernel), limits.threads},
      {"blocks", isGridKnown ? grid.getSExtValue() : 1, limits.gridBlocks}};
  for (const Demand &demand : demands) {
    if (demand.needed > demand.limit) {
      return ("expected at most " + Twine(demand.limit) + " " + demand.unit +
              ", but the kernel needs " + Twine(demand.needed))
          .str();
    }
  }
  return "";
}

/// Returns what the kernels of `trial` take too much of, if anything.
static std::string checkKernels(ModuleOp trial, const KernelLimits &limits) {
  std::string refusal;
  trial.walk([&](tile::LaunchOp launch) {
    refusal = checkLaunchedKernel(launch, limits);
    return refusal.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return refusal;
}

/// Reads from the functions of `trial` what schedule was chosen, and which
/// parts of a composite are apart.
static void readFunctions(ModuleOp trial, Trial &result) {
  for (auto function : trial.getOps<func::FuncOp>()) {
    auto schedule = function->getAttrOfType<DictionaryAttr>(kScheduleAttr);
    if (schedule && !function->hasAttr(kCompositeAttr)) {
      FailureOr<Schedule> parsed =
          parseSchedule(schedule, [&] { return function.emitError(); });
      result.schedule =
          failed(parsed) ? std::nullopt : std::optional<Schedule>(*parsed);
    }
    auto apart = function->getAttrOfType<ArrayAttr>(kApartAttr);
    if (!apart) {
      continue;
    }
    for (auto entry : apart.getAsRange<DictionaryAttr>()) {
      auto parts = entry.getAs<DenseI64ArrayAttr>(kApartPartsEntry);
      auto reason = entry.getAs<StringAttr>(kApartReasonEntry);
      result.apart.push_back(
          {SmallVector<int64_t>(parts.asArrayRef()), reason.str()});
    }
  }
}

/// An error without the op that it is about, which is one of the trial.
static std::string getMessage(Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  auto [op, message] = StringRef(text).split("' op ");
  return op.starts_with("'") && !message.empty() ? message.str() : text;
}

Trial Trials::compileAnew(GroupOp group, TrialLimits limits) {
  Trial result;
  std::string error;
  ScopedDiagnosticHandler handler(
      group.getContext(), [&](Diagnostic &diagnostic) {
        bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
        if (isError && error.empty()) {
          error = getMessage(diagnostic);
        }
        return success();
      });
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto trial = ModuleOp::create(builder, group.getLoc());
  if (limits == TrialLimits::OfDevice) {
    // The innermost attribute counts.
    trial->setAttr(kLimitsAttr, builder.getDictionaryAttr({}));
  }
  createMain(trial, group);
  bool failed = mlir::failed(run(trial, isComposite(group)));
  readFunctions(trial, result);
  if (failed) {
    result.refusal = error.empty() ? "code generation failed" : error;
  } else {
    result.refusal = checkKernels(trial, getKernelLimits(trial, target));
    result.isOverLimits = !result.refusal.empty();
  }
  trial.erase();
  return result;
}

const Trial &Trials::compile(GroupOp group, TrialLimits limits) {
  std::string text = describe(group);
  text += limits == TrialLimits::OfDevice ? '1' : '0';
  auto known = this->known.find(text);
  if (known == this->known.end()) {
    known = this->known.try_emplace(text, compileAnew(group, limits)).first;
  }
  return known->second;
}
