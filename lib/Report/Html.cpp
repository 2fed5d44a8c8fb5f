//===- Html.cpp - reports to look at --------------------------------------===//

#include "ReportJson.h"

using namespace mlir;
using namespace mlir::fusion;
using nlohmann::ordered_json;

// The files of Page/, as strings.
static constexpr char kStyle[] =
#include "Page/style.css.inc"
    ;
static constexpr char kBody[] =
#include "Page/page.html.inc"
    ;
static constexpr char kLayout[] =
#include "Page/layout.js.inc"
    ;
static constexpr char kView[] =
#include "Page/view.js.inc"
    ;
static constexpr char kPanel[] =
#include "Page/panel.js.inc"
    ;
static constexpr char kMoves[] =
#include "Page/moves.js.inc"
    ;

static ordered_json toJsonValue(const NodeReport &node) {
  ordered_json json;
  json["name"] = node.name;
  json["kind"] = node.kind;
  json["group"] = node.group;
  json["type"] = node.type;
  json["flops"] = node.flops;
  json["bytes"] = node.bytes;
  json["estimate_us"] = node.estimateUs;
  return json;
}

static ordered_json toJsonValue(const EdgeReport &edge) {
  ordered_json json;
  json["producer"] = edge.producer;
  json["consumer"] = edge.consumer;
  json["type"] = edge.type;
  json["bytes"] = edge.bytes;
  if (!edge.reason.empty()) {
    json["reason"] = edge.reason;
  }
  addTimes(json, edge.times);
  return json;
}

/// Returns what the page draws, such that nothing in it ends the script element
/// that it stands in: names come from model files.
static std::string getData(const CompilationReport &report) {
  ordered_json json = makeJson(report);
  for (auto [group, entry] : llvm::zip_equal(report.groups, json["groups"])) {
    entry["function"] = group.function;
    entry["kernel"] = group.kernel;
  }
  json["nodes"] = ordered_json::array();
  for (const NodeReport &node : report.nodes) {
    json["nodes"].push_back(toJsonValue(node));
  }
  json["edges"] = ordered_json::array();
  for (const EdgeReport &edge : report.edges) {
    json["edges"].push_back(toJsonValue(edge));
  }
  std::string text = json.dump(-1, ' ', /*ensure_ascii=*/true,
                               ordered_json::error_handler_t::replace);
  std::string escaped;
  for (char c : text) {
    if (c == '<' || c == '>' || c == '&') {
      escaped += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string mlir::fusion::toHtml(const CompilationReport &report) {
  std::string html;
  llvm::raw_string_ostream os(html);
  os << "<!doctype html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<title>Fusion</title>\n<style>\n"
     << kStyle << "</style>\n</head>\n<body>\n"
     << kBody << "<script type=\"application/json\" id=\"data\">"
     << getData(report) << "</script>\n<script>\n"
     << kLayout << "</script>\n<script>\n"
     << kView << "</script>\n<script>\n"
     << kPanel << "</script>\n<script>\n"
     << kMoves << "</script>\n</body>\n</html>\n";
  return html;
}
