//===- Memory.h - arrays of global memory -----------------------*- C++ -*-===//

#ifndef FUSION_LIB_EMULATOR_MEMORY_H
#define FUSION_LIB_EMULATOR_MEMORY_H

#include "Shadow.h"
#include "fusion/Emulator/Emulator.h"
#include <map>
#include <memory>

namespace mlir::fusion::emulator {

/// One allocation, with a bit for each byte that something wrote.
class Array {
public:
  explicit Array(size_t bytes);
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array();

  uint64_t getBase() const { return reinterpret_cast<uint64_t>(data); }
  size_t getSize() const { return size; }
  bool contains(uint64_t address, size_t bytes) const {
    return address >= getBase() && bytes <= size &&
           address - getBase() <= size - bytes;
  }

  bool isWritten(uint64_t offset, size_t bytes) const;
  void markWritten(uint64_t offset, size_t bytes);
  bool getWritten(uint64_t byte) const {
    return written[byte / 64] >> byte % 64 & 1;
  }
  void setWritten(uint64_t byte, bool value);

  /// The cell of 4-byte word `word`, for the current launch.
  Cell &getCell(uint64_t word) {
    std::unique_ptr<Cell[]> &page = pages[word / cellsPerPage];
    if (!page) {
      page = std::make_unique<Cell[]>(cellsPerPage);
    }
    return page[word % cellsPerPage];
  }
  /// Calls `fn` for each cell that the current launch may have used.
  template <typename Fn> void forEachCell(Fn fn) {
    for (std::unique_ptr<Cell[]> &page : pages) {
      for (size_t i = 0; page && i < cellsPerPage; ++i) {
        fn(page[i]);
      }
    }
  }
  /// Forgets the accesses of earlier launches.
  void clearCells();

private:
  static constexpr size_t cellsPerPage = 1024;

  uint8_t *data;
  size_t size;
  std::vector<uint64_t> written;
  std::vector<std::unique_ptr<Cell[]>> pages;
};

struct GlobalMemory::State {
  /// By base address.
  std::map<uint64_t, std::unique_ptr<Array>> arrays;
  Array *last = nullptr;

  /// The array that holds all of these bytes, or null.
  Array *find(uint64_t address, size_t bytes);
  /// The array that `address` is nearest to from above, or null.
  Array *findBelow(uint64_t address);
};

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_EMULATOR_MEMORY_H
