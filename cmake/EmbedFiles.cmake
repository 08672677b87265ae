# plimsoll_embed_files(target NAMESPACE name BASE directory FILES path... [WITHOUT key... | ONLY key... | TABLE key... | MEMBER key] [APART] [VALUES program])
#
# Compiles files into a target at build time, byte for byte but for the indentation of JSON; a changed file is embedded anew.
#
#   plimsoll_embed_files(plimsoll_io NAMESPACE plimsoll::data BASE "${CMAKE_CURRENT_SOURCE_DIR}/data" FILES ${json})
#
# The target's own sources then have
#
#   #include "embedded/data.hpp"                            the last part of the namespace
#   plimsoll::data::file("models/llama-3-8b.json")          its bytes as std::string_view; empty if there is no such file
#   plimsoll::data::files()                                 std::span of {name, bytes}, in the order of the names
#   plimsoll::data::file_count                              how many there are
#
# Names are the paths relative to BASE. Every view is followed by a zero byte, as a string literal is.
# A target may embed several sets of files under several namespaces. Of lists of objects in JSON one set may be WITHOUT some members, and another hold ONLY
# "id" and those: what few read can so be told from what all do. Where all is read at each start, a set may be a TABLE instead: a line for each object, which
# takes no JSON reader. It has the members of those names, each followed by a tab, and nothing where an object lacks one; a text stands there without
# quotes, a list of texts with '|' between them, and anything else as it is written. In such files each object begins on a line of its own, and so does each member.
# Of a set APART the bytes of each file come from a function of its own, files()[i].bytes(): what is asked for in the first part of a module
# (SplitModule.cmake) then comes with it, and no other file. Of lists of objects a set may be one MEMBER of each, by a function of its own likewise: plimsoll::data::members()[i](), in the order of the files and of their objects.
# JSON with VALUES is read while building, by the program of that target: what is compiled in takes no JSON reader either (core/text/compiled_value.hpp).

set(PLIMSOLL_EMBED_DIR "${CMAKE_CURRENT_LIST_DIR}/embed")

function(plimsoll_embed_files target)
  cmake_parse_arguments(PARSE_ARGV 1 embed "APART" "NAMESPACE;BASE;MEMBER;VALUES" "FILES;WITHOUT;ONLY;TABLE")
  if(NOT embed_NAMESPACE OR NOT embed_BASE OR NOT embed_FILES OR embed_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "plimsoll_embed_files(target NAMESPACE name BASE directory FILES path... [WITHOUT key... | ONLY key... | TABLE key... | MEMBER key] [APART] [VALUES program])")
  endif()
  string(REGEX REPLACE ".*::" "" stem "${embed_NAMESPACE}")
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded")

  # name=path of each file, sorted as std::string_view compares
  set(entries "")
  foreach(path IN LISTS embed_FILES)
    cmake_path(ABSOLUTE_PATH path NORMALIZE)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${embed_BASE}" OUTPUT_VARIABLE name)
    list(APPEND entries "${name}=${path}")
    list(APPEND paths "${path}")
  endforeach()
  list(SORT entries COMPARE STRING)
  list(LENGTH entries count)
  set(header files)
  if(embed_MEMBER)
    set(header members)
  endif()
  set(embed_BYTES "std::string_view bytes;")
  if(embed_APART)
    set(embed_BYTES "std::string_view (*bytes)() noexcept;")
  endif()

  set(reader "")
  if(embed_VALUES)
    set(reader "-Demulator=${CMAKE_CROSSCOMPILING_EMULATOR}" "-Dvalues=$<TARGET_FILE:${embed_VALUES}>")
  endif()

  configure_file("${PLIMSOLL_EMBED_DIR}/${header}.hpp.in" "${directory}/embedded/${stem}.hpp" @ONLY)
  configure_file("${PLIMSOLL_EMBED_DIR}/list.cmake.in" "${directory}/${stem}.cmake" @ONLY)
  add_custom_command(
    OUTPUT "${directory}/${stem}.cpp"
    COMMAND "${CMAKE_COMMAND}" "-Dlist=${directory}/${stem}.cmake" ${reader} -P "${PLIMSOLL_EMBED_DIR}/generate.cmake"
    DEPENDS ${paths} ${embed_VALUES} "${directory}/${stem}.cmake" "${PLIMSOLL_EMBED_DIR}/generate.cmake" "${PLIMSOLL_EMBED_DIR}/objects.cmake"
    COMMENT "Embedding files: ${embed_NAMESPACE}"
    VERBATIM)
  target_sources(${target} PRIVATE "${directory}/${stem}.cpp" "${directory}/embedded/${stem}.hpp")
  target_include_directories(${target} PRIVATE "${directory}")
endfunction()
