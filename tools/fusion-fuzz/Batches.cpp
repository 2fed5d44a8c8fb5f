//===- Batches.cpp - graphs in processes of their own ---------------------===//

#include "Batches.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// Graphs for one child: its memory is given back with it.
static constexpr int64_t batchSize = 100;

static void writeAll(int file, const void *data, size_t bytes) {
  const char *at = static_cast<const char *>(data);
  while (bytes > 0) {
    ssize_t written = write(file, at, bytes);
    if (written <= 0) {
      _exit(3);
    }
    at += written;
    bytes -= size_t(written);
  }
}

static bool readAll(int file, void *data, size_t bytes) {
  char *at = static_cast<char *>(data);
  while (bytes > 0) {
    ssize_t got = read(file, at, bytes);
    if (got <= 0) {
      return false;
    }
    at += got;
    bytes -= size_t(got);
  }
  return true;
}

static void send(int file, const CheckResult &result) {
  uint32_t header[2] = {uint32_t(result.kind), uint32_t(result.message.size())};
  writeAll(file, header, sizeof(header));
  writeAll(file, result.message.data(), result.message.size());
}

static bool receive(int file, CheckResult &result) {
  uint32_t header[2];
  if (!readAll(file, header, sizeof(header))) {
    return false;
  }
  result.kind = static_cast<CheckResult::Kind>(header[0]);
  result.message.resize(header[1]);
  return readAll(file, result.message.data(), header[1]);
}

/// Whether the process that made `result` should not make another one.
static bool isLast(const CheckResult &result) {
  return result.kind == CheckResult::Fails ||
         result.kind == CheckResult::NoDevice;
}

[[noreturn]] static void
runChild(int file, int64_t begin, int64_t end, const Limits &limits,
         llvm::function_ref<CheckResult(int64_t)> work) {
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGALRM}) {
    std::signal(signal, SIG_DFL);
  }
  for (int64_t number = begin; number < end && !limits.isLate(); ++number) {
    alarm(limits.seconds);
    CheckResult result = work(number);
    send(file, result);
    if (isLast(result)) {
      break;
    }
  }
  alarm(0);
  // Without destructors: a GPU driver's may wait for a kernel that hangs.
  _exit(0);
}

static std::string describeEnd(int status) {
  if (!WIFSIGNALED(status)) {
    return "process exited with " + std::to_string(WEXITSTATUS(status));
  }
  return WTERMSIG(status) == SIGALRM
             ? "timeout"
             : std::string("crash: ") + strsignal(WTERMSIG(status));
}

/// Starts a child for the numbers from `begin` to `end` - 1; `file` is where it
/// says what came of them.
static pid_t startChild(int64_t begin, int64_t end, const Limits &limits,
                        llvm::function_ref<CheckResult(int64_t)> work,
                        int &file) {
  int files[2];
  if (pipe(files) != 0) {
    llvm::errs() << "error: no pipe: " << strerror(errno) << "\n";
    std::exit(1);
  }
  llvm::outs().flush();
  pid_t child = fork();
  if (child < 0) {
    llvm::errs() << "error: no process: " << strerror(errno) << "\n";
    std::exit(1);
  }
  if (child == 0) {
    close(files[0]);
    runChild(files[1], begin, end, limits, work);
  }
  close(files[1]);
  file = files[0];
  return child;
}

void fuzz::runInBatches(
    int64_t count, const Limits &limits,
    llvm::function_ref<CheckResult(int64_t)> work,
    llvm::function_ref<void(int64_t, const CheckResult &)> done) {
  int64_t next = 0;
  while (next < count && !limits.isLate()) {
    int64_t end = std::min(count, next + batchSize);
    int file = -1;
    pid_t child = startChild(next, end, limits, work, file);
    CheckResult result;
    while (next < end && receive(file, result)) {
      done(next++, result);
      if (result.kind == CheckResult::NoDevice) {
        next = count;
      }
    }
    close(file);
    int status = 0;
    waitpid(child, &status, 0);
    bool isClean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (next < end && !isClean) {
      done(next++, {CheckResult::Fails, describeEnd(status)});
    }
  }
}
