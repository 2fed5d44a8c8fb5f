//===- Registration.cpp - pipelines for the command line --------*- C++ -*-===//

#include "fusion/Pipelines/Pipelines.h"
#include "mlir/Pass/PassOptions.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// PipelineOptions as options of a pipeline in text.
struct TextOptions : PassPipelineOptions<TextOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("cpu, sm_80, sm_90a, ..."),
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

/// Checks the options. A pipeline has no way to fail while it is built, so what
/// is wrong is printed, and the defaults are taken.
static PipelineOptions parse(const TextOptions &text) {
  PipelineOptions options;
  auto report = [](llvm::Error error) {
    llvm::errs() << "warning: " << llvm::toString(std::move(error))
                 << "; the default is taken\n";
  };
  if (llvm::Error error = checkTarget(text.target)) {
    report(std::move(error));
  } else {
    options.target = text.target;
  }
  if (llvm::Expected<FuseKinds> fuse = parseFuse(text.fuse)) {
    options.fuse = *fuse;
  } else {
    report(fuse.takeError());
  }
  if (llvm::Expected<Numerics> numerics = parseNumerics(text.numerics)) {
    options.numerics = *numerics;
  } else {
    report(numerics.takeError());
  }
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
    PassPipelineRegistration<TextOptions>(
        entry.name, entry.summary,
        [build = entry.build](OpPassManager &pm, const TextOptions &options) {
          PipelineOptions parsed = parse(options);
          addLimits(pm, parsed);
          build(pm, parsed);
        });
  }
}
