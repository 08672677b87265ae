# What all our targets are compiled with: the INTERFACE target plimsoll_options. Third-party code does not link it,
# so it is compiled without our warnings.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(PLIMSOLL_CCACHE ccache)
mark_as_advanced(PLIMSOLL_CCACHE)
if(PLIMSOLL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${PLIMSOLL_CCACHE}")
endif()

add_library(plimsoll_options INTERFACE)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(plimsoll_options INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
    # A fused multiply-add rounds once where two operations round twice. Where the processor has one, a compiler may
    # use it, and WebAssembly has none: without this flag the two would differ in the last digit of an estimate.
    -ffp-contract=off
    # Clang warns of what libstdc++ 12 itself calls inside std::stable_sort.
    $<$<AND:$<CXX_COMPILER_ID:Clang>,$<NOT:$<BOOL:${EMSCRIPTEN}>>>:-Wno-deprecated-declarations>
    # GCC 12 warns of overlapping and of overlong copies inside "text" + std::string, where there are none (GCC bug 105651).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
endif()

# These hold for third-party code too, so they are set for the whole directory tree, before any target exists.
if(EMSCRIPTEN)
  # Every object in one module must handle exceptions in the same way, or it does not link.
  add_compile_options(-fwasm-exceptions)
  # What is thrown is a defect of ours or memory that has ended, and ends the question (web/embind.cpp): nothing on the way there has to be put in
  # order again, and to do so weighs a tenth of the code. Targets that catch say so.
  define_property(TARGET PROPERTY PLIMSOLL_CATCHES BRIEF_DOCS "Whether what is thrown is caught in this target's sources")
  add_compile_options($<$<NOT:$<BOOL:$<TARGET_PROPERTY:PLIMSOLL_CATCHES>>>:-fignore-exceptions>)
  add_link_options(-fwasm-exceptions)
  include("${CMAKE_CURRENT_LIST_DIR}/Profile.cmake")
  # The estimator is optimised as a whole when a program is linked (core/CMakeLists.txt), which some twenty programs are: what one of
  # them has optimised, the others take from here. Linking the second takes a tenth of the time.
  add_link_options($<$<CONFIG:Release>:-Wl,--thinlto-cache-dir=${PROJECT_BINARY_DIR}/optimised>)
elseif(PLIMSOLL_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
