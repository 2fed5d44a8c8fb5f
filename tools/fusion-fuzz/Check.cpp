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

private:
  CheckResult fail(const Twine &text) {
    return {CheckResult::Fails, StringRef(text.str()).split('\n').first.str()};
  }
  LogicalResult compile(ModuleOp module, Stage from,
                        const PipelineOptions &pipeline, Program &program);
  LogicalResult load(DeviceHandle &on, Program &program);
  /// Runs on fresh inputs; `phase` and `nearPoles`, where given, are among
  /// them.
  FailureOr<Arrays> execute(Program &program, std::optional<double> phase,
                            ArrayRef<HostArray> nearPoles = {});
  FailureOr<std::vector<Arrays>> runPerturbed(ArrayRef<double> phases,
                                              ArrayRef<HostArray> nearPoles);
  FailureOr<std::vector<Arrays>> runPerturbed();
  CheckResult compare(const Arrays &got, const Arrays &want);

  ModuleOp graph;
  const CheckOptions &options;
  DeviceHandle &cpu, &device;
  FirstError errors;
  PipelineOptions reference;
};
} // namespace

LogicalResult Checker::compile(ModuleOp module, Stage from,
                               const PipelineOptions &pipeline,
                               Program &program) {
  if (failed(runStages(module, from, Stage::Groups, pipeline))) {
    return failure();
  }
  program.compiled = compileInProcess(module, Stage::Groups, pipeline);
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
  if (failed(verify(*module)) ||
      failed(compile(*module, Stage::Graph, reference, program)) ||
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
  auto runs = runPerturbed({0.3, 1.1, 1.9, 2.8, 3.9, 4.7, 5.5}, {});
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
    auto poisoned = runPerturbed({0.3}, nearPoles);
    if (failed(poisoned)) {
      return failure();
    }
    runs->push_back(std::move(poisoned->front()));
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

/// Whether `got` is as near to the reference as the perturbed runs allow.
static bool isExplained(const HostArray &got, const HostArray &want,
                        ArrayRef<const HostArray *> perturbed, int64_t index) {
  double value = want.get(index), apart = 0;
  for (const HostArray *run : perturbed) {
    double other = run->get(index);
    if (std::isfinite(other) != std::isfinite(value) ||
        (!std::isfinite(value) && other != value &&
         !(std::isnan(value) && std::isnan(other)))) {
      return true;
    }
    apart = std::max(apart, std::fabs(other - value));
  }
  double spacing = getSpacing(got.getDType());
  double bound =
      4 * apart + 4 * spacing * std::fabs(value) + getTiny(got.getDType());
  return std::fabs(got.get(index) - value) <= bound;
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
  std::optional<std::vector<Arrays>> perturbed;
  for (size_t at = 0; at < want.size(); ++at) {
    if (got[at].getDims() != want[at].getDims()) {
      return fail("result " + Twine(at) + ": expected " +
                  describeShape(want[at].getDims(), want[at].getDType()) +
                  ", but got " +
                  describeShape(got[at].getDims(), got[at].getDType()));
    }
    bool exact = exactness.get(body.getTerminator()->getOperand(at)).exact;
    for (int64_t i = 0, e = want[at].getNumElements(); i < e; ++i) {
      if (isSame(got[at], want[at], i)) {
        continue;
      }
      if (!exact && isFloatDType(want[at].getDType())) {
        if (!perturbed) {
          FailureOr<std::vector<Arrays>> runs = runPerturbed();
          if (failed(runs)) {
            return fail("perturbed program: " + errors.text);
          }
          perturbed = std::move(*runs);
        }
        SmallVector<const HostArray *> others;
        for (const Arrays &run : *perturbed) {
          others.push_back(&run[at]);
        }
        if (isExplained(got[at], want[at], others, i)) {
          continue;
        }
      }
      std::string text;
      llvm::raw_string_ostream(text)
          << "result " << at << " of "
          << describeShape(want[at].getDims(), want[at].getDType())
          << ", element " << i << ": expected "
          << llvm::format("%.9g, but got %.9g", want[at].get(i), got[at].get(i))
          << (exact ? " (exact)" : "");
      return fail(text);
    }
  }
  return {};
}

CheckResult Checker::run() {
  if (failed(verify(graph))) {
    return fail("invalid graph: " + errors.text);
  }
  OwningOpRef<ModuleOp> unfused = graph.clone(), fused = graph.clone();
  Program expected, program;
  if (failed(compile(*unfused, Stage::Input, reference, expected)) ||
      failed(load(cpu, expected))) {
    return fail("unfused program does not compile: " + errors.text);
  }
  if (failed(compile(*fused, Stage::Input, options.pipeline, program))) {
    bool mayRefuse = !options.pipeline.isCPU();
    return {mayRefuse ? CheckResult::Refused : CheckResult::Fails,
            "fused program does not compile: " + errors.text};
  }
  if (failed(load(device, program))) {
    return fail("fused program does not load: " + errors.text);
  }
  FailureOr<Arrays> want = execute(expected, std::nullopt);
  if (failed(want)) {
    return fail("unfused program does not run: " + errors.text);
  }
  FailureOr<Arrays> got = execute(program, std::nullopt);
  if (failed(got)) {
    return fail("fused program does not run: " + errors.text);
  }
  return compare(*got, *want);
}

CheckResult fuzz::check(ModuleOp graph, const CheckOptions &options,
                        DeviceHandle &cpu, DeviceHandle &device) {
  return Checker(graph, options, cpu, device).run();
}
