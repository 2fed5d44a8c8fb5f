//===- HugePages.h - memory of a large compilation --------------*- C++ -*-===//

#ifndef FUSION_DRIVER_HUGEPAGES_H
#define FUSION_DRIVER_HUGEPAGES_H

namespace mlir::fusion {

/// Lets the heap of this process consist of huge pages where the system gives
/// them on request. The IR of a large graph is read in no order of memory, and
/// with small pages each step looks up an address translation: of 8000 chains
/// of four ops, that was a third of the time. For the main functions of tools,
/// at their start: a library has no say in its host's heap. Does nothing where
/// the C library or the system differ, and takes no memory that is not used.
void useHugePages();

} // namespace mlir::fusion

#endif // FUSION_DRIVER_HUGEPAGES_H
