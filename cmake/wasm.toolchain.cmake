# Finds Emscripten and hands over to its own toolchain file. Looked for in this order, and anything older than 3.1.60
# is passed over: EMSCRIPTEN_ROOT (cache or environment), an activated emsdk, the tree that scripts/setup prepared,
# the emcc on PATH.

set(candidates "${EMSCRIPTEN_ROOT}" "$ENV{EMSCRIPTEN_ROOT}" "$ENV{EMSDK}/upstream/emscripten"
  "${CMAKE_CURRENT_LIST_DIR}/../.deps/emscripten/usr/share/emscripten")
find_program(PLIMSOLL_EMCC emcc NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(PLIMSOLL_EMCC)
if(PLIMSOLL_EMCC)
  file(REAL_PATH "${PLIMSOLL_EMCC}" emcc)
  cmake_path(GET emcc PARENT_PATH emcc_directory)
  list(APPEND candidates "${emcc_directory}")
endif()

foreach(candidate IN LISTS candidates)
  if(candidate AND EXISTS "${candidate}/cmake/Modules/Platform/Emscripten.cmake")
    file(STRINGS "${candidate}/emscripten-version.txt" version LIMIT_COUNT 1)
    string(REPLACE "\"" "" version "${version}")
    if(version VERSION_LESS 3.1.60)
      message(STATUS "Passing over Emscripten ${version} in ${candidate}: 3.1.60 or newer is needed")
      continue()
    endif()
    file(REAL_PATH "${candidate}" EMSCRIPTEN_ROOT)
    # the small projects of CMake's own compiler checks read this file as well, and need the same answer
    list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES EMSCRIPTEN_ROOT)
    include("${EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
    return()
  endif()
endforeach()
message(FATAL_ERROR "No Emscripten 3.1.60 or newer found: run scripts/setup build, or activate an emsdk")
