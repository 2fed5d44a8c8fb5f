//===- Partition.cpp - units gathered into groups-to-be -------------------===//

#include "fusion/Planner/Partition.h"

#include "fusion/Analysis/HalfFloats.h"
#include "fusion/Planner/KernelWork.h"

using namespace mlir;
using namespace mlir::fusion;

bool LoopAlignment::pair(unsigned from, unsigned to) {
  auto [there, isNew] = forward.try_emplace(from, to);
  if (!isNew) {
    return there->second == to;
  }
  if (!backward.try_emplace(to, from).second) {
    forward.erase(from);
    return false;
  }
  pairs.emplace_back(from, to);
  return true;
}

unsigned LoopAlignment::map(unsigned loop) const {
  auto it = forward.find(loop);
  return it == forward.end() ? loop : it->second;
}

SmallVector<unsigned, 4> LoopAlignment::map(ArrayRef<unsigned> loops) const {
  SmallVector<unsigned, 4> images;
  for (unsigned loop : loops) {
    images.push_back(map(loop));
  }
  return images;
}

SmallVector<unsigned, 4> Cluster::getResultSpace() const {
  ArrayRef<unsigned> gone = form == KernelForm::Rows ? reduced : held;
  return llvm::filter_to_vector<4>(
      space, [&](unsigned loop) { return !llvm::is_contained(gone, loop); });
}

static KernelForm getFormOf(const Unit &unit) {
  switch (unit.space.role) {
  case OpRole::Elementwise:
    return KernelForm::Elementwise;
  case OpRole::Reduction:
    return KernelForm::Rows;
  case OpRole::Contraction:
  case OpRole::Window:
    return KernelForm::Contraction;
  case OpRole::Fill:
  case OpRole::Other:
    return KernelForm::Alone;
  }
  llvm_unreachable("unknown role");
}

Partition::Partition(UnitGraph &graph, const PlannerOptions &options)
    : graph(graph), options(options), order(graph.units.size()),
      loopClasses(graph.numLoops), clusters(graph.units.size()) {
  for (auto [index, unit] : llvm::enumerate(graph.units)) {
    for (unsigned user : unit.users) {
      order.addEdge(index, user);
    }
    llvm::append_range(loopSizes, unit.space.sizes);
    initCluster(index);
  }
}

void Partition::initCluster(unsigned index) {
  const Unit &unit = graph.units[index];
  Cluster &cluster = clusters[index];
  cluster.units.push_back(index);
  if (unit.isOpaque()) {
    return;
  }
  cluster.form = getFormOf(unit);
  cluster.vertical = unit.isChain;
  cluster.space = getLoops(unit, unit.space.parallel);
  llvm::append_range(cluster.reduced, getLoops(unit, unit.space.reduced));
  cluster.partSize = unit.space.partSize;
  if (cluster.form == KernelForm::Rows) {
    llvm::append_range(cluster.space, cluster.reduced);
  }
  cluster.work = getWork(cluster, LoopAlignment(), index, index);
}

unsigned Partition::getLoop(const Unit &unit, unsigned loop) const {
  return loopClasses.findLeader(unit.firstLoop + loop);
}

SmallVector<unsigned, 4> Partition::getLoops(const Unit &unit,
                                             ArrayRef<unsigned> loops) const {
  SmallVector<unsigned, 4> classes;
  for (unsigned loop : loops) {
    classes.push_back(getLoop(unit, loop));
  }
  return classes;
}

bool Partition::isIn(unsigned unit, unsigned leader) const {
  return order.find(unit) == leader;
}

bool Partition::leaves(const Unit &unit, unsigned a, unsigned b) const {
  return llvm::any_of(unit.users, [&](unsigned user) {
    return !isIn(user, a) && !isIn(user, b);
  });
}

FusionDecision fusion::checkTensorMaps(unsigned maps,
                                       const DeviceModel &device) {
  // In front of them the address of a table, aligned as they are.
  constexpr unsigned kTensorMapBytes = 128, kTableBytes = 64;
  bool copiesBulks = device.chip == "sm_90a";
  if (copiesBulks &&
      kTableBytes + maps * kTensorMapBytes > device.parameterBytes) {
    return FusionDecision::forbid("the kernel would take more tensor maps than "
                                  "its " +
                                  Twine(device.parameterBytes) +
                                  " bytes of parameters hold");
  }
  return FusionDecision::allow();
}

FusionDecision Partition::checkSize(unsigned producer,
                                    unsigned consumer) const {
  size_t units =
      clusters[producer].units.size() + clusters[consumer].units.size();
  if (units > kMaxUnits) {
    return FusionDecision::forbid("the group would hold more than " +
                                  Twine(kMaxUnits) + " operations");
  }
  unsigned contractions = 0;
  for (unsigned leader : {producer, consumer}) {
    for (unsigned index : clusters[leader].units) {
      contractions += graph.units[index].space.role == OpRole::Contraction;
    }
  }
  return checkTensorMaps(2 * contractions, options.device);
}

/// A value that leaves the group must span the result space: otherwise several
/// blocks would write it.
FusionDecision Partition::checkEscapes(unsigned leader, const Cluster &merged,
                                       const LoopAlignment &loops, unsigned a,
                                       unsigned b) const {
  if (clusters[leader].space.size() == merged.space.size()) {
    return FusionDecision::allow();
  }
  for (unsigned index : clusters[leader].units) {
    const Unit &unit = graph.units[index];
    if (!leaves(unit, a, b)) {
      continue;
    }
    SmallVector<unsigned, 4> spanned =
        loops.map(getLoops(unit, unit.space.parallel));
    for (unsigned loop : merged.getResultSpace()) {
      if (!llvm::is_contained(spanned, loop)) {
        return FusionDecision::forbid("a value that is smaller than the "
                                      "group's iteration space is needed "
                                      "outside of the group");
      }
    }
  }
  return FusionDecision::allow();
}

double Partition::getBlocks(const Cluster &cluster) const {
  // About the tiles that schedules choose: a row (or 512 elements of short
  // ones), 128 x 128 of a contraction, smaller ones where these do not fill
  // the device; 1024 elements of elementwise work.
  auto product = [&](ArrayRef<unsigned> loops) {
    double size = 1;
    for (unsigned loop : loops) {
      size *= getNominalSize(loopSizes[loop]);
    }
    return size;
  };
  double results =
      product(cluster.form == KernelForm::Rows ? cluster.getResultSpace()
                                               : cluster.space);
  if (cluster.form == KernelForm::Rows) {
    double rowsPerBlock =
        std::max(1.0, 512 / std::max(1.0, product(cluster.reduced)));
    return std::ceil(results / rowsPerBlock);
  }
  double small = std::ceil(results / 1024);
  if (cluster.form != KernelForm::Contraction) {
    return small;
  }
  double filling = std::min<double>(small, options.device.multiprocessors);
  return std::max(std::ceil(results / (128 * 128)), filling);
}

static bool usesTensorCores(const Unit &unit) {
  return unit.space.role == OpRole::Contraction && readsHalfFloats(unit.anchor);
}

/// Returns the bytes of what `unit` hands over: all results, or the rounded
/// one in place of the wide one.
static double getResultBytes(const Unit &unit) {
  double bytes = 0;
  for (Value value : unit.ops.back()->getResults()) {
    bytes += getTensorBytes(value.getType());
  }
  return bytes;
}

KernelWork Partition::getWork(const Cluster &merged, const LoopAlignment &loops,
                              unsigned a, unsigned b) const {
  KernelWork work;
  DenseSet<Value> seen;
  SmallVector<const Unit *> units;
  SmallVector<unsigned, 4> results = merged.getResultSpace();
  for (unsigned index : merged.units) {
    const Unit &unit = graph.units[index];
    units.push_back(&unit);
    for (const UnitRead &read : unit.reads) {
      bool inside =
          read.producer && (isIn(*read.producer, a) || isIn(*read.producer, b));
      if (!inside && !read.isSide && seen.insert(read.value).second) {
        double bytes = getTensorBytes(read.value.getType());
        work.bytesRead += bytes;
        work.bytesBetween += read.producer ? bytes : 0;
      }
    }
    if (leaves(unit, a, b)) {
      double bytes = getResultBytes(unit);
      work.bytesWritten += bytes;
      work.bytesBetween += bytes;
    }
    // What spans less than the group is computed again for each repetition.
    double repetitions = 1;
    SmallVector<unsigned, 4> spanned =
        loops.map(getLoops(unit, unit.space.parallel));
    if (llvm::is_contained(merged.prologue, index)) {
      repetitions = getPrologueRepetitions(merged, spanned);
    } else {
      for (unsigned loop : results) {
        if (!llvm::is_contained(spanned, loop)) {
          repetitions *= getNominalSize(loopSizes[loop]);
        }
      }
    }
    work.flops += unit.work.flops * repetitions;
    work.matmulFlops += unit.work.contractionFlops;
    work.tensorCores |= usesTensorCores(unit);
  }
  StrayBytes stray = getStrayBytes(merged, loops, a, b);
  work.bytesRead += stray.read;
  work.bytesWritten += stray.written;
  work.blocks = getBlocks(merged);
  addSchedule(units, getPinnedSchedule(graph, merged), options.device, work);
  return work;
}

/// Returns the first contraction of `consumer` that needs what `producer`
/// makes; null where none does.
const Unit *Partition::findFed(unsigned producer, unsigned consumer) const {
  auto units = llvm::to_vector<4>(clusters[consumer].units);
  llvm::sort(units); // makers come before readers
  llvm::SmallDenseSet<unsigned> dependents;
  for (unsigned index : units) {
    const Unit &unit = graph.units[index];
    bool needs = llvm::any_of(unit.reads, [&](const UnitRead &read) {
      return read.producer && (isIn(*read.producer, producer) ||
                               dependents.contains(*read.producer));
    });
    if (needs && unit.space.role == OpRole::Contraction) {
      return &unit;
    }
    if (needs) {
      dependents.insert(index);
    }
  }
  return nullptr;
}

/// Checks the roles of two clusters and finds the loops that they share.
FusionDecision Partition::alignClusters(unsigned producer, unsigned consumer,
                                        LoopAlignment &loops) {
  FusionDecision decision = checkVertical(producer, consumer);
  if (decision) {
    decision = checkSize(producer, consumer);
  }
  if (decision) {
    decision = alignReads(producer, consumer, loops);
  }
  if (!decision || clusters[producer].form != KernelForm::Contraction ||
      clusters[consumer].form != KernelForm::Contraction) {
    return decision;
  }
  decision = checkHorizontal(producer, consumer, loops);
  const Unit *fed = decision ? nullptr : findFed(producer, consumer);
  if (fed) {
    return explainChain(clusters[producer], *fed);
  }
  if (!decision) {
    // What lies between keeps them apart whatever they are.
    FusionDecision between = order.canMerge(producer, consumer);
    return between ? std::move(decision) : std::move(between);
  }
  return decision;
}

/// Finds what the kernel of two clusters would be, or says why there is none.
FusionDecision Partition::combine(unsigned producer, unsigned consumer,
                                  LoopAlignment &loops, Cluster &merged) {
  FusionDecision decision = FusionDecision::allow();
  if (isPrologue(producer, consumer)) {
    if (clusters[producer].form == KernelForm::Rows) {
      // What is made of the rows may be in the consumer already, so that no
      // edge has their columns, but both read the rows.
      alignByCommonReads(producer, consumer, loops);
    }
    decision = combinePrologue(producer, consumer, loops, merged);
  } else {
    alignByCommonReads(producer, consumer, loops);
    alignBySize(producer, consumer, loops);
    decision =
        combineSpaces(clusters[producer], clusters[consumer], loops, merged);
  }
  if (decision) {
    decision = checkTransposed(merged, loops, producer, consumer);
  }
  for (unsigned side : {producer, consumer}) {
    if (decision) {
      decision = checkEscapes(side, merged, loops, producer, consumer);
    }
  }
  if (decision) {
    decision = checkSchedules(merged);
  }
  if (decision && !merged.held.empty()) {
    decision = checkResultRows(merged);
  }
  return decision ? order.canMerge(producer, consumer) : std::move(decision);
}

/// Asks the estimate whether `merged` is faster than two kernels.
FusionDecision Partition::checkProfit(unsigned producer, unsigned consumer,
                                      const Cluster &merged) const {
  FusionDecision decision = worthFusing(
      merged.work, {clusters[producer].work, clusters[consumer].work},
      options.device);
  bool hasRows = clusters[producer].form == KernelForm::Rows &&
                 merged.form == KernelForm::Contraction;
  return hasRows ? checkRowsMargin(std::move(decision)) : std::move(decision);
}

FusionDecision Partition::tryFuse(unsigned producerUnit, unsigned consumerUnit,
                                  bool force, bool keep) {
  unsigned producer = getClusterOf(producerUnit);
  unsigned consumer = getClusterOf(consumerUnit);
  assert(producer != consumer && "the units are in one cluster already");
  // Siblings come in any order; what lies in their clusters may not.
  if (order.isBefore(consumer, producer)) {
    std::swap(producer, consumer);
  }
  LoopAlignment loops;
  Cluster merged;
  FusionDecision decision = alignClusters(producer, consumer, loops);
  if (decision) {
    decision = combine(producer, consumer, loops, merged);
  }
  if (decision) {
    merged.work = getWork(merged, loops, producer, consumer);
    decision = checkProfit(producer, consumer, merged);
    if (!decision && force && decision.getTimes()) {
      decision = FusionDecision::allow().withTimes(*decision.getTimes());
    }
  }
  if (decision && keep) {
    bool horizontal = clusters[producer].form == KernelForm::Contraction &&
                      clusters[consumer].form == KernelForm::Contraction;
    merged.horizontal |= horizontal;
    merged.vertical |= !horizontal;
    commit(producer, consumer, std::move(merged), loops);
  }
  return decision;
}

bool Partition::isKernel(const Cluster &cluster) const {
  return !cluster.units.empty() && !graph.units[cluster.units[0]].isOpaque();
}

/// Counts the kernels that one launch could do with others: those before which
/// equally many launches must have ended, but one of them.
unsigned Partition::countSharedLaunches() const {
  SmallVector<unsigned> levels(clusters.size(), 0), kernels;
  unsigned shared = 0;
  for (unsigned leader : getOrder()) {
    unsigned &level = levels[leader];
    for (unsigned unit : clusters[leader].units) {
      for (const UnitRead &read : graph.units[unit].reads) {
        unsigned from = read.producer ? getClusterOf(*read.producer) : leader;
        if (from != leader) {
          level = std::max(level, levels[from] + isKernel(clusters[from]));
        }
      }
    }
    if (isKernel(clusters[leader])) {
      kernels.resize(std::max<size_t>(kernels.size(), level + 1), 0);
      shared += kernels[level]++ > 0;
    }
  }
  return shared;
}

double Partition::getTotalUs() const {
  double us = 0;
  for (const Cluster &cluster : clusters) {
    us +=
        isKernel(cluster) ? estimateKernel(cluster.work, options.device).us : 0;
  }
  return options.horizontal
             ? us - countSharedLaunches() * options.device.launchUs
             : us;
}

void Partition::commit(unsigned producer, unsigned consumer, Cluster merged,
                       const LoopAlignment &loops) {
  for (auto [from, to] : loops.getPairs()) {
    int64_t size =
        ShapedType::isDynamic(loopSizes[to]) ? loopSizes[from] : loopSizes[to];
    loopSizes[loopClasses.join(from, to)] = size;
  }
  for (unsigned &loop : merged.space) {
    loop = loopClasses.findLeader(loop);
  }
  for (unsigned &loop : merged.reduced) {
    loop = loopClasses.findLeader(loop);
  }
  for (unsigned &loop : merged.held) {
    loop = loopClasses.findLeader(loop);
  }
  unsigned leader = order.merge(producer, consumer);
  unsigned other = leader == producer ? consumer : producer;
  clusters[leader] = std::move(merged);
  clusters[other] = Cluster();
}
