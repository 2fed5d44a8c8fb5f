//===- Run.cpp - run, verify and time a model or package --------*- C++ -*-===//

#include "fusion/Driver/Run.h"
#include "EmulatedDevice.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Driver/RunningDevice.h"
#include "fusion/Driver/Session.h"
#include "fusion/Driver/VerifyGroups.h"
#include "fusion/Report/Report.h"
#include "fusion/Verify/ArrayFile.h"
#include "fusion/Verify/Compare.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static std::vector<const FusionArgument *>
getResults(const FusionProgram &program) {
  std::vector<const FusionArgument *> results;
  for (int32_t i = 0; i < program.num_arguments; ++i) {
    if (program.arguments[i].role == FUSION_RESULT) {
      results.push_back(&program.arguments[i]);
    }
  }
  return results;
}

/// One line: name, shape, and what the values are like.
static void printResult(StringRef name, const HostArray &array,
                        raw_ostream &os) {
  double least = INFINITY, most = -INFINITY, sum = 0;
  int64_t count = array.getNumElements(), odd = 0;
  for (int64_t i = 0; i < count; ++i) {
    double value = array.get(i);
    if (!std::isfinite(value)) {
      ++odd;
      continue;
    }
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
  }
  os << name << ": " << describeShape(array.getDims(), array.getDType());
  if (count > odd) {
    os << llvm::format("  least %.6g  most %.6g  mean %.6g", least, most,
                       sum / double(count - odd));
  }
  if (odd) {
    os << "  (" << odd << " infinite or NaN)";
  }
  os << "\n";
}

/// A file name for a result: what a path cannot hold becomes '_'.
static std::string getFileName(StringRef name) {
  std::string file = name.str();
  for (char &c : file) {
    if (!isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-') {
      c = '_';
    }
  }
  return file + ".npy";
}

static llvm::Error saveResults(StringRef folder,
                               ArrayRef<const FusionArgument *> names,
                               std::vector<HostArray> &results) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
    return llvm::createStringError("--save-outputs: " + folder + ": " +
                                   error.message());
  }
  for (auto [argument, array] : llvm::zip(names, results)) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, getFileName(argument->name));
    if (llvm::Error error = writeArrayFile(path, array)) {
      return error;
    }
  }
  return llvm::Error::success();
}

/// Compares results with the files that --expect names.
static llvm::Error checkExpected(const RunOptions &options,
                                 ArrayRef<const FusionArgument *> names,
                                 std::vector<HostArray> &results,
                                 raw_ostream &os) {
  for (const auto &[name, file] : options.expected) {
    const auto *found =
        llvm::find_if(names, [&, &name = name](const FusionArgument *argument) {
          return name == argument->name;
        });
    if (found == names.end()) {
      std::string known;
      for (const FusionArgument *argument : names) {
        known += (known.empty() ? "" : ", ") + std::string(argument->name);
      }
      return llvm::createStringError("expected a result of the model (" +
                                     known + "), but got --expect " + name);
    }
    HostArray &got = results[found - names.begin()];
    llvm::Expected<HostArray> want = readArrayFile(file, got.getDType());
    if (!want) {
      return want.takeError();
    }
    if (want->getDType() != got.getDType() ||
        want->getDims() != got.getDims()) {
      return llvm::createStringError(
          "result '" + name + "': expected " +
          describeShape(want->getDims(), want->getDType()) + " as in " + file +
          ", but got " + describeShape(got.getDims(), got.getDType()));
    }
    // The file does not say how long the sums behind it were.
    Tolerance tolerance = getTolerance(got.getDType(), 4096);
    if (isFloatDType(got.getDType())) {
      tolerance.relative =
          std::max(tolerance.relative, options.expectTolerance);
    }
    Comparison comparison = compareArrays(got, *want, tolerance);
    os << name << ": " << describe(comparison, want->getDims()) << "\n";
    if (!comparison.agrees) {
      return llvm::createStringError("result '" + name +
                                     "' does not agree with " + file);
    }
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
/// One call of fusion-run.
class Runner {
public:
  Runner(StringRef path, const CompileOptions &compile, const RunOptions &run,
         MLIRContext *context, raw_ostream &os)
      : path(path), compile(compile), options(run), context(context), os(os) {}

  LogicalResult execute();

private:
  LogicalResult open();
  LogicalResult compileModel();
  void estimate(ModuleOp groups);
  llvm::Error runOnce(Session &session, std::vector<HostArray> &inputs);
  llvm::Error bench(Session &session, std::vector<HostArray> &inputs);
  LogicalResult fail(llvm::Error error) {
    return emitError(context, std::move(error));
  }

  StringRef path;
  CompileOptions compile;
  const RunOptions &options;
  MLIRContext *context;
  raw_ostream &os;

  // In the order in which they must outlive each other.
  std::optional<DeviceHandle> device;
  OwningOpRef<ModuleOp> plan;
  std::unique_ptr<CompiledProgram> program;
  std::optional<Session> session;
  std::vector<HostArray> results;
  std::optional<double> estimateUs; // of one run, where sizes are known
};
} // namespace

/// Estimates a run of the program in stage 3, `groups`, on the GPU that is
/// there.
void Runner::estimate(ModuleOp groups) {
  if (!options.bench || compile.pipeline.isCPU() || options.emulate) {
    return;
  }
  FusionDeviceInfo info = device->getInfo();
  std::optional<DeviceModel> model =
      findRunningDevice(info, compile.pipeline.target);
  auto main = groups.lookupSymbol<func::FuncOp>("main");
  if (!model || !main) {
    return;
  }
  CompilationReport report =
      collectReport(main, path, fitToDevice(*model, info));
  if (!report.hasDynamicSizes) {
    estimateUs = report.estimateAfterUs;
  }
}

LogicalResult Runner::compileModel() {
  OwningOpRef<ModuleOp> module = loadModel(path, compile.load, context);
  if (!module || failed(runStages(*module, Stage::Input, Stage::Groups,
                                  compile.pipeline))) {
    return failure();
  }
  if (options.verify) {
    plan = module->clone();
  }
  estimate(*module);
  program = compileInProcess(*module, Stage::Groups, compile.pipeline,
                             getHostEffort(compile.pipeline));
  return success(program != nullptr);
}

LogicalResult Runner::open() {
  if (options.emulate) {
    compile.pipeline.emulate = true;
    if (llvm::Error error = useEmulator(compile.pipeline.target)) {
      return fail(std::move(error));
    }
  }
  llvm::Expected<DeviceHandle> opened = DeviceHandle::open(options.device);
  if (!opened) {
    return fail(opened.takeError());
  }
  device = std::move(*opened);
  if (isPackage(path)) {
    if (options.verify) {
      return emitError(context,
                       "--verify: expected a model, but got a package, which "
                       "does not hold the unfused program");
    }
    if (options.emulate) {
      return emitError(context,
                       "--device=emulator: expected a model, but got a "
                       "package, which holds the code of a real device and "
                       "not the kernels that the emulator runs");
    }
    llvm::Expected<Session> loaded = Session::load(*device, path);
    if (!loaded) {
      return fail(loaded.takeError());
    }
    session = std::move(*loaded);
    return success();
  }
  if (compile.pipeline.target.empty()) {
    compile.pipeline.target = device->getTarget();
  }
  if (compile.pipeline.isCPU() != (options.device == FUSION_CPU)) {
    return emitError(context,
                     "expected a --target for the device, but got --target=" +
                         compile.pipeline.target);
  }
  if (llvm::Error error = checkTarget(compile.pipeline.target)) {
    return fail(std::move(error));
  }
  if (compile.pipeline.device.empty() && options.device == FUSION_CUDA &&
      !options.emulate) {
    std::optional<DeviceModel> model =
        findRunningDevice(device->getInfo(), compile.pipeline.target);
    compile.pipeline.device = model ? model->name.str() : "";
  }
  if (failed(compileModel())) {
    return failure();
  }
  llvm::Expected<Session> created =
      Session::create(*device, program->getProgram());
  if (!created) {
    return fail(created.takeError());
  }
  session = std::move(*created);
  return success();
}

llvm::Error Runner::runOnce(Session &session, std::vector<HostArray> &inputs) {
  llvm::Expected<std::vector<HostArray>> computed = session.run(inputs);
  if (!computed) {
    return computed.takeError();
  }
  results = std::move(*computed);
  std::vector<const FusionArgument *> names = getResults(session.getProgram());
  for (auto [argument, array] : llvm::zip(names, results)) {
    printResult(argument->name, array, os);
  }
  if (!options.saveOutputs.empty()) {
    if (llvm::Error error = saveResults(options.saveOutputs, names, results)) {
      return error;
    }
  }
  return checkExpected(options, names, results, os);
}

llvm::Error Runner::bench(Session &session, std::vector<HostArray> &inputs) {
  llvm::Expected<BenchResult> result = session.bench(inputs, *options.bench);
  if (!result) {
    return result.takeError();
  }
  os << llvm::format("bench: median %.4f ms, least %.4f ms, %lld runs",
                     result->median, result->least,
                     static_cast<long long>(result->runs));
  if (result->launches >= 0) {
    os << ", " << result->launches << " launches";
  }
  os << ", on " << device->getInfo().name << "\n";
  if (estimateUs && result->median > 0) {
    double measuredUs = result->median * 1e3;
    os << llvm::format("bench: estimated %.1f us, %.2f of the median\n",
                       *estimateUs, *estimateUs / measuredUs);
  }
  return llvm::Error::success();
}

LogicalResult Runner::execute() {
  if (failed(open())) {
    return failure();
  }
  llvm::Expected<std::vector<HostArray>> inputs =
      makeInputs(session->getProgram(), options.inputs);
  if (!inputs) {
    return fail(inputs.takeError());
  }
  if (llvm::Error error = runOnce(*session, *inputs)) {
    return fail(std::move(error));
  }
  if (options.verify &&
      failed(verifyGroups(std::move(plan),
                          {compile.pipeline, *device, *session, *inputs,
                           results, options.verifyBytes, /*compile=*/{}},
                          os))) {
    return failure();
  }
  if (options.bench) {
    if (llvm::Error error = bench(*session, *inputs)) {
      return fail(std::move(error));
    }
  }
  return success();
}

LogicalResult mlir::fusion::runFile(StringRef path,
                                    const CompileOptions &compile,
                                    const RunOptions &run, MLIRContext *context,
                                    raw_ostream &os) {
  return Runner(path, compile, run, context, os).execute();
}
