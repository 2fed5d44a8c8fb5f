//===- Directives.cpp - what a user asks of the planner -------------------===//

#include "fusion/Dialect/Fusion/IR/Directives.h"

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::isDirected(Operation *op) {
  return op->hasAttr(kNoFuseAttr) || op->hasAttr(kFuseWithAttr) ||
         op->hasAttr(kPinnedScheduleAttr);
}

/// The key that tells our metadata of a location from others'.
constexpr StringLiteral kMarker = "fusion.directives";

/// Fills and what is in bodies belong to the ops around them.
static bool canCarryDirectives(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return (dialect == "fusion" || dialect == "linalg") &&
         op->getName().getStringRef() != "linalg.fill" &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

/// Returns the directives in the metadata of `loc`, null where there are none.
static DictionaryAttr getDirectives(FusedLoc loc) {
  auto metadata = dyn_cast_or_null<DictionaryAttr>(loc.getMetadata());
  return metadata ? metadata.getAs<DictionaryAttr>(kMarker) : nullptr;
}

/// Moves the directives of `op` into its location; returns whether it has any.
/// What is none but looks like one (a misspelt one) goes along: it is refused
/// where directives are checked, not dropped.
static bool stash(Operation *op) {
  Builder builder(op->getContext());
  SmallVector<NamedAttribute> directives;
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (name.starts_with("fusion.") && name != FusionDialect::kRoundingAttr) {
      directives.push_back(attribute);
    }
  }
  if (directives.empty()) {
    return false;
  }
  NamedAttribute marked =
      builder.getNamedAttr(kMarker, builder.getDictionaryAttr(directives));
  op->setLoc(FusedLoc::get(op->getContext(), {op->getLoc()},
                           builder.getDictionaryAttr(marked)));
  return true;
}

/// Gives `op` the directives in its location. Where it stands for several ops,
/// the first one says what is said twice.
static void restore(Operation *op) {
  if (!canCarryDirectives(op)) {
    return;
  }
  op->getLoc()->walk([&](Location inner) {
    auto fused = dyn_cast<FusedLoc>(inner);
    if (DictionaryAttr directives = fused ? getDirectives(fused) : nullptr) {
      for (NamedAttribute directive : directives) {
        if (!op->hasAttr(directive.getName())) {
          op->setDiscardableAttr(directive.getName(), directive.getValue());
        }
      }
    }
    return WalkResult::advance();
  });
}

/// What other dialects say of a tensor (a slice, a sum of two) may become a
/// linalg op: it may say how, too.
static bool mayBecomeCarrier(Operation *op) {
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

DirectiveKeeper::DirectiveKeeper(Operation *root) : root(root) {
  root->walk([&](Operation *op) {
    if (mayBecomeCarrier(op)) {
      hasDirectives |= stash(op);
    }
  });
}

DirectiveKeeper::~DirectiveKeeper() {
  if (!hasDirectives) {
    return;
  }
  root->walk(restore);
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FusedLoc loc) -> std::optional<Attribute> {
    if (!getDirectives(loc)) {
      return std::nullopt;
    }
    return Attribute(FusedLoc::get(loc.getContext(), loc.getLocations()));
  });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true,
                                        /*replaceTypes=*/false);
}
