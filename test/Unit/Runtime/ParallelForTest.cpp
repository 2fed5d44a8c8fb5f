//===- ParallelForTest.cpp - loops over all cores -------------------------===//

#include "FakePrograms.h"

#include "gtest/gtest.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

using namespace fusion_test;

namespace {
/// More threads than most test machines have cores, so that pieces interleave.
const bool isThreadCountSet = setenv("FUSION_NUM_THREADS", "7", 1) == 0;

class ParallelForTest : public ::testing::Test {
protected:
  static ContextPtr makeContext() {
    EXPECT_TRUE(isThreadCountSet);
    return ContextPtr(fusionContextCreate(FUSION_CPU, 0));
  }

  ContextPtr context = makeContext();
};

/// Counts how often each index is visited, and which threads do it.
struct Visits {
  explicit Visits(int64_t n) : counts(static_cast<size_t>(n)) {}

  static void body(void *env, int64_t begin, int64_t end) {
    auto *visits = static_cast<Visits *>(env);
    for (int64_t i = begin; i < end; ++i) {
      ++visits->counts[static_cast<size_t>(i)];
    }
    std::lock_guard<std::mutex> lock(visits->mutex);
    visits->threads.insert(std::this_thread::get_id());
    ++visits->pieces;
  }

  bool areAllOnce() const {
    for (const std::atomic<int> &count : counts) {
      if (count != 1) {
        return false;
      }
    }
    return true;
  }

  std::vector<std::atomic<int>> counts;
  std::mutex mutex;
  std::set<std::thread::id> threads;
  int64_t pieces = 0;
};
} // namespace

TEST_F(ParallelForTest, CoversEveryIndexOnce) {
  for (int64_t n : {1, 2, 6, 7, 8, 55, 56, 57, 1000, 12345}) {
    Visits visits(n);
    ASSERT_EQ(fusionRtParallelFor(context.get(), n, Visits::body, &visits), 0);
    EXPECT_TRUE(visits.areAllOnce()) << n;
  }
}

TEST_F(ParallelForTest, DoesNothingForNoIndex) {
  for (int64_t n : {int64_t(0), int64_t(-5)}) {
    Visits visits(0);
    EXPECT_EQ(fusionRtParallelFor(context.get(), n, Visits::body, &visits), 0);
    EXPECT_EQ(visits.pieces, 0);
  }
}

TEST_F(ParallelForTest, TakesAsManyThreadsAsSet) {
  FusionDeviceInfo info;
  ASSERT_EQ(fusionDeviceInfo(context.get(), &info), 0);
  EXPECT_EQ(info.multiprocessors, 7);
  // Each of seven pieces waits for the others: fewer threads would not end.
  struct Barrier {
    std::atomic<int> arrived{0};
  } barrier;
  auto body = [](void *env, int64_t begin, int64_t end) {
    auto *barrier = static_cast<Barrier *>(env);
    barrier->arrived += static_cast<int>(end - begin);
    while (barrier->arrived < 7) {
      std::this_thread::yield();
    }
  };
  EXPECT_EQ(fusionRtParallelFor(context.get(), 7, body, &barrier), 0);
  EXPECT_EQ(barrier.arrived, 7);
}

TEST_F(ParallelForTest, RunsInnerLoopsInOnePiece) {
  struct Outer {
    FusionContext *context;
    std::atomic<int64_t> total{0}, pieces{0};
  } outer{context.get()};
  auto inner = [](void *env, int64_t begin, int64_t end) {
    auto *outer = static_cast<Outer *>(env);
    outer->total += end - begin;
    ++outer->pieces;
  };
  struct Both {
    Outer *outer;
    void (*inner)(void *, int64_t, int64_t);
  } both{&outer, inner};
  auto body = [](void *env, int64_t begin, int64_t end) {
    auto *both = static_cast<Both *>(env);
    for (int64_t i = begin; i < end; ++i) {
      fusionRtParallelFor(both->outer->context, 100, both->inner, both->outer);
    }
  };
  ASSERT_EQ(fusionRtParallelFor(context.get(), 50, body, &both), 0);
  EXPECT_EQ(outer.total, 5000);
  EXPECT_EQ(outer.pieces, 50);
}

TEST_F(ParallelForTest, ServesConcurrentCallers) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&, caller] {
      for (int i = 0; i < 200; ++i) {
        Visits visits(1 + (caller * 31 + i) % 100);
        fusionRtParallelFor(context.get(),
                            static_cast<int64_t>(visits.counts.size()),
                            Visits::body, &visits);
        wrong += !visits.areAllOnce();
      }
    });
  }
  for (std::thread &caller : callers) {
    caller.join();
  }
  EXPECT_EQ(wrong, 0);
}
