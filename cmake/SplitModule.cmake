# plimsoll_split_module(target LATE file...): cuts the module of an executable in two where the executable is linked.
#
#   add_executable(plimsoll_core_module embind.cpp)
#   set_target_properties(plimsoll_core_module PROPERTIES OUTPUT_NAME plimsoll-core SUFFIX .mjs)
#   plimsoll_split_module(plimsoll_core_module LATE late.txt)
#
# In the current build folder there are then plimsoll-core.mjs, plimsoll-core.wasm, which is enough to begin with, and
# plimsoll-core-rest.wasm, which web/plimsoll-parts.mjs adds to it: the target plimsoll_core_module_parts. The files name
# what is in the rest: split/split.mjs.

set(PLIMSOLL_SPLIT_DIR "${CMAKE_CURRENT_LIST_DIR}/split")

function(plimsoll_split_module target)
  cmake_parse_arguments(PARSE_ARGV 1 split "" "" "LATE")
  get_target_property(name ${target} OUTPUT_NAME)
  set(whole "${CMAKE_CURRENT_BINARY_DIR}/whole")
  set(here "${CMAKE_CURRENT_BINARY_DIR}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${whole}")
  target_link_options(${target} PRIVATE --emit-symbol-map
    # Functions are told apart by their names. Of two that are equal and become one, either name may be left: each part does that for itself.
    -sBINARYEN_EXTRA_PASSES=--skip-pass=duplicate-function-elimination)

  execute_process(COMMAND "${EMSCRIPTEN_ROOT}/em-config" BINARYEN_ROOT
    OUTPUT_VARIABLE binaryen OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  list(TRANSFORM split_LATE PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  set(late_options ${split_LATE})
  list(TRANSFORM late_options PREPEND "--late=")
  add_custom_command(OUTPUT "${here}/${name}.mjs" "${here}/${name}.wasm" "${here}/${name}-rest.wasm"
    COMMAND "${CMAKE_COMMAND}" -E copy "${whole}/${name}.mjs" "${here}/${name}.mjs"
    COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} "${PLIMSOLL_SPLIT_DIR}/split.mjs"
      --wasm "${whole}/${name}.wasm" --symbols "${whole}/${name}.mjs.symbols" --tools "${binaryen}/bin"
      --first "${here}/${name}.wasm" --rest "${here}/${name}-rest.wasm" ${late_options}
    DEPENDS ${target} ${split_LATE} "${PLIMSOLL_SPLIT_DIR}/split.mjs" "${PLIMSOLL_SPLIT_DIR}/parts.mjs"
    COMMENT "Cutting ${name}.wasm in two" VERBATIM)
  add_custom_target(${target}_parts ALL DEPENDS "${here}/${name}.mjs" "${here}/${name}.wasm" "${here}/${name}-rest.wasm")
endfunction()
