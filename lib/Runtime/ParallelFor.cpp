//===- ParallelFor.cpp - loops over all cores -----------------------------===//
//
// One pool of threads per process. A loop is a counter of chunks that all its
// threads take from; the caller takes part, so a loop ends also when every
// other thread is busy, and concurrent callers cannot wait for each other.
//
//===----------------------------------------------------------------------===//

#include "ParallelFor.h"

#include "fusion-c/Runtime.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <vector>

using namespace mlir::fusion::runtime;

/// Enough chunks per thread that one slow thread does not hold up the others.
static constexpr int64_t chunksPerThread = 8;
/// How often a thread looks for something to happen before it sleeps: a program
/// is many short loops, and waking a thread takes longer than most of them.
static constexpr int patience = 100;
/// More threads than this are a mistake in the setting.
static constexpr int64_t maxThreads = 4096;

/// Returns $FUSION_NUM_THREADS, 0 where it is not set, -1 where it is no number
/// of threads.
static int64_t readThreadSetting() {
  const char *text = std::getenv("FUSION_NUM_THREADS");
  if (!text || !*text) {
    return 0;
  }
  char *end = nullptr;
  errno = 0;
  long long value = std::strtoll(text, &end, 10);
  bool valid = errno == 0 && *end == '\0' && value > 0 && value <= maxThreads;
  return valid ? value : -1;
}

Outcome mlir::fusion::runtime::checkThreadSetting() {
  if (readThreadSetting() < 0) {
    return Outcome::failure("expected FUSION_NUM_THREADS to be a number from 1 "
                            "to %lld, but got '%s'",
                            static_cast<long long>(maxThreads),
                            std::getenv("FUSION_NUM_THREADS"));
  }
  return Outcome::success();
}

/// The cores that this process may use.
static int64_t countCores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) {
    return std::max(CPU_COUNT(&cores), 1);
  }
  return std::max<int64_t>(sysconf(_SC_NPROCESSORS_ONLN), 1);
}

namespace {
/// One loop, on the stack of its caller.
struct Loop {
  Loop(int64_t n, int64_t chunk, void (*body)(void *, int64_t, int64_t),
       void *env)
      : n(n), chunk(chunk), body(body), env(env) {}

  /// Runs chunks until none is left.
  void work();
  bool hasWork() const { return next.load(std::memory_order_relaxed) < n; }

  const int64_t n;
  const int64_t chunk;
  void (*const body)(void *, int64_t, int64_t);
  void *const env;
  std::atomic<int64_t> next{0};
  /// Threads of the pool inside of work(); changed under the pool's mutex.
  std::atomic<int64_t> helpers{0};
};

class Pool {
public:
  /// The process's pool. It is never destroyed: its threads may sleep in it
  /// until the process ends.
  static Pool &get() {
    static Pool *pool = new Pool();
    return *pool;
  }

  int64_t getNumThreads() const { return numThreads; }
  void run(Loop &loop);

private:
  Pool();
  static void *start(void *pool) { static_cast<Pool *>(pool)->help(); }
  [[noreturn]] void help();
  Loop *findWork();

  int64_t numThreads;
  /// Loops so far: what idle threads watch.
  std::atomic<uint64_t> generation{0};
  std::mutex mutex;
  std::condition_variable wake;     // a loop was added
  std::condition_variable finished; // the last helper left a loop
  std::vector<Loop *> loops;
};
} // namespace

/// Whether this thread is inside of a loop's body.
static thread_local bool isInside = false;

void Loop::work() {
  isInside = true;
  while (true) {
    int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
    if (begin >= n) {
      break;
    }
    body(env, begin, n - begin < chunk ? n : begin + chunk);
  }
  isInside = false;
}

Pool::Pool() {
  int64_t setting = readThreadSetting();
  numThreads = setting > 0 ? setting : countCores();
  loops.reserve(64);
  // Signals are for the threads of the application.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (int64_t i = 1; i < numThreads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, &Pool::start, this) != 0) {
      numThreads = i; // The system grants no more.
      break;
    }
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// Waits a while for `condition`, letting other threads run.
template <typename Condition> static bool watch(Condition condition) {
  for (int i = 0; i < patience; ++i) {
    if (condition()) {
      return true;
    }
    sched_yield();
  }
  return false;
}

void Pool::run(Loop &loop) {
  std::unique_lock<std::mutex> lock(mutex);
  loops.push_back(&loop);
  ++generation;
  lock.unlock();
  wake.notify_all();
  loop.work();
  lock.lock();
  // Nobody can enter the loop from here on.
  loops.erase(std::find(loops.begin(), loops.end(), &loop));
  lock.unlock();
  auto isDone = [&loop] { return loop.helpers == 0; };
  if (!watch(isDone)) {
    lock.lock();
    finished.wait(lock, isDone);
  }
}

Loop *Pool::findWork() {
  for (Loop *loop : loops) {
    if (loop->hasWork()) {
      return loop;
    }
  }
  return nullptr;
}

void Pool::help() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    Loop *loop = findWork();
    if (loop) {
      ++loop->helpers;
      lock.unlock();
      loop->work();
      lock.lock();
      // The loop may be gone as soon as its last helper has left.
      if (--loop->helpers == 0) {
        finished.notify_all();
      }
      continue;
    }
    uint64_t seen = generation;
    lock.unlock();
    watch([&] { return generation != seen; });
    lock.lock();
    if (generation == seen) {
      wake.wait(lock);
    }
  }
}

int64_t mlir::fusion::runtime::getNumThreads() {
  return Pool::get().getNumThreads();
}

void mlir::fusion::runtime::parallelFor(int64_t n,
                                        void (*body)(void *, int64_t, int64_t),
                                        void *env) {
  if (n <= 0) {
    return;
  }
  int64_t threads = isInside || n == 1 ? 1 : getNumThreads();
  if (threads == 1) {
    body(env, 0, n);
    return;
  }
  int64_t chunk = std::max<int64_t>(n / (threads * chunksPerThread), 1);
  Loop loop(n, chunk, body, env);
  Pool::get().run(loop);
}

int32_t fusionRtParallelFor(FusionContext *context, int64_t n,
                            void (*body)(void *env, int64_t begin, int64_t end),
                            void *env) {
  parallelFor(n, body, env);
  return 0;
}
