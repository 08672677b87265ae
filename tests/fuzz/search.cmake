# One program for each line of targets.txt, fuzz_NAME, and all of them as the target fuzz.

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR EMSCRIPTEN)
  message(FATAL_ERROR "PLIMSOLL_FUZZ needs Clang: cmake --preset fuzz")
endif()

# plimsoll_fuzz_library(name source... [LINK library...]): sees the readers inside io.
function(plimsoll_fuzz_library name)
  cmake_parse_arguments(PARSE_ARGV 1 argument "" "" "LINK")
  add_library(${name} STATIC ${argument_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC . "${PROJECT_SOURCE_DIR}/tests/laws" PRIVATE "${PROJECT_SOURCE_DIR}/core")
  target_compile_definitions(${name} PRIVATE PLIMSOLL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${argument_LINK} PRIVATE plimsoll_options)
endfunction()

# Weight files need nothing of the estimator: a program of its own searches them several times as fast.
plimsoll_fuzz_library(plimsoll_tensor_file_invariants tensor_file_invariants.cpp targets/tensor_files.cpp LINK plimsoll::tensor_files)
list(REMOVE_ITEM targets targets/tensor_files.cpp)
plimsoll_fuzz_library(plimsoll_fuzz_invariants catalogue.cpp chosen.cpp invariants.cpp training_config_invariants.cpp ${targets} ${scenario_laws}
  LINK plimsoll::evidence)
plimsoll_fuzz_library(plimsoll_fuzz_targets mutate.cpp texts.cpp program_seeds.cpp seeds.cpp targets.cpp
  LINK plimsoll_fuzz_invariants plimsoll_tensor_file_invariants plimsoll_tensor_file_writers)

# What is searched must be instrumented; its own main() programs stay linkable without the fuzzer.
foreach(target IN ITEMS plimsoll_core plimsoll_text plimsoll_tensor_files plimsoll_architectures plimsoll_io plimsoll_evidence plimsoll_fuzz_invariants plimsoll_tensor_file_invariants)
  target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
endforeach()

add_executable(fuzz_seeds seed_files.cpp)
target_link_libraries(fuzz_seeds PRIVATE plimsoll_fuzz_targets plimsoll_options)
target_link_options(fuzz_seeds PRIVATE -fsanitize=undefined) # its runtime has what instrumented code calls, also where lines are counted without sanitizers
add_custom_target(fuzz DEPENDS fuzz_seeds)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/targets.txt")
file(STRINGS targets.txt lines REGEX "^[^#]")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^[a-z_]+" name "${line}")
  add_executable(fuzz_${name} main.cpp)
  target_compile_definitions(fuzz_${name} PRIVATE PLIMSOLL_FUZZ_TARGET=${name})
  if(name MATCHES "^(gguf|safetensors)$")
    target_link_libraries(fuzz_${name} PRIVATE plimsoll_tensor_file_invariants plimsoll_options)
  else()
    target_link_libraries(fuzz_${name} PRIVATE plimsoll_fuzz_invariants plimsoll_options)
  endif()
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzz fuzz_${name})
endforeach()
