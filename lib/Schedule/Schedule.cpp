//===- Schedule.cpp - how a group becomes a kernel ------------------------===//

#include "fusion/Schedule/Schedule.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// One entry of the dictionary and the member that it sets.
struct Field {
  StringRef name;
  int64_t Schedule::*member;
  bool powerOfTwo;
};
} // namespace

/// The entry that only kind wgmma may have.
static constexpr StringLiteral kPipeline = "pipeline";

/// The entries beside `kind`.
static ArrayRef<Field> getFields(Schedule::Kind kind) {
  static const Field contraction[] = {{"bm", &Schedule::rows, false},
                                      {"bn", &Schedule::columns, false},
                                      {"bk", &Schedule::depth, false},
                                      {"stages", &Schedule::stages, false},
                                      {"warps", &Schedule::warps, true}};
  static const Field others[] = {{"rows", &Schedule::rows, false},
                                 {"columns", &Schedule::columns, false},
                                 {"warps", &Schedule::warps, true}};
  bool plain =
      kind == Schedule::Kind::Elementwise || kind == Schedule::Kind::Rows;
  return plain ? ArrayRef(others) : ArrayRef(contraction);
}

bool Schedule::operator==(const Schedule &other) const {
  return kind == other.kind && rows == other.rows && columns == other.columns &&
         depth == other.depth && stages == other.stages &&
         warps == other.warps && multistage == other.multistage;
}

StringRef mlir::fusion::stringifyKind(Schedule::Kind kind) {
  switch (kind) {
  case Schedule::Kind::Elementwise:
    return "elementwise";
  case Schedule::Kind::Rows:
    return "rows";
  case Schedule::Kind::WGMMA:
    return "wgmma";
  case Schedule::Kind::MMA:
    return "mma";
  case Schedule::Kind::FMA:
    return "fma";
  }
  llvm_unreachable("unknown kind of schedule");
}

DictionaryAttr mlir::fusion::toAttribute(const Schedule &schedule,
                                         MLIRContext *context) {
  Builder b(context);
  SmallVector<NamedAttribute> entries;
  entries.push_back(
      b.getNamedAttr("kind", b.getStringAttr(stringifyKind(schedule.kind))));
  for (const Field &field : getFields(schedule.kind)) {
    entries.push_back(b.getNamedAttr(
        field.name, b.getI64IntegerAttr(schedule.*field.member)));
  }
  if (schedule.multistage) {
    entries.push_back(
        b.getNamedAttr(kPipeline, b.getStringAttr(kMultistagePipeline)));
  }
  return b.getDictionaryAttr(entries);
}

static FailureOr<Schedule::Kind>
parseKind(DictionaryAttr attr,
          llvm::function_ref<InFlightDiagnostic()> emitError) {
  auto name = attr.getAs<StringAttr>("kind");
  if (!name) {
    return emitError() << "expected a schedule with a string 'kind'";
  }
  auto kind = llvm::StringSwitch<std::optional<Schedule::Kind>>(name.getValue())
                  .Case("elementwise", Schedule::Kind::Elementwise)
                  .Case("rows", Schedule::Kind::Rows)
                  .Case("wgmma", Schedule::Kind::WGMMA)
                  .Case("mma", Schedule::Kind::MMA)
                  .Case("fma", Schedule::Kind::FMA)
                  .Default(std::nullopt);
  if (!kind) {
    return emitError() << "expected a schedule of kind elementwise, rows, "
                          "wgmma, mma or fma, but got '"
                       << name.getValue() << "'";
  }
  return *kind;
}

FailureOr<Schedule> mlir::fusion::parseSchedule(
    DictionaryAttr attr, llvm::function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<Schedule::Kind> kind = parseKind(attr, emitError);
  if (failed(kind)) {
    return failure();
  }
  Schedule schedule;
  schedule.kind = *kind;
  ArrayRef<Field> fields = getFields(*kind);
  for (NamedAttribute entry : attr) {
    StringRef name = entry.getName();
    bool isPipeline = *kind == Schedule::Kind::WGMMA && name == kPipeline;
    if (name != "kind" && !isPipeline &&
        llvm::none_of(fields, [&](auto &f) { return f.name == name; })) {
      return emitError() << "unexpected entry '" << name << "' in a "
                         << stringifyKind(*kind) << " schedule";
    }
  }
  if (Attribute pipeline = attr.get(kPipeline)) {
    auto name = dyn_cast<StringAttr>(pipeline);
    if (!name || name.getValue() != kMultistagePipeline) {
      return emitError() << "expected \"" << kMultistagePipeline
                         << "\" as 'pipeline' of a wgmma schedule, but got "
                         << pipeline;
    }
    schedule.multistage = true;
  }
  for (const Field &field : fields) {
    auto value = attr.getAs<IntegerAttr>(field.name);
    if (!value) {
      return emitError() << "expected an integer '" << field.name << "' in a "
                         << stringifyKind(*kind) << " schedule";
    }
    int64_t number = value.getInt();
    if (number < 1 || (field.powerOfTwo && !llvm::isPowerOf2_64(number))) {
      return emitError() << "expected a positive "
                         << (field.powerOfTwo ? "power of two" : "number")
                         << " as '" << field.name << "', but got " << number;
    }
    schedule.*field.member = number;
  }
  return schedule;
}
