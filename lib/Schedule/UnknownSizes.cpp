//===- UnknownSizes.cpp - sizes that schedules assume ---------------------===//

#include "fusion/Schedule/UnknownSizes.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"

int64_t mlir::fusion::orLarge(int64_t size) {
  return ShapedType::isDynamic(size) ? 4096 : size;
}
