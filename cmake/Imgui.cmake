# Dear ImGui has no CMake project of its own, so its targets are made here, from its sources.
#
#   plimsoll_provide_imgui()
#     imgui::imgui            the library and its std::string helpers, no platform: enough for tests without a display
#     imgui::glfw_opengl3     with the GLFW and OpenGL 3 backends: a desktop window, or WebGL 2 in the page

function(plimsoll_provide_imgui)
  if(TARGET imgui::imgui)
    return()
  endif()
  FetchContent_Declare(imgui
    GIT_REPOSITORY https://github.com/ocornut/imgui.git
    GIT_TAG 45acd5e0e82f4c954432533ae9985ff0e1aad6d5    # v1.92.2b
    SOURCE_SUBDIR there-is-no-such-directory)           # so that FetchContent only gets it
  FetchContent_MakeAvailable(imgui)
  plimsoll_imgui_core("${imgui_SOURCE_DIR}")
  plimsoll_imgui_backends("${imgui_SOURCE_DIR}")
endfunction()

function(plimsoll_imgui_core root)
  add_library(imgui STATIC
    "${root}/imgui.cpp" "${root}/imgui_draw.cpp" "${root}/imgui_tables.cpp" "${root}/imgui_widgets.cpp"
    "${root}/imgui_demo.cpp"    # only stubs where the demo is disabled, and they must link
    "${root}/misc/cpp/imgui_stdlib.cpp")
  add_library(imgui::imgui ALIAS imgui)
  target_include_directories(imgui SYSTEM PUBLIC "${root}" "${root}/misc/cpp")
  target_compile_definitions(imgui PUBLIC
    IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEFAULT_FONT
    IMGUI_ENABLE_TEST_ENGINE    # calls a hook for every item: imgui_app/reach, not ImGui's test engine, is behind it
    # together half of ImGui's size
    $<$<CONFIG:Release>:IMGUI_DISABLE_DEMO_WINDOWS> $<$<CONFIG:Release>:IMGUI_DISABLE_DEBUG_TOOLS>)
  plimsoll_imgui_small(imgui)
endfunction()

function(plimsoll_imgui_backends root)
  add_library(imgui_glfw_opengl3 STATIC EXCLUDE_FROM_ALL
    "${root}/backends/imgui_impl_glfw.cpp" "${root}/backends/imgui_impl_opengl3.cpp")
  add_library(imgui::glfw_opengl3 ALIAS imgui_glfw_opengl3)
  target_include_directories(imgui_glfw_opengl3 SYSTEM PUBLIC "${root}/backends")
  target_link_libraries(imgui_glfw_opengl3 PUBLIC imgui)
  plimsoll_imgui_small(imgui_glfw_opengl3)
  if(EMSCRIPTEN)
    target_compile_definitions(imgui_glfw_opengl3 PUBLIC IMGUI_IMPL_OPENGL_ES3
      PRIVATE glGetIntegerv=plimsoll_graphics_state) # imgui_app/browser_graphics.cpp
    target_link_options(imgui_glfw_opengl3 INTERFACE -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2)
  else()
    set(OpenGL_GL_PREFERENCE GLVND)
    find_package(OpenGL REQUIRED)
    find_package(glfw3 3.3 REQUIRED)
    target_link_libraries(imgui_glfw_opengl3 PUBLIC glfw OpenGL::GL ${CMAKE_DL_LIBS})
  endif()
endfunction()

# Drawing the interface takes a millisecond either way; in the page its bytes must be fetched.
function(plimsoll_imgui_small target)
  if(EMSCRIPTEN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Oz>)
  endif()
endfunction()
