//===- Poles.h - operands where small differences become large --*- C++ -*-===//
//
// Where a divisor may be zero as well as not, for all that is known of it, the
// quotient may be anything: no bound follows from a few perturbed runs. These
// runs tell how far the divisor moves, element by element; where it may reach
// the pole, a further run computes with NaN in its place, and results that NaN
// reaches are not compared.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_POLES_H
#define FUSION_TOOLS_FUSION_FUZZ_POLES_H

#include "Exactness.h"
#include "Noise.h"
#include "fusion/Verify/HostArray.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>
#include <vector>

namespace mlir::fusion::fuzz {

/// The name of the argument that says where operand `number` of the list of
/// findPoles() may be at a pole.
std::string getPoleName(size_t number);

/// Replaces branches by both sides and a select of their results, so that all
/// values are in one block; those whose sides differ in type stay.
void flattenBranches(func::FuncOp entry);

/// The operands of ops of `body` that have a pole or the edge of a domain in
/// them (divisors, logarithms, inverse sines), but for exact ones.
SmallVector<OpOperand *> findPoles(Block &body, const Exactness &exactness);

/// Appends to the results of `entry` how far each of `poles` is from its pole.
void returnPoles(func::FuncOp entry, ArrayRef<OpOperand *> poles);

/// From the results that returnPoles() appended, in several runs: where each
/// operand may be at its pole. Empty if none may.
std::vector<HostArray>
findNearPoles(ArrayRef<std::vector<HostArray>> distances);

/// Lets each of `poles` be anything, NaN and a number of its domain among it,
/// where its array of `near` holds, which is an argument of `entry` then.
void poisonPoles(func::FuncOp entry, ArrayRef<OpOperand *> poles,
                 ArrayRef<HostArray> near, const Noise &noise);

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_POLES_H
