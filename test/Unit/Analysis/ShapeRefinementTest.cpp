//===- ShapeRefinementTest.cpp - what two shapes both cut -----------------===//

#include "fusion/Analysis/ShapeRefinement.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::fusion;

namespace {
constexpr int64_t kDyn = ShapedType::kDynamic;
using Sizes = SmallVector<int64_t>;

void expectRefinement(Sizes a, Sizes b, Sizes sizes, Sizes first,
                      Sizes second) {
  std::optional<ShapeRefinement> found = getCommonRefinement(a, b);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->sizes, sizes);
  EXPECT_EQ(found->first, first);
  EXPECT_EQ(found->second, second);
}

TEST(ShapeRefinement, GroupNormalization) {
  expectRefinement({16, 324}, {2, 32, 9, 9}, {2, 8, 4, 9, 9}, {2, 3},
                   {1, 2, 1, 1});
}

TEST(ShapeRefinement, OneIsTheOther) {
  expectRefinement({6, 35}, {6, 5, 7}, {6, 5, 7}, {1, 2}, {1, 1, 1});
  expectRefinement({6, 35}, {6, 35}, {6, 35}, {1, 1}, {1, 1});
}

TEST(ShapeRefinement, UnitDims) {
  expectRefinement({16, 1, 324}, {2, 8, 324, 1}, {2, 8, 1, 324, 1}, {2, 1, 2},
                   {1, 2, 1, 1});
  expectRefinement({1, 4}, {4, 1, 1}, {1, 4, 1, 1}, {1, 3}, {2, 1, 1});
  expectRefinement({1}, {1, 1}, {1, 1}, {2}, {1, 1});
}

TEST(ShapeRefinement, DynamicSizes) {
  expectRefinement({kDyn, 324}, {kDyn, 32, 9, 9}, {kDyn, 8, 4, 9, 9}, {2, 3},
                   {1, 2, 1, 1});
  expectRefinement({3, kDyn, 12}, {3, kDyn, 4, 3}, {3, kDyn, 4, 3}, {1, 1, 2},
                   {1, 1, 1, 1});
}

TEST(ShapeRefinement, Refused) {
  EXPECT_FALSE(getCommonRefinement({4, 6}, {6, 4}));
  EXPECT_FALSE(getCommonRefinement({0, 4}, {4, 0}));
  EXPECT_FALSE(getCommonRefinement({}, {1}));
  EXPECT_FALSE(getCommonRefinement({2, kDyn}, {kDyn}));
  EXPECT_FALSE(getCommonRefinement({kDyn, kDyn, 4}, {kDyn, kDyn, 2, 2}));
  EXPECT_FALSE(getCommonRefinement({kDyn, 6}, {kDyn, 4}));
  EXPECT_FALSE(getCommonRefinement({12}, {2, 5}));
}

TEST(ShapeRefinement, RandomShapesAreJoined) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    // Two ways to join adjacent factors; the factors are one refinement.
    Sizes factors(1 + random() % 6);
    for (int64_t &factor : factors) {
      factor = 1 + random() % 5;
    }
    auto join = [&] {
      Sizes shape = {1};
      for (int64_t factor : factors) {
        if (random() % 2) {
          shape.push_back(1);
        }
        shape.back() *= factor;
      }
      return shape;
    };
    Sizes a = join(), b = join();
    std::optional<ShapeRefinement> found = getCommonRefinement(a, b);
    ASSERT_TRUE(found.has_value());
    for (auto [shape, counts] :
         {std::pair(a, found->first), std::pair(b, found->second)}) {
      size_t at = 0;
      for (auto [size, count] : llvm::zip_equal(shape, counts)) {
        int64_t product = 1;
        for (int64_t i = 0; i < count; ++i) {
          product *= found->sizes[at++];
        }
        EXPECT_GE(count, 1);
        EXPECT_EQ(product, size);
      }
      EXPECT_EQ(at, found->sizes.size());
    }
  }
}
} // namespace
