//===- Signature.cpp - the arguments that a program wants -----------------===//

#include "Signature.h"

#include <algorithm>

using namespace mlir::fusion::runtime;

//===----------------------------------------------------------------------===//
// The program's table
//===----------------------------------------------------------------------===//

Outcome Signature::create(const FusionProgram &program, Signature &signature) {
  signature = Signature();
  signature.program = &program;
  for (int32_t i = 0; i < program.num_arguments; ++i) {
    Outcome outcome = signature.addArgument(i);
    if (outcome.failed()) {
      return std::move(outcome).within(format("argument %d of the program", i));
    }
  }
  signature.initial.symbols.assign(signature.symbolNames.size(), -1);
  return Outcome::success();
}

Outcome Signature::addArgument(int32_t number) {
  const FusionArgument &argument = program->arguments[number];
  if (argument.role < FUSION_INPUT || argument.role > FUSION_RESULT) {
    return Outcome::failure("expected a role, but got %d", argument.role);
  }
  if (fusionDTypeSize(argument.dtype) == 0) {
    return Outcome::failure("expected an element type, but got %d",
                            argument.dtype);
  }
  if (!argument.name || argument.rank < 0 ||
      (argument.rank > 0 && (!argument.dims || !argument.dim_names))) {
    return Outcome::failure("expected a name, a rank and dims");
  }
  bool isResult = argument.role == FUSION_RESULT;
  std::vector<int64_t> &dims = isResult ? initial.resultDims : initial.dims;
  offsets.push_back(static_cast<int64_t>(dims.size()));
  for (int32_t i = 0; i < argument.rank; ++i) {
    dims.push_back(argument.dims[i]);
    if (!isResult) {
      bool isDynamic = argument.dims[i] < 0;
      symbolOfDim.push_back(isDynamic ? internSymbol(argument.dim_names[i])
                                      : -1);
    }
  }
  roles[argument.role].push_back(number);
  return Outcome::success();
}

int32_t Signature::internSymbol(const char *name) {
  if (!name || !*name) {
    return -1;
  }
  auto found = std::find(symbolNames.begin(), symbolNames.end(), name);
  if (found == symbolNames.end()) {
    found = symbolNames.insert(found, name);
  }
  return static_cast<int32_t>(found - symbolNames.begin());
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static const char *getRoleName(int32_t role) {
  switch (role) {
  case FUSION_INPUT:
    return "input";
  case FUSION_WEIGHT:
    return "weight";
  case FUSION_CONSTANT:
    return "constant";
  default:
    return "result";
  }
}

std::string Signature::describe(int32_t number) const {
  const FusionArgument &argument = getArgument(number);
  return format("%s '%s'", getRoleName(argument.role), argument.name);
}

/// Says which argument gave the symbol the value that argument `reader` finds:
/// weights are bound before inputs, each in their order.
std::string Signature::describeSymbol(int32_t symbol, int32_t reader) const {
  for (FusionRole role : {FUSION_WEIGHT, FUSION_INPUT}) {
    for (int32_t number : roles[role]) {
      const int32_t *symbols = symbolOfDim.data() + offsets[number];
      const int32_t *end = symbols + getArgument(number).rank;
      if (std::find(symbols, end, symbol) != end) {
        return describe(number);
      }
    }
  }
  return describe(reader);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

Outcome mlir::fusion::runtime::getByteSize(const FusionArray &array,
                                           int64_t &bytes) {
  bytes = fusionDTypeSize(array.dtype);
  bool isEmpty = false, overflows = false;
  for (int32_t i = 0; i < array.rank; ++i) {
    isEmpty |= array.dims[i] == 0;
    overflows |= __builtin_mul_overflow(bytes, array.dims[i], &bytes);
  }
  if (isEmpty) {
    bytes = 0;
  } else if (overflows) {
    return Outcome::failure("expected fewer than 2^63 bytes");
  }
  return Outcome::success();
}

Outcome mlir::fusion::runtime::checkData(const FusionArray &array,
                                         int64_t &bytes) {
  Outcome outcome = getByteSize(array, bytes);
  if (!outcome.failed() && bytes > 0 && !array.data) {
    return Outcome::failure("expected %lld bytes of data, but got null",
                            static_cast<long long>(bytes));
  }
  return outcome;
}

/// " ('a', 'b')": the names of arguments, the first few where there are many.
static std::string listNames(const Signature &signature,
                             const std::vector<int32_t> &numbers) {
  constexpr size_t most = 8;
  std::string names;
  for (size_t i = 0; i < numbers.size() && i < most; ++i) {
    names += names.empty() ? " ('" : ", '";
    names += signature.getArgument(numbers[i]).name;
    names += '\'';
  }
  names += numbers.size() > most ? ", ..." : "";
  return names.empty() ? names : names + ")";
}

Outcome Signature::checkCount(FusionRole role, const FusionArray *arrays,
                              int32_t count) const {
  size_t expected = roles[role].size();
  if (count < 0 || static_cast<size_t>(count) != expected) {
    return Outcome::failure("expected %zu %ss%s, but got %d", expected,
                            getRoleName(role),
                            listNames(*this, roles[role]).c_str(), count);
  }
  if (count > 0 && !arrays) {
    return Outcome::failure("expected %d %ss, but got null", count,
                            getRoleName(role));
  }
  return Outcome::success();
}

Outcome Signature::checkType(int32_t number, const FusionArray &array) const {
  const FusionArgument &argument = getArgument(number);
  if (array.dtype != argument.dtype) {
    return Outcome::failure("expected elements of type %s, but got %s",
                            fusionDTypeName(argument.dtype),
                            fusionDTypeName(array.dtype));
  }
  if (array.rank != argument.rank) {
    return Outcome::failure("expected rank %d, but got %d", argument.rank,
                            array.rank);
  }
  if (array.rank > 0 && !array.dims) {
    return Outcome::failure("expected %d dims, but got null", array.rank);
  }
  return Outcome::success();
}

Outcome Signature::bindArray(int32_t number, const FusionArray &array,
                             Binding &binding) const {
  Outcome outcome = checkType(number, array);
  if (outcome.failed()) {
    return outcome;
  }
  const FusionArgument &argument = getArgument(number);
  for (int32_t i = 0; i < array.rank; ++i) {
    auto given = static_cast<long long>(array.dims[i]);
    if (argument.dims[i] >= 0 && given != argument.dims[i]) {
      return Outcome::failure("expected dim %d to be %lld, but got %lld", i,
                              static_cast<long long>(argument.dims[i]), given);
    }
    if (given < 0) {
      return Outcome::failure("expected dim %d to be 0 or more, but got %lld",
                              i, given);
    }
    int64_t position = offsets[number] + i;
    binding.dims[position] = given;
    int32_t symbol = symbolOfDim[position];
    if (symbol < 0) {
      continue;
    }
    int64_t &value = binding.symbols[symbol];
    if (value >= 0 && value != given) {
      return Outcome::failure(
          "expected dim %d ('%s') to be %lld as in %s, but got %lld", i,
          symbolNames[symbol].c_str(), static_cast<long long>(value),
          describeSymbol(symbol, number).c_str(), given);
    }
    value = given;
  }
  int64_t bytes;
  return getByteSize(array, bytes);
}

Outcome Signature::bind(FusionRole role, const FusionArray *arrays,
                        int32_t count, Binding &binding) const {
  Outcome outcome = checkCount(role, arrays, count);
  for (int32_t i = 0; i < count && !outcome.failed(); ++i) {
    int32_t number = roles[role][i];
    outcome = bindArray(number, arrays[i], binding);
    if (outcome.failed()) {
      outcome = std::move(outcome).within(describe(number));
    }
  }
  return outcome;
}

Outcome Signature::inferResults(Binding &binding) const {
  int32_t status =
      program->result_dims(binding.dims.data(), binding.resultDims.data());
  if (status != 0) {
    return Outcome::failure("expected dims that fit each other, but the "
                            "program refuses those of the inputs (status %d)",
                            status);
  }
  return Outcome::success();
}

Outcome Signature::checkResults(const FusionArray *arrays, int32_t count,
                                const Binding &binding) const {
  Outcome outcome = checkCount(FUSION_RESULT, arrays, count);
  for (int32_t i = 0; i < count && !outcome.failed(); ++i) {
    int32_t number = roles[FUSION_RESULT][i];
    const int64_t *expected = binding.resultDims.data() + offsets[number];
    outcome = checkType(number, arrays[i]);
    for (int32_t d = 0; d < arrays[i].rank && !outcome.failed(); ++d) {
      if (arrays[i].dims[d] != expected[d]) {
        outcome = Outcome::failure("expected dim %d to be %lld, but got %lld",
                                   d, static_cast<long long>(expected[d]),
                                   static_cast<long long>(arrays[i].dims[d]));
      }
    }
    if (outcome.failed()) {
      return std::move(outcome).within(describe(number));
    }
  }
  return outcome;
}
