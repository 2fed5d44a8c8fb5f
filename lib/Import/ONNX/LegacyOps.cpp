//===- LegacyOps.cpp - ops as they were before operator set 7 -------------===//
//
// Models of that age broadcast by attributes, and say which inputs they
// overwrite, which has no bearing on the results.
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

static LogicalResult ignoreConsumedInputs(NodeImporter &node) {
  node.ignore({"consumed_inputs"});
  return success();
}

/// Gives input `index` dims of size 1 before and behind its own, so that these
/// stand at `axis` of a tensor of rank `rank`.
static LogicalResult alignAt(NodeImporter &node, unsigned index, int64_t axis,
                             int64_t rank) {
  auto input = node.tensor(index);
  if (failed(input)) {
    return failure();
  }
  int64_t behind = rank - axis - input->getRank();
  if (axis < 0 || behind < 0) {
    return node.emitError()
           << "expected input " << index << " of rank " << input->getRank()
           << " to fit into rank " << rank << " at axis " << axis;
  }
  SmallVector<Dim, 4> dims(axis, Dim(1));
  dims.append(input->dims.begin(), input->dims.end());
  dims.append(behind, Dim(1));
  auto aligned = node.reshape(*input, dims);
  if (failed(aligned)) {
    return failure();
  }
  node.replaceInput(index, *aligned);
  return success();
}

/// The second operand is broadcast only where `broadcast` is set; its dims are
/// then those of the first from `axis` on, by default the last ones.
static LogicalResult adaptBinary(NodeImporter &node) {
  node.ignore({"consumed_inputs"});
  bool broadcasts = node.getInt("broadcast", 0) != 0;
  int64_t rank = node.getDims(0).size(), other = node.getDims(1).size();
  if (!broadcasts) {
    node.ignore({"axis"});
    if (rank != other) {
      return node.emitError() << "expected operands of one rank, but got "
                              << rank << " and " << other;
    }
    return success();
  }
  int64_t axis = node.getInt("axis", rank - other);
  return alignAt(node, 1, axis < 0 ? axis + rank : axis, rank);
}

static LogicalResult adaptGemm(NodeImporter &node) {
  node.ignore({"broadcast"});
  return success();
}

/// One slope for all elements, or one per channel.
static LogicalResult adaptPRelu(NodeImporter &node) {
  node.ignore({"consumed_inputs"});
  int64_t rank = node.getDims(0).size();
  ArrayRef<Dim> slope = node.getDims(1);
  bool isShared = slope.size() == 1 && slope[0].is(1);
  return slope.size() != 1 || isShared || rank < 2 ? success()
                                                   : alignAt(node, 1, 1, rank);
}

/// Whether a node is of training or of inference was an attribute.
static LogicalResult expectInference(NodeImporter &node) {
  node.ignore({"consumed_inputs"});
  if (node.getInt("is_test", 0) == 0) {
    return node.emitError() << "expected is_test = 1";
  }
  return success();
}

void onnx::addLegacyOps(OpRegistry &registry) {
  for (StringRef op : {"Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor",
                       "Equal", "Less", "Greater"}) {
    registry.addOlder(op, 1, adaptBinary);
  }
  for (StringRef op : {"Abs",         "Ceil",      "Exp",
                       "Floor",       "Log",       "Neg",
                       "Reciprocal",  "Sqrt",      "Relu",
                       "Sigmoid",     "Tanh",      "Elu",
                       "HardSigmoid", "LeakyRelu", "Selu",
                       "Clip",        "Max",       "Min",
                       "Sum",         "Mean",      "InstanceNormalization"}) {
    registry.addOlder(op, 1, ignoreConsumedInputs);
  }
  registry.addOlder("Gemm", 1, adaptGemm);
  registry.addOlder("PRelu", 1, adaptPRelu);
  registry.addOlder("BatchNormalization", 1, expectInference);
  registry.addOlder("Dropout", 1, expectInference);
}
