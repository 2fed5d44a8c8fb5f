//===- Program.h - a kernel as a register machine ---------------*- C++ -*-===//
//
// A kernel is decoded once. Every scalar of every SSA value has a slot (32
// lanes of 64 bits in each warp); values of structs and vectors are lists of
// slots, so taking them apart and putting them together costs nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EMULATOR_PROGRAM_H
#define FUSION_LIB_EMULATOR_PROGRAM_H

#include "fusion/Emulator/Emulator.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace mlir::fusion::emulator {

/// The type of a slot. Integers are kept zero-extended, floats as their bits.
enum class Kind : uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64 };

/// Bits of a value of `kind`.
unsigned getBits(Kind kind);

enum class Space : uint8_t { Generic, Global, Shared };

/// What an AtomicRMW combines with.
enum class AtomicOp : uint8_t {
  Exchange,
  Add,
  Sub,
  And,
  Or,
  Xor,
  Max,
  Min,
  UMax,
  UMin,
  AddF
};

/// How CmpI compares: in the order of arith.cmpi's predicates.
enum class Compare : uint8_t { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };

enum class Opcode : uint16_t {
#define EMULATOR_OPCODE(name, class) name,
#include "Opcodes.def"
};

/// The class that the counters put `op` in.
Counters::Class getClass(Opcode op);

/// Inst::aux of a wgmma.
enum WgmmaFlags : uint8_t {
  WgmmaMajorMA = 1,   ///< a lies M-major
  WgmmaMajorNB = 2,   ///< b lies N-major
  WgmmaRegistersA = 4 ///< a is four registers, behind the sums in the list
};

/// One instruction. Which fields mean what is said in Opcodes.def.
struct Inst {
  Opcode op;
  Kind kind = Kind::I32;
  uint8_t aux = 0;
  uint32_t dst = 0, a = 0, b = 0, c = 0;
  /// A count, a jump's target or an immediate.
  int32_t imm = 0;
  /// Where the instruction's list of slots begins in Program::lists.
  uint32_t list = 0;
  /// The index of its operation in Program::sources.
  uint32_t source = 0;
};

struct Parameter {
  uint32_t slot;
  /// 128 for a tensor map passed by value, which the slot then points to.
  uint32_t bytes;
};

struct Program {
  std::string name;
  std::vector<Inst> code;
  std::vector<uint32_t> lists;
  std::vector<Operation *> sources;
  /// Slots with the same value in all lanes from the start.
  std::vector<std::pair<uint32_t, uint64_t>> constants;
  std::vector<Parameter> parameters;
  /// Slot 0 is what unused fields of instructions name.
  uint32_t numSlots = 1;
  int64_t blockSize = 0, sharedBytes = 0;

  llvm::ArrayRef<uint32_t> getList(const Inst &inst, size_t count) const {
    return llvm::ArrayRef<uint32_t>(lists).slice(inst.list, count);
  }
};

struct Image::Kernel {
  Program program;
};

/// Shared addresses begin here: address 0 is never valid, and the first KB of
/// an SM's shared memory belongs to the system.
constexpr uint32_t sharedBase = 1024;

/// What the constant mask of a whole warp is.
constexpr uint32_t allLanes = 0xFFFFFFFFu;

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_EMULATOR_PROGRAM_H
