# plimsoll_precompile(target header...): headers that most files of the target include are read once. A file must still include what
# it uses: CMAKE_DISABLE_PRECOMPILE_HEADERS=ON with PLIMSOLL_UNITY=OFF compiles without, and a plain build of the library and the command line does so.
#
# Reading them takes half of the time of a build without optimisation.

option(PLIMSOLL_PRECOMPILE "Read common headers once per target; on with the tests" ${PLIMSOLL_TESTS})

function(plimsoll_precompile target)
  if(NOT PLIMSOLL_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND PLIMSOLL_CCACHE)
    target_compile_options(${target} PRIVATE -fpch-preprocess)    # ccache asks for it
  endif()
endfunction()
