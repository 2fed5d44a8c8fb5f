//===- IndexingMapsTest.cpp -----------------------------------------------===//

#include "fusion/Analysis/IndexingMaps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
struct IndexingMapsTest : testing::Test {
  AffineMap parse(StringRef text) {
    auto attr = dyn_cast_or_null<AffineMapAttr>(
        parseAttribute(("affine_map<" + text + ">").str(), &context));
    EXPECT_TRUE(attr) << text.str();
    return attr.getValue();
  }
  MLIRContext context;
};
} // namespace

TEST_F(IndexingMapsTest, Classify) {
  auto classify = [&](StringRef text) { return classifyMap(parse(text)); };
  EXPECT_EQ(classify("(a, b) -> (a, b)"), MapRelation::Identity);
  EXPECT_EQ(classify("() -> ()"), MapRelation::Identity);
  EXPECT_EQ(classify("(a, b) -> (b, a)"), MapRelation::Permutation);
  EXPECT_EQ(classify("(a, b) -> (b)"), MapRelation::Broadcast);
  EXPECT_EQ(classify("(a, b) -> (a, 0)"), MapRelation::Broadcast);
  EXPECT_EQ(classify("(a) -> (a, 0)"), MapRelation::Broadcast);
  EXPECT_EQ(classify("(a, b) -> ()"), MapRelation::Broadcast);
  EXPECT_EQ(classify("(a, b, c) -> (c, a)"), MapRelation::Projection);
  EXPECT_EQ(classify("(a, b) -> (a + b)"), MapRelation::Other);
  EXPECT_EQ(classify("(a, b) -> (a, a)"), MapRelation::Other);
  EXPECT_EQ(classify("(a) -> (a, 1)"), MapRelation::Other);
}

TEST_F(IndexingMapsTest, LoopAt) {
  AffineMap map = parse("(a, b) -> (b, 0, a + b)");
  EXPECT_EQ(getLoopAt(map, 0), std::optional<unsigned>(1));
  EXPECT_EQ(getLoopAt(map, 1), std::nullopt);
  EXPECT_EQ(getLoopAt(map, 2), std::nullopt);
}

TEST_F(IndexingMapsTest, ReadsWholeDims) {
  EXPECT_TRUE(readsWholeDims(parse("(a, b) -> (b, a)"), {4, 8}));
  EXPECT_TRUE(readsWholeDims(parse("(a) -> (a, 0)"), {4, 1}));
  EXPECT_FALSE(readsWholeDims(parse("(a) -> (a, 0)"), {4, 2}));
  EXPECT_FALSE(
      readsWholeDims(parse("(a) -> (a, 0)"), {4, ShapedType::kDynamic}));
  EXPECT_TRUE(readsWholeDims(parse("(a) -> ()"), {}));
}
