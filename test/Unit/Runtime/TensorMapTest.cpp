//===- TensorMapTest.cpp - descriptors for tensor copies ------------------===//

#include "CudaFixture.h"

#include <cstring>
#include <utility>

using namespace fusion_test;

namespace {
/// Arguments of a tensor map that fit: f16[100, 64] in boxes of 32 x 64.
struct MapArguments {
  void *base = nullptr;
  int32_t dtype = FUSION_F16, rank = 2, swizzle = 128;
  int64_t dims[2] = {64, 100}, strides[1] = {128};
  int32_t box[2] = {64, 32};

  int32_t encode(FusionContext *context, void *out) {
    return fusionRtTensorMap(context, out, base, dtype, rank, dims, strides,
                             box, swizzle);
  }
};

class TensorMapTest : public CudaTest {
protected:
  void SetUp() override {
    CudaTest::SetUp();
    ASSERT_EQ(fusionAlloc(context.get(), 12800, &arguments.base), 0);
  }
  void TearDown() override { fusionFree(context.get(), arguments.base); }

  std::string refuse() {
    EXPECT_NE(arguments.encode(context.get(), map), 0);
    return error();
  }

  alignas(64) char map[128] = {};
  MapArguments arguments;
};
} // namespace

TEST_F(TensorMapTest, EncodesAlsoEmptyTensors) {
  EXPECT_EQ(arguments.encode(context.get(), map), 0) << error();
  arguments.dims[1] = 0;
  EXPECT_EQ(arguments.encode(context.get(), map), 0) << error();
  arguments.dims[0] = 0;
  arguments.strides[0] = 0;
  EXPECT_EQ(arguments.encode(context.get(), map), 0) << error();
  void *base = std::exchange(arguments.base, nullptr);
  EXPECT_EQ(arguments.encode(context.get(), map), 0) << error();
  arguments.base = base;
}

TEST_F(TensorMapTest, ReturnsEqualMapsForEqualArguments) {
  ASSERT_EQ(arguments.encode(context.get(), map), 0) << error();
  alignas(64) char again[128] = {}, other[128] = {};
  ASSERT_EQ(arguments.encode(context.get(), again), 0);
  EXPECT_EQ(memcmp(map, again, 128), 0);
  arguments.dims[1] = 99;
  ASSERT_EQ(arguments.encode(context.get(), other), 0);
  EXPECT_NE(memcmp(map, other, 128), 0);
}

TEST_F(TensorMapTest, ChecksItsArguments) {
  arguments.rank = 6;
  EXPECT_EQ(refuse(), "tensor map: expected a rank of 1 to 5, but got 6");
  arguments = {arguments.base};
  arguments.swizzle = 16;
  EXPECT_EQ(refuse(), "tensor map: expected an element type and a swizzle of "
                      "0, 32, 64 or 128 bytes, but got 2 and 16");
  arguments = {arguments.base};
  arguments.box[1] = 257;
  EXPECT_EQ(
      refuse(),
      "tensor map: expected dim 1 of the box to be 1 to 256, but got 257");
  arguments = {arguments.base};
  arguments.strides[0] = 136;
  EXPECT_EQ(refuse(), "tensor map: expected the stride of dim 1 to be a "
                      "multiple of 16 bytes, but got 136");
  arguments = {arguments.base};
  arguments.box[0] = 128;
  EXPECT_EQ(refuse(), "tensor map: expected rows of the box of a multiple of "
                      "16 bytes, within the swizzle of 128, but got 256");
  arguments = {arguments.base};
  arguments.dims[0] = -1;
  EXPECT_EQ(refuse(), "tensor map: expected dim 0 to be 0 to 2^32, but got -1");
  void *base = arguments.base;
  arguments = {static_cast<char *>(base) + 8};
  EXPECT_EQ(refuse().find("tensor map: expected a base aligned to 16 bytes"),
            0u);
  arguments.base = base;
}

TEST_F(MockCudaTest, EncodesATensorMapOnce) {
  auto count = [&] {
    std::string text = log();
    size_t found = 0;
    for (size_t at = text.find("Encode"); at != std::string::npos;
         at = text.find("Encode", at + 1)) {
      ++found;
    }
    return found;
  };
  reset();
  MapArguments arguments;
  arguments.base = reinterpret_cast<void *>(uintptr_t(1) << 20);
  alignas(64) char map[128];
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(arguments.encode(context.get(), map), 0) << error();
  }
  EXPECT_STREQ(log(),
               "cuTensorMapEncodeTiled type 6 swizzle 3 promotion 2 fill "
               "0 64:64 100:32:128\n");
  // Many more maps than the cache holds: each is right, old ones are remade.
  for (int round = 0; round < 2; ++round) {
    for (int64_t i = 1; i <= 5000; ++i) {
      arguments.dims[1] = i;
      ASSERT_EQ(arguments.encode(context.get(), map), 0) << error();
      int64_t dim = 0;
      memcpy(&dim, map + 16, sizeof(dim));
      ASSERT_EQ(dim, i);
    }
  }
  EXPECT_GT(count(), 5000u);
  EXPECT_LE(count(), 10001u);
  fail("cuTensorMapEncodeTiled", 700);
  arguments.dims[1] = 6000;
  EXPECT_NE(arguments.encode(context.get(), map), 0);
  EXPECT_EQ(error().find("tensor map: cuTensorMapEncodeTiled failed with "),
            0u);
}
