//===- Memory.cpp - arrays of global memory -------------------------------===//

#include "Memory.h"
#include <cstdlib>
#include <cstring>

using namespace mlir::fusion::emulator;

/// What cuMemAlloc aligns to.
static constexpr size_t alignment = 256;

Array::Array(size_t bytes) : size(bytes) {
  size_t rounded =
      (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  data = static_cast<uint8_t *>(std::aligned_alloc(alignment, rounded));
  // Bytes that nobody wrote are an f32, f16 and bf16 NaN each.
  std::memset(data, 0xFF, rounded);
  written.resize(rounded / 64);
  clearCells();
}

Array::~Array() { std::free(data); }

void Array::clearCells() {
  pages.clear();
  pages.resize(size / (4 * cellsPerPage) + 1);
}

void Array::setWritten(uint64_t byte, bool value) {
  uint64_t bit = uint64_t(1) << byte % 64;
  written[byte / 64] = (written[byte / 64] & ~bit) | (value ? bit : 0);
}

bool Array::isWritten(uint64_t offset, size_t bytes) const {
  for (size_t i = 0; i < bytes;) {
    uint64_t byte = offset + i;
    size_t run = std::min<size_t>(bytes - i, 64 - byte % 64);
    uint64_t bits = run == 64 ? ~uint64_t(0) : (uint64_t(1) << run) - 1;
    if ((written[byte / 64] >> byte % 64 & bits) != bits) {
      return false;
    }
    i += run;
  }
  return true;
}

void Array::markWritten(uint64_t offset, size_t bytes) {
  for (size_t i = 0; i < bytes;) {
    uint64_t byte = offset + i;
    size_t run = std::min<size_t>(bytes - i, 64 - byte % 64);
    uint64_t bits = run == 64 ? ~uint64_t(0) : (uint64_t(1) << run) - 1;
    written[byte / 64] |= bits << byte % 64;
    i += run;
  }
}

Array *GlobalMemory::State::findBelow(uint64_t address) {
  auto it = arrays.upper_bound(address);
  return it == arrays.begin() ? nullptr : std::prev(it)->second.get();
}

Array *GlobalMemory::State::find(uint64_t address, size_t bytes) {
  if (last && last->contains(address, bytes)) {
    return last;
  }
  Array *array = findBelow(address);
  if (!array || !array->contains(address, bytes)) {
    return nullptr;
  }
  return last = array;
}

GlobalMemory::GlobalMemory() : state(std::make_unique<State>()) {}
GlobalMemory::~GlobalMemory() = default;

void *GlobalMemory::allocate(size_t bytes) {
  auto array = std::make_unique<Array>(bytes);
  uint64_t base = array->getBase();
  state->arrays[base] = std::move(array);
  return reinterpret_cast<void *>(base);
}

bool GlobalMemory::release(void *pointer) {
  state->last = nullptr;
  return state->arrays.erase(reinterpret_cast<uint64_t>(pointer)) == 1;
}

bool GlobalMemory::markWritten(const void *pointer, size_t bytes) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  Array *array = state->find(address, bytes);
  if (array) {
    array->markWritten(address - array->getBase(), bytes);
  }
  return array != nullptr;
}

bool GlobalMemory::isWritten(const void *pointer, size_t bytes) const {
  auto address = reinterpret_cast<uint64_t>(pointer);
  Array *array = state->find(address, bytes);
  return array && array->isWritten(address - array->getBase(), bytes);
}

bool GlobalMemory::copy(void *target, const void *source, size_t bytes) {
  auto to = reinterpret_cast<uint64_t>(target);
  auto from = reinterpret_cast<uint64_t>(source);
  Array *targetArray = state->find(to, bytes);
  Array *sourceArray = state->find(from, bytes);
  if (!targetArray || !sourceArray) {
    return false;
  }
  std::memmove(target, source, bytes);
  for (size_t i = 0; i < bytes; ++i) {
    targetArray->setWritten(
        to - targetArray->getBase() + i,
        sourceArray->getWritten(from - sourceArray->getBase() + i));
  }
  return true;
}
