//===- Target.cpp - the facts of a GPU that schedules depend on -----------===//

#include "fusion/Schedule/Choose.h"

using namespace mlir;
using namespace mlir::fusion;

ScheduleTarget ScheduleTarget::get(StringRef chip) {
  struct Known {
    int version;
    int64_t multiprocessors;
    int64_t sharedKilobytes;
  };
  // Shared memory of one block: CUDA programming guide, compute capabilities.
  static const Known known[] = {{70, 80, 96},    {75, 40, 64},  {80, 108, 163},
                                {86, 84, 99},    {89, 128, 99}, {90, 132, 227},
                                {100, 148, 227}, {120, 170, 99}};
  int version = 0;
  StringRef digits = chip;
  digits.consume_front("sm_");
  digits.consumeInteger(10, version);
  ScheduleTarget target;
  for (const Known &chip : known) {
    if (chip.version <= version) {
      target.multiprocessors = chip.multiprocessors;
      target.sharedBytes = chip.sharedKilobytes * 1024;
    }
  }
  target.hasMMA = version >= 80;
  target.hasWGMMA = chip == "sm_90a";
  return target;
}
