#include "window.hpp"

#include "new_frame.hpp"
#include "theme.hpp"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <GLFW/glfw3.h>

namespace plimsoll::app {

GLFWwindow* open_window(int width, int height, const char* title) {
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE); // a canvas is sharp on HiDPI screens only with this
  GLFWwindow* const handle = glfwCreateWindow(width, height, title, nullptr, nullptr);
  if (!handle) return nullptr;
  glfwMakeContextCurrent(handle);
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  return handle;
}

void start_backends(GLFWwindow* handle, const char* glsl_version, bool own_callbacks) {
  ImGui_ImplGlfw_InitForOpenGL(handle, own_callbacks);
  ImGui_ImplOpenGL3_Init(glsl_version);
}

void stop_backends() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

bool has_input() { return !ImGui::GetCurrentContext()->InputEventsQueue.empty(); }

void draw_frame(Window& window, void (*prepare)(Window&)) {
  if (has_input()) window.app->wake();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  if (prepare) prepare(window);
  new_frame();
  window.app->frame();
  ImGui::Render();

  int width = 0, height = 0;
  glfwGetFramebufferSize(window.handle, &width, &height);
  glViewport(0, 0, width, height);
  const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(theme(window.app->view.dark).ground);
  glClearColor(ground.x, ground.y, ground.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  ++window.frames_drawn;
}

} // namespace plimsoll::app
