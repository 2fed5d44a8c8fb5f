//===- SymbolicDims.cpp - sizes as polynomials over named dims ------------===//

#include "SymbolicDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// Bounds that keep the arithmetic linear: what passes them becomes a symbol.
static constexpr size_t kMaxTerms = 16;
static constexpr size_t kMaxDegree = 16;
static constexpr size_t kMaxNameLength = 120;

/// ONNX integers wrap; signed overflow in C++ does not.
static int64_t wrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}
static int64_t wrappingMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

//===----------------------------------------------------------------------===//
// Dim
//===----------------------------------------------------------------------===//

Dim::Dim(int64_t value) {
  if (value != 0) {
    terms.push_back({value, {}});
  }
}

Dim Dim::symbol(unsigned id) {
  Dim dim;
  dim.terms.push_back({1, {id}});
  return dim;
}

bool Dim::isStatic() const {
  return terms.empty() || (terms.size() == 1 && terms[0].symbols.empty());
}

int64_t Dim::getStatic() const {
  assert(isStatic() && "expected a dim without symbols");
  return terms.empty() ? 0 : terms[0].factor;
}

//===----------------------------------------------------------------------===//
// DimTable: symbols
//===----------------------------------------------------------------------===//

Dim DimTable::internOpaque(std::string name, function_ref<Value()> make,
                           bool isSize) {
  if (name.size() > kMaxNameLength) {
    name = "d" + std::to_string(symbols.size());
  }
  auto [it, inserted] = byName.try_emplace(name, symbols.size());
  if (inserted) {
    symbols.push_back({std::move(name), make(), isSize});
  }
  return Dim::symbol(it->second);
}

Dim DimTable::inputDim(StringRef name, Value tensor, unsigned index) {
  auto make = [&]() -> Value {
    return tensor::DimOp::create(builder, tensor.getLoc(), tensor, index);
  };
  auto [it, inserted] = byName.try_emplace(name, symbols.size());
  if (inserted) {
    symbols.push_back({name.str(), make(), /*isSize=*/true});
  }
  return Dim::symbol(it->second);
}

template <typename OpTy>
Dim DimTable::opaque(StringRef spelling, const Dim &a, const Dim &b) {
  std::string name =
      ("(" + toString(a) + " " + spelling + " " + toString(b) + ")").str();
  auto make = [&]() -> Value {
    Location loc = builder.getUnknownLoc();
    return OpTy::create(builder, loc, materialize(a, loc), materialize(b, loc));
  };
  return internOpaque(std::move(name), make,
                      isNonNegative(a) && isNonNegative(b));
}

bool DimTable::isNonNegative(const Dim &dim) const {
  return llvm::all_of(dim.getTerms(), [&](const DimTerm &term) {
    return term.factor >= 0 && llvm::all_of(term.symbols, [&](unsigned id) {
             return symbols[id].isSize;
           });
  });
}

//===----------------------------------------------------------------------===//
// DimTable: arithmetic
//===----------------------------------------------------------------------===//

/// Sorts terms and joins those with the same symbols.
static void normalize(SmallVectorImpl<DimTerm> &terms) {
  llvm::sort(terms, [](const DimTerm &a, const DimTerm &b) {
    return a.symbols < b.symbols;
  });
  SmallVector<DimTerm, 1> joined;
  for (DimTerm &term : terms) {
    if (!joined.empty() && joined.back().symbols == term.symbols) {
      joined.back().factor = wrappingAdd(joined.back().factor, term.factor);
    } else {
      joined.push_back(std::move(term));
    }
  }
  llvm::erase_if(joined, [](const DimTerm &term) { return term.factor == 0; });
  terms.assign(std::make_move_iterator(joined.begin()),
               std::make_move_iterator(joined.end()));
}

Dim DimTable::add(const Dim &a, const Dim &b) {
  Dim sum = a;
  sum.terms.append(b.terms.begin(), b.terms.end());
  normalize(sum.terms);
  if (sum.terms.size() > kMaxTerms) {
    return opaque<arith::AddIOp>("+", a, b);
  }
  return sum;
}

Dim DimTable::sub(const Dim &a, const Dim &b) { return add(a, mul(b, -1)); }

Dim DimTable::mul(const Dim &a, const Dim &b) {
  Dim product;
  for (const DimTerm &x : a.terms) {
    for (const DimTerm &y : b.terms) {
      DimTerm term{wrappingMul(x.factor, y.factor), x.symbols};
      llvm::append_range(term.symbols, y.symbols);
      llvm::sort(term.symbols);
      product.terms.push_back(std::move(term));
    }
  }
  normalize(product.terms);
  bool tooLarge = product.terms.size() > kMaxTerms ||
                  llvm::any_of(product.terms, [](const DimTerm &term) {
                    return term.symbols.size() > kMaxDegree;
                  });
  return tooLarge ? opaque<arith::MulIOp>("*", a, b) : product;
}

std::optional<Dim> DimTable::exactQuotient(const Dim &a, const Dim &b) const {
  if (b.terms.size() != 1) {
    return a == b && !b.terms.empty() ? std::optional<Dim>(1) : std::nullopt;
  }
  const DimTerm &divisor = b.terms[0];
  Dim quotient;
  for (const DimTerm &term : a.terms) {
    bool overflows = divisor.factor == -1 && term.factor == INT64_MIN;
    if (overflows || term.factor % divisor.factor != 0 ||
        !std::includes(term.symbols.begin(), term.symbols.end(),
                       divisor.symbols.begin(), divisor.symbols.end())) {
      return std::nullopt;
    }
    DimTerm rest{term.factor / divisor.factor, {}};
    std::set_difference(term.symbols.begin(), term.symbols.end(),
                        divisor.symbols.begin(), divisor.symbols.end(),
                        std::back_inserter(rest.symbols));
    quotient.terms.push_back(std::move(rest));
  }
  normalize(quotient.terms);
  return quotient;
}

std::optional<Dim> DimTable::div(const Dim &a, const Dim &b) {
  if (std::optional<Dim> quotient = exactQuotient(a, b)) {
    return quotient;
  }
  if (!b.isStatic() || b.is(0)) {
    return std::nullopt;
  }
  if (a.isStatic()) {
    return b.is(-1) ? mul(a, -1) : Dim(a.getStatic() / b.getStatic());
  }
  return opaque<arith::DivSIOp>("/", a, b);
}

std::optional<Dim> DimTable::rem(const Dim &a, const Dim &b) {
  if (exactQuotient(a, b)) {
    return Dim(0);
  }
  if (!b.isStatic() || b.is(0)) {
    return std::nullopt;
  }
  if (a.isStatic()) {
    return b.is(-1) ? Dim(0) : Dim(a.getStatic() % b.getStatic());
  }
  return opaque<arith::RemSIOp>("mod", a, b);
}

Dim DimTable::min(const Dim &a, const Dim &b) {
  if (std::optional<bool> smaller = less(b, a)) {
    return *smaller ? b : a;
  }
  return opaque<arith::MinSIOp>("min", a, b);
}

Dim DimTable::max(const Dim &a, const Dim &b) {
  if (std::optional<bool> smaller = less(a, b)) {
    return *smaller ? b : a;
  }
  return opaque<arith::MaxSIOp>("max", a, b);
}

std::optional<bool> DimTable::equal(const Dim &a, const Dim &b) const {
  if (a == b) {
    return true;
  }
  std::optional<bool> less1 = less(a, b), less2 = less(b, a);
  if (less1.value_or(false) || less2.value_or(false)) {
    return false;
  }
  return std::nullopt;
}

std::optional<bool> DimTable::less(const Dim &a, const Dim &b) const {
  if (a.isStatic() && b.isStatic()) {
    return a.getStatic() < b.getStatic();
  }
  // a < b is known when the terms of b - a are sizes and a positive constant;
  // a >= b when those of a - b are not negative.
  auto difference = [](const Dim &x, const Dim &y) {
    Dim result = x;
    for (const DimTerm &term : y.terms) {
      result.terms.push_back({wrappingMul(term.factor, -1), term.symbols});
    }
    normalize(result.terms);
    return result;
  };
  if (isNonNegative(difference(a, b))) {
    return false;
  }
  Dim gap = difference(b, a);
  bool hasConstant = !gap.terms.empty() && gap.terms[0].symbols.empty();
  if (hasConstant && isNonNegative(gap)) {
    return true;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// DimTable: values and text
//===----------------------------------------------------------------------===//

Value DimTable::materialize(const Dim &dim, Location loc) {
  Value sum;
  for (const DimTerm &term : dim.getTerms()) {
    Value product;
    for (unsigned id : term.symbols) {
      Value factor = symbols[id].value;
      product =
          product
              ? arith::MulIOp::create(builder, loc, product, factor).getResult()
              : factor;
    }
    if (!product || term.factor != 1) {
      Value constant =
          arith::ConstantIndexOp::create(builder, loc, term.factor);
      product = product ? arith::MulIOp::create(builder, loc, product, constant)
                              .getResult()
                        : constant;
    }
    sum = sum ? arith::AddIOp::create(builder, loc, sum, product).getResult()
              : product;
  }
  return sum ? sum : arith::ConstantIndexOp::create(builder, loc, 0);
}

std::string DimTable::toString(const Dim &dim) const {
  if (dim.isStatic()) {
    return std::to_string(dim.getStatic());
  }
  SmallVector<std::string> terms;
  for (const DimTerm &term : dim.getTerms()) {
    SmallVector<std::string> factors;
    if (term.factor != 1 || term.symbols.empty()) {
      factors.push_back(std::to_string(term.factor));
    }
    for (unsigned id : term.symbols) {
      factors.push_back(symbols[id].name);
    }
    terms.push_back(llvm::join(factors, "*"));
  }
  // The constant stands first in the normal form, and last in what one reads.
  if (dim.getTerms().front().symbols.empty()) {
    std::rotate(terms.begin(), terms.begin() + 1, terms.end());
  }
  return llvm::join(terms, " + ");
}

std::optional<Dim> onnx::checkedProduct(DimTable &table, ArrayRef<Dim> dims) {
  constexpr double kLimit = 4611686018427387904.0; // 2^62
  double magnitude = 1;
  Dim product = 1;
  for (const Dim &dim : dims) {
    double largest = 0;
    for (const DimTerm &term : dim.getTerms()) {
      largest = std::max(largest, std::abs(double(term.factor)));
    }
    magnitude *= std::max(largest, 1.0);
    if (magnitude >= kLimit) {
      return std::nullopt;
    }
    product = table.mul(product, dim);
  }
  return product;
}
