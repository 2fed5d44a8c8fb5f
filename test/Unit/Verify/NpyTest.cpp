//===- NpyTest.cpp - array files, good and bad ------------------*- C++ -*-===//

#include "fusion/Verify/Npy.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// A path that is gone after the test.
class NpyTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("fusion", "npy", path));
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  void write(StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << bytes;
    ASSERT_FALSE(error);
  }
  std::string readError() {
    llvm::Expected<HostArray> array = readNpy(path);
    return array ? "no error" : llvm::toString(array.takeError());
  }
  SmallString<64> path;
};
} // namespace

TEST_F(NpyTest, RoundTripKeepsTypeShapeAndBytes) {
  const SmallVector<int64_t> shapes[] = {{}, {3}, {2, 5}, {0, 4}};
  for (FusionDType dtype :
       {FUSION_F32, FUSION_F16, FUSION_BF16, FUSION_F64, FUSION_I1, FUSION_I8,
        FUSION_I64, FUSION_U8, FUSION_U32}) {
    for (const SmallVector<int64_t> &dims : shapes) {
      HostArray array(dtype, dims);
      for (int64_t i = 0; i < array.getNumElements(); ++i) {
        array.set(i, double(i % 2));
      }
      ASSERT_FALSE(writeNpy(path, array));
      llvm::Expected<HostArray> back = readNpy(path);
      ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
      EXPECT_EQ(back->getDType(), dtype);
      EXPECT_EQ(back->getDims(), array.getDims());
      EXPECT_EQ(
          std::memcmp(back->getData(), array.getData(), array.getNumBytes()),
          0);
    }
  }
}

TEST_F(NpyTest, DataStartsAligned) {
  ASSERT_FALSE(writeNpy(path, HostArray(FUSION_F32, {7})));
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(buffer));
  EXPECT_EQ((*buffer)->getBufferSize() % 64, 28u);
}

TEST_F(NpyTest, RefusesOtherFiles) {
  write("not an array");
  EXPECT_NE(readError().find("expected a .npy file"), std::string::npos);
  write("");
  EXPECT_NE(readError().find("expected a .npy file"), std::string::npos);
}

TEST_F(NpyTest, RefusesShortData) {
  ASSERT_FALSE(writeNpy(path, HostArray(FUSION_F32, {7})));
  std::string bytes = (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
  write(StringRef(bytes).drop_back());
  EXPECT_NE(readError().find("expected 7:f32 of data, but got 27 bytes"),
            std::string::npos);
  write(StringRef(bytes).take_front(40));
  EXPECT_NE(readError().find("the file ends inside its header"),
            std::string::npos);
}

TEST_F(NpyTest, RefusesWhatItCannotMean) {
  std::string bytes("\x93NUMPY\1\0", 8);
  std::string header =
      "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n";
  write(bytes + char(header.size()) + '\0' + header + "1234");
  EXPECT_NE(readError().find("unknown element type '>f4'"), std::string::npos);
  header = "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }\n";
  write(bytes + char(header.size()) + '\0' + header + "1234");
  EXPECT_NE(readError().find("expected a row-major array"), std::string::npos);
}
