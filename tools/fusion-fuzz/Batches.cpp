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

[[noreturn]] static void
runChild(int file, int64_t begin, int64_t end, unsigned seconds,
         llvm::function_ref<CheckResult(int64_t)> work) {
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGALRM}) {
    std::signal(signal, SIG_DFL);
  }
  for (int64_t number = begin; number < end; ++number) {
    alarm(seconds);
    send(file, work(number));
  }
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

void fuzz::runInBatches(
    int64_t count, unsigned seconds,
    llvm::function_ref<CheckResult(int64_t)> work,
    llvm::function_ref<void(int64_t, const CheckResult &)> done) {
  int64_t next = 0;
  while (next < count) {
    int64_t end = std::min(count, next + batchSize);
    int files[2];
    if (pipe(files) != 0) {
      llvm::errs() << "error: no pipe: " << strerror(errno) << "\n";
      std::exit(1);
    }
    llvm::outs().flush();
    pid_t child = fork();
    if (child == 0) {
      close(files[0]);
      runChild(files[1], next, end, seconds, work);
    }
    close(files[1]);
    CheckResult result;
    while (next < end && receive(files[0], result)) {
      done(next++, result);
    }
    close(files[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (next < end) {
      done(next++, {CheckResult::Fails, describeEnd(status)});
    }
  }
}
