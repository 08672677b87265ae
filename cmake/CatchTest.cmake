# plimsoll_tests: the program of all Catch2 suites that PLIMSOLL_SUITES names, and its entries of ctest.
#
#   plimsoll_add_suite(laws sharding_laws.cpp …)     the files of a suite, if it is one of those
#
# ctest starts the program a few times, each for its share of the cases in an order that spreads long ones: a process for each case
# would load the catalogue a thousand times.

plimsoll_provide_catch2()
add_executable(plimsoll_tests)
set_target_properties(plimsoll_tests PROPERTIES PLIMSOLL_CATCHES ON)
target_include_directories(plimsoll_tests PRIVATE "${PROJECT_SOURCE_DIR}/core" "${PROJECT_SOURCE_DIR}/tests/fuzz" "${PROJECT_SOURCE_DIR}/tests/laws")
target_include_directories(plimsoll_tests PRIVATE $<TARGET_PROPERTY:plimsoll_io,INCLUDE_DIRECTORIES>) # what it embeds
target_link_libraries(plimsoll_tests PRIVATE plimsoll_test_support plimsoll_allocation_counter plimsoll_tensor_file_writers
  plimsoll_options Catch2::Catch2WithMain)
# Of the tests' own code: it runs once, and what it tests is compiled as it is shipped.
target_compile_options(plimsoll_tests PRIVATE $<$<CONFIG:Release>:-O1>)
plimsoll_precompile(plimsoll_tests <algorithm> <catch2/catch_test_macros.hpp> "${PROJECT_SOURCE_DIR}/core/include/plimsoll/answer/answer.hpp")

if(EMSCRIPTEN)
  set(shards 2)
  # NODERAWFS: tests read their data files from disk, as they do natively.
  target_link_options(plimsoll_tests PRIVATE
    -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sSTACK_SIZE=1MB
    -O1) # of linking alone: rewriting the program as a whole takes half a minute, and saves less when it runs
  # .cjs: plain .js would be read as an ES module under our package.json
  set_target_properties(plimsoll_tests PROPERTIES SUFFIX .cjs)
else()
  set(shards 8)
endif()

math(EXPR last "${shards} - 1")
foreach(shard RANGE ${last})
  add_test(NAME "cases, part ${shard} of ${shards}"
    COMMAND plimsoll_tests --order rand --rng-seed 1 --filenames-as-tags --durations no --shard-count ${shards} --shard-index ${shard})
  set_tests_properties("cases, part ${shard} of ${shards}" PROPERTIES LABELS cases TIMEOUT 1800)
endforeach()

if(core IN_LIST PLIMSOLL_SUITES)
  add_test(NAME "keys of core/catalog/data" COMMAND plimsoll_tests "[data_keys]")
endif()

if(golden IN_LIST PLIMSOLL_SUITES AND NOT PLIMSOLL_SANITIZE) # sanitizers see a part of the rows among the cases
  add_test(NAME "every row of evidence" COMMAND plimsoll_tests "[evidence]")
  set_tests_properties("every row of evidence" PROPERTIES TIMEOUT 1800)
endif()

function(plimsoll_add_suite suite)
  if(suite IN_LIST PLIMSOLL_SUITES)
    list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
    target_sources(plimsoll_tests PRIVATE ${ARGN})
  endif()
endfunction()
