//===- VerifyGroups.cpp - a plan beside the unfused program -----*- C++ -*-===//

#include "fusion/Driver/VerifyGroups.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Verify/Compare.h"
#include "fusion/Verify/Reference.h"
#include "llvm/Support/Format.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;

/// The options of the reference: one group for each op, every value rounded.
static PipelineOptions getReferenceOptions(PipelineOptions options) {
  options.target = "cpu";
  options.emulate = false;
  options.fuse = {false, false, false};
  options.numerics = Numerics::Strict;
  return options;
}

/// The elements of the largest array.
static int64_t getLargestArray(ArrayRef<HostArray> arrays) {
  int64_t largest = 0;
  for (const HostArray &array : arrays) {
    largest = std::max(largest, array.getNumElements());
  }
  return largest;
}

/// The largest dim of any array: a bound for sums over a dynamic dim.
static int64_t getLargestDim(const std::vector<HostArray> &arrays) {
  int64_t largest = 1;
  for (const HostArray &array : arrays) {
    for (int64_t dim : array.getDims()) {
      largest = std::max(largest, dim);
    }
  }
  return largest;
}

namespace {
/// A compiled module on a device.
class CompiledRun {
public:
  /// Puts a program, null after an error, on a device.
  LogicalResult create(MLIRContext *context,
                       std::unique_ptr<CompiledProgram> program,
                       DeviceHandle &device);
  /// Takes a program that somebody else keeps on a device.
  void borrow(MLIRContext *context, Session &session) {
    this->context = context;
    this->session = &session;
  }
  FailureOr<std::vector<HostArray>> run(std::vector<HostArray> &arrays);
  /// How many bytes each result has.
  FailureOr<SmallVector<int64_t>>
  getResultBytes(std::vector<HostArray> &arrays);

private:
  LogicalResult fail(llvm::Error error) {
    return emitError(context, std::move(error));
  }
  MLIRContext *context = nullptr;
  std::unique_ptr<CompiledProgram> program;
  std::optional<Session> owned;
  Session *session = nullptr;
};

class GroupVerifier {
public:
  GroupVerifier(ModuleOp plan, const VerifyRun &run, DeviceHandle &cpu,
                raw_ostream &os)
      : plan(plan), run(run), cpu(cpu), os(os) {}

  /// Compares all groups, in batches.
  LogicalResult verify();
  /// Prints how far the program is from the unfused one.
  LogicalResult compareWhole();

private:
  LogicalResult createFused(ModuleOp module, CompiledRun &fused);
  /// Compiles the reference for runs on arrays of at most so many elements.
  LogicalResult createReference(ModuleOp module, int64_t largestArray,
                                CompiledRun &compiled);
  LogicalResult verifyBatch(GroupRange range);
  /// The same with the plan compiled so that it returns `exposed`.
  LogicalResult verifyBatch(GroupRange range, ArrayRef<GroupOutput> exposed,
                            CompiledRun &fused);
  LogicalResult checkUnchanged(const std::vector<HostArray> &results);
  FailureOr<std::vector<HostArray>>
  runReference(GroupRange range, ArrayRef<GroupOutput> exposed,
               std::vector<HostArray> &got,
               SmallVectorImpl<GroupOutput> &outputs);
  LogicalResult compare(const GroupOutput &output, const HostArray &got,
                        const HostArray &want);
  LogicalResult report();

  ModuleOp plan;
  const VerifyRun &run;
  DeviceHandle &cpu;
  raw_ostream &os;
  int64_t largestDim = 1;
  int64_t numCompared = 0;
  std::optional<GroupOutput> firstWrong;
};
} // namespace

//===----------------------------------------------------------------------===//
// Compiled runs
//===----------------------------------------------------------------------===//

LogicalResult CompiledRun::create(MLIRContext *context,
                                  std::unique_ptr<CompiledProgram> program,
                                  DeviceHandle &device) {
  this->context = context;
  this->program = std::move(program);
  if (!this->program) {
    return failure();
  }
  llvm::Expected<Session> created =
      Session::create(device, this->program->getProgram());
  if (!created) {
    return fail(created.takeError());
  }
  owned = std::move(*created);
  session = &*owned;
  return success();
}

FailureOr<std::vector<HostArray>>
CompiledRun::run(std::vector<HostArray> &arrays) {
  llvm::Expected<std::vector<HostArray>> results = session->run(arrays);
  if (!results) {
    return fail(results.takeError());
  }
  return std::move(*results);
}

FailureOr<SmallVector<int64_t>>
CompiledRun::getResultBytes(std::vector<HostArray> &arrays) {
  auto shapes = session->getResultDims(arrays);
  if (!shapes) {
    return fail(shapes.takeError());
  }
  SmallVector<int64_t> bytes;
  const FusionProgram &contract = session->getProgram();
  for (int32_t i = 0; i < contract.num_arguments; ++i) {
    if (contract.arguments[i].role != FUSION_RESULT) {
      continue;
    }
    int64_t size = fusionDTypeSize(contract.arguments[i].dtype);
    for (int64_t dim : (*shapes)[bytes.size()]) {
      size *= dim;
    }
    bytes.push_back(size);
  }
  return bytes;
}

LogicalResult GroupVerifier::createFused(ModuleOp module, CompiledRun &fused) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (main.getNumResults() == run.results.size()) {
    fused.borrow(module.getContext(), run.session); // Nothing is kept besides.
    return success();
  }
  return fused.create(module.getContext(),
                      run.compile
                          ? run.compile(module)
                          : compileInProcess(module, Stage::Groups, run.options,
                                             getHostEffort(run.options)),
                      run.device);
}

LogicalResult GroupVerifier::createReference(ModuleOp module,
                                             int64_t largestArray,
                                             CompiledRun &compiled) {
  return compiled.create(module.getContext(),
                         compileInProcess(module, Stage::Linalg,
                                          getReferenceOptions(run.options),
                                          getEffortForFewRuns(largestArray)),
                         cpu);
}

//===----------------------------------------------------------------------===//
// One batch of groups
//===----------------------------------------------------------------------===//

/// Whether all bits are the same, but those of a NaN.
static bool areIdentical(const HostArray &a, const HostArray &b) {
  Comparison comparison = compareArrays(a, b, {});
  return comparison.agrees;
}

/// The kernels are the same: what is kept besides must not change a result.
LogicalResult
GroupVerifier::checkUnchanged(const std::vector<HostArray> &results) {
  for (auto [index, before] : llvm::enumerate(run.results)) {
    if (!areIdentical(results[index], before)) {
      return emitError(plan.getContext(),
                       "verification failed: result " + Twine(index) +
                           " of the program changes when the results of its "
                           "groups are kept");
    }
  }
  return success();
}

/// Runs the ops of the groups on what these read of `got`, and gives it back.
FailureOr<std::vector<HostArray>>
GroupVerifier::runReference(GroupRange range, ArrayRef<GroupOutput> exposed,
                            std::vector<HostArray> &got,
                            SmallVectorImpl<GroupOutput> &outputs) {
  OwningOpRef<ModuleOp> reference = plan.clone();
  if (run.options.numerics != Numerics::Strict) {
    // What a kernel computes is defined without the roundings inside of it.
    elideRoundings(reference->lookupSymbol<func::FuncOp>("main"));
  }
  SmallVector<GroupOutput> reads;
  outputs = cutAtGroups(*reference, range, reads);
  dissolveGroups(*reference);
  lowerChoices(reference->lookupSymbol<func::FuncOp>("main"));
  SmallVector<int64_t> sources;
  for (const GroupOutput &read : reads) {
    const auto *found = llvm::find_if(exposed, [&](const GroupOutput &other) {
      return other.group == read.group && other.number == read.number;
    });
    sources.push_back(found->result);
  }
  // The arrays are lent, not copied.
  std::vector<HostArray> arrays = std::move(run.inputs);
  size_t given = arrays.size();
  for (int64_t source : sources) {
    arrays.push_back(std::move(got[source]));
  }
  largestDim = std::max(largestDim, getLargestDim(arrays));
  int64_t largestArray =
      std::max(getLargestArray(arrays), getLargestArray(got));
  CompiledRun compiled;
  FailureOr<std::vector<HostArray>> want = failure();
  if (succeeded(createReference(*reference, largestArray, compiled))) {
    want = compiled.run(arrays);
  }
  for (auto [index, source] : llvm::enumerate(sources)) {
    got[source] = std::move(arrays[given + index]);
  }
  arrays.resize(given);
  run.inputs = std::move(arrays);
  return want;
}

LogicalResult GroupVerifier::compare(const GroupOutput &output,
                                     const HostArray &got,
                                     const HostArray &want) {
  if (got.getDims() != want.getDims()) {
    return emitError(plan.getContext(),
                     "group " + Twine(output.group) + " '" + output.name +
                         "': expected a result of " +
                         describeShape(want.getDims(), want.getDType()) +
                         ", but got " +
                         describeShape(got.getDims(), got.getDType()));
  }
  int64_t length = ShapedType::isDynamic(output.reductionLength)
                       ? largestDim
                       : output.reductionLength;
  Comparison comparison = compareArrays(
      got, want, getTolerance(want.getDType(), length, output.spacing));
  os << "verify: group " << output.group << " '" << output.name << "' "
     << describeShape(want.getDims(), want.getDType()) << ": "
     << describe(comparison, want.getDims()) << "\n";
  ++numCompared;
  if (!comparison.agrees && !firstWrong) {
    firstWrong = output;
  }
  return success();
}

LogicalResult GroupVerifier::verifyBatch(GroupRange range,
                                         ArrayRef<GroupOutput> exposed,
                                         CompiledRun &fused) {
  FailureOr<std::vector<HostArray>> got = fused.run(run.inputs);
  if (failed(got) || failed(checkUnchanged(*got))) {
    return failure();
  }
  SmallVector<GroupOutput> outputs;
  FailureOr<std::vector<HostArray>> want =
      runReference(range, exposed, *got, outputs);
  if (failed(want)) {
    return failure();
  }
  for (const GroupOutput &output : outputs) {
    const auto *found = llvm::find_if(exposed, [&](const GroupOutput &other) {
      return other.group == output.group && other.number == output.number;
    });
    if (failed(
            compare(*found, (*got)[found->result], (*want)[output.result]))) {
      return failure();
    }
  }
  return success();
}

LogicalResult GroupVerifier::verifyBatch(GroupRange range) {
  OwningOpRef<ModuleOp> module = plan.clone();
  SmallVector<GroupOutput> exposed = exposeGroupResults(*module, range);
  CompiledRun fused;
  return failed(createFused(*module, fused))
             ? failure()
             : verifyBatch(range, exposed, fused);
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// Consecutive groups whose results have at most `limit` bytes, if there is
/// more than one in a batch. `bytes` are those of @main's results.
static SmallVector<GroupRange> makeBatches(ArrayRef<GroupOutput> exposed,
                                           ArrayRef<int64_t> bytes,
                                           int64_t limit) {
  SmallVector<GroupRange> batches;
  int64_t size = 0;
  for (const GroupOutput &output : exposed) {
    size += bytes[output.result];
    bool isNew = batches.empty() || output.group >= batches.back().last;
    if (isNew && (batches.empty() || size > limit)) {
      batches.push_back({output.group, output.group});
      size = bytes[output.result];
    }
    batches.back().last = output.group + 1;
  }
  return batches;
}

LogicalResult GroupVerifier::verify() {
  OwningOpRef<ModuleOp> module = plan.clone();
  GroupRange all{0, countGroups(plan)};
  SmallVector<GroupOutput> exposed = exposeGroupResults(*module, all);
  SmallVector<GroupRange> batches;
  {
    CompiledRun fused;
    if (failed(createFused(*module, fused))) {
      return failure();
    }
    FailureOr<SmallVector<int64_t>> bytes = fused.getResultBytes(run.inputs);
    if (failed(bytes)) {
      return failure();
    }
    batches = makeBatches(exposed, *bytes, run.batchBytes);
    if (batches.size() <= 1) {
      return failed(verifyBatch(all, exposed, fused)) ? failure() : report();
    }
  }
  for (GroupRange batch : batches) {
    if (failed(verifyBatch(batch))) {
      return failure();
    }
  }
  return report();
}

LogicalResult GroupVerifier::report() {
  if (firstWrong) {
    return emitError(plan.getContext(),
                     "verification failed: group " + Twine(firstWrong->group) +
                         " '" + firstWrong->name +
                         "' is the first beyond its tolerance; it computes " +
                         firstWrong->ops);
  }
  os << "verify: all " << numCompared
     << " results of groups agree with the unfused program\n";
  return success();
}

LogicalResult GroupVerifier::compareWhole() {
  OwningOpRef<ModuleOp> reference = plan.clone();
  dissolveGroups(*reference);
  CompiledRun compiled;
  int64_t largestArray =
      std::max(getLargestArray(run.inputs), getLargestArray(run.results));
  if (failed(createReference(*reference, largestArray, compiled))) {
    return failure();
  }
  FailureOr<std::vector<HostArray>> want = compiled.run(run.inputs);
  if (failed(want)) {
    return failure();
  }
  double largest = 0;
  for (auto [got, wanted] : llvm::zip(run.results, *want)) {
    if (got.getDims() != wanted.getDims()) {
      return emitError(plan.getContext(),
                       "verification failed: expected a result of " +
                           describeShape(wanted.getDims(), wanted.getDType()) +
                           ", but got " +
                           describeShape(got.getDims(), got.getDType()));
    }
    largest = std::max(largest, compareArrays(got, wanted, {}).maxRelative);
  }
  os << llvm::format("verify: the program as a whole differs from the unfused "
                     "one by at most %.2e\n",
                     largest);
  return success();
}

LogicalResult mlir::fusion::verifyGroups(OwningOpRef<ModuleOp> plan,
                                         const VerifyRun &run,
                                         raw_ostream &os) {
  llvm::Expected<DeviceHandle> cpu = DeviceHandle::open(FUSION_CPU);
  if (!cpu) {
    return emitError(plan->getContext(), cpu.takeError());
  }
  GroupVerifier verifier(*plan, run, *cpu, os);
  return success(succeeded(verifier.compareWhole()) &&
                 succeeded(verifier.verify()));
}
