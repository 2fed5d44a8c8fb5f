//===- ReportJson.h - reports as JSON values --------------------*- C++ -*-===//

#ifndef FUSION_LIB_REPORT_REPORTJSON_H
#define FUSION_LIB_REPORT_REPORTJSON_H

#include "fusion/Report/Report.h"

// Our code is built without exceptions; the writer throws none.
#define JSON_NOEXCEPTION
#include <nlohmann/json.hpp>

namespace mlir::fusion {

/// Returns what toJson() writes.
nlohmann::ordered_json makeJson(const CompilationReport &report);

/// Adds fused_us and apart_us where there are times.
void addTimes(nlohmann::ordered_json &json,
              const std::optional<FusionTimes> &times);

} // namespace mlir::fusion

#endif // FUSION_LIB_REPORT_REPORTJSON_H
