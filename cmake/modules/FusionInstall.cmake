# cmake --install: tools, libraries, headers (the generated ones too), and
# FusionConfig.cmake, so that another project can find_package(Fusion).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY FUSION_LIBRARIES)
get_property(tools GLOBAL PROPERTY FUSION_TOOLS)

install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(NOT FUSION_STATIC_LLVM)
  set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Fusion")
  install(TARGETS FusionMLIR ${libraries} EXPORT FusionTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT FusionTargets NAMESPACE Fusion:: DESTINATION "${package_folder}")
  configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/FusionConfig.cmake.in"
    "${CMAKE_BINARY_DIR}/FusionConfig.cmake" INSTALL_DESTINATION "${package_folder}")
  write_basic_package_version_file("${CMAKE_BINARY_DIR}/FusionConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${CMAKE_BINARY_DIR}/FusionConfig.cmake"
    "${CMAKE_BINARY_DIR}/FusionConfigVersion.cmake" DESTINATION "${package_folder}")
endif()

install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY "${CMAKE_BINARY_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)
