#include "reach/widget.hpp"

#include <cstdio>
#include <utility>

namespace plimsoll::app {
namespace {

/// Writes one object after the other; what is empty or off is left out.
class Json {
public:
  void text(std::string_view key, std::string_view value) {
    if (value.empty()) return;
    begin(key);
    out_ += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') out_ += '\\';
      out_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    out_ += '"';
  }
  void number(std::string_view key, double value) {
    begin(key);
    char digits[32];
    out_.append(digits, static_cast<std::size_t>(std::snprintf(digits, sizeof digits, "%.10g", value)));
  }
  void flag(std::string_view key, bool value) {
    if (!value) return;
    begin(key);
    out_ += "true";
  }
  void state(std::string_view key, State value) {
    if (value == State::none) return;
    begin(key);
    out_ += value == State::on ? "true" : "false";
  }
  void rect(const Rect& at) { number("x", at.x), number("y", at.y), number("w", at.w), number("h", at.h); }

  template <class Contents> void object(const Contents& contents) {
    out_ += out_.ends_with('}') ? ",{" : "{";
    contents();
    out_ += '}';
  }
  void raw(std::string_view text) { out_ += text; }
  std::string take() { return std::move(out_); }

private:
  void begin(std::string_view key) {
    if (!out_.ends_with('{')) out_ += ',';
    out_ += '"';
    out_ += key;
    out_ += "\":";
  }
  std::string out_;
};

} // namespace

std::string_view name_of(Role role) noexcept {
  switch (role) {
    case Role::button: return "button";
    case Role::link: return "link";
    case Role::checkbox: return "checkbox";
    case Role::radio: return "radio";
    case Role::tab: return "tab";
    case Role::combobox: return "combobox";
    case Role::textbox: return "textbox";
    case Role::option: return "option";
    case Role::menuitem: return "menuitem";
    case Role::treeitem: return "treeitem";
    case Role::img: return "img";
  }
  return "";
}

std::string json_of(const Layer& layer) {
  Json json;
  json.raw("{\"focused\":" + std::to_string(layer.focused) + ",\"panes\":[");
  for (const Pane& pane : layer.panes)
    json.object([&] {
      json.number("id", pane.id);
      json.rect(pane.at);
      json.number("scroll", pane.scroll);
      json.number("height", pane.height);
      json.flag("above", pane.above);
    });
  json.raw("],\"widgets\":[");
  for (const Widget& widget : layer.widgets)
    json.object([&] {
      json.number("id", widget.id);
      json.number("pane", widget.pane);
      json.text("role", name_of(widget.role));
      json.text("name", widget.name);
      json.text("value", widget.value);
      json.text("about", widget.about);
      json.text("group", widget.group);
      if (widget.level > 0) json.number("level", widget.level);
      json.state("checked", widget.checked);
      json.state("selected", widget.selected);
      json.state("expanded", widget.expanded);
      json.flag("invalid", widget.invalid);
      json.flag("number", widget.number);
      json.flag("multiline", widget.multiline);
      json.rect(widget.at);
    });
  json.raw("]}");
  return json.take();
}

} // namespace plimsoll::app
