//===- CpuProgram.cpp - group functions compiled and run ------------------===//

#include "CpuProgram.h"

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/HostToLLVM/LowerHost.h"
#include "fusion/InitAllDialects.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <cstring>
#include <random>

using namespace mlir;
using namespace mlir::fusion;

CpuProgram::CpuProgram(const std::string &text, int64_t vectorBits) {
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << "cannot parse\n" << text;
    return;
  }
  CPUVectorOptions options;
  if (vectorBits != 0) {
    options.vectorBits = vectorBits;
  }
  PassManager pm(&context);
  buildGroupToCPUPipeline(pm, options);
  buildLowerHostPipeline(pm, "cpu");
  if (failed(pm.run(*module))) {
    ADD_FAILURE() << "cannot lower\n" << text;
    return;
  }
  auto compiled = HostJit::create(*module);
  if (!compiled) {
    ADD_FAILURE() << llvm::toString(compiled.takeError());
    return;
  }
  jit = std::move(*compiled);
}

void CpuProgram::run(std::vector<std::vector<float>> &arrays,
                     const std::vector<int64_t> &dims) {
  constexpr size_t kGuard = 64;
  std::vector<void *> pointers;
  for (std::vector<float> &array : arrays) {
    pointers.push_back(array.data());
  }
  size_t bytes = get().workspace_size(dims.data());
  size_t allocated = (bytes + kGuard + 255) / 256 * 256;
  auto *workspace = static_cast<uint8_t *>(std::aligned_alloc(256, allocated));
  std::memset(workspace, 0xA5, allocated);
  FusionContext *device = fusionContextCreate(FUSION_CPU, 0);
  EXPECT_EQ(get().run(device, pointers.data(), dims.data(), workspace, nullptr),
            0);
  for (size_t i = bytes; i < allocated; ++i) {
    EXPECT_EQ(workspace[i], 0xA5) << "workspace overrun at byte " << i;
  }
  fusionContextDestroy(device);
  std::free(workspace);
}

std::vector<float> makeValues(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<float> values(count);
  for (float &value : values) {
    value = float(int32_t(engine() % 2048) - 1024) / 1024;
  }
  return values;
}

std::string makeModule(const std::vector<std::string> &types,
                       const std::string &body, const std::string &resultDims) {
  std::string arguments, parameters, operands, operandTypes, dims, tensors;
  int64_t numDims = 0;
  for (size_t i = 0; i < types.size(); ++i) {
    bool isResult = i + 1 == types.size();
    std::string comma = i == 0 ? "" : ", ";
    std::string name = "%m" + std::to_string(i);
    std::string type = "memref<" + types[i] + ">";
    parameters += comma + name + ": " + type;
    arguments += comma + name + ": " + type;
    arguments += isResult ? " {fusion.result}" : "";
    operands += comma + name;
    operandTypes += comma + type;
    if (isResult) {
      break;
    }
    std::string number = std::to_string(i);
    tensors += "%t" + number + " = bufferization.to_tensor " + name +
               " restrict : " + type + " to tensor<" + types[i] + ">\n";
    for (char c : types[i]) {
      if (c == 'x') {
        dims += (numDims == 0 ? "%d" : ", %d") + std::to_string(numDims) +
                ": index";
        ++numDims;
      }
    }
  }
  const std::string &result = types.back();
  std::string last = "%m" + std::to_string(types.size() - 1);
  return "func.func @main(" + arguments + ") {\nfunc.call @group(" + operands +
         ") : (" + operandTypes + ") -> ()\nreturn\n}\n" +
         "func.func private @main_result_dims(" + dims + ") -> " + resultDims +
         "\nfunc.func private @group(" + parameters + ") {\n" + tensors + body +
         "bufferization.materialize_in_destination %r in restrict writable " +
         last + " : (tensor<" + result + ">, memref<" + result +
         ">) -> ()\nreturn\n}\n";
}
