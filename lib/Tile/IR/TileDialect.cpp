//===- TileDialect.cpp - the tile dialect, its types and attributes -------===//

#include "fusion/Tile/IR/Tile.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion::tile;

#include "fusion/Tile/IR/TileDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fusion/Tile/IR/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "fusion/Tile/IR/TileTypes.cpp.inc"

namespace {
/// Layouts are long: they are printed once, as #layout, #layout1, ...
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (isa<LayoutAttr>(attr)) {
      os << "layout";
      return AliasResult::FinalAlias;
    }
    return AliasResult::NoAlias;
  }
};
} // namespace

void TileDialect::initialize() {
  addInterfaces<LayoutAliases>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fusion/Tile/IR/TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "fusion/Tile/IR/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fusion/Tile/IR/TileOps.cpp.inc"
      >();
}

int64_t mlir::fusion::tile::getElementBytes(Type type) {
  if (type.isIndex()) {
    return 8;
  }
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

//===----------------------------------------------------------------------===//
// #tile.layout
//===----------------------------------------------------------------------===//

/// Parses `[[a, b], [c, d]]`, appending the numbers to `flat`.
static ParseResult parseBases(AsmParser &parser, StringRef name,
                              SmallVector<int64_t> &flat) {
  auto parseNumber = [&] { return parser.parseInteger(flat.emplace_back()); };
  auto parseBasis = [&] {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                          parseNumber);
  };
  return failure(
      parser.parseKeyword(name) || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseBasis));
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> reg, lane, warp, repeat;
  auto parseRepeat = [&] { return parser.parseInteger(repeat.emplace_back()); };
  if (parser.parseLess() || parseBases(parser, "reg", reg) ||
      parser.parseComma() || parseBases(parser, "lane", lane) ||
      parser.parseComma() || parseBases(parser, "warp", warp) ||
      parser.parseComma() || parser.parseKeyword("repeat") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseRepeat) ||
      parser.parseGreater()) {
    return {};
  }
  return parser.getChecked<LayoutAttr>(parser.getContext(), reg, lane, warp,
                                       repeat);
}

static void printBases(AsmPrinter &printer, StringRef name,
                       ArrayRef<int64_t> flat, int64_t rank) {
  printer << name << " = [";
  for (size_t i = 0; rank > 0 && i < flat.size(); i += rank) {
    printer << (i ? ", [" : "[");
    llvm::interleaveComma(flat.slice(i, rank), printer.getStream());
    printer << "]";
  }
  printer << "]";
}

void LayoutAttr::print(AsmPrinter &printer) const {
  int64_t rank = getRepeat().size();
  printer << "<";
  printBases(printer, "reg", getReg(), rank);
  printBases(printer, ", lane", getLane(), rank);
  printBases(printer, ", warp", getWarp(), rank);
  printer << ", repeat = [";
  llvm::interleaveComma(getRepeat(), printer.getStream());
  printer << "]>";
}

/// Cuts `flat` into bases of `rank` numbers. Rank 0 has nothing to cut: its
/// lane bases are five empty ones, its other bases none but for the warps,
/// which a rank-0 layout counts in a single number.
static SmallVector<Coords> cut(ArrayRef<int64_t> flat, int64_t rank) {
  SmallVector<Coords> bases;
  for (size_t i = 0; i < flat.size(); i += rank) {
    bases.emplace_back(flat.slice(i, rank));
  }
  return bases;
}

TileLayout mlir::fusion::tile::getLayout(LayoutAttr attr) {
  TileLayout layout;
  layout.repeat = llvm::to_vector(attr.getRepeat());
  int64_t rank = layout.repeat.size();
  if (rank == 0) {
    layout.lane.assign(5, Coords());
    layout.warp.assign(attr.getWarp().size(), Coords());
    return layout;
  }
  layout.reg = cut(attr.getReg(), rank);
  layout.lane = cut(attr.getLane(), rank);
  layout.warp = cut(attr.getWarp(), rank);
  return layout;
}

static SmallVector<int64_t> flatten(ArrayRef<Coords> bases) {
  SmallVector<int64_t> flat;
  for (const Coords &basis : bases) {
    flat.append(basis.begin(), basis.end());
  }
  return flat;
}

LayoutAttr mlir::fusion::tile::getLayoutAttr(MLIRContext *context,
                                             const TileLayout &layout) {
  SmallVector<int64_t> warp = flatten(layout.warp);
  if (layout.getRank() == 0) {
    warp.assign(layout.warp.size(), 0);
  }
  return LayoutAttr::get(context, flatten(layout.reg), flatten(layout.lane),
                         warp, layout.repeat);
}

TileLayout mlir::fusion::tile::getLayout(RankedTensorType tile) {
  return getLayout(cast<LayoutAttr>(tile.getEncoding()));
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> reg, ArrayRef<int64_t> lane,
                                 ArrayRef<int64_t> warp,
                                 ArrayRef<int64_t> repeat) {
  int64_t rank = repeat.size();
  if (rank == 0) {
    return success();
  }
  for (ArrayRef<int64_t> bases : {reg, lane, warp}) {
    if (bases.size() % rank != 0) {
      return emitError() << "expected every basis to have the rank of 'repeat'";
    }
  }
  TileLayout layout(cut(reg, rank), cut(lane, rank), cut(warp, rank),
                    llvm::to_vector(repeat));
  std::string problem = layout.check();
  if (!problem.empty()) {
    return emitError() << problem;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Parses `<4x128x64xf16` and the given `, key = number` fields, then `>`.
static ParseResult parseShaped(AsmParser &parser, SmallVector<int64_t> &shape,
                               Type &element,
                               ArrayRef<std::pair<StringRef, int64_t *>> keys) {
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element)) {
    return failure();
  }
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    if (parser.parseKeyword(&key)) {
      return failure();
    }
    const auto *known =
        llvm::find_if(keys, [&](auto &pair) { return pair.first == key; });
    if (known == keys.end()) {
      return parser.emitError(parser.getCurrentLocation())
             << "unknown field '" << key << "'";
    }
    if (parser.parseEqual() || parser.parseInteger(*known->second)) {
      return failure();
    }
  }
  return parser.parseGreater();
}

static void printShaped(AsmPrinter &printer, ArrayRef<int64_t> shape,
                        Type element,
                        ArrayRef<std::pair<StringRef, int64_t>> fields) {
  printer << "<";
  for (int64_t size : shape) {
    printer << size << "x";
  }
  printer << element;
  for (auto [key, value] : fields) {
    if (value != 0) {
      printer << ", " << key << " = " << value;
    }
  }
  printer << ">";
}

Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  int64_t swizzle = 0, padding = 0;
  if (parseShaped(parser, shape, element,
                  {{"swizzle", &swizzle}, {"padding", &padding}})) {
    return {};
  }
  return parser.getChecked<BufferType>(parser.getContext(), shape, element,
                                       swizzle, padding);
}

void BufferType::print(AsmPrinter &printer) const {
  printShaped(printer, getShape(), getElementType(),
              {{"swizzle", getSwizzle()}, {"padding", getPadding()}});
}

int64_t BufferType::getElementBytes() const {
  return tile::getElementBytes(getElementType());
}

int64_t BufferType::getPanelColumns() const {
  return getSwizzle() ? getSwizzle() / getElementBytes() : getColumns();
}

int64_t BufferType::getPanelBytes() const {
  return getRows() * (getPanelColumns() * getElementBytes() + getPadding());
}

int64_t BufferType::getStageBytes() const {
  return getColumns() / getPanelColumns() * getPanelBytes();
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type element,
                                 int64_t swizzle, int64_t padding) {
  if (shape.size() != 3) {
    return emitError() << "expected stages x rows x columns, but got rank "
                       << shape.size();
  }
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle)) {
    return emitError()
           << "expected a swizzle of 0, 32, 64 or 128 bytes, but got "
           << swizzle;
  }
  if (!element.isIntOrFloat()) {
    return emitError() << "expected an integer or float element type, but got "
                       << element;
  }
  int64_t bytes = tile::getElementBytes(element);
  if (swizzle && (shape[2] * bytes % swizzle != 0 || padding != 0)) {
    return emitError() << "expected rows of whole swizzled panels without "
                          "padding";
  }
  return success();
}

Type TensorMapType::parse(AsmParser &parser) {
  SmallVector<int64_t> box;
  Type element;
  int64_t swizzle = 0;
  if (parseShaped(parser, box, element, {{"swizzle", &swizzle}})) {
    return {};
  }
  return get(parser.getContext(), box, element, swizzle);
}

void TensorMapType::print(AsmPrinter &printer) const {
  printShaped(printer, getBox(), getElementType(), {{"swizzle", getSwizzle()}});
}
