//===- Json.cpp - reports for programs ------------------------------------===//

#include "ReportJson.h"

using namespace mlir::fusion;
using nlohmann::ordered_json;

/// Returns `value`, null where it is not known.
static ordered_json orNull(const std::optional<int64_t> &value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

/// Counts are whole numbers, kept as doubles because they can be huge.
static ordered_json count(double value) {
  constexpr double kExact = 9007199254740992.0; // 2^53
  return value < kExact ? ordered_json(static_cast<int64_t>(value))
                        : ordered_json(value);
}

static ordered_json toJsonValue(const GroupReport &group) {
  ordered_json json;
  json["name"] = group.name;
  json["kinds"] = group.kinds;
  json["ops"] = group.ops;
  json["launches_before"] = group.launchesBefore;
  json["launches"] = 1;
  json["bytes_before"] = count(group.bytesBefore);
  json["bytes_read"] = count(group.bytesRead);
  json["bytes_written"] = count(group.bytesWritten);
  json["flops"] = count(group.flops);
  json["schedule"] = group.schedule.empty() ? ordered_json(nullptr)
                                            : ordered_json(group.schedule);
  json["registers"] = orNull(group.registers);
  json["spill_bytes"] = orNull(group.spillBytes);
  json["shared_bytes"] = orNull(group.sharedBytes);
  json["estimate_us_before"] = group.estimateBeforeUs;
  json["estimate_us"] = group.estimateUs;
  json["bound"] = group.bound;
  return json;
}

void mlir::fusion::addTimes(ordered_json &json,
                            const std::optional<FusionTimes> &times) {
  if (times) {
    json["fused_us"] = times->fusedUs;
    json["apart_us"] = times->apartUs;
  }
}

ordered_json mlir::fusion::makeJson(const CompilationReport &report) {
  ordered_json json;
  json["model"] = report.model;
  json["target"] = report.target;
  json["launches_before"] = report.launchesBefore;
  json["launches_after"] = report.launchesAfter;
  json["bytes_before"] = count(report.bytesBefore);
  json["bytes_after"] = count(report.bytesAfter);
  json["estimate_us_before"] = report.estimateBeforeUs;
  json["estimate_us_after"] = report.estimateAfterUs;
  if (report.hasDynamicSizes) {
    json["note"] = "sizes known only at run time count as 1";
  }
  json["groups"] = ordered_json::array();
  for (const GroupReport &group : report.groups) {
    json["groups"].push_back(toJsonValue(group));
  }
  json["fused"] = ordered_json::array();
  for (const DecisionReport &pair : report.fused) {
    ordered_json entry;
    entry["producer"] = pair.producer;
    entry["consumer"] = pair.consumer;
    addTimes(entry, pair.times);
    json["fused"].push_back(entry);
  }
  json["not_fused"] = ordered_json::array();
  for (const DecisionReport &pair : report.notFused) {
    ordered_json entry;
    entry["producer"] = pair.producer;
    entry["consumer"] = pair.consumer;
    entry["reason"] = pair.reason;
    addTimes(entry, pair.times);
    json["not_fused"].push_back(entry);
  }
  return json;
}

std::string mlir::fusion::toJson(const CompilationReport &report) {
  // Names come from model files: bytes that are no UTF-8 are replaced.
  return makeJson(report).dump(2, ' ', /*ensure_ascii=*/false,
                               ordered_json::error_handler_t::replace) +
         "\n";
}
