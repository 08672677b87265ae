# plimsoll_split_module(target REST late.txt... FILES late.txt... [DRAWING late.txt...] [FIRST questions.txt] [SELDOM names.txt HEARD patterns.txt]): cuts the module of an executable in three where
# the executable is linked, or in more.
#
#   add_executable(plimsoll_core_module embind.cpp)
#   set_target_properties(plimsoll_core_module PROPERTIES OUTPUT_NAME plimsoll-core SUFFIX .mjs)
#   plimsoll_split_module(plimsoll_core_module REST late.txt FILES late_files.txt)
#
# In the current build folder there are then plimsoll-core.mjs, plimsoll-core.wasm, which is enough to begin with, and what
# web/plimsoll-parts.mjs adds to it when it is needed: plimsoll-core-rest.wasm and, after it, plimsoll-core-files.wasm. Their target is
# plimsoll_core_module_parts. The files of patterns name what is in each of them: split/split.mjs. With DRAWING,
# plimsoll-core-drawing.wasm comes before these two. With FIRST, the first of them is only what the headline of such questions needs,
# plimsoll-core-answers.wasm has what any other answer needs, and plimsoll-core-first.mjs says how it is asked. With SELDOM, plimsoll-core-more.wasm has
# what hardly anybody needs of these two who only looks at an answer; what HEARD names is not of it.

set(PLIMSOLL_SPLIT_DIR "${CMAKE_CURRENT_LIST_DIR}/split")

# In a part, what is called from one place only moves to its caller where it is no larger than this (Binaryen's measure of a function). Without a limit some
# callers grow to thousands of lines: estimates take up to a tenth longer, and parts are one hundredth larger, compressed. 15 to 60 do equally well.
set(PLIMSOLL_LARGEST_TO_MOVE 20)

function(plimsoll_split_module target)
  cmake_parse_arguments(PARSE_ARGV 1 split "" "FIRST;SELDOM;HEARD" "DRAWING;REST;FILES")
  get_target_property(name ${target} OUTPUT_NAME)
  set(whole "${CMAKE_CURRENT_BINARY_DIR}/whole")
  set(here "${CMAKE_CURRENT_BINARY_DIR}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${whole}")
  target_link_options(${target} PRIVATE --emit-symbol-map
    # Constants are told apart by the map of the link: they stay where it says, and equal ones apart.
    "-Wl,-Map=${whole}/${name}.map" -Wl,-O1
    # Who reads a constant is told by its address. Few numbers of the program are as large as these are, so few look like one.
    -sGLOBAL_BASE=5505024
    # Functions are told apart by their names. Of two that are equal and become one, either name may be left: each part does that for itself.
    # What is called from one place only stays a function, too, which a part may do without; within a part it then moves to its caller, if it is small.
    -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=0,--skip-pass=duplicate-function-elimination,--skip-pass=memory-packing)

  execute_process(COMMAND "${EMSCRIPTEN_ROOT}/em-config" BINARYEN_ROOT
    OUTPUT_VARIABLE binaryen OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(outputs "${here}/${name}.mjs" "${here}/${name}.wasm")
  set(later "")
  set(patterns "")
  foreach(part IN ITEMS drawing rest files)
    string(TOUPPER ${part} given)
    if(NOT split_${given})
      continue()
    endif()
    list(APPEND outputs "${here}/${name}-${part}.wasm")
    foreach(file IN LISTS split_${given})
      list(APPEND patterns "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
      list(APPEND later "--later=${here}/${name}-${part}.wasm=${CMAKE_CURRENT_SOURCE_DIR}/${file}")
    endforeach()
  endforeach()
  set(second "")
  if(split_FIRST)
    set(questions "${CMAKE_CURRENT_SOURCE_DIR}/${split_FIRST}")
    list(APPEND outputs "${here}/${name}-answers.wasm" "${here}/${name}-first.mjs")
    list(APPEND patterns "${questions}")
    set(second "--second=${here}/${name}-answers.wasm=${questions}" "--script=${whole}/${name}.mjs" "--names=${here}/${name}-first.mjs")
  endif()
  if(split_SELDOM)
    set(seldom "${CMAKE_CURRENT_SOURCE_DIR}/${split_SELDOM}")
    list(APPEND outputs "${here}/${name}-more.wasm")
    set(heard "${CMAKE_CURRENT_SOURCE_DIR}/${split_HEARD}")
    list(APPEND patterns "${seldom}" "${heard}")
    list(APPEND second "--seldom=${here}/${name}-more.wasm=${seldom}" "--heard=${heard}")
  endif()
  file(GLOB scripts CONFIGURE_DEPENDS "${PLIMSOLL_SPLIT_DIR}/*.mjs")
  list(APPEND scripts "${PROJECT_SOURCE_DIR}/web/plimsoll-parts.mjs")
  add_custom_command(OUTPUT ${outputs}
    COMMAND "${CMAKE_COMMAND}" -E copy "${whole}/${name}.mjs" "${here}/${name}.mjs"
    COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} "${PLIMSOLL_SPLIT_DIR}/split.mjs"
      --wasm "${whole}/${name}.wasm" --symbols "${whole}/${name}.mjs.symbols" --map "${whole}/${name}.map" --tools "${binaryen}/bin"
      --largest-to-move ${PLIMSOLL_LARGEST_TO_MOVE} --first "${here}/${name}.wasm" ${later} ${second}
    DEPENDS ${target} ${patterns} ${scripts}
    COMMENT "Cutting ${name}.wasm into parts" VERBATIM)
  add_custom_target(${target}_parts ALL DEPENDS ${outputs})
endfunction()
