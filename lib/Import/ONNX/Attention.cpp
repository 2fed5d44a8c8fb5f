//===- Attention.cpp - attention ------------------------------------------===//

#include "AttentionHeads.h"
#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

namespace {

/// What an Attention node computes on: [batch, heads, places, width] each.
struct Heads {
  Tensor query, key, value;
  Dim past = 0;  ///< how many of the keys come before those of this node
  Dim added = 0; ///< the others
  bool isPacked; ///< the inputs have the heads in their last dim
  Type type;     ///< of the inputs
};

/// What is added to the scores, and where a query may look at no key at all.
struct Bias {
  std::optional<Tensor> tensor;
  bool mayMaskAll = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

/// Joins the keys or values of earlier calls with those of this one.
static FailureOr<Tensor> prependPast(NodeImporter &node, unsigned index,
                                     const Tensor &now) {
  auto past = node.tensor(index);
  if (failed(past)) {
    return failure();
  }
  SmallVector<Dim, 4> expected = now.dims;
  if (past->getRank() == 4) {
    expected[2] = past->dims[2];
  }
  if (past->dims != expected ||
      past->getElementType() != now.getElementType()) {
    return node.emitError() << "expected input " << index << " of shape "
                            << node.toString(expected) << ", but got "
                            << node.toString(past->dims);
  }
  return node.concat({*past, now}, 2);
}

static FailureOr<Heads> readHeads(NodeImporter &node) {
  int64_t queryHeads = node.getInt("q_num_heads", 0);
  int64_t keyHeads = node.getInt("kv_num_heads", 0);
  SmallVector<Tensor> all;
  for (unsigned index : {0u, 1u, 2u}) {
    auto input = node.tensor(index);
    if (failed(input)) {
      return failure();
    }
    all.push_back(*input);
  }
  Heads heads;
  heads.isPacked = all[0].getRank() == 3;
  heads.type = all[0].getElementType();
  for (auto [index, x] : llvm::enumerate(all)) {
    if (x.getRank() != (heads.isPacked ? 3 : 4) ||
        x.getElementType() != heads.type || !isa<FloatType>(heads.type)) {
      return node.emitError() << "expected queries, keys and values of floats "
                                 "of rank 3 or 4, but got "
                              << x.getType();
    }
    if (heads.isPacked) {
      auto split = splitHeads(node, x, index == 0 ? queryHeads : keyHeads);
      if (failed(split)) {
        return failure();
      }
      x = *split;
    }
  }
  heads.query = all[0];
  heads.key = all[1];
  heads.value = all[2];
  heads.added = all[1].dims[2];
  if (node.hasInput(4) != node.hasInput(5)) {
    return node.emitError() << "expected past_key and past_value together";
  }
  if (node.hasInput(4)) {
    auto key = prependPast(node, 4, heads.key);
    auto value = prependPast(node, 5, heads.value);
    if (failed(key) || failed(value)) {
      return failure();
    }
    heads.past = node.getDims(4)[2];
    heads.key = *key;
    heads.value = *value;
  }
  return heads;
}

/// Products of all query heads with the keys or values of their group, whose
/// rows are then those of all queries of the group: no head is repeated.
static FailureOr<Tensor> multiplyGroups(NodeImporter &node, const Tensor &lhs,
                                        const Tensor &rhs, bool transposeB,
                                        Type resultType) {
  Dim heads = lhs.dims[1], groups = rhs.dims[1];
  DimTable &table = node.getDimTable();
  auto each = table.exactQuotient(heads, groups);
  if (!each || lhs.dims[0] != rhs.dims[0]) {
    return node.emitError()
           << "expected key heads that divide the query heads "
              "and one batch size, but got "
           << node.toString(lhs.dims) << " and " << node.toString(rhs.dims);
  }
  auto rows = node.reshape(
      lhs, {lhs.dims[0], groups, table.mul(*each, lhs.dims[2]), lhs.dims[3]});
  auto product = failed(rows)
                     ? rows
                     : node.multiply(*rows, rhs, false, transposeB, resultType);
  return failed(product)
             ? product
             : node.reshape(*product, {lhs.dims[0], heads, lhs.dims[2],
                                       product->dims[3]});
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// 0 where `allowed`, else minus infinity.
static Tensor toBias(NodeImporter &node, const Tensor &allowed, Type type) {
  Tensor like{allowed.value, allowed.dims};
  auto zero = node.broadcast(node.scalar(0, type), like.dims);
  auto least = node.broadcast(node.scalar(-INFINITY, type), like.dims);
  return node.select(allowed, *zero, *least);
}

/// Where query i may look at key j: at all of the past, and at j <= i of the
/// others. [queries, keys]
static FailureOr<Tensor> makeCausal(NodeImporter &node, const Heads &heads) {
  Type i64 = node.getBuilder().getI64Type();
  SmallVector<Dim, 4> dims = {heads.query.dims[2], heads.added};
  Tensor own = node.compare(ComparePredicate::le, node.positions(dims, 1, i64),
                            node.positions(dims, 0, i64));
  if (heads.past.is(0)) {
    return own;
  }
  Type i1 = node.getBuilder().getI1Type();
  auto before =
      node.broadcast(node.scalar(1, i1), {heads.query.dims[2], heads.past});
  return failed(before) ? before : node.concat({*before, own}, 1);
}

/// The numbers of keys in input 6, one per element of the batch, as `dims`.
static FailureOr<Tensor> spreadCounts(NodeImporter &node, ArrayRef<Dim> dims) {
  auto counts = node.tensor(6);
  if (failed(counts)) {
    return failure();
  }
  Type i64 = node.getBuilder().getI64Type();
  auto column =
      node.reshape(node.cast(*counts, i64), {dims[0], Dim(1), Dim(1), Dim(1)});
  return failed(column) ? column : node.broadcast(*column, dims);
}

/// Where key j of each element of the batch is one, [batch, 1, queries, keys]:
/// before the number in input 6; with `isCausal` also not after query i, which
/// is the last but so many of them.
static FailureOr<Tensor> makePadding(NodeImporter &node, const Heads &heads,
                                     bool isCausal) {
  const Dim &queries = heads.query.dims[2];
  if (isCausal && !queries.isStatic()) {
    return node.emitError()
           << "expected a static number of queries with nonpad_kv_seqlen";
  }
  Type i64 = node.getBuilder().getI64Type();
  SmallVector<Dim, 4> dims = {heads.query.dims[0], 1, queries,
                              heads.key.dims[2]};
  auto wide = spreadCounts(node, dims);
  if (failed(wide)) {
    return failure();
  }
  Tensor key = node.positions(dims, 3, i64);
  Tensor allowed = node.compare(ComparePredicate::lt, key, *wide);
  if (!isCausal) {
    return allowed;
  }
  Tensor offset = node.plus(*wide, -static_cast<double>(queries.getStatic()));
  Tensor last = node.apply<AddOp>(node.positions(dims, 2, i64), offset);
  return node.apply<AndOp>(allowed,
                           node.compare(ComparePredicate::le, key, last));
}

/// Where key j stands at most so many places before or after query i, as the
/// attributes say; none if both are unbounded.
static FailureOr<std::optional<Tensor>> makeWindow(NodeImporter &node,
                                                   const Heads &heads) {
  int64_t left = node.getInt("left_window_size", -1);
  int64_t right = node.getInt("right_window_size", -1);
  if (left < 0 && right < 0) {
    return std::optional<Tensor>();
  }
  const Dim &queries = heads.query.dims[2];
  bool isPadded = node.hasInput(6);
  if (isPadded ? !queries.isStatic() : !heads.past.isStatic()) {
    return node.emitError()
           << "expected static numbers of queries and past keys for a window";
  }
  Type i64 = node.getBuilder().getI64Type();
  SmallVector<Dim, 4> dims = {heads.query.dims[0], 1, queries,
                              heads.key.dims[2]};
  // How far key j stands before query i.
  Tensor distance = node.apply<SubOp>(node.positions(dims, 2, i64),
                                      node.positions(dims, 3, i64));
  if (isPadded) {
    auto counts = spreadCounts(node, dims);
    if (failed(counts)) {
      return failure();
    }
    distance = node.apply<AddOp>(distance, *counts);
  }
  int64_t offset = isPadded ? -queries.getStatic() : heads.past.getStatic();
  distance = node.plus(distance, static_cast<double>(offset));
  std::optional<Tensor> allowed;
  if (left >= 0) {
    allowed = node.compareTo(ComparePredicate::le, distance,
                             static_cast<double>(left));
  }
  if (right >= 0) {
    Tensor after = node.compareTo(ComparePredicate::ge, distance,
                                  -static_cast<double>(right));
    allowed = allowed ? node.apply<AndOp>(*allowed, after) : after;
  }
  return allowed;
}

/// The mask that input 3 gives, with keys that it leaves out masked.
static FailureOr<Tensor> readMask(NodeImporter &node, const Heads &heads,
                                  Type type) {
  auto mask = node.tensor(3);
  if (failed(mask)) {
    return failure();
  }
  int64_t rank = mask->getRank();
  if (rank < 1) {
    return node.emitError() << "expected a mask of rank 1 or more";
  }
  Tensor bias = mask->getElementType().isInteger(1) ? toBias(node, *mask, type)
                                                    : node.cast(*mask, type);
  const Dim &given = mask->dims[rank - 1], &keys = heads.key.dims[2];
  if (given == keys || given.is(1)) {
    return bias;
  }
  SmallVector<Dim, 4> rest = mask->dims;
  rest.back() = node.getDimTable().sub(keys, given);
  auto masked = node.broadcast(node.scalar(-INFINITY, type), rest);
  return failed(masked) ? masked : node.concat({bias, *masked}, rank - 1);
}

static FailureOr<Bias> makeBias(NodeImporter &node, const Heads &heads,
                                bool isCausal, Type type) {
  Bias bias;
  SmallVector<FailureOr<Tensor>> parts;
  bool isPadded = node.hasInput(6);
  if (isCausal && !isPadded) {
    auto causal = makeCausal(node, heads);
    parts.push_back(failed(causal)
                        ? causal
                        : FailureOr<Tensor>(toBias(node, *causal, type)));
  }
  if (node.hasInput(3)) {
    parts.push_back(readMask(node, heads, type));
  }
  if (isPadded) {
    auto padding = makePadding(node, heads, isCausal);
    parts.push_back(failed(padding)
                        ? padding
                        : FailureOr<Tensor>(toBias(node, *padding, type)));
  }
  auto window = makeWindow(node, heads);
  if (failed(window)) {
    return failure();
  }
  if (*window) {
    parts.push_back(toBias(node, **window, type));
  }
  bias.mayMaskAll = isPadded || node.hasInput(3) || *window;
  for (const FailureOr<Tensor> &part : parts) {
    if (failed(part)) {
      return failure();
    }
    auto sum =
        bias.tensor ? node.applyBroadcast<AddOp>(*bias.tensor, *part) : part;
    if (failed(sum)) {
      return failure();
    }
    bias.tensor = *sum;
  }
  return bias;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Softmax of the rows of `scores`; zeros where `bias` masks a whole row.
static FailureOr<Tensor>
makeProbabilities(NodeImporter &node, const Tensor &scores, const Bias &bias) {
  auto op = SoftmaxOp::create(node.getBuilder(), node.getLoc(),
                              scores.getType(), scores.value, 3);
  Tensor probabilities{op.getResult(), scores.dims};
  if (!bias.mayMaskAll) {
    return probabilities;
  }
  int64_t last = bias.tensor->getRank() - 1;
  auto most =
      node.reduce(ReduceKind::max, *bias.tensor, last, /*keepDims=*/true);
  if (failed(most)) {
    return failure();
  }
  Tensor isMasked = node.compareTo(ComparePredicate::eq, *most, -INFINITY);
  auto wide = node.broadcast(isMasked, scores.dims);
  if (failed(wide)) {
    return failure();
  }
  return node.select(*wide, node.splat(0, probabilities), probabilities);
}

/// The scores in all their states: the fourth result is one of them.
struct Scores {
  Tensor raw, capped, biased, probabilities;
};

static FailureOr<Scores> makeScores(NodeImporter &node, const Heads &heads) {
  bool isCausal = node.getInt("is_causal", 0) != 0;
  double softcap = node.getFloat("softcap", 0);
  const Dim &width = heads.query.dims[3];
  double byDefault =
      width.isStatic() ? 1 / std::sqrt(double(width.getStatic())) : 0;
  double scale = node.getFloat("scale", byDefault);
  if (!node.hasAttribute("scale") && !width.isStatic()) {
    return node.emitError() << "expected heads of static size, or a scale";
  }
  Type wide =
      heads.type.isF64() ? heads.type : Type(node.getBuilder().getF32Type());
  auto product = multiplyGroups(node, heads.query, heads.key,
                                /*transposeB=*/true, wide);
  auto bias = makeBias(node, heads, isCausal, wide);
  if (failed(product) || failed(bias)) {
    return failure();
  }
  Scores scores;
  scores.raw = node.times(*product, scale);
  scores.capped = scores.raw;
  if (softcap != 0) {
    Tensor ratio = node.times(scores.raw, 1 / softcap);
    scores.capped = node.times(node.apply<TanhOp>(ratio), softcap);
  }
  scores.biased = scores.capped;
  if (bias->tensor) {
    auto wideBias = node.broadcast(*bias->tensor, scores.raw.dims);
    if (failed(wideBias)) {
      return failure();
    }
    scores.biased = node.apply<AddOp>(scores.capped, *wideBias);
  }
  auto probabilities = makeProbabilities(node, scores.biased, *bias);
  if (failed(probabilities)) {
    return failure();
  }
  scores.probabilities = *probabilities;
  return scores;
}

static LogicalResult convertAttention(NodeImporter &node) {
  int64_t mode = node.getInt("qk_matmul_output_mode", 0);
  node.ignore({"softmax_precision"}); // It is f32 or f64.
  if (mode < 0 || mode > 3) {
    return node.emitError()
           << "qk_matmul_output_mode " << mode << " is not supported";
  }
  auto heads = readHeads(node);
  if (failed(heads)) {
    return failure();
  }
  auto scores = makeScores(node, *heads);
  if (failed(scores)) {
    return failure();
  }
  auto result =
      multiplyGroups(node, node.narrow(scores->probabilities, heads->type),
                     heads->value, /*transposeB=*/false, Type());
  if (succeeded(result) && heads->isPacked) {
    result = joinHeads(node, *result);
  }
  if (failed(result)) {
    return failure();
  }
  node.addResult(*result);
  node.addResult(heads->key);
  node.addResult(heads->value);
  const Tensor *states[] = {&scores->raw, &scores->capped, &scores->biased,
                            &scores->probabilities};
  node.addResult(node.narrow(*states[mode], heads->type));
  return success();
}

void onnx::addAttentionOps(OpRegistry &registry) {
  registry.add("Attention", 23, {3, 7}, convertAttention);
}
