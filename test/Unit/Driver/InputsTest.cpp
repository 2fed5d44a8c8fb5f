//===- InputsTest.cpp - specifications and values of inputs -----*- C++ -*-===//

#include "fusion/Driver/Inputs.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

static std::string getError(StringRef text) {
  llvm::Expected<InputSpec> spec = parseInputSpec(text);
  return spec ? "" : llvm::toString(spec.takeError());
}

TEST(InputsTest, ParsesSpecifications) {
  EXPECT_EQ(parseInputSpec("random:42")->seed, 42u);
  EXPECT_EQ(parseInputSpec("randint:-3:9:5")->low, -3);
  EXPECT_EQ(parseInputSpec("randint:-3:9:5")->high, 9);
  EXPECT_EQ(parseInputSpec("randint:-3:9:5")->seed, 5u);
  EXPECT_EQ(parseInputSpec("a:b.npy")->file, "a:b.npy");
}

TEST(InputsTest, RefusesOtherText) {
  for (StringRef text : {"", "random:", "random:x", "random:1:2", "randint",
                         "randint:3", "randint:3:3", "zeros:1", "x.txt"}) {
    EXPECT_NE(getError(text), "") << text.str();
  }
}

namespace {
/// A program with one weight and one input, of dynamic dims.
struct Program {
  int64_t dims[2] = {-1, 64}, weightDims[2] = {-1, 100};
  const char *names[2] = {"batch", ""};
  FusionArgument arguments[2] = {
      {"x", FUSION_F32, 2, dims, names, FUSION_INPUT, 0, nullptr},
      {"w", FUSION_F32, 2, weightDims, names, FUSION_WEIGHT, 0, nullptr}};
  FusionProgram program = {};

  Program() {
    program.num_arguments = 2;
    program.arguments = arguments;
  }
};
} // namespace

TEST(InputsTest, RandomValuesAreNormalAndScaledByFanIn) {
  Program program;
  InputOptions options;
  options.dims["batch"] = 1000;
  auto arrays = makeInputs(program.program, options);
  ASSERT_TRUE(bool(arrays)) << llvm::toString(arrays.takeError());
  ASSERT_EQ(arrays->size(), 2u);
  const double fanIns[] = {64, 100};
  for (auto [array, fanIn] : llvm::zip(*arrays, fanIns)) {
    double sum = 0, squares = 0;
    auto count = double(array.getNumElements());
    for (int64_t i = 0; i < array.getNumElements(); ++i) {
      sum += array.get(i);
      squares += array.get(i) * array.get(i);
    }
    EXPECT_NEAR(sum / count, 0, 0.02 / std::sqrt(fanIn));
    EXPECT_NEAR(std::sqrt(squares / count * fanIn), 1, 0.02);
  }
  EXPECT_NE((*arrays)[0].get(0) * 8, (*arrays)[1].get(0) * 10);
}

TEST(InputsTest, NamesWhatIsWrong) {
  Program program;
  InputOptions options;
  auto fails = [&] {
    auto arrays = makeInputs(program.program, options);
    return arrays ? std::string() : llvm::toString(arrays.takeError());
  };
  EXPECT_NE(fails().find("give --dim batch=N"), std::string::npos);
  options.dims["rows"] = 1;
  EXPECT_NE(fails().find("expected a dynamic dim of the model (batch)"),
            std::string::npos);
  options.dims = {{"batch", int64_t(1) << 60}};
  EXPECT_NE(fails().find("expected sizes that fit in memory"),
            std::string::npos);
  options.dims = {{"batch", 1}};
  options.specs["z"] = InputSpec();
  EXPECT_NE(fails().find("expected an input of the model (x, w)"),
            std::string::npos);
}
