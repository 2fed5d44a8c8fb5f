//===- ConvexityTest.cpp --------------------------------------------------===//

#include "fusion/Analysis/Convexity.h"

#include "gtest/gtest.h"
#include <random>

using namespace mlir::fusion;
using llvm::SmallVector;

TEST(ConvexityTest, ChainMerges) {
  ClusterGraph graph(3);
  graph.addEdge(0, 1);
  graph.addEdge(1, 2);
  ASSERT_TRUE(static_cast<bool>(graph.canMerge(0, 1)));
  unsigned leader = graph.merge(0, 1);
  EXPECT_EQ(graph.find(0), leader);
  EXPECT_EQ(graph.find(1), leader);
  EXPECT_TRUE(static_cast<bool>(graph.canMerge(leader, 2)));
}

TEST(ConvexityTest, DiamondNeedsItsMiddle) {
  // 0 -> 1 -> 2 and 0 -> 2: without 1, the pair would feed and need it.
  ClusterGraph graph(3);
  graph.addEdge(0, 1);
  graph.addEdge(0, 2);
  graph.addEdge(1, 2);
  FusionDecision decision = graph.canMerge(0, 2);
  EXPECT_FALSE(static_cast<bool>(decision));
  EXPECT_NE(decision.getReason().find("between the two"),
            llvm::StringRef::npos);
  unsigned leader = graph.merge(0, 1);
  EXPECT_TRUE(static_cast<bool>(graph.canMerge(leader, 2)));
}

TEST(ConvexityTest, CyclesThroughClustersAreSeen) {
  // Two chains 0 -> 3 and 1 -> 2 that are linked 0 -> 2 and 1 -> 3: after
  // merging 0 with 3, merging 1 with 2 would make the two need each other.
  ClusterGraph graph(4);
  graph.addEdge(0, 2);
  graph.addEdge(0, 3);
  graph.addEdge(1, 2);
  graph.addEdge(1, 3);
  ASSERT_TRUE(static_cast<bool>(graph.canMerge(0, 3)));
  graph.merge(0, 3);
  EXPECT_FALSE(static_cast<bool>(graph.canMerge(graph.find(1), 2)));
}

TEST(ConvexityTest, OrderIsRepaired) {
  // 0 -> 3, and 1 -> 2 in between that does not depend on 0, but 3 on 2.
  ClusterGraph graph(4);
  graph.addEdge(0, 3);
  graph.addEdge(1, 2);
  graph.addEdge(2, 3);
  ASSERT_TRUE(static_cast<bool>(graph.canMerge(0, 3)));
  unsigned leader = graph.merge(0, 3);
  SmallVector<unsigned> order = graph.getTopologicalOrder();
  EXPECT_EQ(order, (SmallVector<unsigned>{1, 2, leader}));
}

namespace {
/// Recomputes what ClusterGraph maintains, the slow and obvious way.
struct SlowGraph {
  unsigned size;
  std::vector<std::pair<unsigned, unsigned>> edges;
  std::vector<unsigned> leader;

  bool reaches(unsigned from, unsigned to, bool skipDirect) const {
    std::vector<unsigned> worklist{from};
    std::vector<bool> seen(size);
    while (!worklist.empty()) {
      unsigned node = worklist.back();
      worklist.pop_back();
      for (auto [a, b] : edges) {
        unsigned source = leader[a], target = leader[b];
        if (source != node || source == target) {
          continue;
        }
        if (target == to && !(skipDirect && node == from)) {
          return true;
        }
        if (target != to && !seen[target]) {
          seen[target] = true;
          worklist.push_back(target);
        }
      }
    }
    return false;
  }
};
} // namespace

TEST(ConvexityTest, AgreesWithReachabilityOnRandomGraphs) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 60; ++round) {
    constexpr unsigned kNodes = 24;
    ClusterGraph graph(kNodes);
    SlowGraph slow{kNodes, {}, std::vector<unsigned>(kNodes)};
    for (unsigned node = 0; node < kNodes; ++node) {
      slow.leader[node] = node;
    }
    for (unsigned edge = 0; edge < 30; ++edge) {
      unsigned a = random() % kNodes, b = random() % kNodes;
      if (a != b) {
        graph.addEdge(std::min(a, b), std::max(a, b));
        slow.edges.emplace_back(std::min(a, b), std::max(a, b));
      }
    }
    for (unsigned attempt = 0; attempt < 40; ++attempt) {
      unsigned a = graph.find(random() % kNodes);
      unsigned b = graph.find(random() % kNodes);
      if (a == b) {
        continue;
      }
      bool cycle = slow.reaches(a, b, true) || slow.reaches(b, a, true);
      ASSERT_EQ(static_cast<bool>(graph.canMerge(a, b)), !cycle);
      if (cycle) {
        continue;
      }
      unsigned leader = graph.merge(a, b);
      for (unsigned &node : slow.leader) {
        node = node == a || node == b ? leader : node;
      }
      SmallVector<unsigned> order = graph.getTopologicalOrder();
      std::vector<unsigned> position(kNodes);
      for (unsigned index = 0; index < order.size(); ++index) {
        position[order[index]] = index;
      }
      for (auto [from, to] : slow.edges) {
        unsigned source = graph.find(from), target = graph.find(to);
        ASSERT_TRUE(source == target || position[source] < position[target]);
      }
    }
  }
}

TEST(ConvexityTest, LargeSearchesAreGivenUp) {
  // 0 -> 1, 2, ... -> last: each in the middle is one to look at.
  auto ask = [](unsigned middle) {
    ClusterGraph graph(middle + 2);
    for (unsigned node = 1; node <= middle; ++node) {
      graph.addEdge(node, middle + 1);
    }
    graph.addEdge(0, middle + 1);
    return graph.canMerge(0, middle + 1);
  };
  EXPECT_TRUE(static_cast<bool>(ask(16)));
  EXPECT_EQ(ask(100000).getReason(), "too many operations lie between the two");
}
