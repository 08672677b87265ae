// The app in a window of its own.
#include "platform.hpp"

#include "desktop_memory.hpp"
#include "plimsoll/files/model_file.hpp"
#include "png.hpp"
#include "window.hpp"

#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr double kHintPoll = 1.0 / 60; // while the delay of a hint runs
constexpr int kScreenshotFrames = 6;   // until everything has settled

constexpr const char* kHelp = R"(usage: plimsoll-desktop [QUERY...] [FILE] [options]

QUERY is what stands after '?' in the page's address, whole or in words:
  plimsoll-desktop 'model=llama-3-8b&device=rtx-4090'
  plimsoll-desktop model=llama-3-8b task=finetune

FILE is opened as by --open. The window opens where it was last closed.

options:
  --prices FILE        prices of your own, in place of those that are built in (docs/prices.md)
  --devices FILE       devices of your own, beside those that are built in
  --open FILE          a result that was exported as JSON, or a model file
  --accuracy FILE      what was measured, as plimsoll accuracy --by-file prints it; otherwise accuracy.json beside the program
  --view TEXT          what to look at, as behind '#' in a link: tab=time
  --light              light colours
  --size WxH           of the window, e.g. 1440x900
  --scale N            pixels of a logical one, e.g. 2 for sharp pictures
  --screenshot FILE    write a PNG of the window and leave
  --frames N           leave after N frames
  --help               this text
)";

Window& window_of(GLFWwindow* handle) { return *static_cast<Window*>(glfwGetWindowUserPointer(handle)); }

/// How many window coordinates make one logical pixel. GLFW counts physical pixels on some systems and logical ones on
/// others; the app counts logical ones.
float coordinates_per_pixel(GLFWwindow* handle) {
  float content = 1, content_y = 1;
  glfwGetWindowContentScale(handle, &content, &content_y);
  int width = 0, height = 0, pixels = 0, pixels_y = 0;
  glfwGetWindowSize(handle, &width, &height);
  glfwGetFramebufferSize(handle, &pixels, &pixels_y);
  if (width <= 0 || pixels <= 0) return 1;
  return std::max(1.0f, content * static_cast<float>(width) / static_cast<float>(pixels));
}

float scale_of(const Window& window) { return window.scale > 0 ? window.scale : coordinates_per_pixel(window.handle); }

void use_logical_pixels(Window& window) {
  const float scale = scale_of(window);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {io.DisplaySize.x / scale, io.DisplaySize.y / scale};
  io.DisplayFramebufferScale = {io.DisplayFramebufferScale.x * scale, io.DisplayFramebufferScale.y * scale};
  if (!window.pointer) io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}

void on_mouse(GLFWwindow* handle, double x, double y) {
  const double scale = scale_of(window_of(handle));
  ImGui_ImplGlfw_CursorPosCallback(handle, x / scale, y / scale);
}

/// Reads the header of a file, and nothing behind it; false when it cannot be read.
bool read_header(const char* path, std::string& bytes, std::uint64_t& size) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  size = std::filesystem::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  const bool whole = io::read_header(bytes, size, [&](char* to, std::size_t count) {
    file.read(to, static_cast<std::streamsize>(count));
    return static_cast<std::size_t>(file.gcount());
  });
  return whole && !failed && file.is_open() && !file.bad();
}

/// False when it cannot be read.
bool open_file(App& app, const char* path) {
  std::string bytes;
  std::uint64_t size = 0;
  if (!read_header(path, bytes, size)) return false;
  app.read_file(bytes, size, std::filesystem::path(path).filename().string());
  return true;
}

void on_drop(GLFWwindow* handle, int count, const char** paths) {
  if (count < 1) return;
  App& app = *window_of(handle).app;
  if (count != 1 || !open_file(app, paths[0]))
    app.refuse_file(count == 1 ? "What was dropped cannot be read." : "Several files were dropped.",
                    "Drop one file: a config.json, a safetensors file or its index, a GGUF file, prices, devices or an exported result.");
}

void on_key(GLFWwindow* handle, int key, int scancode, int action, int modifiers) {
  ImGui_ImplGlfw_KeyCallback(handle, key, scancode, action, modifiers);
  const bool pastes = key == GLFW_KEY_V && action == GLFW_PRESS && (modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0;
  if (!pastes || ImGui::GetIO().WantTextInput) return;
  const char* const text = glfwGetClipboardString(handle);
  if (text && looks_like_json(text)) window_of(handle).app->read_text(text);
}

void install_callbacks(GLFWwindow* handle) {
  glfwSetCursorPosCallback(handle, on_mouse);
  glfwSetKeyCallback(handle, on_key);
  glfwSetDropCallback(handle, on_drop);
  glfwSetWindowFocusCallback(handle, ImGui_ImplGlfw_WindowFocusCallback);
  glfwSetCursorEnterCallback(handle, ImGui_ImplGlfw_CursorEnterCallback);
  glfwSetMouseButtonCallback(handle, ImGui_ImplGlfw_MouseButtonCallback);
  glfwSetScrollCallback(handle, ImGui_ImplGlfw_ScrollCallback);
  glfwSetCharCallback(handle, ImGui_ImplGlfw_CharCallback);
  glfwSetFramebufferSizeCallback(handle, [](GLFWwindow* w, int, int) { window_of(w).app->wake(); });
  glfwSetWindowRefreshCallback(handle, [](GLFWwindow* w) { window_of(w).app->wake(); });
}

Picture picture_of(GLFWwindow* handle) {
  Picture picture;
  glfwGetFramebufferSize(handle, &picture.width, &picture.height);
  const std::size_t row = static_cast<std::size_t>(picture.width) * 3;
  std::vector<std::uint8_t> upward(row * static_cast<std::size_t>(picture.height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, picture.width, picture.height, GL_RGB, GL_UNSIGNED_BYTE, upward.data());
  for (int y = picture.height - 1; y >= 0; --y) {
    const auto begin = upward.begin() + static_cast<std::ptrdiff_t>(row) * y;
    picture.rgb.insert(picture.rgb.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
  }
  return picture;
}

std::string date_of_today() {
  const std::time_t now = std::time(nullptr);
  char text[16] = {};
  if (const std::tm* day = std::gmtime(&now)) std::strftime(text, sizeof text, "%Y-%m-%d", day);
  return text;
}

int save(const Picture& picture, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << png_of(picture);
  if (file.flush()) return 0;
  std::fprintf(stderr, "plimsoll-desktop: cannot write %s\n", path.c_str());
  return 1;
}

/// Sleeps until there is something to draw.
void wait(const Window& window) {
  if (window.app->unsettled_frames > 0 || has_input())
    glfwPollEvents();
  else if (window.app->view.waiting)
    glfwWaitEventsTimeout(kHintPoll);
  else
    glfwWaitEvents();
}

void update_title(GLFWwindow* handle, const App& app) {
  const std::string title = title_of(app);
  glfwSetWindowTitle(handle, title.empty() ? "Plimsoll" : ("Plimsoll: " + title).c_str());
}

void tell_saved(App& app, const std::string& path) {
  std::error_code failed;
  app.view.toast = {"Saved " + std::filesystem::absolute(path, failed).string(), ImGui::GetTime()};
  app.wake();
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Searches go on for some frames: a picture waits for them, but not forever.
bool is_unfinished(const Window& window) {
  constexpr int kMost = 2000;
  return !window.pointer && window.app->wants_frame() && window.frames_drawn < kMost;
}

/// `place` follows the window.
void show_until_closed(Window& window, int frames, WindowState& place) {
  while (!glfwWindowShouldClose(window.handle) && (frames == 0 || window.frames_drawn < frames || is_unfinished(window))) {
    if (frames == 0)
      wait(window);
    else
      glfwPollEvents();
    if (frames == 0 && !has_input() && !window.app->wants_frame()) continue;
    draw_frame(window, use_logical_pixels);
    const Effects effects = std::exchange(window.app->effects, {});
    carry_out(*window.app, effects);
    if (effects.want_evidence) window.app->set_evidence(window.accuracy.empty() ? std::string{} : text_of_file(window.accuracy));
    if (effects.save_picture && save(picture_of(window.handle), effects.save_name) == 0) tell_saved(*window.app, effects.save_name);
    if (effects.query_changed || window.frames_drawn == 1) update_title(window.handle, *window.app);
    glfwSwapBuffers(window.handle);
    note_window(window.handle, place);
  }
}

bool is_file(std::string_view word) {
  std::error_code failed;
  return std::filesystem::is_regular_file(std::filesystem::path(word), failed);
}

/// Beside the program, or where an installed one keeps it.
std::string find_accuracy(const char* program) {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::filesystem::path folder = (failed ? std::filesystem::path(program) : self).parent_path();
  for (const std::filesystem::path& path : {folder / "accuracy.json", folder.parent_path() / "share" / "plimsoll" / "accuracy.json"})
    if (std::filesystem::is_regular_file(path, failed)) return path.string();
  return {};
}

void complain(Start& start, const std::string& what) {
  std::fprintf(stderr, "plimsoll-desktop: %s (see --help)\n", what.c_str());
  start.run = false;
  start.exit_code = 2;
}

} // namespace

Start read_start(int argc, char** argv) {
  Start start;
  for (int i = 1; i < argc && start.run; ++i) {
    const std::string_view word = argv[i];
    const char* const next = i + 1 < argc ? argv[i + 1] : nullptr;
    const bool takes_value = word == "--size" || word == "--screenshot" || word == "--frames" || word == "--prices" || word == "--devices" || word == "--open" || word == "--view" || word == "--accuracy" || word == "--scale";
    if (takes_value && !next) {
      complain(start, std::string(word) + " needs a value");
    } else if (word == "--help") {
      std::fputs(kHelp, stdout);
      start.run = false;
    } else if (word == "--light") {
      start.dark = false;
    } else if (word == "--size") {
      if (std::sscanf(next, "%dx%d", &start.width, &start.height) != 2 || start.width < 1 || start.height < 1)
        complain(start, "--size is WIDTHxHEIGHT, not " + std::string(next));
      start.recall_window = false;
    } else if (word == "--scale") {
      start.scale = std::strtof(next, nullptr);
      if (!(start.scale >= 0.5f && start.scale <= 8)) complain(start, "--scale is a number from 0.5 to 8, not " + std::string(next));
    } else if (word == "--accuracy") {
      start.accuracy = next;
    } else if (word == "--view") {
      start.view = next;
    } else if (word == "--devices") {
      start.files.insert(start.files.begin(), next); // prices may be those of these devices
    } else if (word == "--prices" || word == "--open") {
      start.files.emplace_back(next);
    } else if (word == "--screenshot") {
      start.screenshot = next;
      start.recall_window = false;
    } else if (word == "--frames") {
      start.frames = std::atoi(next);
      if (start.frames < 1) complain(start, "--frames is a number above 0, not " + std::string(next));
    } else if (word.starts_with("--")) {
      complain(start, "unknown option " + std::string(word));
    } else if (is_file(word)) {
      start.files.emplace_back(word);
    } else {
      if (!start.query.empty()) start.query += '&';
      start.query += word;
    }
    if (takes_value) ++i;
  }
  start.today = date_of_today();
  if (start.accuracy.empty() && argc > 0) start.accuracy = find_accuracy(argv[0]);
  if (!start.screenshot.empty() && start.frames == 0) start.frames = kScreenshotFrames;
  return start;
}

int show(const Start& start) {
  glfwSetErrorCallback([](int code, const char* text) { std::fprintf(stderr, "plimsoll-desktop: GLFW %d: %s\n", code, text); });
  if (!glfwInit()) return 1;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "plimsoll-desktop"); // by which desktops find the icon
  Window window;
  window.accuracy = start.accuracy;
  window.scale = start.scale;
  window.pointer = start.screenshot.empty();
  const float scale = start.scale > 0 ? start.scale : 1;
  window.handle = open_window(static_cast<int>(static_cast<float>(start.width) * scale), static_cast<int>(static_cast<float>(start.height) * scale), "Plimsoll");
  if (!window.handle) {
    glfwTerminate();
    return 1;
  }
  glfwSwapInterval(1);
  window.app = std::make_unique<App>(start.query, start.today);
  window.app->set_dark(start.dark);
  window.app->advises = true;
  for (const std::string& path : start.files)
    if (!open_file(*window.app, path.c_str())) window.app->refuse_file(path + " cannot be read.", "Give the path of a file that exists.");
  if (!start.view.empty()) window.app->set_view(start.view);
  glfwSetWindowUserPointer(window.handle, &window);
  install_callbacks(window.handle);
  start_backends(window.handle, "#version 130", false);
  WindowState place{.width = start.width, .height = start.height};
  if (start.recall_window) {
    if (const std::optional<WindowState> last = recall_window()) place_window(window.handle, place = *last);
  }
  show_until_closed(window, start.frames, place);
  const int exit_code = start.screenshot.empty() ? 0 : save(picture_of(window.handle), start.screenshot);
  note_window(window.handle, place);
  if (start.screenshot.empty()) keep_window(place);
  stop_backends();
  glfwTerminate();
  return exit_code;
}

void carry_out(App& app, const Effects& effects) {
  if (!effects.copy.empty()) ImGui::SetClipboardText(effects.copy.c_str());
  if (!effects.copy_text.empty()) ImGui::SetClipboardText(effects.copy_text.c_str());
  if (!effects.open_url.empty()) {
    const auto open = ImGui::GetPlatformIO().Platform_OpenInShellFn;
    if (open) open(ImGui::GetCurrentContext(), effects.open_url.c_str());
  }
  if (effects.read_text) app.read_text(*effects.read_text);
  if (effects.save_text.empty()) return;
  std::ofstream file(effects.save_name, std::ios::binary);
  file << effects.save_text;
  if (file.flush()) tell_saved(app, effects.save_name);
  else app.refuse_file("The file " + effects.save_name + " cannot be written here.", "Start the program in a folder that may be written to.");
}

} // namespace plimsoll::app
