//===- ShadowTest.cpp - what is ordered and what is not -------------------===//

#include "Emulator/Shadow.h"
#include "gtest/gtest.h"

using namespace mlir::fusion::emulator;

namespace {

/// Accesses by agents that are warps, to one cell.
class ShadowTest : public testing::Test {
protected:
  /// The conflict of an access of `warp` at its present time.
  Conflict access(unsigned warp, bool isWrite, uint8_t lane = 0,
                  unsigned mask = 15) {
    Event event;
    event.block = block;
    event.agent = static_cast<uint16_t>(warp);
    event.warp = static_cast<uint16_t>(warp);
    event.time = times[warp];
    event.laneEpoch = epochs[warp];
    event.ofLanes = !async;
    event.async = async;
    event.atomic = atomic;
    clocks[warp].advance(warp, times[warp]);
    shadow.begin(event, clocks[warp]);
    Conflict found = Conflict::None;
    auto report = [&](Conflict conflict, const Event *, uint8_t) {
      found = conflict;
    };
    if (isWrite) {
      shadow.write(cell, mask, lane, report);
    } else {
      shadow.read(cell, mask, lane, /*checkWritten=*/true, report);
    }
    return found;
  }
  Conflict write(unsigned warp, uint8_t lane = 0, unsigned mask = 15) {
    return access(warp, true, lane, mask);
  }
  Conflict read(unsigned warp, uint8_t lane = 0, unsigned mask = 15) {
    return access(warp, false, lane, mask);
  }
  /// What `from` did is ordered before what `to` does next.
  void order(unsigned from, unsigned to) {
    clocks[to].join(clocks[from]);
    ++times[from];
  }

  Shadow shadow;
  Cell cell;
  Clock clocks[4];
  uint32_t times[4] = {1, 1, 1, 1}, epochs[4] = {};
  uint32_t block = 0;
  bool async = false, atomic = false;
};

TEST_F(ShadowTest, ReadsOfNothing) {
  EXPECT_EQ(read(0), Conflict::Unwritten);
  EXPECT_EQ(write(0), Conflict::None);
  EXPECT_EQ(read(0), Conflict::None);
}

TEST_F(ShadowTest, WriteThenRead) {
  write(0);
  EXPECT_EQ(read(1), Conflict::Race);
  order(0, 2);
  EXPECT_EQ(read(2), Conflict::None);
}

TEST_F(ShadowTest, OrderIsTransitive) {
  write(0);
  order(0, 1);
  order(1, 2);
  EXPECT_EQ(read(2), Conflict::None);
  // What comes after the release is not ordered by it.
  write(0);
  EXPECT_EQ(read(2), Conflict::Race);
}

TEST_F(ShadowTest, EachOfSeveralReadersCounts) {
  write(0);
  order(0, 1);
  order(0, 2);
  read(1);
  read(2);
  order(2, 3);
  EXPECT_EQ(write(3), Conflict::Race);
}

TEST_F(ShadowTest, AllReadersOrdered) {
  write(0);
  order(0, 1);
  order(0, 2);
  read(1);
  read(2);
  order(1, 3);
  order(2, 3);
  EXPECT_EQ(write(3), Conflict::None);
}

TEST_F(ShadowTest, LanesOfAWarp) {
  write(0, /*lane=*/1);
  EXPECT_EQ(read(0, 1), Conflict::None);
  EXPECT_EQ(read(0, 2), Conflict::Race);
  ++epochs[0];
  EXPECT_EQ(read(0, 3), Conflict::None);
  EXPECT_EQ(read(0, 4), Conflict::None);
  EXPECT_EQ(write(0, 3), Conflict::Race);
}

TEST_F(ShadowTest, BytesOfAWord) {
  EXPECT_EQ(write(0, 0, /*mask=*/3), Conflict::None);
  EXPECT_EQ(write(1, 0, /*mask=*/12), Conflict::None);
  EXPECT_EQ(write(1, 0, /*mask=*/2), Conflict::Race);
}

TEST_F(ShadowTest, Blocks) {
  write(0);
  block = 1;
  EXPECT_EQ(read(0), Conflict::Race);
}

TEST_F(ShadowTest, Atomics) {
  atomic = true;
  write(0);
  block = 1;
  EXPECT_EQ(write(1), Conflict::None);
  atomic = false;
  EXPECT_EQ(read(2), Conflict::Race);
}

TEST_F(ShadowTest, ForgettingChangesNothing) {
  write(0, 0, /*mask=*/3);
  write(0, 1, /*mask=*/12);
  order(0, 1);
  order(0, 2);
  read(1);
  read(2);
  shadow.compact([&](llvm::function_ref<void(Cell &)> fn) { fn(cell); });
  EXPECT_FALSE(shadow.isFull());
  order(2, 3);
  EXPECT_EQ(read(3), Conflict::None);
  EXPECT_EQ(write(3), Conflict::Race);
  EXPECT_EQ(write(3), Conflict::None);
}

TEST_F(ShadowTest, AsyncProxy) {
  write(0);
  order(0, 1);
  async = true;
  EXPECT_EQ(read(1), Conflict::MissingProxyFence);
  async = false;
  write(0);
  clocks[0].fence();
  order(0, 2);
  async = true;
  EXPECT_EQ(read(2), Conflict::None);
}

TEST_F(ShadowTest, AWriteConflictsWithReadersOfOtherBlocks) {
  // What the launch before wrote: no event of this one.
  auto readBy = [&](uint32_t reader) {
    block = reader;
    access(0, false);
  };
  for (uint32_t writer = 0; writer < 5; ++writer) {
    cell = {};
    for (uint32_t reader = 0; reader < 4; ++reader) {
      readBy(reader);
    }
    block = writer;
    EXPECT_EQ(write(0), Conflict::Race) << writer;
  }
  // A block's own reads alone do not.
  cell = {};
  readBy(3);
  EXPECT_EQ(write(0), Conflict::None);
  cell = {};
  readBy(2);
  readBy(3);
  EXPECT_EQ(write(0), Conflict::Race);
}

} // namespace
