//===- CommandLine.cpp - flags that the tools share -------------*- C++ -*-===//

#include "fusion/Driver/CommandLine.h"
#include "fusion/Driver/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace mlir;
using namespace mlir::fusion;
namespace cl = llvm::cl;

static llvm::Error makeError(const Twine &text) {
  return llvm::createStringError(text);
}

/// Splits NAME=VALUE.
static llvm::Expected<std::pair<std::string, std::string>>
splitPair(StringRef flag, StringRef text) {
  auto [name, value] = text.split('=');
  if (name.empty() || value.empty()) {
    return makeError("expected " + flag + " NAME=VALUE, but got '" + text +
                     "'");
  }
  return std::make_pair(name.str(), value.str());
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

struct CompileFlags::Flags {
  Flags(cl::OptionCategory &category, StringRef defaultTarget)
      : target("target", cl::value_desc("sm_90a|sm_80|...|cpu"),
               cl::cat(category), cl::init(defaultTarget.str()),
               cl::desc(defaultTarget.empty()
                            ? "What to generate code for (default: what the "
                              "device runs)"
                            : "What to generate code for (default: cpu)")),
        device("device-model", cl::value_desc("h200|h100|a100|rtx4090|l4|..."),
               cl::cat(category),
               cl::desc("The device of the target that the plan is estimated "
                        "for (default: the target's first one in "
                        "docs/CostModel.md)")),
        limits("device-limits", cl::value_desc("LIMITS"), cl::cat(category),
               cl::desc("What a kernel may take, where that is less than what "
                        "the device has: shared=BYTES (of a block), "
                        "registers=N (of a thread, for tiles), "
                        "parameters=BYTES, grid=BLOCKS, threads=N (of a "
                        "block). What takes more is split, and the report says "
                        "why: --device-limits=shared=49152,threads=256")),
        fuse("fuse", cl::value_desc("KINDS"), cl::cat(category),
             cl::init("all"),
             cl::desc(
                 "all (the default), none, or a list of vertical,horizontal,"
                 "conditional,prologue,recompute; -KIND leaves one out: "
                 "all,-prologue (docs/Planner.md)")),
        numerics(
            "numerics", cl::value_desc("default|strict|fast"),
            cl::cat(category), cl::init("default"),
            cl::desc(
                "How values inside a kernel are rounded (docs/Numerics.md)")),
        weights(
            "weights", cl::value_desc("GLOB,..."), cl::cat(category),
            cl::CommaSeparated,
            cl::desc(
                "Inputs that are weights; !GLOB excludes: --weights='*,!x'")),
        dims("dim", cl::value_desc("NAME=N"), cl::cat(category),
             cl::desc("The size of a dynamic dim")),
        bound("bind", cl::value_desc("NAME=FILE"), cl::cat(category),
              cl::desc("The value (.npy, .pb) of an input that becomes a "
                       "constant")) {}

  cl::opt<std::string> target, device, limits, fuse, numerics;
  cl::list<std::string> weights, dims, bound;
};

CompileFlags::CompileFlags(cl::OptionCategory &category,
                           StringRef defaultTarget)
    : flags(std::make_unique<Flags>(category, defaultTarget)) {}
CompileFlags::~CompileFlags() = default;

llvm::Expected<std::map<std::string, int64_t>> CompileFlags::getDims() const {
  std::map<std::string, int64_t> dims;
  for (const std::string &text : flags->dims) {
    auto pair = splitPair("--dim", text);
    if (!pair) {
      return pair.takeError();
    }
    int64_t size;
    if (StringRef(pair->second).getAsInteger(10, size) || size < 0) {
      return makeError("expected --dim NAME=N with N of 0 or more, but got '" +
                       text + "'");
    }
    dims[pair->first] = size;
  }
  return dims;
}

llvm::Expected<CompileOptions>
CompileFlags::getOptions(bool dimsAtRunTime) const {
  CompileOptions options;
  options.load.weights.assign(flags->weights.begin(), flags->weights.end());
  options.pipeline.target = flags->target;
  // An empty target is the device's, which is not open yet.
  if (!flags->target.empty() || flags->target.getNumOccurrences()) {
    if (llvm::Error error = checkTarget(flags->target)) {
      return error;
    }
  }
  if (flags->device.getNumOccurrences()) {
    // A target that was not named is that of the device.
    bool named = flags->target.getNumOccurrences() != 0;
    llvm::Expected<std::string> target =
        checkDevice(flags->device, named ? StringRef(flags->target) : "");
    if (!target) {
      return target.takeError();
    }
    options.pipeline.target = *target;
    options.pipeline.device = flags->device;
  }
  if (flags->limits.getNumOccurrences()) {
    if (llvm::Error error = checkDeviceLimits(flags->limits)) {
      return error;
    }
    if (options.pipeline.isCPU()) {
      return makeError(
          "expected a GPU as --target for --device-limits, but got "
          "--target=cpu");
    }
    options.pipeline.limits = flags->limits;
  }
  llvm::Expected<FuseKinds> fuse = parseFuse(flags->fuse);
  if (!fuse) {
    return fuse.takeError();
  }
  options.pipeline.fuse = *fuse;
  llvm::Expected<Numerics> numerics = parseNumerics(flags->numerics);
  if (!numerics) {
    return numerics.takeError();
  }
  options.pipeline.numerics = *numerics;
  for (const std::string &text : flags->bound) {
    auto pair = splitPair("--bind", text);
    if (!pair) {
      return pair.takeError();
    }
    options.load.bound.insert(*pair);
  }
  if (!dimsAtRunTime) {
    auto dims = getDims();
    if (!dims) {
      return dims.takeError();
    }
    options.load.dims = std::move(*dims);
  }
  return options;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

struct RunFlags::Flags {
  explicit Flags(cl::OptionCategory &category)
      : device("device", cl::value_desc("cpu|cuda|emulator"), cl::cat(category),
               cl::init("cpu"), cl::desc("What to run on (default: cpu)")),
        inputs(
            "input", cl::value_desc("NAME=SPEC"), cl::cat(category),
            cl::desc("FILE.npy, FILE.pb, random[:SEED], randint:LO:HI[:SEED], "
                     "zeros or ones; default: seeded random values")),
        expected("expect", cl::value_desc("NAME=FILE"), cl::cat(category),
                 cl::desc("Fail unless this result agrees with the file "
                          "(.npy, .pb)")),
        expectTolerance(
            "expect-tolerance", cl::value_desc("R"), cl::cat(category),
            cl::init(0),
            cl::desc("Let floats differ by R times their size from --expect's "
                     "files, if that is more than what docs/Numerics.md says")),
        isStatic("static", cl::cat(category),
                 cl::desc("Compile for the sizes of --dim; otherwise they are "
                          "known at run time only")),
        saveOutputs("save-outputs", cl::value_desc("DIR"), cl::cat(category),
                    cl::desc("Write each result to DIR/NAME.npy")),
        verify("verify", cl::cat(category),
               cl::desc("Compare every group's results with what its ops give "
                        "unfused, on the CPU, from the same operands")),
        verifyMemory("verify-memory", cl::value_desc("MIB"), cl::cat(category),
                     cl::init(256),
                     cl::desc("How much of the groups' results --verify holds "
                              "at once (default 256)")),
        bench("bench", cl::value_desc("N"), cl::ValueOptional,
              cl::cat(category), cl::init(-1),
              cl::desc("Time N runs (default 100) and print the median")) {}

  cl::opt<std::string> device;
  cl::list<std::string> inputs, expected;
  cl::opt<double> expectTolerance;
  cl::opt<bool> isStatic;
  cl::opt<std::string> saveOutputs;
  cl::opt<bool> verify;
  cl::opt<unsigned> verifyMemory;
  cl::opt<int> bench;

  llvm::Error check() const;
};

/// Fails where a value means nothing, and would be taken for another.
llvm::Error RunFlags::Flags::check() const {
  if (!(expectTolerance >= 0)) {
    return makeError("expected --expect-tolerance of 0 or more, but got " +
                     std::to_string(expectTolerance));
  }
  if (saveOutputs.getNumOccurrences() && saveOutputs.empty()) {
    return makeError("expected --save-outputs DIR, but got ''");
  }
  if (bench.getNumOccurrences() && bench < 0) { // without a number it is 0
    return makeError("expected --bench of 1 or more, but got " + Twine(bench));
  }
  return llvm::Error::success();
}

RunFlags::RunFlags(cl::OptionCategory &category)
    : flags(std::make_unique<Flags>(category)) {}
RunFlags::~RunFlags() = default;

bool CompileFlags::hasLimits() const {
  return flags->limits.getNumOccurrences() != 0;
}

bool RunFlags::isStatic() const { return flags->isStatic; }

static llvm::Expected<FusionDevice> parseDevice(StringRef text) {
  if (text == "cpu") {
    return FUSION_CPU;
  }
  if (text == "cuda" || text == "emulator") {
    return FUSION_CUDA;
  }
  return makeError("expected --device=cpu, cuda or emulator, but got '" + text +
                   "'");
}

llvm::Expected<RunOptions>
RunFlags::getOptions(const CompileFlags &compile) const {
  RunOptions options;
  if (llvm::Error error = flags->check()) {
    return error;
  }
  llvm::Expected<FusionDevice> device = parseDevice(flags->device);
  if (!device) {
    return device.takeError();
  }
  if (*device == FUSION_CPU && compile.hasLimits()) {
    return makeError("expected --device=cuda or emulator for --device-limits, "
                     "but got '" +
                     flags->device + "'");
  }
  options.device = *device;
  options.emulate = flags->device == "emulator";
  for (const std::string &text : flags->inputs) {
    auto pair = splitPair("--input", text);
    if (!pair) {
      return pair.takeError();
    }
    llvm::Expected<InputSpec> spec = parseInputSpec(pair->second);
    if (!spec) {
      return spec.takeError();
    }
    options.inputs.specs[pair->first] = *spec;
  }
  for (const std::string &text : flags->expected) {
    auto pair = splitPair("--expect", text);
    if (!pair) {
      return pair.takeError();
    }
    options.expected.insert(*pair);
  }
  options.expectTolerance = flags->expectTolerance;
  if (!flags->isStatic) {
    auto dims = compile.getDims();
    if (!dims) {
      return dims.takeError();
    }
    options.inputs.dims = std::move(*dims);
  }
  options.saveOutputs = flags->saveOutputs;
  options.verify = flags->verify;
  options.verifyBytes = int64_t(flags->verifyMemory) << 20;
  if (flags->bench.getNumOccurrences()) {
    options.bench = flags->bench > 0 ? flags->bench : 100;
  }
  return options;
}

void mlir::fusion::parseCommandLine(int argc, char **argv,
                                    cl::OptionCategory &category,
                                    StringRef overview) {
  llvm::setBugReportMsg(
      "This is a bug of Fusion: please report it with the model and "
      "the command line.\n");
  cl::SetVersionPrinter(
      [](raw_ostream &os) { os << "Fusion " << getVersion() << "\n"; });
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
}
