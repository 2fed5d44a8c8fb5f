//===- GroupAnalysis.h - how a group's loops become dims --------*- C++ -*-===//

#ifndef FUSION_CONVERSION_GROUPTOTILES_GROUPANALYSIS_H
#define FUSION_CONVERSION_GROUPTOTILES_GROUPANALYSIS_H

#include "Group.h"

#include "fusion/Analysis/Window.h"
#include "llvm/ADT/MapVector.h"
#include <map>

namespace mlir::fusion {

/// A tensor seen through casts.
Value lookThroughCasts(Value value);

/// Moves a constant out of the body of `op`, which goes away.
void moveOut(linalg::LinalgOp op, Value value);

/// Loops are numbered through the whole function; a store's dims count as its
/// loops.
class GroupAnalysis {
public:
  explicit GroupAnalysis(func::FuncOp func) { group.func = func; }
  FailureOr<Group> run();

  /// How an input is read at sums of loops. The op's own map then has zeros
  /// where more than one loop or a bound matters.
  struct WindowRead {
    SmallVector<WindowPosition> positions;
    SmallVector<Value> extents;
    Value outside;
  };

private:
  LogicalResult generalise();
  void findWindows();
  void findWindow(linalg::GenericOp op, OpOperand &operand);
  void computeWhereRead(linalg::GenericOp op, OpOperand &operand);
  GroupOperand makeWindow(OpOperand &operand, ArrayRef<int64_t> loops);
  LogicalResult collect();
  LogicalResult collectOp(Operation &op);
  LogicalResult checkMaps(linalg::GenericOp op);
  void addLoops(Operation *op, ArrayRef<int64_t> sizes,
                ArrayRef<utils::IteratorType> types);

  void tieAll();
  void tieEqualSizes();
  void tieUse(Operation *user, Value value, AffineMap map, bool arguments);
  bool tie(int64_t a, int64_t b);
  void noteSource(Operation *user, Value value, AffineMap map);
  void noteSizes(OpOperand &init);
  void describeClasses();

  LogicalResult demandAll();
  FailureOr<GroupOperand> makeOperand(Location loc, Value value,
                                      ArrayRef<int64_t> classes);
  FailureOr<GroupOperand> makeProductOperand(Location loc, Value value,
                                             ArrayRef<int64_t> classes);
  LogicalResult notePart(linalg::GenericOp op, int64_t part, Location loc);
  FailureOr<int64_t> demand(linalg::GenericOp op, unsigned result,
                            ArrayRef<int64_t> classes, Location loc);
  LogicalResult fillOperands(int64_t number);
  SmallVector<int64_t> mapToClasses(AffineMap map, ArrayRef<int64_t> loops);
  SmallVector<int64_t> getNaturalLoops(Operation *op);
  GroupOperand makeBounds(Operation *op, ArrayRef<int64_t> loops);
  void sortByProgramOrder();

  Group group;
  /// Inputs that are read at sums of loops, by op and number.
  std::map<std::pair<Operation *, unsigned>, WindowRead> windows;
  /// Outside of these the result of an op is padding.
  llvm::DenseMap<Operation *, WindowRead> bounds;
  LoopClasses classes;
  SmallVector<Operation *> ops; ///< generics and stores in program order
  llvm::MapVector<Operation *, std::pair<int64_t, int64_t>> loopsOf;
  SmallVector<int64_t> loopSizes;
  SmallVector<bool> loopReduced;
  SmallVector<int64_t> classOf;              ///< loop -> class (a loop number)
  SmallVector<SmallVector<int64_t>> members; ///< class -> loops
  std::optional<int64_t> partLoop;           ///< the first that counts parts
  SmallVector<Operation *> ownerOf;          ///< loop -> op
  llvm::MapVector<std::pair<Value, int64_t>, int64_t> argumentDims;
  llvm::MapVector<Operation *, SmallVector<int64_t>> instances;
};

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_GROUPTOTILES_GROUPANALYSIS_H
