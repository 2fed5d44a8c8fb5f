//===- HostSignature.h - the arguments of @main and their dims --*- C++ -*-===//

#ifndef LIB_CONVERSION_HOSTTOLLVM_HOSTSIGNATURE_H
#define LIB_CONVERSION_HOSTTOLLVM_HOSTSIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::fusion {

inline constexpr llvm::StringLiteral kMainFunction = "main";
inline constexpr llvm::StringLiteral kResultDimsFunction = "main_result_dims";
inline constexpr llvm::StringLiteral kWorkspaceSizeFunction =
    "main_workspace_size";
inline constexpr llvm::StringLiteral kGroupAttr = "fusion.group";
inline constexpr llvm::StringLiteral kNameAttr = "fusion.name";
inline constexpr llvm::StringLiteral kDTypeAttr = "fusion.dtype";
inline constexpr llvm::StringLiteral kDimsAttr = "fusion.dims";
inline constexpr llvm::StringLiteral kWeightAttr = "fusion.weight";
inline constexpr llvm::StringLiteral kConstantAttr = "fusion.constant";
inline constexpr llvm::StringLiteral kResultAttr = "fusion.result";
inline constexpr llvm::StringLiteral kDonatedAttr = "fusion.donated";
inline constexpr llvm::StringLiteral kWorkspaceAttr = "fusion.workspace";

/// Bytes of one element in memory: i1 takes one.
int64_t getElementBytes(MemRefType type);

/// The arguments of the host program @main, without the workspace, and where
/// their dims stand in the flattened lists of the C contract.
class HostSignature {
public:
  explicit HostSignature(func::FuncOp main);

  unsigned getNumArguments() const { return types.size(); }
  MemRefType getType(unsigned argument) const { return types[argument]; }
  bool isResult(unsigned argument) const { return results[argument]; }
  bool hasWorkspace() const { return workspace; }
  /// Dims of all arguments that are not results, and of all that are.
  unsigned getNumInputDims() const { return numInputDims; }
  unsigned getNumResultDims() const { return numDims - numInputDims; }
  /// The position of a dim in the list of input dims followed by result dims.
  unsigned getDimNumber(BlockArgument argument, unsigned dim) const {
    return getDimNumber(argument.getArgNumber(), dim);
  }
  unsigned getDimNumber(unsigned argument, unsigned dim) const {
    return firstDims[argument] + dim;
  }

  /// Returns the values of all dims, inputs then results, given those of the
  /// inputs (index values): static ones of results as constants, others
  /// through a call of `@main_result_dims`. Emits an error if that function is
  /// missing or of another type.
  FailureOr<SmallVector<Value>> getAllDims(OpBuilder &builder, Location loc,
                                           ValueRange inputDims) const;

private:
  func::FuncOp main;
  SmallVector<MemRefType> types;
  SmallVector<bool> results;
  SmallVector<unsigned> firstDims;
  unsigned numInputDims = 0, numDims = 0;
  bool workspace = false;
};

} // namespace mlir::fusion

#endif // LIB_CONVERSION_HOSTTOLLVM_HOSTSIGNATURE_H
