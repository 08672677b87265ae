# Installs the library for programs of others:
#
#   find_package(plimsoll 0.1 REQUIRED)
#   target_link_libraries(mine PRIVATE plimsoll::io)     # or plimsoll::core, which reads no text
#
# All that its archives need beside them is threads: JSON, YAML and TOML readers are compiled in. tests/install uses it from elsewhere.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(plimsoll_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/plimsoll")

set_target_properties(plimsoll_core PROPERTIES EXPORT_NAME core)
set_target_properties(plimsoll_text PROPERTIES EXPORT_NAME text)
set_target_properties(plimsoll_tensor_files PROPERTIES EXPORT_NAME tensor_files)
set_target_properties(plimsoll_architectures PROPERTIES EXPORT_NAME architectures)
set_target_properties(plimsoll_io PROPERTIES EXPORT_NAME io)
set_target_properties(plimsoll_evidence PROPERTIES EXPORT_NAME evidence)

install(TARGETS plimsoll_core plimsoll_text plimsoll_tensor_files plimsoll_architectures plimsoll_io plimsoll_evidence EXPORT plimsoll
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/core/include/plimsoll" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development FILES_MATCHING PATTERN "*.hpp")
install(EXPORT plimsoll FILE plimsoll-targets.cmake NAMESPACE plimsoll:: DESTINATION "${plimsoll_package_dir}" COMPONENT development)

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/plimsoll-config.cmake.in" "${PROJECT_BINARY_DIR}/plimsoll-config.cmake"
  INSTALL_DESTINATION "${plimsoll_package_dir}" NO_SET_AND_CHECK_MACRO)
# before 1.0, a minor version may change anything
write_basic_package_version_file("${PROJECT_BINARY_DIR}/plimsoll-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/plimsoll-config.cmake" "${PROJECT_BINARY_DIR}/plimsoll-config-version.cmake"
  DESTINATION "${plimsoll_package_dir}" COMPONENT development)
