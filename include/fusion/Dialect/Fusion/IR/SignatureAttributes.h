//===- SignatureAttributes.h - attributes of arguments ----------*- C++ -*-===//
//
// A function holds the attributes of all its arguments in one array, and those
// of its results in another. Setting one makes a new array, which the context
// keeps: one by one that is time and memory in the square of their number.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_DIALECT_FUSION_IR_SIGNATUREATTRIBUTES_H
#define FUSION_DIALECT_FUSION_IR_SIGNATUREATTRIBUTES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::fusion {

/// Collects attributes of the arguments and results of a function and sets
/// them, by apply() or at the end of its life, at once. The function still has
/// the old ones before; it must not lose or get arguments or results, or be
/// erased, meanwhile.
class SignatureAttributes {
public:
  explicit SignatureAttributes(FunctionOpInterface function)
      : function(function) {}
  ~SignatureAttributes() { apply(); }
  SignatureAttributes(const SignatureAttributes &) = delete;
  SignatureAttributes &operator=(const SignatureAttributes &) = delete;

  /// Gives argument `number` the attribute `name`.
  void setArgument(unsigned number, StringRef name, Attribute value);
  /// Gives result `number` the attribute `name`.
  void setResult(unsigned number, StringRef name, Attribute value);
  /// Sets on the function what was collected.
  void apply();

private:
  FunctionOpInterface function;
  SmallVector<NamedAttrList, 0> arguments, results; ///< empty: unchanged
};

} // namespace mlir::fusion

#endif // FUSION_DIALECT_FUSION_IR_SIGNATUREATTRIBUTES_H
