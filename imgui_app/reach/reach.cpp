#include "reach/reach.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace plimsoll::app {
namespace {

constexpr int kPatience = 6; ///< frames: ImGui takes two or three to move its focus

Reach* listener() {
  const ImGuiContext* const context = ImGui::GetCurrentContext();
  return context && context->TestEngineHookItems ? static_cast<Reach*>(context->TestEngine) : nullptr;
}

bool is_inside(ImVec2 point, ImVec2 min, ImVec2 max) { return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y; }

/// Whole pixels: what moves by less has not moved.
Rect whole(ImVec2 min, ImVec2 max) {
  const float x = std::round(min.x), y = std::round(min.y);
  return {x, y, std::round(max.x) - x, std::round(max.y) - y};
}

/// Items that ImGui makes for itself: scroll bars, and windows in their parents.
bool is_of_windows(ImGuiID id, ImGuiWindow& window) {
  if (id == window.ID || id == window.ChildId || id == ImGui::GetWindowScrollbarID(&window, ImGuiAxis_X) || id == ImGui::GetWindowScrollbarID(&window, ImGuiAxis_Y))
    return true;
  return std::ranges::any_of(window.DC.ChildWindows, [&](const ImGuiWindow* child) { return child->ChildId == id; });
}

bool is_reachable(const ImGuiWindow& window) {
  if (window.RootWindow->Flags & ImGuiWindowFlags_Tooltip) return false;
  const ImGuiWindow* const modal = ImGui::GetTopMostPopupModal(); // what lies behind it cannot be pressed
  return modal == nullptr || ImGui::IsWindowWithinBeginStackOf(const_cast<ImGuiWindow*>(&window), const_cast<ImGuiWindow*>(modal));
}

/// What stood behind a widget that is gone, or before it.
ImGuiID heir_of(ImGuiID gone, const Layer& before, const Layer& now) {
  const auto at = std::ranges::find(before.widgets, gone, &Widget::id);
  const auto remains = [&](const Widget& widget) {
    return std::ranges::any_of(now.widgets, [&](const Widget& one) { return one.id == widget.id && one.pane == widget.pane; });
  };
  if (const auto next = std::find_if(at, before.widgets.end(), remains); next != before.widgets.end()) return next->id;
  const auto last = std::find_if(std::make_reverse_iterator(at), before.widgets.rend(), remains);
  return last == before.widgets.rend() ? 0 : last->id;
}

Pane pane_of(const ImGuiWindow& window) {
  const ImRect& inner = window.InnerRect;
  return {window.ID, whole(inner.Min, inner.Max), std::round(window.Scroll.y), std::round(inner.GetHeight() + window.ScrollMax.y),
          (window.RootWindow->Flags & ImGuiWindowFlags_Popup) != 0};
}

} // namespace

bool is_described() noexcept { return listener() != nullptr; }

void describe(Words words) {
  if (Reach* const reach = listener()) reach->describe(ImGui::GetItemID(), std::move(words));
}

void leave_out() {
  if (Reach* const reach = listener()) reach->leave_out(ImGui::GetItemID());
}

void note_text(ImVec2 top_left, ImVec2 size, std::string_view text) {
  if (Reach* const reach = listener()) reach->note_text(ImGui::GetCurrentWindowRead()->ID, {top_left.x + size.x / 2, top_left.y + size.y / 2}, text);
}

void Reach::listen() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  context.TestEngine = this;
  context.TestEngineHookItems = true;
  listens_ = true;
}

void Reach::begin() {
  items_.clear();
  texts_.clear();
  marked_ = 0;
}

bool Reach::end() {
  if (!listens_) {
    keep_keyboard({});
    return false;
  }
  if (pressed_ > 0) --pressed_;
  fill_in();
  if (patience_ > 0 && --patience_ == 0) to_focus_ = to_fill_ = 0;
  Layer now = finished();
  keep_keyboard(now);
  const bool is_new = now != layer_;
  layer_ = std::move(now);
  return is_new;
}

/// When the widget that has the keyboard is gone, ImGui's Tab key leads nowhere: its neighbour gets the keyboard, or the Tab key
/// begins anew.
void Reach::keep_keyboard(const Layer& now) {
  constexpr int kGone = 2; // frames: one without it may be a list that closes
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool is_lost = context.NavId != 0 && context.NavCursorVisible && !context.NavIdIsAlive && context.ActiveId == 0 &&
                       !context.NavAnyRequest && !context.NavMoveSubmitted && to_focus_ == 0;
  if (!is_lost) {
    lost_ = 0;
    return;
  }
  if (lost_ == 0) heir_ = heir_of(context.NavId, layer_, now);
  if (++lost_ < kGone) return;
  lost_ = 0;
  if (heir_ != 0)
    focus(heir_);
  else
    ImGui::SetNavCursorVisible(false);
}

void Reach::press(ImGuiID id) {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  if (context.ActiveId != id) ImGui::ClearActiveID(); // a text box that loses the keyboard to the press would take back what the press changes
  context.NavNextActivateId = id;
  context.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
  pressed_ = 3;
}

void Reach::focus(ImGuiID id) {
  to_focus_ = id;
  patience_ = kPatience;
}

void Reach::fill(ImGuiID id, std::string text) {
  if (ImGui::GetCurrentContext()->ActiveId != id) press(id);
  to_fill_ = id;
  text_ = std::move(text);
  patience_ = kPatience;
}

/// Once the box has the keyboard: all of its text is selected, and what comes takes its place.
void Reach::fill_in() {
  if (to_fill_ == 0 || ImGui::GetCurrentContext()->ActiveId != to_fill_) return;
  ImGuiInputTextState* const state = ImGui::GetInputTextState(to_fill_);
  if (!state) return;
  state->SelectAll();
  ImGuiIO& io = ImGui::GetIO();
  if (text_.empty())
    for (const bool down : {true, false}) io.AddKeyEvent(ImGuiKey_Delete, down);
  else
    io.AddInputCharactersUTF8(text_.c_str());
  to_fill_ = 0;
  pressed_ = 2;
}

void Reach::leave(ImGuiID id) {
  if (ImGui::GetCurrentContext()->ActiveId == id) ImGui::ClearActiveID();
}

void Reach::scroll(ImGuiID pane, float to) {
  if (ImGuiWindow* const window = ImGui::FindWindowByID(pane)) ImGui::SetScrollY(window, to);
}

void Reach::add(ImGuiID id, ImGuiWindow& window, ImVec2 min, ImVec2 max) {
  if (id == to_focus_) {
    ImGui::FocusItem();
    ImGui::SetNavCursorVisible(true);
    to_focus_ = 0;
  }
  if (find(id)) return; // a box of several lines tells of itself twice
  Item item{{.id = id}, &window};
  item.min = min;
  item.max = max;
  items_.push_back(std::move(item));
}

Reach::Item* Reach::find(ImGuiID id) {
  const auto at = std::find_if(items_.rbegin(), items_.rend(), [&](const Item& item) { return item.widget.id == id; });
  return at == items_.rend() ? nullptr : &*at;
}

void Reach::describe(ImGuiID id, Words words) {
  Item* const item = find(id);
  if (!item) return;
  Widget& widget = item->widget;
  widget.role = words.role;
  widget.name = std::move(words.name);
  widget.value = std::move(words.value);
  widget.about = std::move(words.about);
  widget.group = std::move(words.group);
  widget.level = words.level;
  widget.checked = words.checked;
  widget.selected = words.selected;
  widget.expanded = words.expanded;
  widget.invalid = words.invalid;
  widget.number = words.number;
  widget.multiline = words.multiline;
  item->described = true;
  if (words.marked) marked_ = id;
}

void Reach::leave_out(ImGuiID id) {
  if (Item* const item = find(id)) item->left_out = true;
}

void Reach::note_text(ImGuiID window, ImVec2 centre, std::string_view text) { texts_.push_back({window, centre, std::string(text)}); }

std::string Reach::written_on(const Item& item) const {
  std::string name;
  for (const Text& text : texts_)
    if (text.window == item.window->ID && is_inside(text.centre, item.min, item.max)) name += (name.empty() ? "" : ", ") + text.text;
  return name;
}

Layer Reach::finished() {
  Layer layer;
  for (Item& item : items_) {
    ImGuiWindow& window = *item.window;
    if (item.left_out || item.max.x - item.min.x < 1 || item.max.y - item.min.y < 1 || !is_reachable(window)) continue;
    if (!item.described && is_of_windows(item.widget.id, window)) continue;
    Widget& widget = item.widget;
    if (widget.name.empty()) widget.name = written_on(item);
    if (std::ranges::find(layer.panes, window.ID, &Pane::id) == layer.panes.end()) layer.panes.push_back(pane_of(window));
    const ImVec2 corner{window.InnerRect.Min.x, window.InnerRect.Min.y - window.Scroll.y};
    widget.pane = window.ID;
    widget.at = whole(item.min - corner, item.max - corner);
    layer.widgets.push_back(std::move(widget));
  }
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  layer.focused = marked_ != 0 ? marked_ : context.ActiveId != 0 && context.ActiveId == context.InputTextState.ID ? context.ActiveId : context.NavCursorVisible ? context.NavId : 0;
  if (std::ranges::find(layer.widgets, layer.focused, &Widget::id) == layer.widgets.end()) layer.focused = 0;
  return layer;
}

} // namespace plimsoll::app

// ---- what ImGui calls --------------------------------------------------------------------------------------------------------------

void ImGuiTestEngineHook_ItemAdd(ImGuiContext* context, ImGuiID id, const ImRect& box, const ImGuiLastItemData* item) {
  if (item == nullptr) return; // a window
  static_cast<plimsoll::app::Reach*>(context->TestEngine)->add(id, *context->CurrentWindow, box.Min, box.Max);
}

// What it would add is known from describe(): the labels of custom-drawn items are only ids.
void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID, const char*, ImGuiItemStatusFlags) {}

void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}

const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) { return nullptr; }
