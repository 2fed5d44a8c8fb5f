//===- RecurrentStep.h - one step of a recurrent network --------*- C++ -*-===//

#ifndef FUSION_LIB_IMPORT_ONNX_RECURRENTSTEP_H
#define FUSION_LIB_IMPORT_ONNX_RECURRENTSTEP_H

#include "NodeImporter.h"

namespace mlir::fusion::onnx {

/// A function by its name and parameters.
struct ActivationFunction {
  std::string name;
  double alpha, beta;
};

/// What the attributes say, for all directions.
struct Network {
  SmallVector<ActivationFunction> functions; ///< of all directions, in order
  std::string direction;
  std::optional<double> clip;
  int64_t gates, hidden;
  int64_t directions;
  bool batchFirst, linearBeforeReset, inputForget;
};

/// One direction: weights, and the state that goes from step to step.
struct Direction {
  Tensor recurrence;                          ///< [gates * hidden, hidden]
  std::optional<Tensor> inputBias, stateBias; ///< [gates * hidden]
  std::optional<Tensor> peepholes;            ///< [3 * hidden]
  ArrayRef<ActivationFunction> functions;
  Tensor state; ///< [batch, hidden]
  std::optional<Tensor> cell;
};

/// Builds the steps. After a failure its tensors mean nothing.
class StepBuilder {
public:
  StepBuilder(NodeImporter &node, const Network &network)
      : node(node), network(network) {}

  /// The sums of `gates`, [batch, gates * hidden], are in the state afterwards.
  LogicalResult step(Direction &direction, const Tensor &gates);
  bool hasFailed() const { return failedAny; }

  Tensor check(FailureOr<Tensor> tensor, const Tensor &otherwise) {
    failedAny |= failed(tensor);
    return failed(tensor) ? otherwise : *tensor;
  }

private:
  Tensor clip(const Tensor &x);
  Tensor activate(const ActivationFunction &function, const Tensor &x);
  /// The columns of one gate.
  Tensor gate(const Tensor &gates, int64_t index);
  Tensor add(const Tensor &x, const Tensor &y) {
    return node.apply<AddOp>(x, y);
  }
  Tensor mul(const Tensor &x, const Tensor &y) {
    return node.apply<MulOp>(x, y);
  }
  /// `x` plus a vector, times one.
  Tensor addRow(const Tensor &x, const Tensor &row) {
    return add(x, check(node.broadcast(row, x.dims), x));
  }
  Tensor mulRow(const Tensor &x, const Tensor &row) {
    return mul(x, check(node.broadcast(row, x.dims), x));
  }
  /// The state times the recurrence weights of gates [`from`, `to`).
  Tensor recur(const Direction &direction, const Tensor &state, int64_t from,
               int64_t to);
  Tensor biasOf(const Tensor &bias, int64_t index);

  void stepRnn(Direction &direction, const Tensor &gates);
  void stepGru(Direction &direction, const Tensor &gates);
  void stepLstm(Direction &direction, const Tensor &gates);

  NodeImporter &node;
  const Network &network;
  bool failedAny = false;
};

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_RECURRENTSTEP_H
