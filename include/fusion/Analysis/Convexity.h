//===- Convexity.h - merging nodes of a graph without cycles ----*- C++ -*-===//
//
// A group is one launch: nothing outside may both need one of its results and
// feed it. In the graph of groups this says: no cycles. ClusterGraph keeps
// such a graph under merging, with a topological order that is repaired
// locally (Pearce and Kelly, "A dynamic topological sort algorithm", 2006), so
// that a check costs what lies between the two nodes, not the whole graph.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_CONVEXITY_H
#define FUSION_ANALYSIS_CONVEXITY_H

#include "fusion/Analysis/FusionDecision.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::fusion {

/// A directed acyclic graph whose nodes can be merged into clusters. A cluster
/// is named by one of its nodes, its leader.
class ClusterGraph {
public:
  /// The number of nodes a check may visit before it refuses; bounds the time
  /// of pathological graphs.
  static constexpr unsigned kSearchLimit = 4096;

  /// Makes nodes 0 .. numNodes - 1, each a cluster, no edges.
  explicit ClusterGraph(unsigned numNodes);

  /// Adds an edge between nodes that are not merged yet; `from` < `to`.
  void addEdge(unsigned from, unsigned to);

  /// Returns the leader of the cluster of `node`.
  unsigned find(unsigned node) const;

  /// Returns whether the cluster `a` comes before `b` (leaders) in the
  /// topological order: then no path leads from `b` to `a`.
  bool isBefore(unsigned a, unsigned b) const { return order[a] < order[b]; }

  /// Returns whether merging the clusters `a` and `b` (leaders, distinct)
  /// leaves the graph without cycles.
  FusionDecision canMerge(unsigned a, unsigned b);

  /// Merges `a` and `b`, for which canMerge holds; returns the new leader.
  unsigned merge(unsigned a, unsigned b);

  /// Returns all leaders in a topological order; close to the order of the
  /// node numbers where the edges leave a choice.
  llvm::SmallVector<unsigned> getTopologicalOrder() const;

private:
  using Adjacency = llvm::SmallVector<unsigned, 2>;

  /// Resolves `list` to leaders, without `self` and repetitions.
  void normalize(Adjacency &list, unsigned self);
  /// Collects the clusters reachable from `start` along `edges` (not `start`
  /// itself nor `skip`) whose order lies strictly between the two bounds.
  /// Returns false where there are more than kSearchLimit.
  bool collect(unsigned start, unsigned skip,
               llvm::SmallVectorImpl<Adjacency> &edges, unsigned low,
               unsigned high, llvm::SmallVectorImpl<unsigned> &found);

  mutable llvm::SmallVector<unsigned> parent;
  llvm::SmallVector<unsigned> order; // of leaders
  llvm::SmallVector<Adjacency> preds, succs;
  llvm::SmallVector<unsigned> mark; // stamps of searches
  unsigned stamp = 0;
};

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_CONVEXITY_H
