//===- MockCuda.h - a CUDA driver without a GPU -----------------*- C++ -*-===//
//
// MockCuda.so has the entry points of libcuda.so.1 that the runtime uses and
// checks the protocol that a driver expects: a current context, alive handles,
// attributes set before a launch, nothing forbidden while a stream is captured.
// "Device" memory is host memory, and work runs when it is enqueued. A test
// talks to it through these functions, which it looks up with dlsym.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_RUNTIME_MOCKCUDA_H
#define FUSION_TEST_UNIT_RUNTIME_MOCKCUDA_H

extern "C" {
/// Forgets the log and the planned failures.
void mockReset();
/// The calls since mockReset, one a line, with their arguments where a test may
/// care; the text lives until the next call of this function.
const char *mockLog();
/// Makes the next call of `call` return `code`.
void mockFail(const char *call, int code);
/// Allocations, modules, streams, events and graphs that are alive.
int mockLive();
/// Contexts that are current on this thread, one over the other.
int mockDepth();
}

#endif // FUSION_TEST_UNIT_RUNTIME_MOCKCUDA_H
