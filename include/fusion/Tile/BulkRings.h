//===- BulkRings.h - rings filled by bulk copies ----------------*- C++ -*-===//

#ifndef FUSION_TILE_BULKRINGS_H
#define FUSION_TILE_BULKRINGS_H

#include "fusion/Tile/DotLoop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::fusion::tile {

/// Adds a tensor map of `memref`, a kernel argument that fitsTensorMap, as a
/// new argument of the kernel and its launches; emits an error where it cannot.
FailureOr<Value> addTensorMap(gpu::GPUFuncOp kernel, Value memref,
                              ArrayRef<int64_t> box, int64_t swizzle,
                              ArrayRef<LaunchOp> launches);

/// Whether a tensor map can describe `type`: dense, two to five dims, strides
/// of whole 16 bytes (the base is aligned by contract).
bool fitsTensorMap(MemRefType type);

/// The operands of a loop over k as rings of shared memory that bulk copies
/// fill and wgmma reads. Dots that share a and whose b are alike become one:
/// their b lie side by side in one ring, and the accumulator's columns are
/// parted at the end.
class BulkRings {
public:
  BulkRings(DotLoop &dots, int64_t stages, int64_t consumerWarps)
      : dots(dots), stages(stages), consumerWarps(consumerWarps) {}

  /// Adds the tensor maps and allocates the rings at the builder's place.
  LogicalResult prepare(OpBuilder &builder, gpu::GPUFuncOp kernel,
                        ArrayRef<LaunchOp> launches);

  /// Bytes that the copies of one step bring.
  int64_t getStepBytes();
  /// Copies the step whose load indices `mapping` gives to `stage` of all
  /// rings.
  void emitCopies(OpBuilder &builder, const IRMapping &mapping, Value stage,
                  Value barriers);
  /// The accumulators that the loop carries.
  SmallVector<AccType> getAccTypes();
  /// Multiplies `stage` of all rings into the accumulators.
  SmallVector<Value> emitMultiplies(OpBuilder &builder, Value stage,
                                    ValueRange accs);
  /// The tiles of the dots' results, in their order.
  SmallVector<Value> readAccs(OpBuilder &builder, ValueRange accs);

private:
  /// Where an operand lies: which ring, and which part of its stages.
  struct Place {
    Value map, ring;
    int64_t part = 0;
  };

  bool canJoin();
  BufferType getRingType(DotOperand &operand, int64_t parts);
  FailureOr<Value> addOperandMap(OpBuilder &builder, DotOperand &operand,
                                 gpu::GPUFuncOp kernel,
                                 ArrayRef<LaunchOp> launches);
  Place &getPlace(Value tile) {
    return places[&dots.getOperand(tile) - dots.operands.begin()];
  }

  DotLoop &dots;
  int64_t stages, consumerWarps;
  /// One for each operand of the dots.
  SmallVector<Place> places;
  bool joined = false;
};

} // namespace mlir::fusion::tile

#endif // FUSION_TILE_BULKRINGS_H
