//===- Limits.cpp - what one kernel may take ------------------------------===//

#include "fusion/Schedule/Limits.h"

#include "fusion/Cost/DeviceModel.h"
#include "fusion/Schedule/Choose.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// A limit by its name.
struct Entry {
  StringLiteral name;
  int64_t KernelLimits::*limit;
};
} // namespace

static constexpr Entry kEntries[] = {
    {"shared", &KernelLimits::sharedBytes},
    {"registers", &KernelLimits::registers},
    {"parameters", &KernelLimits::parameterBytes},
    {"grid", &KernelLimits::gridBlocks}};

KernelLimits mlir::fusion::getKernelLimits(Operation *op, StringRef chip) {
  KernelLimits limits;
  limits.sharedBytes = ScheduleTarget::get(chip).sharedBytes;
  limits.parameterBytes = kKernelParameterBytes;
  while (op && !op->hasAttr(kLimitsAttr)) {
    op = op->getParentOp();
  }
  auto lower = op ? op->getAttrOfType<DictionaryAttr>(kLimitsAttr) : nullptr;
  for (const Entry &entry : kEntries) {
    auto value = lower ? lower.getAs<IntegerAttr>(entry.name) : nullptr;
    if (value && value.getValue().isSignedIntN(64) && value.getInt() > 0) {
      limits.*entry.limit = std::min(limits.*entry.limit, value.getInt());
    }
  }
  return limits;
}

llvm::Expected<DictionaryAttr> mlir::fusion::parseLimits(StringRef text,
                                                         MLIRContext *context) {
  Builder builder(context);
  SmallVector<NamedAttribute> limits;
  SmallVector<StringRef> parts;
  text.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    std::pair<StringRef, StringRef> entryText = part.split('=');
    StringRef name = entryText.first, number = entryText.second;
    int64_t value;
    bool known = llvm::any_of(
        kEntries, [&](const Entry &entry) { return entry.name == name; });
    if (!known || number.getAsInteger(10, value) || value < 1) {
      return llvm::createStringError(
          "expected limits shared=N, registers=N, parameters=N or grid=N, with "
          "N of 1 or more, but got '" +
          part + "'");
    }
    limits.push_back(
        builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
  }
  return builder.getDictionaryAttr(limits);
}
