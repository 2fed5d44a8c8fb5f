//===- RotaryEmbedding.cpp - rotary embeddings ----------------------------===//

#include "AttentionHeads.h"
#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

FailureOr<Tensor> onnx::splitHeads(NodeImporter &node, const Tensor &x,
                                   int64_t heads) {
  auto width = heads < 1 ? std::nullopt
                         : node.getDimTable().exactQuotient(x.dims[2], heads);
  if (!width) {
    return node.emitError() << "expected a number of heads that divides "
                            << node.toString(x.dims) << ", but got " << heads;
  }
  auto split = node.reshape(x, {x.dims[0], x.dims[1], Dim(heads), *width});
  return failed(split)
             ? split
             : FailureOr<Tensor>(node.transpose(*split, {0, 2, 1, 3}));
}

FailureOr<Tensor> onnx::joinHeads(NodeImporter &node, const Tensor &x) {
  Tensor last = node.transpose(x, {0, 2, 1, 3});
  Dim width = node.getDimTable().mul(last.dims[2], last.dims[3]);
  return node.reshape(last, {last.dims[0], last.dims[1], width});
}

/// Sines or cosines for each place, [batch, 1, places, half]: input `index`,
/// gathered by the positions where these are given.
static FailureOr<Tensor> readRotation(NodeImporter &node, unsigned index,
                                      Type type) {
  auto cache = node.tensor(index);
  if (failed(cache)) {
    return failure();
  }
  Tensor angles = node.cast(*cache, type);
  if (node.hasInput(3)) {
    auto positions = node.tensor(3);
    auto gathered =
        failed(positions) ? positions : node.gather(angles, *positions, 0);
    if (failed(gathered)) {
      return failure();
    }
    angles = *gathered;
  }
  if (angles.getRank() != 3) {
    return node.emitError() << "expected sines and cosines of each place, but "
                               "got "
                            << node.toString(angles.dims);
  }
  return node.unsqueeze(angles, 1);
}

/// The two numbers of each pair that is rotated: halves of the width, or
/// neighbours where `interleaved`.
static FailureOr<std::pair<Tensor, Tensor>> splitPairs(NodeImporter &node,
                                                       const Tensor &x,
                                                       int64_t half,
                                                       bool interleaved) {
  int64_t axis = 3, step = interleaved ? 2 : 1;
  auto first = node.slice(x, axis, 0, half, step);
  auto second = node.slice(x, axis, interleaved ? 1 : half, half, step);
  if (failed(first) || failed(second)) {
    return failure();
  }
  return std::make_pair(*first, *second);
}

/// Rotates the pairs of [batch, heads, places, width].
static FailureOr<Tensor> rotate(NodeImporter &node, const Tensor &x,
                                int64_t rotated, bool interleaved) {
  int64_t width = x.dims[3].getStatic(), half = rotated / 2;
  auto cosine = readRotation(node, 1, x.getElementType());
  auto sine = readRotation(node, 2, x.getElementType());
  auto pairs = splitPairs(node, x, half, interleaved);
  if (failed(cosine) || failed(sine) || failed(pairs)) {
    return failure();
  }
  auto [first, second] = *pairs;
  auto wideCosine = node.broadcast(*cosine, first.dims);
  auto wideSine = node.broadcast(*sine, first.dims);
  if (failed(wideCosine) || failed(wideSine)) {
    return failure();
  }
  auto mul = [&](const Tensor &a, const Tensor &b) {
    return node.apply<MulOp>(a, b);
  };
  Tensor real =
      node.apply<SubOp>(mul(*wideCosine, first), mul(*wideSine, second));
  Tensor imaginary =
      node.apply<AddOp>(mul(*wideSine, first), mul(*wideCosine, second));
  SmallVector<Dim, 4> dims = x.dims;
  dims[3] = rotated;
  auto joined = interleaved ? node.stack({real, imaginary}, 4)
                            : node.concat({real, imaginary}, 3);
  auto result = failed(joined) ? joined : node.reshape(*joined, dims);
  if (failed(result) || rotated == width) {
    return result;
  }
  auto rest = node.slice(x, 3, rotated, width - rotated);
  return failed(rest) ? rest : node.concat({*result, *rest}, 3);
}

static LogicalResult convertRotaryEmbedding(NodeImporter &node) {
  bool interleaved = node.getInt("interleaved", 0) != 0;
  int64_t rotated = node.getInt("rotary_embedding_dim", 0);
  int64_t heads = node.getInt("num_heads", 0);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  Tensor x = node.widen(*input);
  bool isPacked = x.getRank() == 3;
  if (isPacked) {
    auto split = splitHeads(node, x, heads);
    if (failed(split)) {
      return failure();
    }
    x = *split;
  }
  bool isStatic = x.getRank() == 4 && x.dims[3].isStatic();
  int64_t width = isStatic ? x.dims[3].getStatic() : 0;
  rotated = rotated == 0 ? width : rotated;
  if (!isStatic || rotated < 2 || rotated % 2 != 0 || rotated > width) {
    return node.emitError() << "expected rank 3 or 4 and an even number of "
                               "rotated elements of a static width, but got "
                            << node.toString(input->dims) << " and " << rotated;
  }
  auto result = rotate(node, x, rotated, interleaved);
  if (succeeded(result) && isPacked) {
    result = joinHeads(node, *result);
  }
  return failed(result)
             ? failure()
             : node.setResult(node.narrow(*result, input->getElementType()));
}

void onnx::addRotaryEmbeddingOps(OpRegistry &registry) {
  registry.add("RotaryEmbedding", 23, {3, 4}, convertRotaryEmbedding);
}
