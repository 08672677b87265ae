// The widgets of a frame as data: every one has a role and a name, and can be pressed, filled in and focused without a pointer.
#include "null_screen.hpp"
#include "plimsoll/method/format.hpp"

#include <catch2/catch_test_macros.hpp>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace plimsoll::app::test { // where Role and Layer are those of the screen
namespace {

constexpr const char* kQuestion = "model=llama-3-8b&device=rtx4090";
constexpr const char* kPipeline = "model=llama-3-8b&device=h100-80-sxm&task=pretrain&tensor_parallel=2&pipeline_parallel=4";

/// A screen whose widgets are collected.
struct Listening : NullScreen {
  explicit Listening(std::string_view query, ImVec2 size = {1440, 900}) : NullScreen(query, size) {
    app().reach.listen();
    app().wake();
    settle();
  }
  const Layer& layer() { return app().reach.layer(); }
  const Widget* find(Role role, std::string_view name) {
    const auto at = std::ranges::find_if(layer().widgets, [&](const Widget& w) { return w.role == role && w.name.starts_with(name); });
    return at == layer().widgets.end() ? nullptr : &*at;
  }
  const Widget& get(Role role, std::string_view name) {
    INFO(name);
    const Widget* const found = find(role, name);
    REQUIRE(found);
    return *found;
  }
  void act(void (app::Reach::*what)(ImGuiID), ImGuiID id) {
    (app().reach.*what)(id);
    app().wake();
    settle();
  }
  void press_widget(Role role, std::string_view name) { act(&app::Reach::press, get(role, name).id); }
  void fill(Role role, std::string_view name, std::string_view text) {
    app().reach.fill(get(role, name).id, std::string(text));
    app().wake();
    settle();
  }
};

} // namespace

TEST_CASE("nothing is collected until somebody listens") {
  NullScreen screen(kQuestion);
  CHECK(screen.app().reach.layer().widgets.empty());
  CHECK_FALSE(screen.app().effects.widgets_changed);
}

TEST_CASE("every widget of every tab has a name and its own place, and stands in a pane") {
  for (const char* const question : {kQuestion, kPipeline})
    for (const ImVec2 size : {ImVec2{1440, 900}, ImVec2{1024, 768}, ImVec2{390, 844}}) {
      Listening screen(question, size);
      for (std::size_t tab = 0; tab < app::kTabs; ++tab) {
        screen.app().view.tab = static_cast<app::Tab>(tab);
        screen.app().wake();
        screen.settle();
        std::set<ImGuiID> ids;
        CHECK(screen.layer().widgets.size() > 20);
        for (const Widget& widget : screen.layer().widgets) {
          CAPTURE(question, size.x, app::text_of(static_cast<app::Tab>(tab)).id, widget.name, widget.at.x, widget.at.y, widget.at.w, widget.at.h);
          CHECK_FALSE(widget.name.empty());
          CHECK(ids.insert(widget.id).second);
          CHECK(std::ranges::find(screen.layer().panes, widget.pane, &app::Pane::id) != screen.layer().panes.end());
        }
      }
    }
}

TEST_CASE("a widget says what it is called, what it is worth and how it stands") {
  Listening screen(std::string(kQuestion) + "&batch=4");
  CHECK(screen.get(Role::tab, "Breakdown").selected == app::State::on);
  CHECK(screen.get(Role::tab, "Timeline").selected == app::State::off);
  CHECK(screen.get(Role::radio, "Serve").checked == app::State::on);
  const io::FieldState& batch = *screen.app().answer.find_field("batch");
  const Widget box = screen.get(Role::textbox, label_of(*batch.field));
  CHECK(box.value == "4");
  CHECK(box.number);
  CHECK(box.about.find(help_of(*batch.field)) != std::string::npos);
  const Widget model = screen.get(Role::combobox, label_of(*screen.app().answer.find_field("model")->field));
  CHECK(model.value == screen.app().answer.inputs.model.name);
  CHECK(model.expanded == app::State::off);
  CHECK(screen.find(Role::button, "Reset " + std::string(label_of(*batch.field))));
}

TEST_CASE("what is only drawn says its bytes in words") {
  Listening screen(kQuestion);
  for (const Component& part : screen.app().shown->explanation.memory.parts) {
    if (part.amount == 0) continue;
    const std::string words = part.label + ": " + format_bytes(Bytes{part.amount}) + ", " + format_exact(part.amount, "bytes");
    CHECK(screen.find(Role::treeitem, words));
    CHECK(screen.find(Role::button, words)); // of the bar
  }
  screen.press("tab.timeline");
  const MomentUse& peak = screen.app().shown->answer.estimate.at_peak();
  const Widget moment = screen.get(Role::radio, std::string(text_of(peak.moment).label) + ": " + format_bytes(peak.total));
  CHECK(moment.name.ends_with(format_exact(peak.total.value, "bytes")));
  CHECK(moment.checked == app::State::on);
}

TEST_CASE("a press opens a tab, a formula, a list and one of its rows") {
  Listening screen(kQuestion);
  screen.press_widget(Role::tab, "Timeline");
  CHECK(screen.app().view.tab == app::Tab::timeline);
  screen.press_widget(Role::tab, "Breakdown");
  screen.press_widget(Role::treeitem, "KV cache");
  CHECK(screen.app().view.selected == "memory.kv_cache");
  const std::string_view device = label_of(*screen.app().answer.find_field("device")->field);
  screen.press_widget(Role::combobox, device);
  CHECK(screen.get(Role::combobox, device).expanded == app::State::on);
  screen.fill(Role::textbox, "Search", "h100 sxm");
  CHECK(screen.app().view.search == "h100 sxm");
  const Widget first = screen.get(Role::option, "H100");
  screen.act(&app::Reach::press, first.id);
  CHECK(screen.app().answer.inputs.hardware.id == "h100-80-sxm");
  CHECK_FALSE(screen.find(Role::option, ""));
  CHECK(screen.errors().empty());
}

TEST_CASE("a field is filled in, twice, and emptied") {
  Listening screen(kQuestion);
  const std::string_view label = label_of(*screen.app().answer.find_field("batch")->field);
  screen.fill(Role::textbox, label, "16");
  CHECK(screen.app().answer.inputs.workload.batch == 16);
  screen.fill(Role::textbox, label, "32");
  CHECK(screen.app().answer.inputs.workload.batch == 32);
  CHECK(screen.get(Role::textbox, label).value == "32");
  screen.fill(Role::textbox, label, "many");
  CHECK(screen.get(Role::textbox, label).invalid);
  screen.fill(Role::textbox, label, "");
  screen.act(&app::Reach::leave, screen.get(Role::textbox, label).id);
  CHECK_FALSE(screen.app().request.find("batch"));
  CHECK_FALSE(ImGui::GetIO().WantTextInput);
  CHECK(screen.errors().empty());
}

TEST_CASE("what is scrolled away is there, can be pressed, and comes into sight when it is focused") {
  Listening screen(kQuestion, {390, 844});
  const Widget order = screen.get(Role::button, "largest first");
  const app::Pane& pane = *std::ranges::find(screen.layer().panes, order.pane, &app::Pane::id);
  CHECK(order.at.y > pane.at.h);
  CHECK(order.at.y + order.at.h <= pane.height);
  screen.act(&app::Reach::focus, order.id);
  CHECK(screen.layer().focused == order.id);
  CHECK(screen.layer().panes.at(1).scroll > 0);
  screen.press_widget(Role::button, "largest first");
  CHECK(screen.app().view.order == app::Order::largest_first);
  app::Layer before = screen.layer();
  screen.app().reach.scroll(before.panes.at(1).id, 0);
  screen.app().wake();
  screen.settle();
  CHECK(screen.layer().panes.at(1).scroll == 0);
  REQUIRE(screen.layer().widgets.size() == before.widgets.size());
  for (std::size_t i = 0; i < before.widgets.size(); ++i) { // scrolling moves none of them, but for ImGui's rounding towards zero
    CAPTURE(before.widgets[i].name);
    CHECK(screen.layer().widgets[i].id == before.widgets[i].id);
    CHECK(std::abs(screen.layer().widgets[i].at.y - before.widgets[i].at.y) <= 8);
  }
}

TEST_CASE("behind a dialog nothing can be reached") {
  Listening screen(kQuestion);
  screen.press_widget(Role::link, "read a model file");
  CHECK(screen.find(Role::button, "Import"));
  CHECK_FALSE(screen.find(Role::tab, "Timeline"));
  screen.press_widget(Role::button, "Cancel");
  CHECK(screen.find(Role::tab, "Timeline"));
}

TEST_CASE("a screen that rests tells of nothing") {
  Listening screen(kQuestion);
  screen.app().effects.widgets_changed = false;
  screen.frames(5);
  CHECK_FALSE(screen.app().effects.widgets_changed);
  screen.press_widget(Role::tab, "Timeline");
  CHECK(screen.app().effects.widgets_changed);
}

TEST_CASE("the keyboard's place is told") {
  Listening screen(kQuestion);
  CHECK(screen.layer().focused == 0);
  screen.key(ImGuiKey_Tab);
  const ImGuiID first = screen.layer().focused;
  CHECK(first != 0);
  screen.key(ImGuiKey_Tab);
  CHECK(screen.layer().focused != 0);
  CHECK(screen.layer().focused != first);
}

TEST_CASE("when what had the keyboard is gone, Tab goes on") {
  Listening screen(kQuestion);
  screen.press_widget(Role::tab, "Compare");
  screen.act(&app::Reach::focus, screen.get(Role::button, "Pin this question").id);
  screen.key(ImGuiKey_Enter);
  REQUIRE_FALSE(screen.find(Role::button, "Pin this question"));
  const ImGuiID neighbour = screen.layer().focused;
  CHECK(neighbour != 0);
  screen.key(ImGuiKey_Tab);
  CHECK(screen.layer().focused != 0);
  CHECK(screen.layer().focused != neighbour);
}

TEST_CASE("Tab goes on when nobody listens, too") {
  NullScreen screen(kQuestion);
  screen.press("tab.compare");
  const auto has_keyboard = [&] { return ImGui::GetCurrentContext()->NavIdIsAlive; };
  for (int i = 0; i < 60 && ImGui::GetCurrentContext()->NavId != ImGui::GetCurrentContext()->NavWindow->GetID("button.pin"); ++i) screen.key(ImGuiKey_Tab);
  REQUIRE(has_keyboard());
  screen.key(ImGuiKey_Enter);
  REQUIRE(screen.app().view.pins.size() == 1);
  screen.key(ImGuiKey_Tab);
  CHECK(has_keyboard());
}

TEST_CASE("as JSON, quotation marks and control characters do no harm") {
  Layer layer;
  layer.widgets.push_back({.id = 4294967295u, .role = Role::tab, .name = "a \"b\" \\ c\nd", .selected = app::State::off});
  layer.widgets.push_back({.id = 7});
  CHECK(app::json_of(layer) ==
        R"({"focused":0,"panes":[],"widgets":[{"id":4294967295,"pane":0,"role":"tab","name":"a \"b\" \\ c d","selected":false,"x":0,"y":0,"w":0,"h":0},)"
        R"({"id":7,"pane":0,"role":"button","x":0,"y":0,"w":0,"h":0}]})");
}

TEST_CASE("every dot of the plans that no other beats can be pressed without a pointer, and says what it is") {
  Listening screen("model=llama-3-8b&device=h100-80-sxm&profile=vllm", {1440, 2400});
  screen.app().set_view("tab=plan&objective=throughput&gpus=8");
  screen.settle();
  REQUIRE(screen.app().serving);
  const std::vector<io::ServedWay>& front = screen.app().serving->plan.front;
  REQUIRE(front.size() > 1);
  const auto is_dot = [](const Widget& widget) { return widget.group == "Plans that no other beats"; };
  REQUIRE(std::ranges::count_if(screen.layer().widgets, is_dot) == static_cast<std::ptrdiff_t>(front.size()));
  const Widget dot = *std::ranges::find_if(screen.layer().widgets, is_dot);
  CHECK(dot.name.starts_with(format_token_rate(front.front().rate)));
  CHECK(dot.about == front.front().text);
  const std::string asked = front.front().query;
  screen.act(&app::Reach::press, dot.id);
  Issues issues;
  CHECK(screen.app().query == io::canonical_query(io::answer(screen.app().catalog, io::request_from_query(asked, issues))));
}

} // namespace plimsoll::app::test
