//===- GroupToCPU.cpp - the passes from groups to loops on vectors --------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::fusion;

int64_t fusion::getHostVectorBits() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx512f") && features.lookup("avx512bw")) {
    return 512;
  }
  return features.lookup("avx2") ? 256 : 128;
}

void fusion::buildGroupToCPUPipeline(OpPassManager &pm,
                                     const CPUVectorOptions &options) {
  // 1. One parallel loop per nest, on tensors.
  OpPassManager &group = pm.nest<func::FuncOp>();
  group.addPass(createMergeElementwise());
  group.addPass(createTileGroupForCPU());
  group.addPass(createCanonicalize());
  group.addPass(createCSEPass());
  // 2. Memrefs. The second canonicalization finds copies of a buffer onto
  // itself, which common subexpressions hide.
  group.addPass(createBufferizeGroup());
  group.addPass(createCanonicalize());
  group.addPass(createCSEPass());
  group.addPass(createCanonicalize());
  // 3. Loops on vectors.
  LowerGroupToVectorLoopsOptions loops;
  loops.vectorBits = options.vectorBits;
  group.addPass(createLowerGroupToVectorLoops(loops));
  group.addPass(createCanonicalize());
  group.addPass(createCSEPass());
  // 4. Buffers and threads.
  pm.addPass(createPlaceGroupBuffers());
  pm.addPass(createOutlineParallelLoops());
  OpPassManager &outlined = pm.nest<func::FuncOp>();
  outlined.addPass(createCanonicalize());
  outlined.addPass(createCSEPass());
}

void fusion::registerGroupToCPUPipeline() {
  struct Options : PassPipelineOptions<Options> {
    Option<int64_t> vectorBits{
        *this, "vector-bits",
        llvm::cl::desc("Width of a vector register; the default is this "
                       "machine's"),
        llvm::cl::init(getHostVectorBits())};
  };
  PassPipelineRegistration<Options>(
      "fusion-group-to-cpu",
      "Lower outlined groups on tensors to loops on vectors (stage 3b on)",
      [](OpPassManager &pm, const Options &options) {
        buildGroupToCPUPipeline(pm, CPUVectorOptions{options.vectorBits});
      });
}
