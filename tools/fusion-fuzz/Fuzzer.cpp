//===- Fuzzer.cpp - random graphs, fused and unfused ----------------------===//

#include "Fuzzer.h"
#include "Coverage.h"
#include "Driver/EmulatedDevice.h"
#include "FaultCounts.h"
#include "Generator.h"
#include "Reasons.h"
#include "Reduce.h"
#include "fusion/Driver/LoadModel.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;
namespace cl = llvm::cl;

Flags::Flags(cl::OptionCategory &category)
    : file(cl::Positional, cl::desc("[GRAPH.mlir]"), cl::cat(category)),
      seed("seed", cl::desc("Chooses graphs and inputs (default 1)"),
           cl::init(1), cl::cat(category)),
      count("count", cl::desc("How many graphs (default 100)"), cl::init(100),
            cl::cat(category)),
      first("first", cl::desc("The number of the first one"), cl::init(0),
            cl::cat(category)),
      seconds("seconds", cl::desc("The most time for one graph (default 120)"),
              cl::init(120), cl::cat(category)),
      budget("budget",
             cl::desc("Begin no graph after so many seconds (0: no end)"),
             cl::init(0), cl::cat(category)),
      device("device", cl::desc("cpu (the default), cuda or emulator"),
             cl::init("cpu"), cl::cat(category)),
      target("target", cl::desc("What to generate code for"),
             cl::cat(category)),
      numerics("numerics",
               cl::desc("strict (the default here), default or fast"),
               cl::init("strict"), cl::cat(category)),
      fuse("fuse", cl::desc("all (the default), none, or a list of kinds"),
           cl::init("all"), cl::cat(category)),
      save("save", cl::desc("A folder for graphs that fail (default: none)"),
           cl::cat(category)),
      reduce("reduce", cl::desc("Print GRAPH.mlir, made smaller"),
             cl::cat(category)),
      print("print", cl::desc("Print the graphs, and run nothing"),
            cl::cat(category)),
      coverage("coverage",
               cl::desc("Print which operations are in how many of the graphs, "
                        "and run nothing; 1 where one is in none"),
               cl::cat(category)),
      reasons("reasons",
              cl::desc("Run nothing: check that each launch beside another one "
                       "has a reason (--target decides, without a device)"),
              cl::cat(category)),
      faults("faults",
             cl::desc("Put so many faults into each graph's program, one at a "
                      "time, and print which are noticed"),
             cl::init(0), cl::cat(category)),
      faultKind("fault-kind", cl::desc("Only faults with this in their names"),
                cl::cat(category)),
      least("least",
            cl::desc("1 where fewer percent of the faults are noticed"),
            cl::init(0), cl::cat(category)) {}

llvm::Error Fuzzer::configure() {
  llvm::Expected<Numerics> numerics = parseNumerics(flags.numerics);
  if (!numerics) {
    return numerics.takeError();
  }
  llvm::Expected<FuseKinds> fuse = parseFuse(flags.fuse);
  if (!fuse) {
    return fuse.takeError();
  }
  if (flags.target.getNumOccurrences()) { // else it is that of the device
    if (llvm::Error error = checkTarget(flags.target)) {
      return error;
    }
  }
  if (flags.count < 0 || flags.first < 0) {
    return llvm::createStringError(
        "expected --count and --first of 0 or more, but got " +
        Twine(std::min<int64_t>(flags.count, flags.first)));
  }
  options.pipeline.numerics = *numerics;
  options.pipeline.fuse = *fuse;
  options.pipeline.emulate = flags.device == "emulator";
  options.pipeline.target =
      flags.device == "cpu" && !flags.reasons ? "cpu" : flags.target.getValue();
  options.inputSeed = flags.seed;
  limits.seconds = flags.seconds;
  if (flags.budget > 0) {
    limits.deadline = Limits::Clock::now() + std::chrono::seconds(flags.budget);
  }
  if (flags.device != "cpu" && flags.device != "cuda" &&
      flags.device != "emulator") {
    return llvm::createStringError(
        "expected --device=cpu, cuda or emulator, but got '" + flags.device +
        "'");
  }
  return llvm::Error::success();
}

OwningOpRef<ModuleOp> Fuzzer::makeGraph(int64_t number) {
  if (!flags.file.empty() && flags.reasons) {
    return loadModel(flags.file, LoadOptions(), &context);
  }
  if (!flags.file.empty()) {
    return parseSourceFile<ModuleOp>(flags.file, &context);
  }
  uint64_t seed = Random(flags.seed).next() + static_cast<uint64_t>(number);
  return Generator(&context, seed, options.pipeline).generate();
}

std::string Fuzzer::openDevices() {
  auto open = [&](FusionDevice kind, std::optional<DeviceHandle> &handle) {
    llvm::Expected<DeviceHandle> opened = DeviceHandle::open(kind);
    if (!opened) {
      return llvm::toString(opened.takeError());
    }
    handle = std::move(*opened);
    return std::string();
  };
  if (cpu) {
    return "";
  }
  std::string error;
  if (options.pipeline.emulate) {
    error = llvm::toString(useEmulator(options.pipeline.target));
  }
  error += open(FUSION_CPU, cpu);
  if (error.empty() && flags.device != "cpu") {
    error = open(FUSION_CUDA, gpu);
  }
  if (error.empty() && gpu && options.pipeline.target.empty()) {
    options.pipeline.target = gpu->getTarget();
  }
  return error;
}

CheckResult Fuzzer::checkGraph(ModuleOp graph) {
  if (flags.reasons) {
    return checkReasons(graph, options.pipeline);
  }
  std::string error = openDevices();
  return error.empty() ? check(graph, options, *cpu, gpu ? *gpu : *cpu)
                       : CheckResult{CheckResult::NoDevice, error};
}

/// The first words of a message: reduction must not lead to another failure.
static std::string getClass(const CheckResult &result) {
  StringRef text = result.message;
  return text.take_until([](char c) { return c == ':' || llvm::isDigit(c); })
      .str();
}

int Fuzzer::reduce() {
  OwningOpRef<ModuleOp> graph = makeGraph(0);
  if (!graph) {
    return 1;
  }
  auto run = [&](ModuleOp module) {
    CheckResult outcome;
    runInBatches(
        1, limits, [&](int64_t) { return checkGraph(module); },
        [&](int64_t, const CheckResult &result) { outcome = result; });
    return outcome;
  };
  CheckResult before = run(*graph);
  if (before.kind != CheckResult::Fails) {
    llvm::errs() << "error: expected a graph that fails"
                 << (before.message.empty() ? "" : ", but: ") << before.message
                 << "\n";
    return 1;
  }
  // Past the deadline run() runs nothing, and nothing fails any more.
  OwningOpRef<ModuleOp> smaller = reduceGraph(*graph, [&](ModuleOp module) {
    CheckResult after = run(module);
    bool isSame =
        after.kind == CheckResult::Fails && getClass(after) == getClass(before);
    before = isSame ? after : before;
    return isSame;
  });
  llvm::outs() << "// " << before.message << "\n" << *smaller;
  return 0;
}

void Fuzzer::write(int64_t number, StringRef message) {
  if (flags.save.empty() || !flags.file.empty()) {
    return;
  }
  (void)llvm::sys::fs::create_directories(flags.save);
  std::string path = flags.save + "/" + std::to_string(flags.seed) + "-" +
                     std::to_string(number) + ".mlir";
  auto writeFile = [&](int64_t) -> CheckResult {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    if (error) {
      llvm::errs() << path << ": " << error.message() << "\n";
      return {};
    }
    os << "// " << message << "\n" << *makeGraph(number);
    return {};
  };
  // In a child, since making the graph may be what fails.
  runInBatches(1, Limits{flags.seconds, std::nullopt}, writeFile,
               [](int64_t, const CheckResult &) {});
}

void Fuzzer::note(int64_t number, const CheckResult &result) {
  switch (result.kind) {
  case CheckResult::Agrees:
    ++numAgreeing;
    return;
  case CheckResult::Refused:
    ++refused.try_emplace(result.message, Refusal{number}).first->second.count;
    return;
  case CheckResult::NoDevice:
    hasDevice = false;
    llvm::errs() << "error: " << result.message << "\n";
    return;
  case CheckResult::Fails:
    ++numFailing;
    llvm::outs() << "graph " << number << ": " << result.message << "\n";
    llvm::outs().flush();
    write(number, result.message);
  }
}

CheckResult Fuzzer::checkNumber(int64_t number) {
  OwningOpRef<ModuleOp> graph = makeGraph(number);
  return graph ? checkGraph(*graph)
               : CheckResult{CheckResult::Fails, "no graph"};
}

void Fuzzer::printGraphs(int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    llvm::outs() << *makeGraph(flags.first + i);
  }
}

int Fuzzer::printSummary(int64_t count) {
  int64_t numRefused = 0;
  for (const auto &[message, refusal] : refused) {
    llvm::outs() << "refused " << refusal.count << " (graph " << refusal.first
                 << "): " << message << "\n";
    numRefused += refusal.count;
  }
  llvm::outs() << numAgreeing << " agree, " << numRefused << " refused, "
               << numFailing << " fail";
  int64_t numRun = numAgreeing + numRefused + numFailing;
  if (numRun < count) {
    llvm::outs() << ", " << count - numRun << " not run";
  }
  llvm::outs() << "\n";
  return numFailing != 0 || !hasDevice;
}

int Fuzzer::countFaults(int64_t count) {
  FaultCounts found;
  auto work = [&](int64_t number) -> CheckResult {
    OwningOpRef<ModuleOp> graph = makeGraph(flags.first + number);
    std::string error = openDevices();
    if (!graph || !error.empty()) {
      return {CheckResult::NoDevice, graph ? error : "no graph"};
    }
    FaultOptions faults{flags.faults, flags.faultKind,
                        flags.seed + static_cast<uint64_t>(number)};
    return checkFaults(*graph, options, faults, *cpu, gpu ? *gpu : *cpu);
  };
  runInBatches(count, limits, work,
               [&](int64_t number, const CheckResult &result) {
                 found.add(flags.first + number, result, llvm::outs());
               });
  return found.print(flags.least, llvm::outs());
}

int Fuzzer::run() {
  int64_t count = flags.file.empty() ? flags.count : 1;
  if (flags.reduce) {
    return reduce();
  }
  if (flags.faults > 0) {
    return countFaults(count);
  }
  if (flags.print) {
    printGraphs(count);
    return 0;
  }
  if (flags.coverage) {
    Coverage found;
    for (int64_t i = 0; i < count; ++i) {
      found.add(*makeGraph(flags.first + i));
    }
    return found.print(context, llvm::outs());
  }
  runInBatches(
      count, limits,
      [&](int64_t number) { return checkNumber(flags.first + number); },
      [&](int64_t number, const CheckResult &result) {
        note(flags.first + number, result);
      });
  return printSummary(count);
}
