//===- Launch.cpp - all blocks of a launch, and what came of it -----------===//

#include "State.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <numeric>

using namespace mlir;
using namespace mlir::fusion::emulator;

/// Different faults that are reported; more say nothing new.
static constexpr size_t mostFaults = 20;

Launch::Launch(const Program &program, const LaunchShape &shape,
               GlobalMemory::State &memory, const Options &options)
    : program(program), shape(shape), memory(memory), options(options),
      random(options.seed) {}

void Launch::report(StringRef kind, uint32_t source, const Twine &message) {
  auto [it, isNew] =
      known.try_emplace({kind.str(), source}, result.faults.size());
  if (!isNew) {
    if (it->second < result.faults.size()) {
      ++result.faults[it->second].count;
    }
    return;
  }
  if (result.faults.size() >= mostFaults) {
    return;
  }
  Operation *op = program.sources[source];
  result.faults.push_back({kind.str(),
                           "kernel '" + program.name + "', '" +
                               op->getName().getStringRef().str() + "', " +
                               message.str(),
                           op->getLoc()});
}

std::string LaunchResult::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Fault &fault : faults) {
    os << fault.kind << ": " << fault.message << " (" << fault.location << ")";
    if (fault.count > 1) {
      os << " [" << fault.count << " times]";
    }
    os << "\n";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

void Counters::add(const Counters &other) {
  threadInstructions += other.threadInstructions;
  for (int i = 0; i < numClasses; ++i) {
    warpInstructions[i] += other.warpInstructions[i];
  }
  globalReadBytes += other.globalReadBytes;
  globalWrittenBytes += other.globalWrittenBytes;
  sharedReadBytes += other.sharedReadBytes;
  sharedWrittenBytes += other.sharedWrittenBytes;
  globalRequests += other.globalRequests;
  globalSectors += other.globalSectors;
  sharedPasses += other.sharedPasses;
  bankConflicts += other.bankConflicts;
}

void Counters::print(raw_ostream &os) const {
  static constexpr const char *names[] = {
      "integer", "float", "control", "memory", "async", "matrix", "sync"};
  os << "thread instructions: " << threadInstructions << "\n";
  os << "warp instructions:";
  for (int i = 0; i < numClasses; ++i) {
    os << " " << names[i] << " " << warpInstructions[i];
  }
  os << "\nglobal bytes: read " << globalReadBytes << " written "
     << globalWrittenBytes << "\nshared bytes: read " << sharedReadBytes
     << " written " << sharedWrittenBytes
     << "\nglobal requests: " << globalRequests << " sectors " << globalSectors
     << "\nshared passes: " << sharedPasses << " bank conflicts "
     << bankConflicts << "\n";
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The values of the parameters: a tensor map is a pointer to its copy.
static std::vector<uint64_t>
readParameters(const Program &program, void *const *parameters,
               std::vector<std::array<uint8_t, 128>> &maps) {
  std::vector<uint64_t> values;
  maps.reserve(program.parameters.size());
  for (auto [index, parameter] : llvm::enumerate(program.parameters)) {
    if (parameter.bytes == 128) {
      std::memcpy(maps.emplace_back().data(), parameters[index], 128);
      values.push_back(reinterpret_cast<uint64_t>(maps.back().data()));
      continue;
    }
    uint64_t value = 0;
    std::memcpy(&value, parameters[index], parameter.bytes);
    values.push_back(value);
  }
  return values;
}

LaunchResult mlir::fusion::emulator::launch(const Image::Kernel &kernel,
                                            const LaunchShape &shape,
                                            void *const *parameters,
                                            GlobalMemory &memory,
                                            const Options &options) {
  const Program &program = kernel.program;
  Launch launch(program, shape, memory.getState(), options);
  if (shape.block < 1 || shape.block > 1024 ||
      (program.blockSize && shape.block > program.blockSize)) {
    launch.fail("launch", 0,
                "expected a block of 1 to " +
                    Twine(program.blockSize ? program.blockSize : 1024) +
                    " threads, but got " + Twine(shape.block));
    return std::move(launch.result);
  }
  for (auto &[base, array] : memory.getState().arrays) {
    array->clearCells();
  }
  std::vector<std::array<uint8_t, 128>> maps;
  std::vector<uint64_t> values = readParameters(program, parameters, maps);
  int64_t count = shape.grid[0] * shape.grid[1] * shape.grid[2];
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = count - 1; launch.isRandom() && i > 0; --i) {
    std::swap(order[i], order[launch.choose(static_cast<uint32_t>(i + 1))]);
  }
  for (int64_t number : order) {
    if (launch.isFailed) {
      break;
    }
    std::array<int64_t, 3> id = {number % shape.grid[0],
                                 number / shape.grid[0] % shape.grid[1],
                                 number / shape.grid[0] / shape.grid[1]};
    Block(launch, id, static_cast<uint32_t>(number), values).run();
  }
  return std::move(launch.result);
}
