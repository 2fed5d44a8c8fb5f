//===- Inputs.cpp - arrays for a random graph -----------------------------===//

#include "Inputs.h"
#include "Random.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// The largest integer that the C type of `dtype` holds, as a double; the least
/// one is `-it - 1`, or 0 where the type is unsigned.
static double getLargest(int32_t dtype) {
  switch (dtype) {
  case FUSION_I8:
    return 127;
  case FUSION_U8:
    return 255;
  case FUSION_I16:
    return 32767;
  case FUSION_U16:
    return 65535;
  case FUSION_I32:
    return 2147483647;
  case FUSION_U32:
    return 4294967295.0;
  default:
    return 9007199254740991.0;
  }
}

static bool isUnsigned(int32_t dtype) {
  return dtype == FUSION_U8 || dtype == FUSION_U16 || dtype == FUSION_U32 ||
         dtype == FUSION_U64;
}

/// The smallest positive numbers of a type are below this one.
static double getSmallestNormal(int32_t dtype) {
  return dtype == FUSION_F16   ? std::ldexp(1.0, -14)
         : dtype == FUSION_F64 ? std::numeric_limits<double>::min()
                               : double(std::numeric_limits<float>::min());
}

static double makeFloat(Random &random, int32_t dtype, int special) {
  if (random.chance(special)) {
    double infinity = std::numeric_limits<double>::infinity();
    double tiny = getSmallestNormal(dtype);
    return random.pick({std::nan(""), infinity, -infinity, -0.0, 0.0, 1.0, -1.0,
                        tiny / 8, -tiny / 4, tiny, 0.5, -2.5});
  }
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += double(random.below(1 << 16)) / (1 << 16) - 0.5;
  }
  return 2 * sum;
}

static double makeInteger(Random &random, int32_t dtype, int special) {
  double largest = getLargest(dtype);
  double least = isUnsigned(dtype) ? 0 : -largest - 1;
  if (random.chance(special)) {
    return random.pick({largest, least, largest - 1, 0.0, 1.0});
  }
  double value = double(random.between(-9, 9));
  return isUnsigned(dtype) ? std::fabs(value) : value;
}

static void fill(HostArray &array, StringRef name, uint64_t seed) {
  Random random(llvm::xxh3_64bits(name) ^ seed * 0x9e3779b97f4a7c15ull);
  // How many percent are unusual.
  int special = random.chance(30) ? random.pick({15, 15, 50}) : 0;
  bool hasBothZeros = random.chance(50);
  int32_t dtype = array.getDType();
  int64_t most = 0;
  bool isInt = name.consume_front("int") && !name.consumeInteger(10, most);
  bool isIndex = name.consume_front("index") && !name.consumeInteger(10, most);
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i) {
    double value = 0;
    if (dtype == FUSION_I1) {
      value = double(random.below(2));
    } else if (isIndex) {
      value = double(random.between(isUnsigned(dtype) ? 0 : -most - 1, most));
    } else if (isInt) {
      value = double(random.between(-most, most));
      if (value == 0 && hasBothZeros && random.chance(50)) {
        value = -0.0;
      }
    } else {
      value = isFloatDType(dtype) ? makeFloat(random, dtype, special)
                                  : makeInteger(random, dtype, special);
    }
    array.set(i, value);
  }
}

llvm::Expected<std::vector<HostArray>>
fuzz::makeArrays(const FusionProgram &program, uint64_t seed) {
  std::vector<HostArray> arrays;
  for (int32_t i = 0; i < program.num_arguments; ++i) {
    const FusionArgument &argument = program.arguments[i];
    if (argument.role != FUSION_INPUT && argument.role != FUSION_WEIGHT) {
      continue;
    }
    SmallVector<int64_t> dims(argument.dims, argument.dims + argument.rank);
    for (int32_t at = 0; at < argument.rank; ++at) {
      StringRef name = argument.dim_names[at];
      if (dims[at] < 0 &&
          (!name.consume_front("size") || name.getAsInteger(10, dims[at]))) {
        return llvm::createStringError(
            "expected a dynamic dim named sizeN, but got '" + name + "'");
      }
    }
    arrays.emplace_back(FusionDType(argument.dtype), dims);
    fill(arrays.back(), argument.name, seed);
  }
  return arrays;
}

int64_t fuzz::getLargestArray(ModuleOp graph) {
  int64_t dynamic = 1;
  auto main = graph.lookupSymbol<func::FuncOp>("main");
  for (unsigned i = 0, e = main.getNumArguments(); i < e; ++i) {
    auto names = main.getArgAttrOfType<ArrayAttr>(i, FusionDialect::kDimsAttr);
    for (Attribute name : names ? names.getValue() : ArrayRef<Attribute>()) {
      StringRef text = cast<StringAttr>(name).getValue();
      int64_t size = 0;
      if (text.consume_front("size") && !text.getAsInteger(10, size)) {
        dynamic = std::max(dynamic, size);
      }
    }
  }
  int64_t largest = 0;
  graph.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      int64_t size = 1;
      if (auto shaped = dyn_cast<ShapedType>(type)) {
        for (int64_t dim : shaped.getShape()) {
          size *= ShapedType::isDynamic(dim) ? dynamic : dim;
        }
      }
      largest = std::max(largest, size);
    }
  });
  return largest;
}
