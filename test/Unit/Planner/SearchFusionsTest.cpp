//===- SearchFusionsTest.cpp ----------------------------------------------===//

#include "fusion/Planner/SearchFusions.h"

#include "PlannerFixture.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Writes graphs over R rows and C columns: whole tensors, one value for each
/// row, and one for each column.
class GraphText {
public:
  enum Shape { Whole, Row, Column };

  GraphText(int64_t rows, int64_t columns) : rows(rows), columns(columns) {}

  unsigned addInput(Shape shape) {
    arguments.push_back(
        llvm::formatv("%v{0}: {1}", shapes.size(), type(shape)));
    return add(shape);
  }
  /// An elementwise op with `work` operations.
  unsigned addElementwise(ArrayRef<unsigned> inputs, Shape shape,
                          unsigned work) {
    std::string maps, operands, types, blockArgs;
    for (unsigned input : inputs) {
      maps += map(shapes[input]) + ", ";
      operands +=
          llvm::formatv("{0}%v{1}", operands.empty() ? "" : ", ", input);
      types += (types.empty() ? "" : ", ") + type(shapes[input]);
      blockArgs += llvm::formatv("%a{0}: f32, ", blockArgs.size());
    }
    std::string body, last = "%a0";
    for (unsigned i = 0; i < work; ++i) {
      body += llvm::formatv("  %t{0} = math.sin {1} : f32\n", i, last);
      last = llvm::formatv("%t{0}", i);
    }
    bool isWhole = shape == Whole;
    std::string out =
        isWhole ? "affine_map<(i, j) -> (i, j)>" : "affine_map<(i) -> (i)>";
    if (!isWhole) {
      maps.clear();
      for (size_t i = 0; i < inputs.size(); ++i) {
        maps += "affine_map<(i) -> (i)>, ";
      }
    }
    emit(shape, maps + out,
         isWhole ? "\"parallel\", \"parallel\"" : "\"parallel\"", operands,
         types, blockArgs, body, last);
    return add(shape);
  }
  /// Sums of rows or of columns.
  unsigned addReduction(unsigned input, Shape shape) {
    std::string iterators = shape == Row ? "\"parallel\", \"reduction\""
                                         : "\"reduction\", \"parallel\"";
    unsigned number = shapes.size();
    text += llvm::formatv("%z{0} = arith.constant 0.0 : f32\n", number);
    text +=
        llvm::formatv("%e{0} = tensor.empty() : {1}\n", number, type(shape));
    text += llvm::formatv("%f{0} = linalg.fill ins(%z{0} : f32) outs(%e{0} : "
                          "{1}) -> {1}\n",
                          number, type(shape));
    text += llvm::formatv(
        "%v{0} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, "
        "j)>,"
        " {1}], iterator_types = [{2}]} ins(%v{3} : {4}) outs(%f{0} : {5}) {{\n"
        "^bb0(%a: f32, %b: f32):\n  %s = arith.addf %a, %b : f32\n"
        "  linalg.yield %s : f32\n} -> {5}\n",
        number, map(shape), iterators, input, type(Whole), type(shape));
    return add(shape);
  }
  std::string finish(ArrayRef<unsigned> results) {
    std::string values, types;
    for (unsigned result : results) {
      values += llvm::formatv("{0}%v{1}", values.empty() ? "" : ", ", result);
      types += (types.empty() ? "" : ", ") + type(shapes[result]);
    }
    return "func.func @main(" + llvm::join(arguments, ", ") + ") -> (" + types +
           ") {\n" + text + "return " + values + " : " + types + "\n}\n";
  }
  Shape getShape(unsigned value) const { return shapes[value]; }
  unsigned size() const { return shapes.size(); }

private:
  unsigned add(Shape shape) {
    shapes.push_back(shape);
    return shapes.size() - 1;
  }
  std::string type(Shape shape) const {
    return shape == Whole
               ? llvm::formatv("tensor<{0}x{1}xf32>", rows, columns).str()
               : llvm::formatv("tensor<{0}xf32>", shape == Row ? rows : columns)
                     .str();
  }
  static std::string map(Shape shape) {
    return shape == Whole ? "affine_map<(i, j) -> (i, j)>"
           : shape == Row ? "affine_map<(i, j) -> (i)>"
                          : "affine_map<(i, j) -> (j)>";
  }
  void emit(Shape shape, const std::string &maps, const char *iterators,
            const std::string &operands, const std::string &types,
            const std::string &blockArgs, const std::string &body,
            const std::string &last) {
    unsigned number = shapes.size();
    text +=
        llvm::formatv("%e{0} = tensor.empty() : {1}\n", number, type(shape));
    text += llvm::formatv(
        "%v{0} = linalg.generic {{indexing_maps = [{1}], iterator_types = "
        "[{2}]}"
        " ins({3} : {4}) outs(%e{0} : {5}) {{\n^bb0({6}%o: f32):\n{7}"
        "  linalg.yield {8} : f32\n} -> {5}\n",
        number, maps, iterators, operands, types, type(shape), blockArgs, body,
        last);
  }

  int64_t rows, columns;
  SmallVector<Shape> shapes;
  SmallVector<std::string> arguments;
  std::string text;
};

class SearchFusionsTest : public PlannerFixture {
protected:
  SearchFusionsTest() { options.device = *getDeviceModel("h200"); }

  /// The least total of all sets of pairs, each fused whether or not it pays.
  double getLeastTotal(UnitGraph &graph) {
    SmallVector<UnitPair, 0> pairs = getPairs(graph);
    EXPECT_LE(pairs.size(), 12u);
    double least = Partition(graph, options).getTotalUs();
    for (unsigned set = 1; set < 1u << pairs.size(); ++set) {
      Partition partition(graph, options);
      for (unsigned round = 0; round < 2; ++round) {
        for (auto [number, pair] : llvm::enumerate(pairs)) {
          if ((set >> number & 1) &&
              partition.getClusterOf(pair.producer) !=
                  partition.getClusterOf(pair.consumer)) {
            (void)partition.fuse(pair.producer, pair.consumer, /*force=*/true);
          }
        }
      }
      least = std::min(least, partition.getTotalUs());
    }
    return least;
  }

  /// The total where each pair is fused that pays, as they come.
  double getTotalInOrder(UnitGraph &graph) {
    Partition partition(graph, options);
    for (UnitPair pair : getPairs(graph)) {
      if (partition.getClusterOf(pair.producer) !=
          partition.getClusterOf(pair.consumer)) {
        (void)partition.fuse(pair.producer, pair.consumer);
      }
    }
    return partition.getTotalUs();
  }

  PlannerOptions options;
};
} // namespace

TEST_F(SearchFusionsTest, AProducerGoesWhereItSavesMore) {
  // The sine can be in the kernel of what it is computed from, which saves to
  // read that once more, or in that of its column sums, which saves to write
  // and to read it. In program order the first comes first.
  GraphText text(8192, 4096);
  unsigned x = text.addInput(GraphText::Whole);
  unsigned rows = text.addReduction(x, GraphText::Row);
  unsigned scaled = text.addElementwise({x, rows}, GraphText::Whole, 1);
  unsigned sine = text.addElementwise({scaled}, GraphText::Whole, 1);
  unsigned columns = text.addReduction(sine, GraphText::Column);
  UnitGraph graph = parse(text.finish({scaled, columns}));
  double found = searchFusions(graph, options).partition.getTotalUs();
  EXPECT_LE(found, 1.001 * getLeastTotal(graph));
  EXPECT_LE(found, getTotalInOrder(graph));
}

TEST_F(SearchFusionsTest, TheLaterPairMayBeWorthMore) {
  // In program order the first op joins the column sums, and the second, which
  // reads it, can then join neither them nor, with it, the rows.
  GraphText text(8192, 4096);
  unsigned x = text.addInput(GraphText::Whole);
  unsigned first = text.addElementwise({x}, GraphText::Whole, 1);
  unsigned columns = text.addReduction(first, GraphText::Column);
  unsigned second = text.addElementwise({first}, GraphText::Whole, 1);
  unsigned third = text.addElementwise({second, first}, GraphText::Whole, 1);
  unsigned rows = text.addReduction(third, GraphText::Row);
  unsigned scaled = text.addElementwise({third, rows}, GraphText::Whole, 1);
  UnitGraph graph = parse(text.finish({columns, scaled}));
  FusionPlan plan = searchFusions(graph, options);
  EXPECT_LE(plan.partition.getTotalUs(), 1.001 * getLeastTotal(graph));
}

TEST_F(SearchFusionsTest, RandomGraphsComeCloseToTheBest) {
  std::mt19937 random(7);
  auto pick = [&](unsigned count) { return random() % count; };
  for (unsigned trial = 0; trial < 24; ++trial) {
    int64_t sizes[] = {64, 1000, 4096};
    GraphText text(sizes[pick(3)], sizes[pick(3)]);
    text.addInput(GraphText::Whole);
    text.addInput(GraphText::Whole);
    SmallVector<unsigned> unused;
    unsigned edges = 0;
    while (edges < 7) {
      auto whole = [&] {
        unsigned value;
        do {
          value = pick(text.size());
        } while (text.getShape(value) != GraphText::Whole);
        return value;
      };
      unsigned kind = pick(5), value;
      unsigned from = whole();
      edges += from >= 2;
      llvm::erase(unused, from);
      if (kind == 0) {
        value = text.addReduction(from, GraphText::Row);
      } else if (kind == 1) {
        value = text.addReduction(from, GraphText::Column);
      } else {
        unsigned other = pick(text.size());
        SmallVector<unsigned> inputs = {from};
        if (other != from) {
          inputs.push_back(other);
          edges += other >= 2;
          llvm::erase(unused, other);
        }
        value = text.addElementwise(inputs, GraphText::Whole, 1 + pick(8));
      }
      unused.push_back(value);
    }
    std::string source = text.finish(unused);
    UnitGraph graph = parse(source);
    double least = getLeastTotal(graph);
    double found = searchFusions(graph, options).partition.getTotalUs();
    EXPECT_LE(found, 1.05 * least) << source;
  }
}
