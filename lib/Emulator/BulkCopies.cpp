//===- BulkCopies.cpp - bulk tensor copies --------------------------------===//
//
// PTX ISA, "cp.async.bulk.tensor" and "Tensors": tiled mode. Boxes are dense in
// shared memory, swizzled by the address; outside the array loads fill with
// zeros and stores write nothing. Copies belong to the async proxy.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "Swizzle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mlir::fusion::emulator;
using llvm::Twine;

/// Bytes of the box in shared memory.
static uint32_t getBoxBytes(const TensorMapFields &map) {
  uint32_t bytes = map.elementBytes;
  for (uint32_t i = 0; i < map.rank; ++i) {
    bytes *= map.box[i];
  }
  return bytes;
}

/// Calls `fn(shared offset in the box, global address or 0, bytes)` for each
/// row of the box (along the innermost dim), cut at 16 bytes, and where it
/// leaves the array.
template <typename Fn>
static void forPieces(const TensorMapFields &map,
                      const std::array<int32_t, 5> &at, Fn fn) {
  uint32_t rows = 1;
  for (uint32_t i = 1; i < map.rank; ++i) {
    rows *= map.box[i];
  }
  uint32_t rowBytes = map.box[0] * map.elementBytes;
  uint32_t piece = std::max(16u, map.elementBytes);
  for (uint32_t row = 0; row < rows; ++row) {
    uint64_t address = map.base;
    bool inside = true;
    uint32_t rest = row;
    for (uint32_t i = 1; i < map.rank; ++i) {
      int64_t position = int64_t(at[i]) + rest % map.box[i];
      rest /= map.box[i];
      inside &= position >= 0 && uint64_t(position) < map.dims[i];
      address += static_cast<uint64_t>(position) * map.strides[i - 1];
    }
    for (uint32_t byte = 0; byte < rowBytes;) {
      int64_t column = int64_t(at[0]) + byte / map.elementBytes;
      bool within = inside && column >= 0 && uint64_t(column) < map.dims[0];
      uint32_t end = std::min(rowBytes, (byte / piece + 1) * piece);
      // The piece ends where the array begins or ends.
      int64_t edge = within       ? static_cast<int64_t>(map.dims[0])
                     : column < 0 ? 0
                                  : INT64_MAX;
      if (edge != INT64_MAX) {
        int64_t left = (edge - column) * map.elementBytes;
        end = static_cast<uint32_t>(std::min<int64_t>(end, byte + left));
      }
      fn(row * rowBytes + byte,
         within ? address + static_cast<uint64_t>(column) * map.elementBytes
                : 0,
         end - byte);
      byte = end;
    }
  }
}

bool Block::readMap(Warp &warp, const Inst &inst, unsigned lane,
                    TensorMapFields &map) {
  const void *pointer =
      reinterpret_cast<const void *>(warp.slots[inst.b].lane[lane]);
  if (!decodeTensorMap(pointer, map) ||
      map.rank != static_cast<uint32_t>(inst.imm)) {
    launch.fail("bulk copy", inst.source,
                describe(warp, lane) + ": expected a tensor map of rank " +
                    Twine(inst.imm));
    return false;
  }
  return true;
}

/// What shared addresses must be multiples of.
static unsigned getAlignment(const TensorMapFields &map) {
  // CUDA driver API, cuTensorMapEncodeTiled; PTX ISA, "Swizzling modes": a
  // pattern repeats after 8 of its rows, and 128 bytes are the least.
  return map.swizzle ? std::max(128u, map.swizzle) : 128u;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

void Block::bulkLoad(Warp &warp, const Inst &inst) {
  llvm::ArrayRef<uint32_t> list =
      program.getList(inst, static_cast<size_t>(inst.imm));
  forLanes(warp.mask, [&](unsigned lane) {
    BulkLoadOp op;
    op.source = inst.source;
    op.warp = static_cast<uint16_t>(warp.index);
    Place place;
    if (launch.isFailed || !readMap(warp, inst, lane, op.map)) {
      return;
    }
    op.to = static_cast<uint32_t>(warp.slots[inst.a].lane[lane]);
    if (!resolve(inst, warp, lane, Space::Shared, op.to, getBoxBytes(op.map),
                 getAlignment(op.map), place)) {
      return;
    }
    for (auto [i, slot] : llvm::enumerate(list)) {
      op.at[i] = static_cast<int32_t>(warp.slots[slot].lane[lane]);
    }
    Inst barrierOnly = inst;
    barrierOnly.a = inst.c;
    MBarrier *barrier = findBarrier(warp, barrierOnly, lane);
    if (!barrier) {
      return;
    }
    if (!barrier->isFenced) {
      launch.report("missing fence", inst.source,
                    describe(warp, lane) +
                        ": no fence.mbarrier_init made the mbarrier visible "
                        "to the async proxy");
    }
    op.barrier = static_cast<uint32_t>(warp.slots[inst.c].lane[lane]);
    op.clock = warp.clock;
    launch.result.counters.globalReadBytes += getBoxBytes(op.map);
    launch.result.counters.sharedWrittenBytes += getBoxBytes(op.map);
    loads.push_back(std::move(op));
  });
  release(warp);
}

void Block::completeLoad(size_t index) {
  BulkLoadOp op = std::move(loads[index]);
  loads.erase(loads.begin() + static_cast<std::ptrdiff_t>(index));
  auto found = mbarriers.find(op.barrier);
  if (found == mbarriers.end()) {
    launch.fail("mbarrier", op.source, "invalidated under a bulk copy");
    return;
  }
  MBarrier &barrier = found->second;
  Event event;
  event.block = number;
  event.agent = barrier.agent;
  event.warp = op.warp;
  event.time = static_cast<uint32_t>(barrier.phase + 1);
  event.source = op.source;
  event.async = true;
  launch.shadow.begin(event, op.clock);
  forPieces(op.map, op.at,
            [&](uint32_t offset, uint64_t address, uint32_t bytes) {
              if (launch.isFailed) {
                return;
              }
              uint32_t to = swizzle(op.to + offset, op.map.swizzle);
              Place target = {shared.data() + (to - sharedBase), nullptr,
                              to - sharedBase};
              if (!address) {
                std::memset(target.data, 0, bytes);
              } else if (Array *array = launch.memory.find(address, bytes)) {
                auto *from = reinterpret_cast<uint8_t *>(address);
                touch({from, array, address - array->getBase()}, bytes,
                      manyLanes, false, event);
                std::memcpy(target.data, from, bytes);
              } else {
                launch.fail("access out of bounds", op.source,
                            "a tensor map leaves its array at global address "
                            "0x" +
                                llvm::utohexstr(address));
                return;
              }
              touch(target, bytes, manyLanes, true, event);
            });
  barrier.transactions -= getBoxBytes(op.map);
  completePhase(barrier);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void Block::bulkStore(Warp &warp, const Inst &inst) {
  llvm::ArrayRef<uint32_t> list =
      program.getList(inst, static_cast<size_t>(inst.imm));
  forLanes(warp.mask, [&](unsigned lane) {
    BulkGroups &groups = bulkGroups[warp.index * 32 + lane];
    BulkStoreOp op;
    op.source = inst.source;
    op.lane = static_cast<uint8_t>(lane);
    op.group = groups.committed + 1;
    Place place;
    if (launch.isFailed || !readMap(warp, inst, lane, op.map)) {
      return;
    }
    op.from = warp.slots[inst.a].lane[lane];
    if (!resolve(inst, warp, lane, Space::Shared, op.from, getBoxBytes(op.map),
                 getAlignment(op.map), place)) {
      return;
    }
    for (auto [i, slot] : llvm::enumerate(list)) {
      op.at[i] = static_cast<int32_t>(warp.slots[slot].lane[lane]);
    }
    warp.clock.advance(warp.index, warp.time);
    op.clock = warp.clock;
    groups.ops.push_back(std::move(op));
  });
  release(warp);
}

void Block::bulkCommit(Warp &warp) {
  forLanes(warp.mask, [&](unsigned lane) {
    ++bulkGroups[warp.index * 32 + lane].committed;
  });
}

/// What `agent` does for the store `op` of `thread`.
static Event makeEvent(const BulkStoreOp &op, unsigned thread, unsigned agent) {
  Event event;
  event.warp = static_cast<uint16_t>(thread / 32);
  event.agent = static_cast<uint16_t>(agent);
  event.time = op.group;
  event.source = op.source;
  event.async = true;
  return event;
}

/// Takes the bytes out of shared memory.
void Block::readStore(unsigned thread, BulkStoreOp &op) {
  if (op.isRead) {
    return;
  }
  op.isRead = true;
  op.data.resize(getBoxBytes(op.map));
  Event event =
      makeEvent(op, thread, getAgent(AgentKind::BulkRead, thread / 32));
  event.block = number;
  launch.shadow.begin(event, op.clock);
  launch.result.counters.sharedReadBytes += int64_t(op.data.size());
  forPieces(
      op.map, op.at, [&](uint32_t offset, uint64_t address, uint32_t bytes) {
        auto from =
            swizzle(static_cast<uint32_t>(op.from) + offset, op.map.swizzle) -
            sharedBase;
        if (address) {
          touch({shared.data() + from, nullptr, from}, bytes, manyLanes, false,
                event);
        }
        std::memcpy(op.data.data() + offset, shared.data() + from, bytes);
      });
}

/// Writes them to the array.
void Block::writeStore(unsigned thread, BulkStoreOp &op) {
  readStore(thread, op);
  Event event =
      makeEvent(op, thread, getAgent(AgentKind::BulkWrite, thread / 32));
  event.block = number;
  launch.shadow.begin(event, op.clock);
  forPieces(op.map, op.at,
            [&](uint32_t offset, uint64_t address, uint32_t bytes) {
              if (!address || launch.isFailed) {
                return;
              }
              Array *array = launch.memory.find(address, bytes);
              if (!array) {
                launch.fail("access out of bounds", op.source,
                            "a tensor map leaves its array at global address "
                            "0x" +
                                llvm::utohexstr(address));
                return;
              }
              auto *to = reinterpret_cast<uint8_t *>(address);
              touch({to, array, address - array->getBase()}, bytes, manyLanes,
                    true, event);
              std::memcpy(to, op.data.data() + offset, bytes);
              launch.result.counters.globalWrittenBytes += bytes;
            });
}

/// PTX ISA, "cp.async.bulk.wait_group": with .read only the sources are done.
void Block::bulkWait(Warp &warp, const Inst &inst) {
  forLanes(warp.mask, [&](unsigned lane) {
    unsigned thread = warp.index * 32 + lane;
    BulkGroups &groups = bulkGroups[thread];
    auto pending = static_cast<uint32_t>(inst.imm);
    if (groups.committed < pending) {
      return;
    }
    uint32_t done = groups.committed - pending;
    for (BulkStoreOp &op : groups.ops) {
      if (op.group <= done) {
        readStore(thread, op);
      }
    }
    warp.clock.advance(getAgent(AgentKind::BulkRead, warp.index), done);
    if (inst.aux) {
      return;
    }
    while (!groups.ops.empty() && groups.ops.front().group <= done) {
      writeStore(thread, groups.ops.front());
      groups.ops.pop_front();
    }
    warp.clock.advance(getAgent(AgentKind::BulkWrite, warp.index), done);
  });
}
