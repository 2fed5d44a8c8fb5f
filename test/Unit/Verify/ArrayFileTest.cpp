//===- ArrayFileTest.cpp - array files, good and bad ------------*- C++ -*-===//

#include "fusion/Verify/ArrayFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// A file that is gone after the test.
class ArrayFileTest : public ::testing::Test {
protected:
  void create(StringRef suffix, StringRef bytes = "") {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("fusion", suffix, path));
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << bytes;
    ASSERT_FALSE(error);
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  std::string readError(int32_t wanted = FUSION_F32) {
    llvm::Expected<HostArray> array = readArrayFile(path, wanted);
    return array ? "no error" : llvm::toString(array.takeError());
  }
  SmallString<64> path;
};
} // namespace

TEST_F(ArrayFileTest, NpyRoundTrip) {
  const SmallVector<int64_t> shapes[] = {{}, {3}, {2, 5}, {0, 4}};
  create("npy");
  for (FusionDType dtype : {FUSION_F32, FUSION_F16, FUSION_BF16, FUSION_I1,
                            FUSION_I64, FUSION_U8}) {
    for (const SmallVector<int64_t> &dims : shapes) {
      HostArray array(dtype, dims);
      for (int64_t i = 0; i < array.getNumElements(); ++i) {
        array.set(i, double(i % 2));
      }
      ASSERT_FALSE(writeArrayFile(path, array));
      llvm::Expected<HostArray> back = readArrayFile(path, dtype);
      ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
      EXPECT_EQ(back->getDType(), dtype);
      EXPECT_EQ(back->getDims(), array.getDims());
      EXPECT_EQ(
          std::memcmp(back->getData(), array.getData(), array.getNumBytes()),
          0);
    }
  }
}

TEST_F(ArrayFileTest, RefusesOtherFiles) {
  create("npy", "not an array");
  EXPECT_NE(readError().find(path.str().str()), std::string::npos);
  path = "/nonexistent.npy";
  EXPECT_NE(readError().find("nonexistent.npy"), std::string::npos);
}

TEST_F(ArrayFileTest, ReadsTensorProtoWithRawData) {
  // dims 2, data_type FLOAT, raw_data of 1.0 and 2.0.
  create("pb", StringRef("\x08\x02\x10\x01\x4a\x08\0\0\x80\x3f\0\0\0\x40", 14));
  llvm::Expected<HostArray> array = readArrayFile(path, FUSION_F32);
  ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
  EXPECT_EQ(describeShape(array->getDims(), array->getDType()), "2:f32");
  EXPECT_EQ(array->get(0), 1);
  EXPECT_EQ(array->get(1), 2);
}

TEST_F(ArrayFileTest, ReadsTensorProtoWithPackedNumbers) {
  // packed dims (1, 2), data_type INT64, packed int64_data (300, -1).
  create("pb", StringRef("\x0a\x02\x01\x02\x10\x07\x3a\x0c\xac\x02"
                         "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                         20));
  llvm::Expected<HostArray> array = readArrayFile(path, FUSION_I64);
  ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
  EXPECT_EQ(describeShape(array->getDims(), array->getDType()), "1x2:i64");
  EXPECT_EQ(array->get(0), 300);
  EXPECT_EQ(array->get(1), -1);
}

TEST_F(ArrayFileTest, RefusesDamagedTensorProtos) {
  std::string good("\x08\x02\x10\x01\x4a\x08\0\0\x80\x3f\0\0\0\x40", 14);
  for (size_t length = 0; length < good.size(); ++length) {
    create("pb", StringRef(good).take_front(length));
    EXPECT_NE(readError().find("expected a TensorProto"), std::string::npos)
        << length;
    llvm::sys::fs::remove(path);
  }
  create("pb", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x10\x01");
  EXPECT_NE(readError().find("expected a TensorProto"), std::string::npos);
}
