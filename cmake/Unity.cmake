# plimsoll_unity_folders(target folder...): the target's files in each of these folders are compiled as one. Headers are read once
# instead of once for each file, and functions of a folder are inlined into each other without optimising whole programs.
#
# Folders that are not named here have files that give one name to different things, which is theirs to do: they are compiled one by one.
# PLIMSOLL_UNITY=OFF compiles everything so.

option(PLIMSOLL_UNITY "Compile the files of a folder as one" ON)

function(plimsoll_unity_folders target)
  if(NOT PLIMSOLL_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    if(folder STREQUAL "")
      set(folder .)
    endif()
    if(folder IN_LIST ARGN)
      string(MAKE_C_IDENTIFIER "${folder}" group)
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
