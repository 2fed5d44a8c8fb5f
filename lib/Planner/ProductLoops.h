//===- ProductLoops.h - which loops of a product tiles lie along ----------===//
//
// Internal to the estimates of the planner.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PLANNER_PRODUCTLOOPS_H
#define FUSION_LIB_PLANNER_PRODUCTLOOPS_H

#include "fusion/Planner/Units.h"

namespace mlir::fusion {

/// The loops of a product, by what they are to its tiles.
struct ProductLoops {
  SmallVector<unsigned> rows, columns, batch;
};

/// Tells which loops of `unit` tiles lie along: of each operand's own loops the
/// last ones that memory has side by side, columns along the results' memory.
ProductLoops sortLoops(const Unit &unit);

/// Returns the product of two sizes, dynamic where one of them is.
int64_t multiplySizes(int64_t a, int64_t b);

/// Returns the bytes of an element of `value`, 8 for an index.
int64_t getElementBytes(Value value);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_PRODUCTLOOPS_H
