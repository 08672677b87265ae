#include "null_screen.hpp"

#include "new_frame.hpp"

#include <catch2/catch_test_macros.hpp>
#include <imgui_internal.h>

namespace plimsoll::app::test {
namespace {

/// A renderer must take the textures that ImGui makes as it goes; here they are taken and forgotten.
void take_textures(const ImDrawData& data) {
  if (!data.Textures) return;
  for (ImTextureData* texture : *data.Textures) {
    if (texture->Status == ImTextureStatus_WantDestroy) {
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    } else if (texture->Status != ImTextureStatus_OK) {
      texture->SetTexID(1);
      texture->SetStatus(ImTextureStatus_OK);
    }
  }
}

} // namespace

NullScreen::NullScreen(std::string_view query, ImVec2 size) {
  IMGUI_CHECKVERSION();
  ImGuiContext* const context = ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  io.ConfigErrorRecoveryEnableAssert = io.ConfigErrorRecoveryEnableDebugLog = io.ConfigErrorRecoveryEnableTooltip = false;
  context->ErrorCallback = [](ImGuiContext*, void* errors, const char* message) {
    static_cast<std::vector<std::string>*>(errors)->emplace_back(message);
  };
  context->ErrorCallbackUserData = &errors_;
  app_ = std::make_unique<App>(query);
  resize(size);
}

NullScreen::~NullScreen() {
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) texture->SetStatus(ImTextureStatus_Destroyed);
  ImGui::DestroyContext();
}

void NullScreen::resize(ImVec2 size) {
  ImGui::GetIO().DisplaySize = size;
  app_->wake();
  settle();
}

void NullScreen::frames(int count) {
  for (int i = 0; i < count; ++i) {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    new_frame();
    app_->frame();
    ImGui::Render();
    take_textures(*ImGui::GetDrawData());
    vertices_ = static_cast<std::size_t>(ImGui::GetDrawData()->TotalVtxCount);
  }
}

int NullScreen::settle() {
  constexpr int kMost = 300;
  int count = 0;
  while (count < kMost && (app_->wants_frame() || !ImGui::GetCurrentContext()->InputEventsQueue.empty())) {
    if (!ImGui::GetCurrentContext()->InputEventsQueue.empty()) app_->wake();
    frames(1);
    ++count;
  }
  CHECK(count < kMost);
  return count;
}

Rect NullScreen::rect(const std::string& name) const {
  INFO(name);
  REQUIRE(shows(name));
  return app_->view.rects.at(name);
}

void NullScreen::hover(const std::string& name) {
  const Rect at = rect(name);
  ImGui::GetIO().AddMousePosEvent(at.x + at.w / 2, at.y + at.h / 2);
  settle();
}

void NullScreen::press(const std::string& name) {
  hover(name);
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  settle();
}

void NullScreen::key(ImGuiKey key) {
  ImGui::GetIO().AddKeyEvent(key, true);
  ImGui::GetIO().AddKeyEvent(key, false);
  settle();
}

void NullScreen::type(std::string_view text) {
  ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
  settle();
}

} // namespace plimsoll::app::test
