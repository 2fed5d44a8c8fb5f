//===- VerifyGroups.cpp - a plan beside the unfused program -----*- C++ -*-===//

#include "VerifyGroups.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Verify/Compare.h"
#include "fusion/Verify/Reference.h"

using namespace mlir;
using namespace mlir::fusion;

/// The options of the reference: one group for each op, every value rounded.
static PipelineOptions getReferenceOptions(PipelineOptions options) {
  options.target = "cpu";
  options.fuse = {false, false, false};
  options.numerics = Numerics::Strict;
  return options;
}

/// Compiles `module`, which is at the end of stage `from`, and runs it.
static FailureOr<std::vector<HostArray>> runOn(ModuleOp module, Stage from,
                                               const PipelineOptions &options,
                                               DeviceHandle &device,
                                               std::vector<HostArray> &inputs) {
  std::unique_ptr<CompiledProgram> program =
      compileInProcess(module, from, options);
  if (!program) {
    return failure();
  }
  llvm::Expected<Session> session =
      Session::create(device, program->getProgram());
  if (!session) {
    return emitError(module.getContext(), session.takeError());
  }
  llvm::Expected<std::vector<HostArray>> results = session->run(inputs);
  if (!results) {
    return emitError(module.getContext(), results.takeError());
  }
  return std::move(*results);
}

/// The largest dim of any input: a bound for sums over a dynamic dim.
static int64_t getLargestDim(const std::vector<HostArray> &inputs) {
  int64_t largest = 1;
  for (const HostArray &input : inputs) {
    for (int64_t dim : input.getDims()) {
      largest = std::max(largest, dim);
    }
  }
  return largest;
}

LogicalResult mlir::fusion::verifyGroups(OwningOpRef<ModuleOp> plan,
                                         const PipelineOptions &options,
                                         DeviceHandle &device,
                                         std::vector<HostArray> &inputs,
                                         raw_ostream &os) {
  MLIRContext *context = plan->getContext();
  SmallVector<GroupOutput> outputs = exposeGroupResults(*plan);
  OwningOpRef<ModuleOp> reference = plan->clone();
  dissolveGroups(*reference);

  llvm::Expected<DeviceHandle> cpu = DeviceHandle::open(FUSION_CPU);
  if (!cpu) {
    return emitError(context, cpu.takeError());
  }
  FailureOr<std::vector<HostArray>> got =
      runOn(*plan, Stage::Groups, options, device, inputs);
  if (failed(got)) {
    return failure();
  }
  FailureOr<std::vector<HostArray>> want = runOn(
      *reference, Stage::Linalg, getReferenceOptions(options), *cpu, inputs);
  if (failed(want)) {
    return failure();
  }
  const GroupOutput *firstWrong = nullptr;
  for (const GroupOutput &output : outputs) {
    const HostArray &a = (*got)[output.result], &b = (*want)[output.result];
    if (a.getDims() != b.getDims()) {
      return emitError(context, "group " + Twine(output.group) + " '" +
                                    output.name + "': expected a result of " +
                                    describeShape(b.getDims(), b.getDType()) +
                                    ", but got " +
                                    describeShape(a.getDims(), a.getDType()));
    }
    int64_t length = ShapedType::isDynamic(output.reductionLength)
                         ? getLargestDim(inputs)
                         : output.reductionLength;
    Comparison comparison =
        compareArrays(a, b, getTolerance(b.getDType(), length));
    os << "verify: group " << output.group << " '" << output.name << "' "
       << describeShape(b.getDims(), b.getDType()) << ": "
       << describe(comparison) << "\n";
    if (!comparison.agrees && !firstWrong) {
      firstWrong = &output;
    }
  }
  if (firstWrong) {
    return emitError(context, "verification failed: group " +
                                  Twine(firstWrong->group) + " '" +
                                  firstWrong->name +
                                  "' is the first beyond its tolerance");
  }
  os << "verify: all " << outputs.size()
     << " results of groups agree with the unfused program\n";
  return success();
}
