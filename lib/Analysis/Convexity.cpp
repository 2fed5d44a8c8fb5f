//===- Convexity.cpp - merging nodes of a graph without cycles ------------===//

#include "fusion/Analysis/Convexity.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir::fusion;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

ClusterGraph::ClusterGraph(unsigned numNodes)
    : parent(numNodes), order(numNodes), preds(numNodes), succs(numNodes),
      mark(numNodes, 0) {
  std::iota(parent.begin(), parent.end(), 0);
  std::iota(order.begin(), order.end(), 0);
}

void ClusterGraph::addEdge(unsigned from, unsigned to) {
  assert(from < to && "nodes must be numbered topologically");
  succs[from].push_back(to);
  preds[to].push_back(from);
}

unsigned ClusterGraph::find(unsigned node) const {
  unsigned root = node;
  while (parent[root] != root) {
    root = parent[root];
  }
  while (parent[node] != root) {
    unsigned next = parent[node];
    parent[node] = root;
    node = next;
  }
  return root;
}

void ClusterGraph::normalize(Adjacency &list, unsigned self) {
  for (unsigned &node : list) {
    node = find(node);
  }
  llvm::sort(list);
  list.erase(llvm::unique(list), list.end());
  list.erase(std::remove(list.begin(), list.end(), self), list.end());
}

bool ClusterGraph::collect(unsigned start, unsigned skip,
                           SmallVectorImpl<Adjacency> &edges, unsigned low,
                           unsigned high, SmallVectorImpl<unsigned> &found) {
  ++stamp;
  mark[start] = stamp;
  mark[skip] = stamp;
  SmallVector<unsigned> worklist{start};
  while (!worklist.empty()) {
    unsigned node = worklist.pop_back_val();
    normalize(edges[node], node);
    for (unsigned next : edges[node]) {
      if (mark[next] == stamp || order[next] <= low || order[next] >= high) {
        continue;
      }
      mark[next] = stamp;
      found.push_back(next);
      worklist.push_back(next);
      if (found.size() > kSearchLimit) {
        return false;
      }
    }
  }
  return true;
}

FusionDecision ClusterGraph::canMerge(unsigned a, unsigned b) {
  assert(a != b && find(a) == a && find(b) == b && "expected two leaders");
  if (order[a] > order[b]) {
    std::swap(a, b);
  }
  // A cycle would be a path a -> x -> b; every x lies between them in order.
  SmallVector<unsigned> between;
  if (!collect(b, a, preds, order[a], order[b], between)) {
    return FusionDecision::forbid("too many operations lie between the two");
  }
  for (unsigned node : between) {
    normalize(preds[node], node);
    if (llvm::is_contained(preds[node], a)) {
      return FusionDecision::forbid(
          "an operation between the two needs the one and feeds the other");
    }
  }
  return FusionDecision::allow();
}

unsigned ClusterGraph::merge(unsigned a, unsigned b) {
  if (order[a] > order[b]) {
    std::swap(a, b);
  }
  unsigned low = order[a], high = order[b];
  SmallVector<unsigned> before, after;
  // The forward search has no limit: it repairs what canMerge allowed.
  (void)collect(b, a, preds, low, high, before);
  SmallVector<unsigned> worklist{a};
  ++stamp;
  mark[a] = mark[b] = stamp;
  while (!worklist.empty()) {
    unsigned node = worklist.pop_back_val();
    normalize(succs[node], node);
    for (unsigned next : succs[node]) {
      if (mark[next] != stamp && order[next] < high) {
        mark[next] = stamp;
        after.push_back(next);
        worklist.push_back(next);
      }
    }
  }
  auto byOrder = [&](unsigned x, unsigned y) { return order[x] < order[y]; };
  llvm::sort(before, byOrder);
  llvm::sort(after, byOrder);

  SmallVector<unsigned> places{low, high};
  for (unsigned node : llvm::concat<unsigned>(before, after)) {
    places.push_back(order[node]);
  }
  llvm::sort(places);
  unsigned leader = std::min(a, b), other = std::max(a, b);
  unsigned place = 0;
  for (unsigned node : before) {
    order[node] = places[place++];
  }
  order[leader] = places[place];
  place += 2; // the two share one place
  for (unsigned node : after) {
    order[node] = places[place++];
  }

  parent[other] = leader;
  for (auto *edges : {&preds, &succs}) {
    Adjacency &kept = (*edges)[leader], &moved = (*edges)[other];
    if (kept.size() < moved.size()) {
      std::swap(kept, moved);
    }
    kept.append(moved.begin(), moved.end());
    moved.clear();
  }
  return leader;
}

SmallVector<unsigned> ClusterGraph::getTopologicalOrder() const {
  SmallVector<unsigned> leaders;
  for (unsigned node = 0, e = parent.size(); node < e; ++node) {
    if (parent[node] == node) {
      leaders.push_back(node);
    }
  }
  llvm::sort(leaders,
             [&](unsigned a, unsigned b) { return order[a] < order[b]; });
  return leaders;
}
