# Packages of what is installed: cpack -G TGZ (one archive of everything) or cpack -G DEB (a package for each of the command line, the
# desktop app and the library), in the build folder.

set(CPACK_PACKAGE_NAME plimsoll)
set(CPACK_PACKAGE_VENDOR "The authors of Plimsoll")
set(CPACK_PACKAGE_CONTACT "The authors of Plimsoll")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Estimates the GPU memory that a language model needs")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL cli development)
if(PLIMSOLL_APP)
  list(APPEND CPACK_COMPONENTS_ALL desktop)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME plimsoll)
set(CPACK_DEBIAN_CLI_PACKAGE_RECOMMENDS "libcurl4t64 | libcurl4")    # loaded for models by address
set(CPACK_DEBIAN_DESKTOP_PACKAGE_NAME plimsoll-desktop)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libplimsoll-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_CLI_DESCRIPTION "The command line.")
set(CPACK_COMPONENT_DESKTOP_DESCRIPTION "The app in a window of its own.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The library, for programs in C++.")

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/plimsoll-${component}"
    COMPONENT ${component})
endforeach()

include(CPack)
