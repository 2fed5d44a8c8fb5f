# Finds LLVM and MLIR and settles how they are linked.
#
# Default: the shared libMLIR and libLLVM. With FUSION_STATIC_LLVM the static
# archives (see FusionStaticLLVM.cmake). Either way targets link the interface
# library `FusionMLIR`.

if(FUSION_STATIC_LLVM)
  include(FusionStaticLLVM)
else()
  find_package(MLIR REQUIRED CONFIG)
endif()
if(NOT LLVM_PACKAGE_VERSION MATCHES "^22\\.1\\.")
  message(FATAL_ERROR "expected LLVM 22.1.x, but found ${LLVM_PACKAGE_VERSION}")
endif()
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
set(LLVM_LINK_LLVM_DYLIB ON)
set(MLIR_LINK_MLIR_DYLIB ON)
include(TableGen)
include(AddLLVM)
include(AddMLIR)

if(NOT FUSION_STATIC_LLVM)
  add_library(FusionMLIR INTERFACE)
  target_link_libraries(FusionMLIR INTERFACE MLIR LLVM)
endif()
target_include_directories(FusionMLIR SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
