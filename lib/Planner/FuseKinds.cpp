//===- FuseKinds.cpp - which kinds of fusion are wanted -------------------===//

#include "fusion/Planner/FuseKinds.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// A kind of fusion by its name.
struct NamedKind {
  StringLiteral name;
  bool FuseKinds::*flag;
  bool isSwitchedOff; ///< on unless left out
};
} // namespace

static constexpr NamedKind kKinds[] = {
    {"vertical", &FuseKinds::vertical, false},
    {"horizontal", &FuseKinds::horizontal, false},
    {"conditional", &FuseKinds::conditional, false},
    {"prologue", &FuseKinds::prologue, true},
    {"recompute", &FuseKinds::recompute, true}};

std::optional<std::string> fusion::parseFuseKinds(StringRef text,
                                                  FuseKinds &kinds) {
  kinds = {false, false, false};
  SmallVector<StringRef> words;
  text.split(words, ',');
  for (StringRef word : words) {
    StringRef name = word;
    bool wanted = !name.consume_front("-");
    const NamedKind *kind = llvm::find_if(
        kKinds, [&](const NamedKind &known) { return known.name == name; });
    if (kind != std::end(kKinds)) {
      kinds.*kind->flag = wanted;
    } else if (wanted && (name == "all" || name == "none")) {
      kinds.vertical = kinds.horizontal = kinds.conditional = name == "all";
    } else {
      return ("expected 'all', 'none' or some of 'vertical', 'horizontal', "
              "'conditional', 'prologue' and 'recompute' to fuse, '-' before "
              "what is left out, but got '" +
              word + "'")
          .str();
    }
  }
  return std::nullopt;
}

std::string fusion::getText(const FuseKinds &kinds) {
  SmallVector<std::string> words;
  for (const NamedKind &kind : kKinds) {
    if (kinds.*kind.flag != kind.isSwitchedOff) {
      words.push_back((kind.isSwitchedOff ? "-" : "") + kind.name.str());
    }
  }
  if (!kinds.vertical && !kinds.horizontal && !kinds.conditional) {
    words.insert(words.begin(), "none");
  }
  return llvm::join(words, ",");
}
