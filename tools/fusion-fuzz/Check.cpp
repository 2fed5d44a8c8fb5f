//===- Check.cpp - one graph, fused and unfused ---------------------------===//

#include "Check.h"
#include "Exactness.h"
#include "Inputs.h"
#include "Perturb.h"
#include "Poles.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Dialect/Fusion/Transforms/Passes.h"
#include "fusion/Driver/Compile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

using Arrays = std::vector<HostArray>;

namespace {
/// Keeps the first error of a context.
class FirstError : public ScopedDiagnosticHandler {
public:
  explicit FirstError(MLIRContext *context) : ScopedDiagnosticHandler(context) {
    setHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
          text.empty()) {
        llvm::raw_string_ostream(text) << diagnostic;
        text = text.substr(0, text.find('\n'));
      }
    });
  }
  std::string text;
};

/// A compiled graph on a device.
struct Program {
  std::unique_ptr<CompiledProgram> compiled;
  std::optional<Session> session;
};

class Checker {
public:
  Checker(ModuleOp graph, const CheckOptions &options, DeviceHandle &cpu,
          DeviceHandle &device)
      : graph(graph), options(options), cpu(cpu), device(device),
        errors(graph.getContext()) {
    reference = options.pipeline;
    reference.target = "cpu";
    reference.emulate = false;
    reference.fuse = {false, false, false};
    reference.numerics = Numerics::Strict;
  }
  CheckResult run();
  CheckResult runFaults(const FaultOptions &faults);

private:
  CheckResult fail(const Twine &text) {
    return {CheckResult::Fails, StringRef(text.str()).split('\n').first.str()};
  }
  LogicalResult compile(ModuleOp module, Stage from,
                        const PipelineOptions &pipeline, Program &program,
                        HostEffort effort = HostEffort::Full);
  /// Whether no array is worth the time of optimizing a reference.
  bool isSmall() const {
    return getEffortForFewRuns(getLargestArray(graph)) == HostEffort::Least;
  }
  LogicalResult load(DeviceHandle &on, Program &program);
  /// Runs on fresh inputs; `phase` and `nearPoles`, where given, are among
  /// them.
  FailureOr<Arrays> execute(Program &program, std::optional<double> phase,
                            ArrayRef<HostArray> nearPoles = {});
  FailureOr<std::vector<Arrays>> runPerturbed(ArrayRef<double> phases,
                                              ArrayRef<HostArray> nearPoles);
  FailureOr<std::vector<Arrays>> runPerturbed();
  /// Fills `perturbed`, once.
  LogicalResult needPerturbed();
  std::optional<double> getBound(const HostArray &want, size_t result,
                                 int64_t index) const;
  /// Whether the results are the same for all that the rules promise.
  CheckResult compare(const Arrays &got, const Arrays &want);
  CheckResult runBoth(Arrays &got, Arrays &want);
  /// What checkFaults() says of one.
  std::string judgeFault(ModuleOp program, const Arrays &want,
                         const Arrays &right, Random &random, StringRef only);
  std::string describeMissed(const Arrays &got, const Arrays &want);

  ModuleOp graph;
  const CheckOptions &options;
  DeviceHandle &cpu, &device;
  FirstError errors;
  PipelineOptions reference;
  /// The fused program at the end of stage 4.
  OwningOpRef<ModuleOp> fused;
  std::optional<std::vector<Arrays>> perturbed;
};
} // namespace

LogicalResult Checker::compile(ModuleOp module, Stage from,
                               const PipelineOptions &pipeline,
                               Program &program, HostEffort effort) {
  program.compiled = compileInProcess(module, from, pipeline, effort);
  return success(program.compiled != nullptr);
}

LogicalResult Checker::load(DeviceHandle &on, Program &program) {
  llvm::Expected<Session> session =
      Session::create(on, program.compiled->getProgram());
  if (!session) {
    errors.text = llvm::toString(session.takeError());
    return failure();
  }
  program.session = std::move(*session);
  return success();
}

FailureOr<Arrays> Checker::execute(Program &program,
                                   std::optional<double> phase,
                                   ArrayRef<HostArray> nearPoles) {
  llvm::Expected<Arrays> inputs =
      makeArrays(program.session->getProgram(), options.inputSeed);
  if (!inputs) {
    errors.text = llvm::toString(inputs.takeError());
    return failure();
  }
  if (phase) {
    for (auto [index, array] : llvm::enumerate(*inputs)) {
      StringRef name = program.session->getProgram().arguments[index].name;
      if (name == phaseName) {
        array.set(0, *phase);
      }
      for (auto [number, near] : llvm::enumerate(nearPoles)) {
        for (int64_t i = 0, e = near.getNumElements();
             name == getPoleName(number) && i < e; ++i) {
          array.set(i, near.get(i));
        }
      }
    }
  }
  llvm::Expected<Arrays> results = program.session->run(*inputs);
  if (!results) {
    errors.text = llvm::toString(results.takeError());
    return failure();
  }
  return std::move(*results);
}

FailureOr<std::vector<Arrays>>
Checker::runPerturbed(ArrayRef<double> phases, ArrayRef<HostArray> nearPoles) {
  OwningOpRef<ModuleOp> module = graph.clone();
  PassManager passes(graph.getContext());
  passes.addPass(createDecompose());
  if (failed(runStages(*module, Stage::Input, Stage::Graph, reference)) ||
      failed(passes.run(*module))) {
    return failure();
  }
  perturb(*module, options.pipeline, nearPoles);
  Program program;
  PipelineOptions fusing = reference;
  fusing.fuse.vertical = true; // What perturb() adds.
  if (failed(verify(*module)) ||
      failed(compile(*module, Stage::Graph, fusing, program,
                     isSmall() ? HostEffort::Least : HostEffort::Little)) ||
      failed(load(cpu, program))) {
    return failure();
  }
  std::vector<Arrays> runs;
  for (double phase : phases) {
    FailureOr<Arrays> results = execute(program, phase, nearPoles);
    if (failed(results)) {
      return failure();
    }
    runs.push_back(std::move(*results));
  }
  return runs;
}

FailureOr<std::vector<Arrays>> Checker::runPerturbed() {
  auto runs = runPerturbed(
      {0.3, 0.8, 1.1, 1.5, 1.9, 2.4, 2.8, 3.3, 3.9, 4.3, 4.7, 5.5}, {});
  if (failed(runs)) {
    return failure();
  }
  size_t numResults = graph.lookupSymbol<func::FuncOp>("main").getNumResults();
  std::vector<Arrays> distances;
  for (Arrays &run : *runs) {
    distances.emplace_back(std::make_move_iterator(run.begin() + numResults),
                           std::make_move_iterator(run.end()));
  }
  std::vector<HostArray> nearPoles = findNearPoles(distances);
  if (!nearPoles.empty()) {
    auto poisoned = runPerturbed({Noise::kNothing, Noise::kOne}, nearPoles);
    if (failed(poisoned)) {
      return failure();
    }
    llvm::move(*poisoned, std::back_inserter(*runs));
  }
  return runs;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// The same bits, or both NaN.
static bool isSame(const HostArray &a, const HostArray &b, int64_t index) {
  int64_t bytes = fusionDTypeSize(a.getDType());
  return std::memcmp(a.getData() + index * bytes, b.getData() + index * bytes,
                     size_t(bytes)) == 0 ||
         (std::isnan(a.get(index)) && std::isnan(b.get(index)));
}

static double getSpacing(int32_t dtype) {
  return dtype == FUSION_BF16  ? 0x1p-7
         : dtype == FUSION_F16 ? 0x1p-10
         : dtype == FUSION_F32 ? 0x1p-23
                               : 0x1p-52;
}

/// Below this, numbers of a type are a fixed distance apart.
static double getTiny(int32_t dtype) {
  return dtype == FUSION_F16   ? 0x1p-22
         : dtype == FUSION_F64 ? 0x1p-1070
         : dtype == FUSION_F32 ? 0x1p-140
                               : 0x1p-130;
}

/// What is larger than this may be rounded to an infinity.
static double getLargest(int32_t dtype) {
  return dtype == FUSION_F16   ? 65504
         : dtype == FUSION_F64 ? std::numeric_limits<double>::max()
                               : double(std::numeric_limits<float>::max());
}

/// How far an element may be from the reference, as the perturbed runs show;
/// nothing where it may be anything.
std::optional<double> Checker::getBound(const HostArray &want, size_t result,
                                        int64_t index) const {
  double value = want.get(index), apart = 0;
  for (const Arrays &run : *perturbed) {
    double other = run[result].get(index);
    if (std::isfinite(other) != std::isfinite(value) ||
        (!std::isfinite(value) && other != value &&
         !(std::isnan(value) && std::isnan(other)))) {
      return std::nullopt;
    }
    apart = std::max(apart, std::fabs(other - value));
  }
  double spacing = getSpacing(want.getDType());
  return 4 * apart + 4 * spacing * std::fabs(value) + getTiny(want.getDType());
}

LogicalResult Checker::needPerturbed() {
  if (!perturbed) {
    FailureOr<std::vector<Arrays>> runs = runPerturbed();
    if (failed(runs)) {
      return failure();
    }
    perturbed = std::move(*runs);
  }
  return success();
}

CheckResult Checker::compare(const Arrays &got, const Arrays &want) {
  Exactness exactness(options.pipeline);
  auto entry = graph.lookupSymbol<func::FuncOp>("main");
  for (BlockArgument argument : entry.getArguments()) {
    auto name = entry.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                   FusionDialect::kNameAttr);
    exactness.visitArgument(argument, name ? name.getValue() : "");
  }
  Block &body = entry.getBody().front();
  for (Operation &op : body.without_terminator()) {
    exactness.visit(&op);
  }
  for (size_t at = 0; at < want.size(); ++at) {
    if (got[at].getDims() != want[at].getDims()) {
      return fail("result " + Twine(at) + ": expected " +
                  describeShape(want[at].getDims(), want[at].getDType()) +
                  ", but got " +
                  describeShape(got[at].getDims(), got[at].getDType()));
    }
    bool exact = exactness.get(body.getTerminator()->getOperand(at)).exact;
    bool isOpen = !exact && isFloatDType(want[at].getDType());
    for (int64_t i = 0, e = want[at].getNumElements(); i < e; ++i) {
      if (isSame(got[at], want[at], i)) {
        continue;
      }
      std::optional<double> bound = 0;
      if (isOpen) {
        if (failed(needPerturbed())) {
          return fail("perturbed program: " + errors.text);
        }
        bound = getBound(want[at], at, i);
        double made = got[at].get(i), value = want[at].get(i);
        if (!bound || std::fabs(made - value) <= *bound ||
            (std::isinf(made) && std::signbit(made) == std::signbit(value) &&
             std::fabs(value) + *bound > getLargest(want[at].getDType()))) {
          continue;
        }
      }
      std::string text;
      llvm::raw_string_ostream os(text);
      os << "result " << at << " of "
         << describeShape(want[at].getDims(), want[at].getDType())
         << ", element " << i << ": expected "
         << llvm::format("%.9g, but got %.9g", want[at].get(i), got[at].get(i));
      if (isOpen) {
        os << llvm::format(" (at most %.3g apart)", *bound);
      } else {
        os << (exact ? " (exact)" : "");
      }
      return fail(text);
    }
  }
  return {};
}

/// Compiles and runs the fused and the unfused program.
CheckResult Checker::runBoth(Arrays &got, Arrays &want) {
  if (failed(verify(graph))) {
    return fail("invalid graph: " + errors.text);
  }
  OwningOpRef<ModuleOp> unfused = graph.clone();
  fused = graph.clone();
  Program expected, program;
  if (failed(compile(*unfused, Stage::Input, reference, expected,
                     isSmall() ? HostEffort::Least : HostEffort::Full)) ||
      failed(load(cpu, expected))) {
    return fail("unfused program does not compile: " + errors.text);
  }
  bool isPlanned = succeeded(
      runStages(*fused, Stage::Input, Stage::Tiles, options.pipeline));
  OwningOpRef<ModuleOp> module = fused->clone();
  if (!isPlanned || failed(compile(*module, Stage::Tiles, options.pipeline,
                                   program, getHostEffort(options.pipeline)))) {
    bool mayRefuse = !options.pipeline.isCPU();
    return {mayRefuse ? CheckResult::Refused : CheckResult::Fails,
            "fused program does not compile: " + errors.text};
  }
  if (failed(load(device, program))) {
    return fail("fused program does not load: " + errors.text);
  }
  FailureOr<Arrays> right = execute(expected, std::nullopt);
  if (failed(right)) {
    return fail("unfused program does not run: " + errors.text);
  }
  FailureOr<Arrays> made = execute(program, std::nullopt);
  if (failed(made)) {
    return fail("fused program does not run: " + errors.text);
  }
  want = std::move(*right);
  got = std::move(*made);
  return {};
}

CheckResult Checker::run() {
  Arrays got, want;
  CheckResult result = runBoth(got, want);
  return result.kind == CheckResult::Agrees ? compare(got, want) : result;
}

CheckResult fuzz::check(ModuleOp graph, const CheckOptions &options,
                        DeviceHandle &cpu, DeviceHandle &device) {
  return Checker(graph, options, cpu, device).run();
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

static bool areSame(const Arrays &one, const Arrays &two) {
  for (auto [a, b] : llvm::zip_equal(one, two)) {
    for (int64_t i = 0, e = a.getNumElements(); i < e; ++i) {
      if (!isSame(a, b, i)) {
        return false;
      }
    }
  }
  return true;
}

/// The result that differs most, for what is allowed.
std::string Checker::describeMissed(const Arrays &got, const Arrays &want) {
  std::string text = "anything is allowed";
  double most = -1;
  for (size_t at = 0; at < want.size(); ++at) {
    for (int64_t i = 0, e = want[at].getNumElements(); i < e; ++i) {
      if (isSame(got[at], want[at], i) || failed(needPerturbed())) {
        continue;
      }
      std::optional<double> bound = getBound(want[at], at, i);
      double apart = std::fabs(got[at].get(i) - want[at].get(i));
      if (bound && apart / *bound > most) {
        most = apart / *bound;
        text.clear();
        llvm::raw_string_ostream(text)
            << "result " << at << ", element " << i << ": "
            << llvm::format("%.9g for %.9g, of %.3g allowed", got[at].get(i),
                            want[at].get(i), *bound);
      }
    }
  }
  return text;
}

std::string Checker::judgeFault(ModuleOp program, const Arrays &want,
                                const Arrays &right, Random &random,
                                StringRef only) {
  std::optional<Fault> fault = plantFault(program, random, only);
  if (!fault) {
    return "";
  }
  std::string rest = "\t" + fault->kind + "\t" + fault->place + "\t";
  errors.text.clear();
  Program wrong;
  if (failed(verify(program)) ||
      failed(compile(program, Stage::Tiles, options.pipeline, wrong,
                     getHostEffort(options.pipeline))) ||
      failed(load(device, wrong))) {
    return "refused" + rest + StringRef(errors.text).split('\n').first.str();
  }
  FailureOr<Arrays> got = execute(wrong, std::nullopt);
  if (failed(got)) {
    return "noticed" + rest + StringRef(errors.text).split('\n').first.str();
  }
  CheckResult verdict = compare(*got, want);
  if (verdict.kind != CheckResult::Agrees) {
    return "noticed" + rest + verdict.message;
  }
  return areSame(*got, right) ? "same" + rest
                              : "missed" + rest + describeMissed(*got, want);
}

CheckResult Checker::runFaults(const FaultOptions &faults) {
  Arrays right, want;
  CheckResult result = runBoth(right, want);
  if (result.kind == CheckResult::Agrees) {
    result = compare(right, want);
  }
  if (result.kind != CheckResult::Agrees) {
    return {CheckResult::Refused, result.message};
  }
  Random random(faults.seed);
  for (int64_t i = 0; i < faults.count; ++i) {
    OwningOpRef<ModuleOp> program = fused->clone();
    std::string line = judgeFault(*program, want, right, random, faults.only);
    result.message += line.empty() ? "" : line + "\n";
  }
  return result;
}

CheckResult fuzz::checkFaults(ModuleOp graph, const CheckOptions &options,
                              const FaultOptions &faults, DeviceHandle &cpu,
                              DeviceHandle &device) {
  return Checker(graph, options, cpu, device).runFaults(faults);
}
