# fusion_library, fusion_tool, fusion_tablegen: how targets are declared.

set(FUSION_PCH "${CMAKE_SOURCE_DIR}/cmake/modules/FusionPrecompiled.h")

# Generated headers of all dialects and passes hang on this target.
add_custom_target(fusion-headers)

# One object library owns the precompiled header; everyone else reuses it.
file(WRITE "${CMAKE_BINARY_DIR}/FusionPrecompiled.cpp" "")
add_library(FusionPrecompiled OBJECT "${CMAKE_BINARY_DIR}/FusionPrecompiled.cpp")
target_link_libraries(FusionPrecompiled PUBLIC FusionMLIR)
target_include_directories(FusionPrecompiled PRIVATE
  "${CMAKE_SOURCE_DIR}/include" "${CMAKE_BINARY_DIR}/include")
target_precompile_headers(FusionPrecompiled PRIVATE "${FUSION_PCH}")

function(fusion_target_settings name)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:include>)
endfunction()

# CMake gives executables -fPIE, but the shared precompiled header is -fPIC.
function(fusion_executable_settings name)
  fusion_target_settings(${name})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
endfunction()

# fusion_library(FusionFoo SOURCES a.cpp ... LINK FusionBar ... [NO_MLIR])
# A static library; sources with MLIR in them share one precompiled header.
function(fusion_library name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  fusion_target_settings(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(NOT ARG_NO_MLIR)
    target_link_libraries(${name} PUBLIC FusionMLIR)
    target_precompile_headers(${name} REUSE_FROM FusionPrecompiled)
    add_dependencies(${name} fusion-headers)
  endif()
  set_property(GLOBAL APPEND PROPERTY FUSION_LIBRARIES ${name})
endfunction()

# fusion_tool(fusion-foo SOURCES fusion-foo.cpp LINK FusionBar ...)
function(fusion_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  fusion_executable_settings(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} FusionMLIR)
  target_precompile_headers(${name} REUSE_FROM FusionPrecompiled)
  add_dependencies(${name} fusion-headers)
  set_property(GLOBAL APPEND PROPERTY FUSION_TOOLS ${name})
endfunction()

# fusion_tablegen(Ops.td fusion-foo-ops-inc -gen-op-decls:Ops.h.inc ...)
# Runs mlir-tblgen on a .td file of the current folder, once per GENERATOR:OUTPUT.
function(fusion_tablegen td target)
  set(LLVM_TARGET_DEFINITIONS ${td})
  foreach(pair ${ARGN})
    string(FIND "${pair}" ":" at REVERSE)
    string(SUBSTRING "${pair}" 0 ${at} generator)
    math(EXPR at "${at} + 1")
    string(SUBSTRING "${pair}" ${at} -1 output)
    separate_arguments(generator)
    mlir_tablegen(${output} ${generator} "-I${CMAKE_SOURCE_DIR}/include"
      "-I${MLIR_INCLUDE_DIRS}")
  endforeach()
  add_public_tablegen_target(${target})
  add_dependencies(fusion-headers ${target})
endfunction()
