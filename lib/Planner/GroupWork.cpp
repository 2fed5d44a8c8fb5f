//===- GroupWork.cpp - what the kernel of a group does --------------------===//

#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/KernelWork.h"
#include "fusion/Planner/PackLaunches.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

static double countElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  double elements = 1;
  for (int64_t size : tensor ? tensor.getShape() : ArrayRef<int64_t>()) {
    elements *= getNominalSize(size);
  }
  return elements;
}

KernelWork fusion::getGroupWork(GroupOp group, const DeviceModel &device) {
  KernelWork work;
  llvm::SmallDenseSet<Value> counted;
  for (Value input : group.getInputs()) {
    // What several renamings of one tensor read is read once.
    Value source = getRenamedSource(input);
    if (counted.insert(source).second) {
      double bytes = getTensorBytes(input.getType());
      work.bytesRead += bytes;
      work.bytesBetween += source.getDefiningOp<GroupOp>() ? bytes : 0;
    }
  }
  // One side of each choice is read.
  for (auto choice : group.getBodyBlock()->getOps<arith::SelectOp>()) {
    work.bytesRead -= getTensorBytes(choice.getType());
  }
  double elements = 1;
  for (Value init : group.getInits()) {
    double bytes = getTensorBytes(init.getType());
    work.bytesWritten += bytes;
    work.bytesBetween += bytes;
    elements = std::max(elements, countElements(init.getType()));
  }
  for (auto op : group.getBodyBlock()->getOps<linalg::LinalgOp>()) {
    OpWork own = getOpWork(op);
    work.flops += own.flops;
    work.matmulFlops += own.contractionFlops;
    work.tensorCores |= own.contractionFlops > 0 && readsHalfFloats(op);
  }
  // About the tiles that schedules choose.
  work.blocks = std::ceil(elements / (work.matmulFlops > 0 ? 64 * 64 : 1024));
  UnitGraph graph = collectUnits(*group.getBodyBlock(), /*absorbPadding=*/true);
  SmallVector<const Unit *> units;
  for (const Unit &unit : graph.units) {
    if (!unit.isOpaque()) {
      units.push_back(&unit);
    }
  }
  addSchedule(units, group.getScheduleAttr(), device, work);
  return work;
}

UnitGraph fusion::collectGroupUnits(GroupOp group) {
  if (!isComposite(group)) {
    return collectUnits(*group.getBodyBlock());
  }
  UnitGraph all;
  group.getBodyBlock()->walk([&](GroupOp part) {
    UnitGraph graph = collectUnits(*part.getBodyBlock());
    unsigned first = all.units.size();
    for (Unit &unit : graph.units) {
      for (UnitRead &read : unit.reads) {
        if (read.producer) {
          *read.producer += first;
        }
      }
      for (unsigned &user : unit.users) {
        user += first;
      }
      unit.firstLoop += all.numLoops;
      all.units.push_back(std::move(unit));
    }
    all.cloneable.insert(graph.cloneable.begin(), graph.cloneable.end());
    all.numLoops += graph.numLoops;
  });
  return all;
}
