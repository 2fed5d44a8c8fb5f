//===- Pipelines.h - the stages as pipelines --------------------*- C++ -*-===//
//
// One function per numbered stage of docs/Architecture.md. `fusion-opt` offers
// each as a named pipeline, `fusion-compile --emit` stops after one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PIPELINES_PIPELINES_H
#define FUSION_PIPELINES_PIPELINES_H

#include "fusion/Planner/FuseKinds.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::fusion {

/// How values are rounded (docs/Numerics.md).
enum class Numerics { Default, Strict, Fast };

/// What the stages are asked to do; equal for all of them.
struct PipelineOptions {
  /// "cpu", or a GPU: "sm_80", "sm_90a", ...
  std::string target = "cpu";
  /// The device of that target whose figures the planner and reports take for
  /// estimates: "l4", "h100", ...; empty: the first one of the target.
  std::string device;
  /// Limits below those of the device (Schedule/Limits.h); empty: none.
  std::string limits;
  FuseKinds fuse;
  Numerics numerics = Numerics::Default;
  /// The image is the kernels of stage 5, for the emulator, in place of PTX.
  bool emulate = false;

  bool isCPU() const { return target == "cpu"; }
  /// What getDeviceModel() knows the device by.
  StringRef getDevice() const { return device.empty() ? target : device; }
};

/// The stages, in order, named by the IR at their end; Input is what was read.
enum class Stage { Input, Graph, Linalg, Groups, Tiles, GPU, LLVM };

/// Parses the kinds of fusion that `text` names (Planner/FuseKinds.h).
llvm::Expected<FuseKinds> parseFuse(StringRef text);
/// Checks limits for PipelineOptions.
llvm::Error checkDeviceLimits(StringRef text);
/// Parses "default", "strict" or "fast".
llvm::Expected<Numerics> parseNumerics(StringRef text);
/// Checks that there is a device model for `target`.
llvm::Error checkTarget(StringRef target);
/// Checks that `device` is a device model of `target`, or of any target where
/// that is empty; returns its target.
llvm::Expected<std::string> checkDevice(StringRef device, StringRef target);

/// Adds the pass that puts the limits of `options` on the module, if there are
/// any.
void addLimits(OpPassManager &pm, const PipelineOptions &options);

/// [1] Graph: decomposes and folds what import left; graph in, graph out.
void buildGraphPipeline(OpPassManager &pm, const PipelineOptions &options);
/// [2] Graph to one linalg op per graph op.
void buildGraphToLinalg(OpPassManager &pm, const PipelineOptions &options);
/// [3] Linalg to groups: the plan.
void buildLinalgToGroups(OpPassManager &pm, const PipelineOptions &options);
/// [3b] and [4] Groups to the host program and one function per distinct group,
/// and for a GPU their bodies to tile programs.
void buildGroupsToTiles(OpPassManager &pm, const PipelineOptions &options);
/// [5] Tile programs to the gpu dialect (nothing on the CPU).
void buildTilesToGPU(OpPassManager &pm, const PipelineOptions &options);
/// [6] Kernels and host program to the LLVM dialect.
void buildGPUToLLVM(OpPassManager &pm, const PipelineOptions &options);

/// Adds the pipelines of the stages after `from` up to `to`.
void buildStages(OpPassManager &pm, Stage from, Stage to,
                 const PipelineOptions &options);

/// Registers the pipelines with the command line: fusion-graph,
/// fusion-graph-to-linalg, fusion-linalg-to-groups, fusion-groups-to-tiles,
/// fusion-tile-programs-to-gpu and fusion-gpu-to-llvm, with options target,
/// fuse, numerics and limits.
void registerPipelines();

} // namespace mlir::fusion

#endif // FUSION_PIPELINES_PIPELINES_H
