# Third-party code. None of it is in this repository. Each library is looked for in this order:
#   1. a source tree that scripts/setup prepared in .deps/src (no network)
#   2. an installed CMake package, for native builds only: a host's /usr/include has no place in WebAssembly
#   3. the upstream release, fetched by CMake and pinned by hash
#
#   plimsoll_provide_json(target scope)     nlohmann/json; like libyaml and toml++ not needed by who uses the target once it is installed
#   plimsoll_provide_yaml(target scope)     libyaml, its parser
#   plimsoll_provide_toml(target scope)     toml++
#   plimsoll_provide_cli11(target scope)    CLI11
#   plimsoll_provide_imgui()                Dear ImGui, see Imgui.cmake
#   plimsoll_provide_catch2()               Catch2 3: Catch2::Catch2, Catch2::Catch2WithMain
#   plimsoll_provide_fonts(variable)        the typefaces that scripts/setup prepared, as a list of paths
#
# Nothing is looked for before its function is called: a library that is not used need not be there.

include(FetchContent)
include(Imgui)

set(PLIMSOLL_DEPS_DIR "${PROJECT_SOURCE_DIR}/.deps" CACHE PATH "Where scripts/setup puts what it prepares")

# FetchContent calls a source tree that is there already FETCHCONTENT_SOURCE_DIR_<NAME>. One given by the user stands.
foreach(name IN ITEMS imgui catch2 nlohmann_json libyaml tomlplusplus)
  string(TOUPPER ${name} upper)
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND EXISTS "${PLIMSOLL_DEPS_DIR}/src/${name}")
    set(FETCHCONTENT_SOURCE_DIR_${upper} "${PLIMSOLL_DEPS_DIR}/src/${name}" CACHE PATH "" FORCE)
  endif()
endforeach()

# plimsoll_package_first(variable arguments...): the FIND_PACKAGE_ARGS of a declaration, empty for WebAssembly.
function(plimsoll_package_first variable)
  if(EMSCRIPTEN)
    set(${variable} "" PARENT_SCOPE)
  else()
    set(${variable} FIND_PACKAGE_ARGS ${ARGN} PARENT_SCOPE)
  endif()
endfunction()

function(plimsoll_provide_json target scope)
  if(NOT TARGET nlohmann_json::nlohmann_json)
    plimsoll_package_first(package_first 3.11)
    FetchContent_Declare(nlohmann_json
      URL https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
      URL_HASH SHA256=d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d
      DOWNLOAD_EXTRACT_TIMESTAMP TRUE
      SYSTEM
      ${package_first})
    FetchContent_MakeAvailable(nlohmann_json)
  endif()
  target_link_libraries(${target} ${scope} $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
endfunction()

# Its parser alone, compiled here: Debian's package is a shared library of the host, which WebAssembly has no use for.
function(plimsoll_provide_yaml target scope)
  if(NOT TARGET plimsoll_libyaml)
    FetchContent_Declare(libyaml
      URL https://github.com/yaml/libyaml/releases/download/0.2.5/yaml-0.2.5.tar.gz
      URL_HASH SHA256=c642ae9b75fee120b2d96c712538bd2cf283228d2337df2cf2988e3c02678ef4
      DOWNLOAD_EXTRACT_TIMESTAMP TRUE
      SOURCE_SUBDIR no-such-directory) # only to be there
    FetchContent_MakeAvailable(libyaml)
    set(sources api.c parser.c reader.c scanner.c)
    list(TRANSFORM sources PREPEND "${libyaml_SOURCE_DIR}/src/")
    add_library(plimsoll_libyaml OBJECT ${sources})
    target_include_directories(plimsoll_libyaml SYSTEM PUBLIC "${libyaml_SOURCE_DIR}/include")
    target_compile_definitions(plimsoll_libyaml PUBLIC YAML_DECLARE_STATIC
      PRIVATE YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=2 YAML_VERSION_PATCH=5 YAML_VERSION_STRING="0.2.5")
    target_compile_options(plimsoll_libyaml PRIVATE -w)
  endif()
  # its objects become part of the target's own archive
  target_link_libraries(${target} ${scope} $<BUILD_INTERFACE:plimsoll_libyaml>)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:plimsoll_libyaml>)
endfunction()

function(plimsoll_provide_toml target scope)
  if(NOT TARGET plimsoll_tomlplusplus)
    FetchContent_Declare(tomlplusplus
      URL https://github.com/marzer/tomlplusplus/archive/refs/tags/v3.4.0.tar.gz
      URL_HASH SHA256=8517f65938a4faae9ccf8ebb36631a38c1cadfb5efa85d9a72e15b9e97d25155
      DOWNLOAD_EXTRACT_TIMESTAMP TRUE
      SOURCE_SUBDIR no-such-directory) # headers are all of it
    FetchContent_MakeAvailable(tomlplusplus)
    add_library(plimsoll_tomlplusplus INTERFACE)
    target_include_directories(plimsoll_tomlplusplus SYSTEM INTERFACE "${tomlplusplus_SOURCE_DIR}/include")
  endif()
  target_link_libraries(${target} ${scope} $<BUILD_INTERFACE:plimsoll_tomlplusplus>)
endfunction()

function(plimsoll_provide_cli11 target scope)
  if(NOT TARGET CLI11::CLI11)
    set(CLI11_INSTALL OFF)    # our install rules name our files only
    set(CLI11_BUILD_TESTS OFF)
    set(CLI11_BUILD_EXAMPLES OFF)
    set(CLI11_BUILD_DOCS OFF)
    plimsoll_package_first(package_first 2.1)
    FetchContent_Declare(CLI11
      URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.1.tar.gz
      URL_HASH SHA256=73b7ec52261ce8fe980a29df6b4ceb66243bb0b779451dbd3d014cfec9fdbb58
      DOWNLOAD_EXTRACT_TIMESTAMP TRUE
      SYSTEM
      ${package_first})
    FetchContent_MakeAvailable(CLI11)
  endif()
  target_link_libraries(${target} ${scope} CLI11::CLI11)
endfunction()

function(plimsoll_provide_catch2)
  if(TARGET Catch2::Catch2)
    return()
  endif()
  if(PLIMSOLL_SANITIZE)
    set(package_first "")     # the sanitizers must see Catch2 too
  else()
    plimsoll_package_first(package_first 3.4)
  endif()
  FetchContent_Declare(Catch2
    URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz
    URL_HASH SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
    DOWNLOAD_EXTRACT_TIMESTAMP TRUE
    SYSTEM
    ${package_first})
  # A few large translation units instead of a hundred small ones: a third of the time.
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
  FetchContent_MakeAvailable(Catch2)
  if(catch2_SOURCE_DIR)    # it counts and prints: optimising it takes longer than it saves
    target_compile_options(Catch2 PRIVATE $<$<CONFIG:Release>:-O1>)
    set_target_properties(Catch2 Catch2WithMain PROPERTIES PLIMSOLL_CATCHES ON)
  endif()
  # Where its CMake helpers are: in the sources, or beside an installed package's configuration. A global property,
  # because every folder with tests asks for it.
  if(catch2_SOURCE_DIR)
    set(helpers "${catch2_SOURCE_DIR}/extras")
  else()
    set(helpers "${Catch2_DIR}")
  endif()
  set_property(GLOBAL PROPERTY PLIMSOLL_CATCH2_HELPERS "${helpers}")
endfunction()

function(plimsoll_provide_fonts variable)
  set(fonts regular medium mono)
  list(TRANSFORM fonts REPLACE "(.+)" "${PLIMSOLL_DEPS_DIR}/fonts/plimsoll-\\1.ttf")
  foreach(font IN LISTS fonts)
    if(NOT EXISTS "${font}")
      message(FATAL_ERROR "The app's typefaces are not there yet: run scripts/setup desktop (or build, for the page)")
    endif()
  endforeach()
  set(${variable} "${fonts}" PARENT_SCOPE)
endfunction()
