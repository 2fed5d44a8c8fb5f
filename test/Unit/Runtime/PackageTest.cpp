//===- PackageTest.cpp - loading packages ---------------------------------===//
//
// The package is test/Integration/CApi/Inputs/package.c, whose calls to the
// runtime are resolved by this program. FUSION_TEST_PACKAGE is its path.
//
//===----------------------------------------------------------------------===//

#include "FakePrograms.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <dlfcn.h>

using namespace fusion_test;

namespace {
class PackageTest : public ::testing::Test {
protected:
  /// Loads a package that cannot be, and returns why.
  std::string load(const std::string &path) {
    ModelPtr model(fusionModelLoad(context.get(), path.c_str()));
    EXPECT_FALSE(model);
    return fusionLastError(context.get());
  }

  ContextPtr context{fusionContextCreate(FUSION_CPU, 0)};
};
} // namespace

TEST_F(PackageTest, RunsAPackage) {
  ModelPtr model(fusionModelLoad(context.get(), FUSION_TEST_PACKAGE));
  ASSERT_TRUE(model) << fusionLastError(context.get());
  EXPECT_STREQ(fusionModelProgram(model.get())->version, "by hand");
  Floats x({1, 2, 3, 4}, {2, 2}), w({10, 20}, {2}), y({0, 0, 0, 0}, {2, 2});
  FusionArray weight = w.view(), in = x.view(), out = y.view();
  ASSERT_EQ(fusionModelPrepare(model.get(), &weight, 1), 0);
  ASSERT_EQ(fusionModelRunHost(model.get(), &in, 1, &out, 1), 0)
      << fusionLastError(context.get());
  EXPECT_EQ(y.values, (std::vector<float>{11, 22, 13, 24}));
}

TEST_F(PackageTest, SaysThatThereIsNoFile) {
  EXPECT_EQ(load("/nowhere/model.so"), "cannot read the package "
                                       "'/nowhere/model.so': No such file or "
                                       "directory");
}

TEST_F(PackageTest, SaysThatAFileIsNoLibrary) {
  std::string path = ::testing::TempDir() + "fusion-no-library.so";
  FILE *file = fopen(path.c_str(), "w");
  ASSERT_TRUE(file);
  fputs("text", file);
  fclose(file);
  EXPECT_EQ(load(path).find("cannot load the package '" + path + "': "), 0u);
  remove(path.c_str());
}

TEST_F(PackageTest, SaysThatALibraryIsNoPackage) {
  std::string library = FUSION_TEST_RUNTIME;
  EXPECT_EQ(load(library), "expected '" + library +
                               "' to be a package of fusion-compile, but it "
                               "has no symbol 'fusion_program'");
}

// As from Python: the runtime itself is opened locally, and must still offer
// its functions to the package. FUSION_TEST_RUNTIME is libFusionRuntime.so.
TEST_F(PackageTest, RunsInARuntimeThatWasOpenedLocally) {
  void *runtime = dlopen(FUSION_TEST_RUNTIME, RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(runtime) << dlerror();
  auto create = reinterpret_cast<decltype(&fusionContextCreate)>(
      dlsym(runtime, "fusionContextCreate"));
  auto load = reinterpret_cast<decltype(&fusionModelLoad)>(
      dlsym(runtime, "fusionModelLoad"));
  auto destroy = reinterpret_cast<decltype(&fusionModelDestroy)>(
      dlsym(runtime, "fusionModelDestroy"));
  auto close = reinterpret_cast<decltype(&fusionContextDestroy)>(
      dlsym(runtime, "fusionContextDestroy"));
  ASSERT_TRUE(create && load && destroy && close);
  FusionContext *other = create(FUSION_CPU, 0);
  ASSERT_TRUE(other);
  FusionModel *model = load(other, FUSION_TEST_PACKAGE);
  EXPECT_TRUE(model);
  destroy(model);
  close(other);
  dlclose(runtime);
}
