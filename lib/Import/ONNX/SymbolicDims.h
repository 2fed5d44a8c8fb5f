//===- SymbolicDims.h - sizes as polynomials over named dims ----*- C++ -*-===//
//
// The importer's model of dynamic sizes. A size is a polynomial over symbols
// (named dims of inputs, and results of divisions and the like), in one normal
// form: two sizes are known to be equal when the polynomials are the same.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_IMPORT_ONNX_SYMBOLICDIMS_H
#define FUSION_LIB_IMPORT_ONNX_SYMBOLICDIMS_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::fusion::onnx {

/// One product of a polynomial: `factor` times symbols (sorted, with repeats).
struct DimTerm {
  int64_t factor;
  SmallVector<unsigned, 2> symbols;

  bool operator==(const DimTerm &other) const {
    return factor == other.factor && symbols == other.symbols;
  }
};

/// An integer known while importing: a polynomial over symbols of a DimTable.
/// Terms are sorted by their symbols and have factors other than 0.
class Dim {
public:
  Dim(int64_t value = 0);
  static Dim symbol(unsigned id);

  bool isStatic() const;
  /// The value of a static dim.
  int64_t getStatic() const;
  bool is(int64_t value) const { return isStatic() && getStatic() == value; }
  ArrayRef<DimTerm> getTerms() const { return terms; }

  bool operator==(const Dim &other) const { return terms == other.terms; }
  bool operator!=(const Dim &other) const { return !(*this == other); }

private:
  friend class DimTable;
  SmallVector<DimTerm, 1> terms;
};

/// The symbols of one graph and the arithmetic over them. Index arithmetic is
/// emitted at the insertion point of the builder, at the time it is asked for;
/// what stays unused is dead code. Constants wrap at 64 bits as ONNX's do.
class DimTable {
public:
  explicit DimTable(OpBuilder &builder) : builder(builder) {}

  /// The symbol of dim `index` of `tensor` (a dynamic dim of a function
  /// argument), called `name`. Equal names are one symbol: the first counts.
  Dim inputDim(StringRef name, Value tensor, unsigned index);

  Dim add(const Dim &a, const Dim &b);
  Dim sub(const Dim &a, const Dim &b);
  Dim mul(const Dim &a, const Dim &b);
  /// Division and remainder that round toward zero; none where a size known
  /// only at run time might be the divisor 0.
  std::optional<Dim> div(const Dim &a, const Dim &b);
  std::optional<Dim> rem(const Dim &a, const Dim &b);
  Dim min(const Dim &a, const Dim &b);
  Dim max(const Dim &a, const Dim &b);

  /// `a` / `b` when `b` divides every term of `a`, so that nothing is rounded.
  std::optional<Dim> exactQuotient(const Dim &a, const Dim &b) const;
  /// Whether `a` equals `b`; none when that depends on sizes at run time.
  std::optional<bool> equal(const Dim &a, const Dim &b) const;
  /// Whether `a` < `b`; none when that depends on sizes at run time.
  std::optional<bool> less(const Dim &a, const Dim &b) const;

  /// An `index` value that holds `dim`.
  Value materialize(const Dim &dim, Location loc);
  /// `dim` as text: "8", "batch", "2*batch*seq + 1".
  std::string toString(const Dim &dim) const;

private:
  struct Symbol {
    std::string name;
    Value value;
    bool isSize; // never negative
  };

  /// A symbol for what the normal form cannot express, named by its text.
  template <typename OpTy>
  Dim opaque(StringRef spelling, const Dim &a, const Dim &b);
  Dim internOpaque(std::string name, llvm::function_ref<Value()> make,
                   bool isSize);
  bool isNonNegative(const Dim &dim) const;

  OpBuilder &builder;
  std::vector<Symbol> symbols;
  llvm::StringMap<unsigned> byName;
};

/// The product of `dims`; none if its static part passes 2^62.
std::optional<Dim> checkedProduct(DimTable &table, ArrayRef<Dim> dims);

} // namespace mlir::fusion::onnx

#endif // FUSION_LIB_IMPORT_ONNX_SYMBOLICDIMS_H
