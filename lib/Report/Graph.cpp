//===- Graph.cpp - the ops of a report and what flows between them --------===//

#include "ReportGraph.h"

#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Analysis/Renaming.h"
#include "fusion/Cost/Roofline.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/KernelWork.h"
#include "fusion/Planner/Origins.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Kinds and work
//===----------------------------------------------------------------------===//

/// Returns whether `op` reads some operand in windows: at sums of loops.
static bool readsWindows(LinalgOp op) {
  return llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return llvm::any_of(map.getResults(), [](AffineExpr result) {
      return !isa<AffineDimExpr, AffineConstantExpr>(result);
    });
  });
}

/// Returns whether the body of `op` has floating-point arithmetic.
static bool computes(LinalgOp op) {
  return llvm::any_of(
      op.getBlock()->without_terminator(), [](Operation &inner) {
        return inner.getNumResults() != 0 &&
               isa<FloatType>(inner.getResult(0).getType()) &&
               !isa<tensor::ExtractOp, arith::ConstantOp, arith::SelectOp>(
                   inner);
      });
}

static StringRef classify(const Unit &unit) {
  LinalgOp op = unit.anchor;
  bool multiplies = llvm::any_of(*op.getBlock(), [](Operation &inner) {
    return isa<arith::MulFOp, arith::MulIOp>(inner);
  });
  if (op.getNumReductionLoops() > 0) {
    // With two operands, products are summed; else elements.
    bool products = multiplies && op.getNumDpsInputs() > 1;
    return readsWindows(op) ? (products ? "conv" : "pool")
           : products       ? "matmul"
                            : "reduction";
  }
  if (unit.space.role == OpRole::Elementwise) {
    return "elementwise";
  }
  return computes(op) ? "other" : "movement";
}

double fusion::getBlocks(double results, bool isContraction) {
  return std::max(1.0, results / (isContraction ? 128 * 128 : 1024));
}

double fusion::countElements(Type type, int64_t dynamicSize) {
  auto shaped = cast<ShapedType>(type);
  double elements = 1;
  for (int64_t size : shaped.getShape()) {
    elements *= ShapedType::isDynamic(size) ? dynamicSize : size;
  }
  return elements;
}

bool fusion::usesTensorCores(const Unit &unit) {
  if (unit.space.role != OpRole::Contraction) {
    return false;
  }
  Type type = getElementTypeOrSelf(unit.reads.front().value.getType());
  return isHalfFloat(type);
}

bool fusion::isWork(const Unit &unit) {
  if (unit.isOpaque() || unit.space.role != OpRole::Fill) {
    return !unit.isOpaque();
  }
  return llvm::any_of(unit.anchor->getUsers(),
                      [](Operation *user) { return isa<YieldOp>(user); });
}

/// Returns whether something beside `ops` reads `value`, through renamings too.
static bool isReadElsewhere(Value value, const DenseSet<Operation *> &ops) {
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    for (Operation *user : pending.pop_back_val().getUsers()) {
      if (isReshape(user)) {
        pending.push_back(user->getResult(0));
      } else if (!isa<tensor::DimOp>(user) && !ops.contains(user)) {
        return true;
      }
    }
  }
  return false;
}

double fusion::getBytesAlone(ArrayRef<const Unit *> units,
                             int64_t dynamicSize) {
  DenseSet<Operation *> ops;
  llvm::SmallDenseSet<Value> counted;
  for (const Unit *unit : units) {
    ops.insert_range(unit->ops);
    for (const UnitValue &made : unit->values) {
      counted.insert(made.value);
    }
  }
  double bytes = 0;
  for (const Unit *unit : units) {
    for (const UnitRead &read : unit->reads) {
      bool isFilled = read.isInit && read.value.getDefiningOp<linalg::FillOp>();
      bool isCounted = !isFilled && !read.isSide;
      if (isCounted && counted.insert(getRenamedSource(read.value)).second) {
        bytes += getTensorBytes(read.value.getType(), dynamicSize);
      }
    }
    Value result = unit->values.back().value;
    if (units.size() == 1 || isReadElsewhere(result, ops)) {
      bytes += getTensorBytes(result.getType(), dynamicSize);
    }
  }
  return bytes;
}

double fusion::estimateAlone(ArrayRef<const Unit *> units,
                             const DeviceModel &device) {
  KernelWork work;
  Type result = units.back()->values.back().value.getType();
  work.bytesWritten = getTensorBytes(result);
  work.bytesRead =
      getBytesAlone(units, kNominalDynamicSize) - work.bytesWritten;
  for (const Unit *unit : units) {
    work.flops += unit->work.flops;
    work.matmulFlops += unit->work.contractionFlops;
    work.tensorCores |= usesTensorCores(*unit);
  }
  work.blocks = getBlocks(countElements(result, kNominalDynamicSize),
                          work.matmulFlops > 0);
  addSchedule(units, nullptr, device, work);
  return estimateKernel(work, device).us;
}

//===----------------------------------------------------------------------===//
// Nodes and edges
//===----------------------------------------------------------------------===//

namespace {
/// Collects the graph of one function in stage 3.
class GraphCollector {
public:
  GraphCollector(CompilationReport &report, const DeviceModel &device)
      : report(report), device(device) {}

  void run(func::FuncOp main, ArrayRef<UnitGraph> graphs);

private:
  void addPort(StringRef name, StringRef kind, Value value);
  void addUnit(const Unit &unit, int64_t group);
  void addEdges(Value value, size_t consumer);
  void addReasons(ArrayRef<RecordedDecision> decisions);

  CompilationReport &report;
  const DeviceModel &device;
  DenseMap<Value, size_t> nodeOf;
};
} // namespace

static std::string getText(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    for (int64_t size : tensor.getShape()) {
      os << (ShapedType::isDynamic(size) ? "?" : std::to_string(size)) << "x";
    }
    os << tensor.getElementType();
  } else {
    os << type;
  }
  return text;
}

/// Returns the names in the locations of `ops` beside the first: of the tensors
/// that a source node makes.
static std::vector<std::string> getOtherNames(ArrayRef<Operation *> ops,
                                              StringRef first) {
  std::vector<std::string> names;
  for (Operation *op : ops) {
    op->getLoc()->walk([&](Location inner) {
      auto named = dyn_cast<NameLoc>(inner);
      std::string name = named ? named.getName().str() : "";
      if (named && name != first && !llvm::is_contained(names, name)) {
        names.push_back(std::move(name));
      }
      return WalkResult::advance();
    });
  }
  return names;
}

/// Returns where `ops` are in files, FILE:LINE; nothing where they have names.
static std::vector<std::string> getPlaces(ArrayRef<Operation *> ops) {
  std::vector<std::string> places;
  if (!getSourceName(ops.front()->getLoc()).empty()) {
    return places;
  }
  for (Operation *op : ops) {
    op->getLoc()->walk([&](Location inner) {
      if (auto file = dyn_cast<FileLineColRange>(inner)) {
        std::string place =
            (llvm::sys::path::filename(file.getFilename().getValue()) + ":" +
             Twine(file.getStartLine()))
                .str();
        if (!llvm::is_contained(places, place)) {
          places.push_back(std::move(place));
        }
      }
      return WalkResult::advance();
    });
  }
  return places;
}

void GraphCollector::addPort(StringRef name, StringRef kind, Value value) {
  NodeReport node;
  node.name = name.str();
  node.kind = kind.str();
  node.type = getText(value.getType());
  node.bytes = getTensorBytes(value.getType(), 1);
  nodeOf.try_emplace(value, report.nodes.size());
  report.nodes.push_back(std::move(node));
}

void GraphCollector::addUnit(const Unit &unit, int64_t group) {
  NodeReport node;
  node.name = getDisplayName(unit.ops.front());
  node.otherNames = getOtherNames(unit.ops, node.name);
  node.places = getPlaces(unit.ops);
  node.kind = classify(unit).str();
  node.group = group;
  node.kernel = unit.anchor->getParentOfType<GroupOp>().getName().str();
  node.type = getText(unit.values.back().value.getType());
  OpWork work = getOpWork(unit.anchor, /*dynamicSize=*/1);
  node.flops = work.flops + work.contractionFlops;
  node.bytes = getBytesAlone(&unit, /*dynamicSize=*/1);
  node.estimateUs = estimateAlone(&unit, device);
  for (const UnitValue &made : unit.values) {
    nodeOf[made.value] = report.nodes.size();
  }
  report.nodes.push_back(std::move(node));
}

/// Adds an edge from each node that `value` comes from, whatever renames it on
/// the way. Weights and constants have no node.
void GraphCollector::addEdges(Value value, size_t consumer) {
  Type type = value.getType();
  walkOrigins(value, [&](Value origin, Passage) {
    auto node = nodeOf.find(origin);
    if (node == nodeOf.end()) {
      return false;
    }
    report.edges.push_back({node->second, consumer, getText(type),
                            getTensorBytes(type, 1), "", std::nullopt});
    return true;
  });
}

/// Ops are known by names here, which may be those of several ops: the
/// decisions about them are handed out in order.
void GraphCollector::addReasons(ArrayRef<RecordedDecision> decisions) {
  using Key = std::tuple<StringRef, StringRef, bool>; // names, are together
  std::map<Key, SmallVector<size_t, 1>> byNames;
  for (auto [index, decision] : llvm::enumerate(decisions)) {
    byNames[{decision.producer, decision.consumer, decision.reason.empty()}]
        .push_back(index);
  }
  std::map<Key, size_t> used;
  for (EdgeReport &edge : report.edges) {
    const NodeReport &from = report.nodes[edge.producer];
    const NodeReport &to = report.nodes[edge.consumer];
    if (from.group < 0 || to.group < 0) {
      continue;
    }
    auto found = byNames.find({from.name, to.name, from.group == to.group});
    if (found == byNames.end()) {
      continue;
    }
    size_t &next = used[found->first];
    size_t index = found->second[std::min(next++, found->second.size() - 1)];
    edge.reason = decisions[index].reason;
    edge.times = decisions[index].times;
  }
}

void GraphCollector::run(func::FuncOp main, ArrayRef<UnitGraph> graphs) {
  auto getName = [](DictionaryAttr attrs, const Twine &otherwise) {
    auto name = attrs ? attrs.getAs<StringAttr>("fusion.name") : StringAttr();
    return name ? name.str() : otherwise.str();
  };
  for (BlockArgument argument : main.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (!main.getArgAttr(number, "fusion.weight")) {
      addPort(getName(main.getArgAttrDict(number), "arg" + Twine(number)),
              "input", argument);
    }
  }
  for (auto [group, graph] : llvm::enumerate(graphs)) {
    for (const Unit &unit : graph.units) {
      if (!isWork(unit)) {
        continue;
      }
      size_t node = report.nodes.size();
      addUnit(unit, group);
      for (const UnitRead &read : unit.reads) {
        addEdges(read.value, node);
      }
      for (auto branch = unit.anchor->getParentOfType<IfOp>(); branch;
           branch = branch->getParentOfType<IfOp>()) {
        addEdges(branch.getCondition(), node);
      }
    }
  }
  Operation *terminator = main.getBody().back().getTerminator();
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    NodeReport node;
    node.name =
        getName(main.getResultAttrDict(number), "result" + Twine(number));
    node.kind = "result";
    node.type = getText(value.getType());
    node.bytes = getTensorBytes(value.getType(), 1);
    report.nodes.push_back(std::move(node));
    addEdges(value, report.nodes.size() - 1);
  }
  addReasons(readDecisions(main));
}

void fusion::collectGraph(CompilationReport &report, func::FuncOp main,
                          ArrayRef<UnitGraph> graphs,
                          const DeviceModel &device) {
  GraphCollector(report, device).run(main, graphs);
}
