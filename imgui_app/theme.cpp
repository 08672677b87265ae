#include "theme.hpp"

#include <array>
#include <cmath>

namespace plimsoll::app {
namespace {

constexpr ImU32 rgb(unsigned hex) { return IM_COL32(hex >> 16 & 255u, hex >> 8 & 255u, hex & 255u, 255); }

constexpr Theme kDark{
    .ground = rgb(0x10171E), .panel = rgb(0x17212B), .sheet = rgb(0x10171E), .field = rgb(0x1E2B37), .hover = rgb(0x263645), .line = rgb(0x263442),
    .ink = rgb(0xE8EEF2), .dim = rgb(0x93A4B3), .accent = rgb(0x4FB3D9), .load_line = rgb(0xFF6B4A), .ok = rgb(0x67C587),
    .warning = rgb(0xE8B04B)};

constexpr Theme kLight{
    .ground = rgb(0xF4F7F9), .panel = rgb(0xFFFFFF), .sheet = rgb(0xFFFFFF), .field = rgb(0xF0F4F7), .hover = rgb(0xE4EBF0), .line = rgb(0xDBE3E9),
    .ink = rgb(0x15212B), .dim = rgb(0x5C6F7E), .accent = rgb(0x1B7FA8), .load_line = rgb(0xD9482B), .ok = rgb(0x1E8E4E),
    .warning = rgb(0x8F6200)};

// By Part. Chosen so that neighbours in a bar stay apart for people with any of the three colour-vision deficiencies.
constexpr std::array<ImU32, kParts> kPartColours{
    rgb(0x4C78A8), // weights
    rgb(0x72B7B2), // gradients
    rgb(0xB279A2), // optimizer
    rgb(0xF2B701), // activations
    rgb(0xE07B39), // loss
    rgb(0x8FA3AD), // buffers
    rgb(0x8CCBEF), // kv_cache
    rgb(0xD3C79C), // workspace
    rgb(0x5B6770), // runtime
    rgb(0x9C6B4F), // other_models
};

constexpr ImU32 kDarkText = rgb(0x14202A);
constexpr ImU32 kWhite = rgb(0xFFFFFF);

unsigned channel(ImU32 colour, int shift) { return colour >> shift & 255u; }

float linear(unsigned channel8) {
  const float c = static_cast<float>(channel8) / 255.0f;
  return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

float luminance(ImU32 colour) {
  return 0.2126f * linear(channel(colour, IM_COL32_R_SHIFT)) + 0.7152f * linear(channel(colour, IM_COL32_G_SHIFT)) +
         0.0722f * linear(channel(colour, IM_COL32_B_SHIFT));
}

ImVec4 vec(ImU32 colour, float alpha = 1.0f) { return ImGui::ColorConvertU32ToFloat4(faded(colour, alpha)); }

} // namespace

const Theme& theme(bool dark) noexcept { return dark ? kDark : kLight; }

ImU32 colour_of(Part part) noexcept { return kPartColours[static_cast<std::size_t>(part)]; }

ImU32 colour_of(std::string_view component_id, ImU32 other) noexcept {
  for (std::size_t i = 0; i < kParts; ++i) {
    const std::string_view id = text_of(static_cast<Part>(i)).id;
    if (component_id.starts_with(id) && (component_id.size() == id.size() || component_id[id.size()] == '.'))
      return kPartColours[i];
  }
  return other;
}

float contrast(ImU32 a, ImU32 b) noexcept {
  const float la = luminance(a) + 0.05f, lb = luminance(b) + 0.05f;
  return la > lb ? la / lb : lb / la;
}

ImU32 text_on(ImU32 background) noexcept {
  return contrast(kWhite, background) >= contrast(kDarkText, background) ? kWhite : kDarkText;
}

ImU32 faded(ImU32 colour, float alpha) noexcept {
  const float opacity = static_cast<float>(channel(colour, IM_COL32_A_SHIFT)) * alpha;
  return (colour & ~IM_COL32_A_MASK) | static_cast<ImU32>(opacity + 0.5f) << IM_COL32_A_SHIFT;
}

ImU32 mixed(ImU32 a, ImU32 b, float share) noexcept {
  const ImVec4 x = vec(a), y = vec(b);
  const auto mix = [share](float from, float to) { return from + (to - from) * share; };
  return ImGui::ColorConvertFloat4ToU32({mix(x.x, y.x), mix(x.y, y.y), mix(x.z, y.z), 1.0f});
}

void apply_style(const Theme& t) {
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowPadding = style.FramePadding = style.ItemSpacing = style.ItemInnerSpacing = {0, 0};
  style.WindowBorderSize = style.ChildBorderSize = style.FrameBorderSize = 0;
  style.WindowRounding = style.ChildRounding = 0;
  style.PopupRounding = space::card_rounding;
  style.PopupBorderSize = 1;
  style.FrameRounding = space::row_rounding;
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.WindowMinSize = {1, 1};
  style.HoverDelayNormal = 0.35f;
  style.DisabledAlpha = 0.5f;

  style.Colors[ImGuiCol_Text] = vec(t.ink);
  style.Colors[ImGuiCol_TextDisabled] = vec(t.dim);
  style.Colors[ImGuiCol_WindowBg] = vec(t.ground);
  style.Colors[ImGuiCol_ChildBg] = vec(t.ground, 0);
  style.Colors[ImGuiCol_PopupBg] = vec(t.panel);
  style.Colors[ImGuiCol_Border] = vec(t.line);
  style.Colors[ImGuiCol_BorderShadow] = vec(t.line, 0);
  style.Colors[ImGuiCol_FrameBg] = style.Colors[ImGuiCol_FrameBgHovered] = style.Colors[ImGuiCol_FrameBgActive] = vec(t.field, 0);
  style.Colors[ImGuiCol_ScrollbarBg] = vec(t.ground, 0);
  style.Colors[ImGuiCol_ScrollbarGrab] = vec(t.dim, 0.30f);
  style.Colors[ImGuiCol_ScrollbarGrabHovered] = vec(t.dim, 0.50f);
  style.Colors[ImGuiCol_ScrollbarGrabActive] = vec(t.dim, 0.70f);
  style.Colors[ImGuiCol_TextSelectedBg] = vec(t.accent, 0.35f);
  style.Colors[ImGuiCol_InputTextCursor] = vec(t.accent);
  style.Colors[ImGuiCol_NavCursor] = vec(t.accent);
  style.Colors[ImGuiCol_ModalWindowDimBg] = vec(IM_COL32(6, 12, 18, 255), 0.55f);
}

} // namespace plimsoll::app
