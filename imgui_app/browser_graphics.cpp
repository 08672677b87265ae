// What ImGui's backend asks WebGL for in every frame: the state that it puts back when it has drawn. A browser asks its graphics process for half of
// that and waits for the answer, and nobody else draws on the canvas, so that the backend is told of the state at the beginning instead.

#include <GLES3/gl3.h>

#include <algorithm>

/// Stands for glGetIntegerv in the backend (cmake/Imgui.cmake).
extern "C" void plimsoll_graphics_state(GLenum name, GLint* values) {
  switch (name) {
    case GL_VIEWPORT: // draw_frame() sets it before each frame
    case GL_SCISSOR_BOX: std::fill_n(values, 4, 0); break;
    case GL_ACTIVE_TEXTURE: *values = GL_TEXTURE0; break;
    case GL_BLEND_SRC_RGB:
    case GL_BLEND_SRC_ALPHA: *values = GL_ONE; break;
    case GL_BLEND_DST_RGB:
    case GL_BLEND_DST_ALPHA: *values = GL_ZERO; break;
    case GL_BLEND_EQUATION_RGB:
    case GL_BLEND_EQUATION_ALPHA: *values = GL_FUNC_ADD; break;
    default: glGetIntegerv(name, values);
  }
}
