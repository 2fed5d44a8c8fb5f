//===- Einsum.cpp - sums of products named by letters ---------------------===//
//
// Operands are joined from the left. Each label is a dim of one size. A pair of
// operands becomes one product of matrices: labels of both that are still
// needed are the batch, those of both that are not are contracted, and the
// others are rows and columns. Labels that only one operand has and nobody
// needs are summed before.
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

namespace {

/// A dim: a letter, or a number for each dim that "..." stands for, counted
/// from the last one.
using Label = int;

/// A tensor and what its dims are called.
struct Labeled {
  Tensor tensor;
  SmallVector<Label> labels;
};

/// What the equation says: the labels of each operand and of the result.
struct Equation {
  SmallVector<SmallVector<Label>> operands;
  SmallVector<Label> result;
};

constexpr Label kEllipsis = 1000;

} // namespace

/// The labels of one term, of `rank` dims; unknown (-1) where it has no "...".
static FailureOr<SmallVector<Label>>
readTerm(NodeImporter &node, StringRef term, int64_t ellipsisRank) {
  SmallVector<Label> labels;
  for (size_t at = 0; at < term.size(); ++at) {
    if (term.substr(at).starts_with("...")) {
      for (int64_t i = ellipsisRank; i-- > 0;) {
        labels.push_back(kEllipsis + static_cast<Label>(i));
      }
      at += 2;
      continue;
    }
    if (!llvm::isAlpha(term[at])) {
      return node.emitError()
             << "expected letters in the equation, but got '" << term << "'";
    }
    labels.push_back(term[at]);
  }
  return labels;
}

/// How many dims "..." stands for in `term` of an operand of rank `rank`.
static FailureOr<int64_t> getEllipsisRank(NodeImporter &node, StringRef term,
                                          int64_t rank) {
  size_t letters = llvm::count_if(term, llvm::isAlpha);
  bool hasEllipsis = term.contains("...");
  auto own = static_cast<int64_t>(letters);
  if (hasEllipsis ? own > rank : own != rank) {
    return node.emitError()
           << "expected '" << term
           << "' to name the dims of an operand of rank " << rank;
  }
  return hasEllipsis ? rank - own : 0;
}

/// The labels of a result that the equation does not give: those that occur
/// once, in alphabetical order, after those of "...".
static SmallVector<Label> getImplicitResult(const Equation &equation) {
  SmallVector<Label> all, result;
  for (const auto &labels : equation.operands) {
    llvm::append_range(all, labels);
  }
  SmallVector<Label> sorted = all;
  llvm::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (Label label : llvm::reverse(sorted)) {
    if (label >= kEllipsis) {
      result.push_back(label);
    }
  }
  for (Label label : sorted) {
    if (label < kEllipsis && llvm::count(all, label) == 1) {
      result.push_back(label);
    }
  }
  return result;
}

static FailureOr<Equation> readEquation(NodeImporter &node,
                                        ArrayRef<Tensor> operands) {
  std::string text = node.getString("equation", "");
  llvm::erase(text, ' ');
  auto [left, right] = StringRef(text).split("->");
  bool isExplicit = text.find("->") != std::string::npos;
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  if (terms.size() != operands.size()) {
    return node.emitError() << "expected an equation of " << operands.size()
                            << " operands, but got '" << text << "'";
  }
  Equation equation;
  int64_t widest = 0;
  for (auto [term, operand] : llvm::zip(terms, operands)) {
    auto rank = getEllipsisRank(node, term, operand.getRank());
    auto labels = failed(rank) ? FailureOr<SmallVector<Label>>(failure())
                               : readTerm(node, term, *rank);
    if (failed(labels)) {
      return failure();
    }
    widest = std::max(widest, *rank);
    equation.operands.push_back(*labels);
  }
  if (!isExplicit) {
    equation.result = getImplicitResult(equation);
    return equation;
  }
  auto result = readTerm(node, right, widest);
  if (failed(result)) {
    return failure();
  }
  equation.result = *result;
  for (Label label : *result) {
    bool isKnown = llvm::any_of(equation.operands, [&](const auto &labels) {
      return llvm::is_contained(labels, label);
    });
    if (!isKnown || llvm::count(*result, label) != 1) {
      return node.emitError() << "expected the result of '" << text
                              << "' to name dims of operands, each once";
    }
  }
  return equation;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Takes the diagonal of two dims that have the same label: the second goes.
static FailureOr<Tensor> takeDiagonal(NodeImporter &node, const Tensor &x,
                                      int64_t first, int64_t second) {
  if (x.dims[first] != x.dims[second]) {
    return node.emitError() << "expected dims of one label to be equal, but "
                               "got "
                            << node.toString(x.dims);
  }
  Type i64 = node.getBuilder().getI64Type();
  Tensor onDiagonal =
      node.compare(ComparePredicate::eq, node.positions(x.dims, first, i64),
                   node.positions(x.dims, second, i64));
  Tensor kept = node.select(onDiagonal, x, node.splat(0, x));
  return node.reduce(ReduceKind::sum, kept, second, /*keepDims=*/false);
}

static LogicalResult takeDiagonals(NodeImporter &node, Labeled &operand) {
  for (size_t first = 0; first < operand.labels.size(); ++first) {
    for (size_t second = operand.labels.size(); --second > first;) {
      if (operand.labels[first] != operand.labels[second]) {
        continue;
      }
      auto taken = takeDiagonal(node, operand.tensor, first, second);
      if (failed(taken)) {
        return failure();
      }
      operand.tensor = *taken;
      operand.labels.erase(operand.labels.begin() + second);
    }
  }
  return success();
}

/// Sums over the labels of `operand` that `needed` does not have.
static LogicalResult sumUnneeded(NodeImporter &node, Labeled &operand,
                                 ArrayRef<Label> needed) {
  SmallVector<int64_t> axes;
  SmallVector<Label> kept;
  for (auto [axis, label] : llvm::enumerate(operand.labels)) {
    if (llvm::is_contained(needed, label)) {
      kept.push_back(label);
    } else {
      axes.push_back(axis);
    }
  }
  if (axes.empty()) {
    return success();
  }
  auto sum =
      node.reduce(ReduceKind::sum, operand.tensor, axes, /*keepDims=*/false);
  if (failed(sum)) {
    return failure();
  }
  operand.tensor = *sum;
  operand.labels = kept;
  return success();
}

/// Brings the dims into the order of `labels`, which are those of `operand`.
static Tensor permute(NodeImporter &node, const Labeled &operand,
                      ArrayRef<Label> labels) {
  SmallVector<int64_t> perm;
  for (Label label : labels) {
    perm.push_back(llvm::find(operand.labels, label) - operand.labels.begin());
  }
  return node.transpose(operand.tensor, perm);
}

/// The sizes of `labels` in `operand`.
static SmallVector<Dim, 4> sizesOf(const Labeled &operand,
                                   ArrayRef<Label> labels) {
  SmallVector<Dim, 4> dims;
  for (Label label : labels) {
    auto at = llvm::find(operand.labels, label) - operand.labels.begin();
    dims.push_back(operand.tensor.dims[at]);
  }
  return dims;
}

/// Drops labels of size 1 that the other operand has with another size: they
/// broadcast.
static LogicalResult dropUnitDims(NodeImporter &node, Labeled &operand,
                                  const Labeled &other) {
  SmallVector<Label> kept;
  SmallVector<Dim, 4> dims;
  for (auto [label, dim] : llvm::zip(operand.labels, operand.tensor.dims)) {
    bool broadcasts = dim.is(1) && llvm::is_contained(other.labels, label) &&
                      !sizesOf(other, label).front().is(1);
    if (!broadcasts) {
      kept.push_back(label);
      dims.push_back(dim);
    }
  }
  auto shaped = node.reshape(operand.tensor, dims);
  if (failed(shaped)) {
    return failure();
  }
  operand.tensor = *shaped;
  operand.labels = kept;
  return success();
}

/// Brings `operand` to the shape [batch labels..., product of `rows`, product
/// of `columns`].
static FailureOr<Tensor> toMatrices(NodeImporter &node, const Labeled &operand,
                                    ArrayRef<Label> batch, ArrayRef<Label> rows,
                                    ArrayRef<Label> columns) {
  SmallVector<Label> order(batch);
  llvm::append_range(order, rows);
  llvm::append_range(order, columns);
  DimTable &table = node.getDimTable();
  SmallVector<Dim, 4> dims = sizesOf(operand, batch);
  dims.push_back(*checkedProduct(table, sizesOf(operand, rows)));
  dims.push_back(*checkedProduct(table, sizesOf(operand, columns)));
  return node.reshape(permute(node, operand, order), dims);
}

/// Multiplies two operands, and sums over the labels that are not `needed`.
static FailureOr<Labeled> join(NodeImporter &node, Labeled lhs, Labeled rhs,
                               ArrayRef<Label> needed) {
  if (failed(dropUnitDims(node, lhs, rhs)) ||
      failed(dropUnitDims(node, rhs, lhs))) {
    return failure();
  }
  SmallVector<Label> ofLeft(needed), ofRight(needed);
  llvm::append_range(ofLeft, rhs.labels);
  llvm::append_range(ofRight, lhs.labels);
  if (failed(sumUnneeded(node, lhs, ofLeft)) ||
      failed(sumUnneeded(node, rhs, ofRight))) {
    return failure();
  }
  SmallVector<Label> batch, rows, columns, inner;
  for (Label label : lhs.labels) {
    bool isShared = llvm::is_contained(rhs.labels, label);
    bool isNeeded = llvm::is_contained(needed, label);
    (isShared ? (isNeeded ? batch : inner) : rows).push_back(label);
  }
  for (Label label : rhs.labels) {
    if (!llvm::is_contained(lhs.labels, label)) {
      columns.push_back(label);
    }
  }
  for (ArrayRef<Label> shared : {ArrayRef(batch), ArrayRef(inner)}) {
    if (sizesOf(lhs, shared) != sizesOf(rhs, shared)) {
      return node.emitError()
             << "expected dims of one label to be equal, but got "
             << node.toString(lhs.tensor.dims) << " and "
             << node.toString(rhs.tensor.dims);
    }
  }
  auto left = toMatrices(node, lhs, batch, rows, inner);
  auto right = toMatrices(node, rhs, batch, inner, columns);
  if (failed(left) || failed(right)) {
    return failure();
  }
  auto product = node.multiply(*left, *right);
  if (failed(product)) {
    return failure();
  }
  SmallVector<Dim, 4> dims = sizesOf(lhs, batch);
  llvm::append_range(dims, sizesOf(lhs, rows));
  llvm::append_range(dims, sizesOf(rhs, columns));
  auto shaped = node.reshape(*product, dims);
  if (failed(shaped)) {
    return failure();
  }
  Labeled result{*shaped, batch};
  llvm::append_range(result.labels, rows);
  llvm::append_range(result.labels, columns);
  return result;
}

static LogicalResult convertEinsum(NodeImporter &node) {
  auto operands = node.tensors();
  if (failed(operands)) {
    return failure();
  }
  auto equation = readEquation(node, *operands);
  if (failed(equation)) {
    return failure();
  }
  Type elementType = operands->front().getElementType();
  std::optional<Labeled> joined;
  size_t count = operands->size();
  for (size_t index = 0; index < count; ++index) {
    // What later operands and the result name is needed.
    SmallVector<Label> later = equation->result;
    for (size_t next = index + 1; next < count; ++next) {
      llvm::append_range(later, equation->operands[next]);
    }
    Labeled operand{node.widen((*operands)[index]), equation->operands[index]};
    if ((*operands)[index].getElementType() != elementType) {
      return node.emitError() << "expected operands of one element type";
    }
    SmallVector<Label> needed = later;
    if (joined) {
      llvm::append_range(needed, joined->labels);
    }
    if (failed(takeDiagonals(node, operand)) ||
        failed(sumUnneeded(node, operand, needed))) {
      return failure();
    }
    if (!joined) {
      joined = operand;
      continue;
    }
    SmallVector<Label> ofBoth = later;
    llvm::append_range(ofBoth, operand.labels);
    if (failed(sumUnneeded(node, *joined, ofBoth))) {
      return failure();
    }
    auto product = join(node, *joined, operand, later);
    if (failed(product)) {
      return failure();
    }
    joined = *product;
  }
  if (joined->labels.size() != equation->result.size()) {
    return node.emitError() << "expected operands whose '...' agree";
  }
  return node.setResult(
      node.narrow(permute(node, *joined, equation->result), elementType));
}

void onnx::addEinsumOps(OpRegistry &registry) {
  registry.add("Einsum", 12, {1, kAnyNumber}, convertEinsum);
}
