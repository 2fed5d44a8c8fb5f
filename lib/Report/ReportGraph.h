//===- ReportGraph.h - the ops of a report ----------------------*- C++ -*-===//

#ifndef FUSION_LIB_REPORT_REPORTGRAPH_H
#define FUSION_LIB_REPORT_REPORTGRAPH_H

#include "fusion/Planner/Units.h"
#include "fusion/Report/Report.h"

namespace mlir::fusion {

/// Fills in the nodes and edges of `report`: the inputs of `main`, the units of
/// its groups, whose units are `graphs`, in order, and its results.
void collectGraph(CompilationReport &report, func::FuncOp main,
                  ArrayRef<UnitGraph> graphs, const DeviceModel &device);

/// Returns whether `unit` is an op of the graph: fills belong to the ops that
/// accumulate into them, unless a kernel hands them out.
bool isWork(const Unit &unit);

/// Returns the bytes that `units`, the parts of one graph op in order, read and
/// write as one kernel.
double getBytesAlone(ArrayRef<const Unit *> units, int64_t dynamicSize);

/// Estimates that kernel, in microseconds.
double estimateAlone(ArrayRef<const Unit *> units, const DeviceModel &device);

/// Returns about how many blocks a kernel of so many results has.
double getBlocks(double results, bool isContraction);

/// Returns the number of elements of a shaped type.
double countElements(Type type, int64_t dynamicSize);

/// Returns whether the element types of a contraction allow tensor cores.
bool usesTensorCores(const Unit &unit);

} // namespace mlir::fusion

#endif // FUSION_LIB_REPORT_REPORTGRAPH_H
