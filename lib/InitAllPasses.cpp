//===- InitAllPasses.cpp - the passes of Fusion ---------------------------===//

#include "fusion/InitAllPasses.h"

#include "mlir/InitAllPasses.h"

void mlir::fusion::registerAllPasses() {
  mlir::registerAllPasses();
}
