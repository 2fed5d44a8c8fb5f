//===- Fuzzer.h - random graphs, fused and unfused --------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_FUZZER_H
#define FUSION_TOOLS_FUSION_FUZZ_FUZZER_H

#include "Batches.h"
#include "Check.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/CommandLine.h"
#include <map>
#include <optional>

namespace mlir::fusion::fuzz {

/// What the command line says.
struct Flags {
  explicit Flags(llvm::cl::OptionCategory &category);

  llvm::cl::opt<std::string> file;
  llvm::cl::opt<uint64_t> seed;
  llvm::cl::opt<int64_t> count, first;
  llvm::cl::opt<unsigned> seconds, budget;
  llvm::cl::opt<std::string> device, target, numerics, fuse, save;
  llvm::cl::opt<bool> reduce, print, coverage, reasons;
  llvm::cl::opt<int64_t> faults;
  llvm::cl::opt<std::string> faultKind;
  llvm::cl::opt<double> least;
};

/// The whole run.
class Fuzzer {
public:
  Fuzzer(const Flags &flags, MLIRContext &context)
      : flags(flags), context(context) {}
  llvm::Error configure();
  int run();

private:
  OwningOpRef<ModuleOp> makeGraph(int64_t number);
  /// In a child: opens the devices at first.
  CheckResult checkGraph(ModuleOp graph);
  /// Why the devices cannot be opened; "" where they are open.
  std::string openDevices();
  /// In a child: a graph that cannot be made must not end this process.
  CheckResult checkNumber(int64_t number);
  int reduce();
  int countFaults(int64_t count);
  void printGraphs(int64_t count);
  int printSummary(int64_t count);
  void note(int64_t number, const CheckResult &result);
  void write(int64_t number, StringRef message);

  const Flags &flags;
  MLIRContext &context;
  CheckOptions options;
  Limits limits;
  std::optional<DeviceHandle> cpu, gpu;
  int64_t numAgreeing = 0, numFailing = 0;
  bool hasDevice = true;
  struct Refusal {
    int64_t first, count = 0;
  };
  std::map<std::string, Refusal> refused;
};

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_FUZZER_H
