//===- HugePages.cpp - memory of a large compilation ----------------------===//

#include "fusion/Driver/HugePages.h"

#include <cstdint>
#include <cstdlib>

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

/// Addresses that the heap reserves: what lies beyond has small pages.
static constexpr int kHeapBytes = 1 << 30;
static constexpr uintptr_t kHugePage = 2 << 20;

void mlir::fusion::useHugePages() {
  // The heap's next step reserves all addresses at once: advice is about memory
  // that is there, and what is added later has none. Larger blocks come from
  // the heap too, up to what the C library allows, and nothing is given back.
  uintptr_t begin = reinterpret_cast<uintptr_t>(sbrk(0));
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, INT32_MAX);
  mallopt(M_TOP_PAD, kHeapBytes);
  void *volatile block = malloc(16 << 20); // else compilers drop both calls
  free(block);
  mallopt(M_TOP_PAD, 64 << 20);
  uintptr_t end = reinterpret_cast<uintptr_t>(sbrk(0));
  begin = (begin + kHugePage - 1) / kHugePage * kHugePage;
  if (begin < end) {
    // Whatever it answers: without huge pages all works as before.
    (void)madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
  }
}
#else
void mlir::fusion::useHugePages() {}
#endif
