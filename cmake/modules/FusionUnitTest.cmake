# fusion_unit_test: how gtest executables are declared; lit runs them all.

find_package(GTest REQUIRED)

# Every unit test hangs on this target, which `all` builds.
add_custom_target(fusion-unit-tests ALL)

# fusion_unit_test(FooTest SOURCES FooTest.cpp ... LINK FusionBar ... [NO_MLIR])
# Lands in build/PRESET/test/Unit/<folder>/FooTest, where test/Unit/lit.cfg.py
# finds it by its name.
function(fusion_unit_test name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  fusion_executable_settings(${name})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  if(NOT ARG_NO_MLIR)
    target_link_libraries(${name} PRIVATE FusionMLIR)
    target_precompile_headers(${name} REUSE_FROM FusionPrecompiled)
    add_dependencies(${name} fusion-headers)
  endif()
  add_dependencies(fusion-unit-tests ${name})
endfunction()
