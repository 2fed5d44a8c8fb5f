//===- Registration.cpp - pipelines for the command line --------*- C++ -*-===//

#include "fusion/Pipelines/Pipelines.h"
#include "mlir/Pass/PassOptions.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// PipelineOptions as options of a pipeline in text.
struct TextOptions : PassPipelineOptions<TextOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("cpu, sm_80, sm_90a, ..., or a device: l4, ..."),
      llvm::cl::init("cpu")};
  Option<std::string> fuse{
      *this, "fuse",
      llvm::cl::desc("all, none, or some of vertical, horizontal, conditional"),
      llvm::cl::init("all")};
  Option<std::string> numerics{*this, "numerics",
                               llvm::cl::desc("default, strict or fast"),
                               llvm::cl::init("default")};
  Option<std::string> limits{
      *this, "limits",
      llvm::cl::desc("limits of the device that kernels keep to, as in "
                     "fusion-set-limits"),
      llvm::cl::init("")};
};
} // namespace

/// Returns the options that `text` gives.
static llvm::Expected<PipelineOptions> parse(const TextOptions &text) {
  PipelineOptions options;
  options.target = text.target;
  if (llvm::Error error = checkTarget(text.target)) {
    llvm::Expected<std::string> chip = checkDevice(text.target, "");
    if (!chip) {
      llvm::consumeError(chip.takeError());
      return error;
    }
    llvm::consumeError(std::move(error));
    options.device = text.target;
    options.target = *chip;
  }
  llvm::Expected<FuseKinds> fuse = parseFuse(text.fuse);
  if (!fuse) {
    return fuse.takeError();
  }
  options.fuse = *fuse;
  llvm::Expected<Numerics> numerics = parseNumerics(text.numerics);
  if (!numerics) {
    return numerics.takeError();
  }
  options.numerics = *numerics;
  options.limits = text.limits; // the pass says what is wrong with them
  return options;
}

void mlir::fusion::registerPipelines() {
  using Build = void (*)(OpPassManager &, const PipelineOptions &);
  struct Entry {
    StringLiteral name, summary;
    Build build;
  };
  static constexpr Entry entries[] = {
      {"fusion-graph", "[1] Clean up and fold the graph", buildGraphPipeline},
      {"fusion-graph-to-linalg", "[2] Graph to one linalg op per graph op",
       buildGraphToLinalg},
      {"fusion-linalg-to-groups", "[3] Linalg to groups: the plan",
       buildLinalgToGroups},
      {"fusion-groups-to-tiles",
       "[4] Groups to the host program and tile programs", buildGroupsToTiles},
      {"fusion-tile-programs-to-gpu",
       "[5] Tile programs to the code of one thread (CPU: of one core)",
       buildTilesToGPU},
      {"fusion-gpu-to-llvm", "[6] The host program to the LLVM dialect",
       buildGPUToLLVM}};
  for (const Entry &entry : entries) {
    registerPassPipeline(
        entry.name, entry.summary,
        [build = entry.build](
            OpPassManager &pm, StringRef text,
            function_ref<LogicalResult(const Twine &)> emitError) {
          TextOptions options;
          if (failed(options.parseFromString(text))) {
            return failure();
          }
          llvm::Expected<PipelineOptions> parsed = parse(options);
          if (!parsed) {
            return emitError(llvm::toString(parsed.takeError()));
          }
          addLimits(pm, *parsed);
          build(pm, *parsed);
          return success();
        },
        [](function_ref<void(const detail::PassOptions &)> visit) {
          visit(TextOptions());
        });
  }
}
