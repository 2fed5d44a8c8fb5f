//===- Inputs.cpp - arrays to run a program on ------------------*- C++ -*-===//

#include "fusion/Driver/Inputs.h"
#include "fusion/Verify/ArrayFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

static llvm::Error makeError(const Twine &text) {
  return llvm::createStringError(text);
}

//===----------------------------------------------------------------------===//
// Specifications
//===----------------------------------------------------------------------===//

static llvm::Error badSpec(StringRef text) {
  return makeError("expected FILE.npy, FILE.pb, random[:SEED], "
                   "randint:LO:HI[:SEED], zeros or ones, but got '" +
                   text + "'");
}

llvm::Expected<InputSpec> mlir::fusion::parseInputSpec(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  InputSpec spec;
  StringRef kind = parts[0];
  auto hasSeed = [&](size_t at) {
    return parts.size() == at ||
           (parts.size() == at + 1 && !parts[at].getAsInteger(10, spec.seed));
  };
  if (kind == "random") {
    return hasSeed(1) ? llvm::Expected<InputSpec>(spec) : badSpec(text);
  }
  if (kind == "randint") {
    spec.kind = InputSpec::Kind::RandInt;
    bool ok = parts.size() >= 3 && !parts[1].getAsInteger(10, spec.low) &&
              !parts[2].getAsInteger(10, spec.high) && spec.low < spec.high;
    return ok && hasSeed(3) ? llvm::Expected<InputSpec>(spec) : badSpec(text);
  }
  if (text == "zeros" || text == "ones") {
    spec.kind = text == "ones" ? InputSpec::Kind::Ones : InputSpec::Kind::Zeros;
    return spec;
  }
  if (text.ends_with(".npy") || text.ends_with(".pb")) {
    spec.kind = InputSpec::Kind::File;
    spec.file = text.str();
    return spec;
  }
  return badSpec(text);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A 64-bit mix of a counter (splitmix64's finalizer): every element's value
/// depends on the key and its index only.
static uint64_t mix(uint64_t key, uint64_t index) {
  uint64_t z = key + (index + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// About normal, deviation 1: the sum of four uniform numbers.
static double makeNormal(uint64_t bits) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += double((bits >> (16 * i)) & 0xffff) / 65536 - 0.5 + 0.5 / 65536;
  }
  return sum * std::sqrt(3.0);
}

static double getFanIn(const HostArray &array, bool isWeight) {
  ArrayRef<int64_t> dims = array.getDims();
  if (dims.size() < 2) {
    return 1;
  }
  double fanIn = 1;
  for (int64_t dim : isWeight ? dims.drop_front() : dims.take_back()) {
    fanIn *= double(std::max<int64_t>(dim, 1));
  }
  return fanIn;
}

static void fill(HostArray &array, const InputSpec &spec,
                 const FusionArgument &argument) {
  uint64_t key = llvm::xxh3_64bits(argument.name) ^ mix(spec.seed, 0);
  bool isFloat = isFloatDType(array.getDType());
  double scale = 1 / std::sqrt(getFanIn(array, argument.role == FUSION_WEIGHT));
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i) {
    uint64_t bits = mix(key, uint64_t(i));
    switch (spec.kind) {
    case InputSpec::Kind::Random:
      array.set(i, isFloat ? makeNormal(bits) * scale : double(bits >> 63));
      break;
    case InputSpec::Kind::RandInt:
      array.set(
          i, double(spec.low + int64_t(bits % uint64_t(spec.high - spec.low))));
      break;
    case InputSpec::Kind::Ones:
      array.set(i, 1);
      break;
    case InputSpec::Kind::Zeros:
    case InputSpec::Kind::File:
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {
/// Gives sizes to the dynamic dims of a program's arguments.
class InputMaker {
public:
  InputMaker(const FusionProgram &program, const InputOptions &options)
      : program(program), options(options), sizes(options.dims) {}

  llvm::Expected<std::vector<HostArray>> run();

private:
  llvm::Error checkNames();
  llvm::Error readFiles();
  llvm::Error bindShape(const FusionArgument &argument, const HostArray &array);
  llvm::Error bindDim(const FusionArgument &argument, int32_t at, int64_t size);
  llvm::Expected<HostArray> makeArray(const FusionArgument &argument);
  InputSpec getSpec(const FusionArgument &argument) const;

  /// The inputs and weights, in order.
  ArrayRef<FusionArgument> getArguments() const {
    return {program.arguments, size_t(program.num_arguments)};
  }
  static bool isInput(const FusionArgument &argument) {
    return argument.role == FUSION_INPUT || argument.role == FUSION_WEIGHT;
  }

  const FusionProgram &program;
  const InputOptions &options;
  std::map<std::string, int64_t> sizes;
  std::map<std::string, HostArray> files;
};
} // namespace

InputSpec InputMaker::getSpec(const FusionArgument &argument) const {
  auto found = options.specs.find(argument.name);
  return found == options.specs.end() ? InputSpec() : found->second;
}

llvm::Error InputMaker::checkNames() {
  std::string inputs, dims;
  std::map<std::string, int64_t> dimNames;
  for (const FusionArgument &argument : getArguments()) {
    if (!isInput(argument)) {
      continue;
    }
    inputs += (inputs.empty() ? "" : ", ") + std::string(argument.name);
    for (int32_t at = 0; at < argument.rank; ++at) {
      StringRef name = argument.dim_names[at];
      if (argument.dims[at] < 0 && !name.empty() &&
          dimNames.try_emplace(name.str()).second) {
        dims += (dims.empty() ? "" : ", ") + name.str();
      }
    }
  }
  for (const auto &[name, spec] : options.specs) {
    if (llvm::none_of(getArguments(),
                      [&, &name = name](const FusionArgument &argument) {
                        return isInput(argument) && name == argument.name;
                      })) {
      return makeError("expected an input of the model (" + inputs +
                       "), but got '" + name + "'");
    }
  }
  for (const auto &[name, size] : options.dims) {
    if (!dimNames.count(name)) {
      return makeError(
          dims.empty() ? "the model has no dynamic dims, but got --dim " + name
                       : "expected a dynamic dim of the model (" + dims +
                             "), but got '" + name + "'");
    }
  }
  return llvm::Error::success();
}

llvm::Error InputMaker::bindDim(const FusionArgument &argument, int32_t at,
                                int64_t size) {
  StringRef name = argument.dim_names[at];
  if (name.empty()) {
    return llvm::Error::success();
  }
  auto [found, isNew] = sizes.try_emplace(name.str(), size);
  if (!isNew && found->second != size) {
    return makeError(
        llvm::formatv("input '{0}': expected {1} for dim '{2}', but got {3}",
                      argument.name, found->second, name, size)
            .str());
  }
  return llvm::Error::success();
}

llvm::Error InputMaker::bindShape(const FusionArgument &argument,
                                  const HostArray &array) {
  ArrayRef<int64_t> want(argument.dims, argument.rank);
  bool fits = array.getDType() == argument.dtype &&
              array.getDims().size() == want.size();
  for (auto [wanted, got] : llvm::zip(want, array.getDims())) {
    fits &= wanted < 0 || wanted == got;
  }
  if (!fits) {
    return makeError(
        llvm::formatv("input '{0}': expected {1}, but got {2}", argument.name,
                      describeShape(want, argument.dtype),
                      describeShape(array.getDims(), array.getDType()))
            .str());
  }
  for (int32_t at = 0; at < argument.rank; ++at) {
    if (want[at] < 0) {
      if (llvm::Error error = bindDim(argument, at, array.getDims()[at])) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

llvm::Error InputMaker::readFiles() {
  for (const FusionArgument &argument : getArguments()) {
    InputSpec spec = getSpec(argument);
    if (!isInput(argument) || spec.kind != InputSpec::Kind::File) {
      continue;
    }
    llvm::Expected<HostArray> array = readArrayFile(spec.file, argument.dtype);
    if (!array) {
      return array.takeError();
    }
    if (llvm::Error error = bindShape(argument, *array)) {
      return error;
    }
    files.emplace(argument.name, std::move(*array));
  }
  return llvm::Error::success();
}

llvm::Expected<HostArray>
InputMaker::makeArray(const FusionArgument &argument) {
  auto file = files.find(argument.name);
  if (file != files.end()) {
    return std::move(file->second);
  }
  SmallVector<int64_t> dims(argument.dims, argument.dims + argument.rank);
  int64_t bytes = fusionDTypeSize(argument.dtype);
  for (int32_t at = 0; at < argument.rank; ++at) {
    if (dims[at] < 0) {
      std::string name = argument.dim_names[at];
      auto found = sizes.find(name);
      if (found == sizes.end()) {
        return makeError(llvm::formatv(
            "input '{0}': dim {1} of {2} has no size: give {3}{4}=FILE.npy",
            argument.name, at,
            describeShape({argument.dims, size_t(argument.rank)},
                          argument.dtype),
            name.empty() ? std::string("--input ")
                         : "--dim " + name + "=N or --input ",
            argument.name));
      }
      dims[at] = found->second;
    }
    if (dims[at] < 0 || llvm::MulOverflow(bytes, dims[at], bytes)) {
      return makeError(llvm::formatv(
          "input '{0}': expected sizes that fit in memory, but got {1}",
          argument.name, describeShape(dims, argument.dtype)));
    }
  }
  HostArray array(FusionDType(argument.dtype), dims);
  fill(array, getSpec(argument), argument);
  return array;
}

llvm::Expected<std::vector<HostArray>> InputMaker::run() {
  if (llvm::Error error = checkNames()) {
    return error;
  }
  if (llvm::Error error = readFiles()) {
    return error;
  }
  std::vector<HostArray> arrays;
  for (const FusionArgument &argument : getArguments()) {
    if (!isInput(argument)) {
      continue;
    }
    llvm::Expected<HostArray> array = makeArray(argument);
    if (!array) {
      return array.takeError();
    }
    arrays.push_back(std::move(*array));
  }
  return arrays;
}

llvm::Expected<std::vector<HostArray>>
mlir::fusion::makeInputs(const FusionProgram &program,
                         const InputOptions &options) {
  return InputMaker(program, options).run();
}
