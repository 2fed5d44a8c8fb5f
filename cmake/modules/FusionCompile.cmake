# Compiler, linker and cache settings, the same for every target.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# Dev: assertions on, light optimisation, no debug info (builds fast).
set(CMAKE_CXX_FLAGS_DEV "-O1" CACHE STRING "")
set(CMAKE_C_FLAGS_DEV "-O1" CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "" FORCE)
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "" FORCE)

add_compile_options(-Wall -Wextra -Werror -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
  $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>
  -ffunction-sections -fdata-sections)
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
add_link_options(-fuse-ld=lld -Wl,--gc-sections)
if(FUSION_SANITIZER)
  add_compile_options(-fsanitize=${FUSION_SANITIZER} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${FUSION_SANITIZER})
endif()

find_program(FUSION_CCACHE ccache)
if(FUSION_CCACHE)
  set(launcher ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${FUSION_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  # ccache can only reuse objects built with a precompiled header that
  # carries no time stamp.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
