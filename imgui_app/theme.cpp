#include "theme.hpp"

#include "plimsoll/results/result_file.hpp"

#include <cmath>

namespace plimsoll::app {
namespace {

constexpr ImU32 rgb(unsigned hex) { return IM_COL32(hex >> 16 & 255u, hex >> 8 & 255u, hex & 255u, 255); }

constexpr Theme kDark{
    .ground = rgb(0x10171E), .panel = rgb(0x17212B), .sheet = rgb(0x10171E), .field = rgb(0x1E2B37), .hover = rgb(0x263645), .line = rgb(0x263442),
    .ink = rgb(0xE8EEF2), .dim = rgb(0x93A4B3), .accent = rgb(0x4FB3D9), .load_line = rgb(0xFF7354), .ok = rgb(0x67C587),
    .warning = rgb(0xE8B04B)};

constexpr Theme kLight{
    .ground = rgb(0xF4F7F9), .panel = rgb(0xFFFFFF), .sheet = rgb(0xFFFFFF), .field = rgb(0xF0F4F7), .hover = rgb(0xE4EBF0), .line = rgb(0xDBE3E9),
    .ink = rgb(0x15212B), .dim = rgb(0x526472), .accent = rgb(0x177196), .load_line = rgb(0xBE381C), .ok = rgb(0x146F39),
    .warning = rgb(0x7D5600)};

/// Parts of a time have colours of their own: none of them is a category of memory.
struct TimeColour {
  std::string_view id;
  ImU32 colour;
};
constexpr TimeColour kTimeColours[] = {
    {"time.matrices", rgb(0x3D6DB5)},         {"time.attention", rgb(0x8B6CC1)},        {"time.elementwise", rgb(0x59A5C9)},
    {"time.recompute", rgb(0xA9BFDD)},        {"time.tensor_parallel", rgb(0xD98A52)},  {"time.context_parallel", rgb(0xEBC27F)},
    {"time.experts", rgb(0xC9647F)},          {"time.pipeline", rgb(0xA7ADB6)},         {"time.data_parallel", rgb(0x7BA85C)},
    {"time.optimizer", rgb(0x5F7A4E)},        {"time.offload", rgb(0xB5957A)},          {"time.decode.weights", rgb(0x3D6DB5)},
    {"time.decode.cache", rgb(0x8B6CC1)},     {"time.decode.work", rgb(0x3D6DB5)},      {"time.prefill.work", rgb(0x3D6DB5)},
    {"time.decode.experts", rgb(0xC9647F)},   {"time.decode.state", rgb(0x8B6CC1)},     {"time.decode.host", rgb(0xB5957A)},
    {"time.prefill.weights", rgb(0x3D6DB5)},  {"time.prefill.host", rgb(0xB5957A)},     {"time.sent", rgb(0xEBC27F)},
    {"time.layers", rgb(0x59A5C9)},           {"time.sequences", rgb(0xA9BFDD)},        {"time.reductions", rgb(0xD98A52)},
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

ImU32 colour_of(Part part) noexcept { return rgb(io::colour_of(part)); }

ImU32 colour_of(std::string_view component_id, ImU32 other) noexcept {
  for (std::size_t i = 0; i < kParts; ++i) {
    const std::string_view id = text_of(static_cast<Part>(i)).id;
    if (component_id.starts_with(id) && (component_id.size() == id.size() || component_id[id.size()] == '.'))
      return colour_of(static_cast<Part>(i));
  }
  for (const TimeColour& time : kTimeColours)
    if (component_id.starts_with(time.id) && (component_id.size() == time.id.size() || component_id[time.id.size()] == '.')) return time.colour;
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
