//===- Matrices.cpp - ldmatrix, stmatrix, mma.sync ------------------------===//

#include "Numbers.h"
#include "State.h"
#include <cstring>

using namespace mlir::fusion::emulator;

static constexpr unsigned rowBytes = 16;

//===----------------------------------------------------------------------===//
// PTX ISA, "ldmatrix" and "stmatrix": lane 8i + r names row r of matrix i; a
// lane holds two neighbours of row lane / 4 (transposed: of that column).
//===----------------------------------------------------------------------===//

/// Element `half` of the lane's pair: row and column in the matrix.
static std::pair<unsigned, unsigned> getElement(unsigned lane, unsigned half,
                                                bool transposed) {
  unsigned line = lane / 4, pair = lane % 4 * 2 + half;
  return transposed ? std::make_pair(pair, line) : std::make_pair(line, pair);
}

void Block::ldMatrix(Warp &warp, const Inst &inst) {
  if (!requireConverged(warp, inst)) {
    return;
  }
  auto count = static_cast<unsigned>(inst.imm);
  const Slot addresses = warp.slots[inst.a];
  Event event = beginAccess(warp, inst);
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    std::array<const uint8_t *, 8> rows;
    for (unsigned row = 0; row < 8; ++row) {
      unsigned lane = matrix * 8 + row;
      Place place;
      if (!resolve(inst, warp, lane, Space::Shared, addresses.lane[lane],
                   rowBytes, rowBytes, place)) {
        return;
      }
      touch(place, rowBytes, manyLanes, false, event);
      rows[row] = place.data;
    }
    countRequest(Space::Shared, addresses.lane, 0xFFu << matrix * 8, rowBytes,
                 false);
    for (unsigned lane = 0; lane < 32; ++lane) {
      uint64_t word = 0;
      for (unsigned half = 0; half < 2; ++half) {
        auto [row, column] = getElement(lane, half, inst.aux);
        uint16_t element;
        std::memcpy(&element, rows[row] + column * 2, 2);
        word |= uint64_t(element) << half * 16;
      }
      warp.slots[inst.dst + matrix].lane[lane] = word;
    }
  }
}

void Block::stMatrix(Warp &warp, const Inst &inst) {
  if (!requireConverged(warp, inst)) {
    return;
  }
  auto count = static_cast<unsigned>(inst.imm);
  const Slot &addresses = warp.slots[inst.a];
  llvm::ArrayRef<uint32_t> sources = program.getList(inst, count);
  Event event = beginAccess(warp, inst);
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    std::array<uint8_t *, 8> rows;
    for (unsigned row = 0; row < 8; ++row) {
      unsigned lane = matrix * 8 + row;
      Place place;
      if (!resolve(inst, warp, lane, Space::Shared, addresses.lane[lane],
                   rowBytes, rowBytes, place)) {
        return;
      }
      touch(place, rowBytes, static_cast<uint8_t>(lane), true, event);
      rows[row] = place.data;
    }
    countRequest(Space::Shared, addresses.lane, 0xFFu << matrix * 8, rowBytes,
                 true);
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned half = 0; half < 2; ++half) {
        auto [row, column] = getElement(lane, half, inst.aux);
        auto element = static_cast<uint16_t>(
            warp.slots[sources[matrix]].lane[lane] >> half * 16);
        std::memcpy(rows[row] + column * 2, &element, 2);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// PTX ISA, "Matrix fragments for mma.m16n8k16 with floating point type". Sums
// go up in k, rounded to f32 after each product.
//===----------------------------------------------------------------------===//

void Block::mmaSync(Warp &warp, const Inst &inst) {
  if (!requireConverged(warp, inst)) {
    return;
  }
  bool inPairs = inst.aux;
  llvm::ArrayRef<uint32_t> list = program.getList(inst, inPairs ? 16 : 10);
  auto element = [&](unsigned word, unsigned half, unsigned lane) {
    uint64_t bits = inPairs ? warp.slots[list[2 * word + half]].lane[lane]
                            : warp.slots[list[word]].lane[lane] >> half * 16;
    return inst.kind == Kind::F16 ? fromHalf(uint16_t(bits))
                                  : fromBFloat(uint16_t(bits));
  };
  float a[16][16], b[16][8];
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned group = lane / 4, pair = lane % 4 * 2;
    for (unsigned half = 0; half < 2; ++half) {
      for (unsigned word = 0; word < 4; ++word) {
        a[group + word % 2 * 8][pair + half + word / 2 * 8] =
            element(word, half, lane);
      }
      for (unsigned word = 0; word < 2; ++word) {
        b[pair + half + word * 8][group] = element(4 + word, half, lane);
      }
    }
  }
  llvm::ArrayRef<uint32_t> sums = list.take_back(4);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      unsigned row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
      float sum = llvm::bit_cast<float>(
          static_cast<uint32_t>(warp.slots[sums[i]].lane[lane]));
      for (unsigned k = 0; k < 16; ++k) {
        sum += a[row][k] * b[k][column];
      }
      warp.slots[inst.dst + i].lane[lane] = llvm::bit_cast<uint32_t>(sum);
    }
  }
}
