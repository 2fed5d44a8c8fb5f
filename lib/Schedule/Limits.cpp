//===- Limits.cpp - what one kernel may take ------------------------------===//

#include "fusion/Schedule/Limits.h"

#include "fusion/Cost/DeviceModel.h"
#include "fusion/Schedule/Choose.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// A limit by its name, and the least that a kernel can be made for.
struct Entry {
  StringLiteral name;
  int64_t KernelLimits::*limit;
  int64_t least;
};
} // namespace

/// A kernel with a table takes its address, and a block has one warp.
static constexpr Entry kEntries[] = {
    {"shared", &KernelLimits::sharedBytes, 1},
    {"registers", &KernelLimits::registers, 1},
    {"parameters", &KernelLimits::parameterBytes, 8},
    {"grid", &KernelLimits::gridBlocks, 1},
    {"threads", &KernelLimits::threads, 32}};

bool KernelLimits::operator==(const KernelLimits &other) const {
  return llvm::all_of(kEntries, [&](const Entry &entry) {
    return this->*entry.limit == other.*entry.limit;
  });
}

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

/// Calls `visit` with each limit of `text` and its value.
static llvm::Error
readLimits(StringRef text,
           llvm::function_ref<void(const Entry &, int64_t)> visit) {
  SmallVector<StringRef> parts;
  SmallVector<const Entry *> seen;
  text.split(parts, ',');
  for (StringRef part : parts) {
    std::pair<StringRef, StringRef> halves = part.split('=');
    StringRef name = halves.first, number = halves.second;
    const Entry *entry = llvm::find_if(
        kEntries, [&](const Entry &entry) { return entry.name == name; });
    if (entry == std::end(kEntries)) {
      return llvm::createStringError(
          "expected limits shared=BYTES, registers=N, parameters=BYTES, "
          "grid=BLOCKS or threads=N, separated by commas, but got '" +
          part + "'");
    }
    if (llvm::is_contained(seen, entry)) {
      return llvm::createStringError("expected the limit '" + name +
                                     "' once, but got '" + text + "'");
    }
    seen.push_back(entry);
    int64_t value;
    if (number.getAsInteger(10, value) || value < entry->least) {
      return llvm::createStringError("expected a limit '" + name + "' of " +
                                     Twine(entry->least) +
                                     " or more, but got '" + number + "'");
    }
    visit(*entry, value);
  }
  return llvm::Error::success();
}

llvm::Expected<DictionaryAttr> mlir::fusion::parseLimits(StringRef text,
                                                         MLIRContext *context) {
  Builder builder(context);
  SmallVector<NamedAttribute> limits;
  auto add = [&](const Entry &entry, int64_t value) {
    limits.push_back(
        builder.getNamedAttr(entry.name, builder.getI64IntegerAttr(value)));
  };
  if (llvm::Error error = readLimits(text, add)) {
    return error;
  }
  return builder.getDictionaryAttr(limits);
}

llvm::Error mlir::fusion::checkLimits(StringRef text) {
  return readLimits(text, [](const Entry &, int64_t) {});
}
