// What people do with the mouse and the keyboard changes the question, and nothing that they type is lost.
#include "null_screen.hpp"
#include "plimsoll/catalog/search.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <string>

using namespace plimsoll;
using app::test::NullScreen;

namespace {

constexpr const char* kQuestion = "model=llama-3-8b&device=rtx4090";

bool has_issue(const app::App& app, std::string_view field) {
  return std::any_of(app.answer.issues.begin(), app.answer.issues.end(), [&](const Issue& i) { return i.field == field; });
}

} // namespace

TEST_CASE("the tasks are a press away") {
  NullScreen screen(kQuestion);
  screen.press("task.finetune");
  CHECK(screen.app().answer.inputs.workload.task == Task::finetune);
  CHECK(screen.app().effects.query_changed);
  screen.press("task.pretrain");
  CHECK(screen.app().answer.inputs.workload.task == Task::pretrain);
  CHECK(screen.errors().empty());
}

TEST_CASE("a number is typed into its row") {
  NullScreen screen(kQuestion);
  const std::int64_t before = screen.app().answer.estimate.at_peak().total.value;
  screen.press("field.batch");
  CHECK(ImGui::GetIO().WantTextInput);
  screen.type("16");
  CHECK(*screen.app().request.find("batch") == "16");
  CHECK(screen.app().answer.inputs.workload.batch == 16);
  CHECK(screen.app().answer.estimate.at_peak().total.value > before);
  screen.key(ImGuiKey_Enter);
  CHECK_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_CASE("a bad value stays in its row, beside the last good answer") {
  NullScreen screen(kQuestion);
  screen.press("field.batch");
  screen.type("16");
  const std::string good = screen.app().shown->answer.headline.rest;
  screen.type(" or so");
  const app::App& app = screen.app();
  CHECK_FALSE(app.answer.ok);
  CHECK(has_issue(app, "batch"));
  CHECK(*app.request.find("batch") == "16 or so");
  CHECK(app.answer.find_field("batch")->text == "16 or so");
  CHECK(app.shown->answer.headline.rest == good);
  CHECK(screen.shows("issues"));
  CHECK(screen.shows("hull"));
  CHECK_FALSE(screen.shows("headline"));

  screen.key(ImGuiKey_Enter);
  CHECK(*app.request.find("batch") == "16 or so");
  screen.press("reset.batch");
  CHECK(app.answer.ok);
  CHECK_FALSE(app.request.find("batch"));
  CHECK(screen.errors().empty());
}

TEST_CASE("a row that is left empty goes back to its preset") {
  NullScreen screen(std::string(kQuestion) + "&batch=8");
  screen.press("field.batch");
  screen.key(ImGuiKey_Delete); // all of it is selected
  CHECK(*screen.app().request.find("batch") == "");
  screen.key(ImGuiKey_Enter);
  CHECK_FALSE(screen.app().request.find("batch"));
  CHECK(screen.app().answer.ok);
}

TEST_CASE("a link that is wrong from the start is explained") {
  NullScreen screen("model=llama-3-8b&batch=many");
  CHECK_FALSE(screen.app().shown.has_value());
  CHECK(screen.shows("issues"));
  CHECK(screen.shows("field.batch"));
  CHECK_FALSE(screen.shows("hull"));
  CHECK(screen.errors().empty());
}

TEST_CASE("a model is found by typing a part of its name") {
  NullScreen screen(kQuestion);
  screen.press("field.model");
  REQUIRE(screen.shows("picker.search"));
  screen.type("qwen3-c");
  CHECK(screen.shows("option.qwen3-coder-480b-a35b"));
  CHECK_FALSE(screen.shows("option.llama-3-8b"));
  CHECK(screen.rect("option.qwen3-coder-480b-a35b").y < screen.rect("option.qwen3-next-80b-a3b").y);
  screen.key(ImGuiKey_Enter);
  CHECK(screen.app().answer.inputs.model.id == "qwen3-coder-480b-a35b");
  CHECK_FALSE(screen.shows("picker.search"));
}

TEST_CASE("the best of many rows is in sight, wherever the list stood before") {
  NullScreen screen("model=qwen3.8-27b");
  screen.press("field.model");
  CHECK_FALSE(screen.shows("option.qwen3-0.6b"));
  screen.type("qwen3");
  const std::vector<io::SearchRow> rows = io::rows_of(screen.app().catalog, "model");
  CHECK(screen.shows("option." + std::string(rows.at(screen.app().view.picker_rows.found.at(0)).id)));
}

TEST_CASE("a model is found by an alias, and by nothing that it is not called") {
  NullScreen screen(kQuestion);
  screen.press("field.model");
  screen.type("octocoder");
  CHECK(screen.shows("option.starcoder-15.5b"));
  screen.type(" nonsense");
  CHECK(screen.app().view.picker_rows.found.empty());
  screen.key(ImGuiKey_Enter);
  CHECK(screen.app().answer.inputs.model.id == "llama-3-8b");
}

TEST_CASE("a way to store weights is found by its name") {
  NullScreen screen(kQuestion);
  screen.press("field.weight_dtype");
  REQUIRE(screen.shows("picker.search"));
  screen.type("q4_k_m");
  screen.key(ImGuiKey_Enter);
  CHECK(screen.app().answer.ok);
  CHECK(screen.app().answer.find_field("weight_dtype")->text == "q4_k_m");
}

TEST_CASE("of hundreds of models only those in sight are drawn") {
  NullScreen screen(kQuestion);
  const std::size_t before = screen.vertices();
  screen.press("field.model");
  const std::size_t rows = io::rows_of(screen.app().catalog, "model").size();
  CHECK(rows > 200);
  CHECK(screen.app().view.picker_rows.found.size() == rows);
  CHECK(screen.vertices() - before < 4000);
  const auto drawn = [&] {
    return std::count_if(screen.app().view.rects.begin(), screen.app().view.rects.end(), [](const auto& entry) { return entry.first.starts_with("option."); });
  };
  CHECK(drawn() > 5);
  CHECK(drawn() < 40);
  screen.key(ImGuiKey_PageDown);
  CHECK(screen.shows("option." + std::string(io::rows_of(screen.app().catalog, "model").at(static_cast<std::size_t>(screen.app().view.choice)).id)));
  for (int i = 0; i < 60; ++i) screen.key(ImGuiKey_PageDown);
  CHECK(screen.shows("option.custom"));
  CHECK(screen.errors().empty());
}

TEST_CASE("the arrow keys move through a list, and Escape leaves it as it was") {
  NullScreen screen(kQuestion);
  const std::string format = screen.app().answer.find_field("weight_dtype")->text;
  screen.press("field.weight_dtype");
  screen.key(ImGuiKey_DownArrow);
  screen.key(ImGuiKey_Escape);
  CHECK(screen.app().answer.find_field("weight_dtype")->text == format);
  screen.press("field.model");
  const std::string marked = screen.app().catalog.models().at(static_cast<std::size_t>(screen.app().view.choice)).id;
  CHECK(marked == "llama-3-8b");
  screen.key(ImGuiKey_UpArrow);
  screen.key(ImGuiKey_Enter);
  CHECK(screen.app().answer.ok);
  CHECK(screen.app().answer.inputs.model.id != "llama-3-8b");
}

TEST_CASE("folded inputs come out when asked for, and stay out when they differ") {
  NullScreen screen(kQuestion);
  CHECK_FALSE(screen.shows("field.prefill_tokens"));
  screen.press("button.more.workload");
  CHECK(screen.shows("field.prefill_tokens"));
  screen.press("button.more.workload");
  CHECK_FALSE(screen.shows("field.prefill_tokens"));
  screen.app().set_field("prefill_tokens", "2048");
  screen.settle();
  CHECK(screen.shows("field.prefill_tokens"));
}

TEST_CASE("what the pointer rests on is explained, all of it at once") {
  NullScreen screen(std::string(kQuestion) + "&batch=4");
  const auto is_explained = [&](const char* name) {
    CAPTURE(name);
    screen.hover(name);
    CHECK(screen.rect("hint").w > 150);
    CHECK(screen.rect("hint").h > 30);
  };
  for (const char* const name : {"field.batch", "field.weight_dtype", "segment.memory.weights", "reset.batch"}) is_explained(name);
  screen.press("tab.timeline");
  is_explained("moment.decode");
  CHECK(screen.errors().empty());
}

TEST_CASE("the keyboard alone reaches the rows") {
  NullScreen screen(kQuestion);
  screen.key(ImGuiKey_Tab);
  bool reached = false;
  for (int i = 0; i < 20 && !reached; ++i) {
    screen.key(ImGuiKey_Tab);
    reached = ImGui::GetIO().WantTextInput;
  }
  CHECK(reached);
  screen.type("3");
  CHECK(screen.app().effects.query_changed);
}

TEST_CASE("copy link asks for the page's address with the question") {
  NullScreen screen(kQuestion);
  screen.app().address = "https://example.org/plimsoll/";
  screen.press("button.copy_link");
  CHECK(screen.app().effects.copy == "https://example.org/plimsoll/?" + screen.app().query);
}

TEST_CASE("a new question from the page is not told back to it") {
  NullScreen screen(kQuestion);
  screen.app().set_query("model=qwen3-8b&device=rtx4090&batch=2");
  screen.settle();
  CHECK(screen.app().answer.inputs.model.id == "qwen3-8b");
  CHECK_FALSE(screen.app().effects.query_changed);
}

TEST_CASE("on a phone, inputs that nobody changed wait behind a link; those that are changed or wrong do not") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=pretrain&tensor_parallel=2", {390, 3000});
  CHECK(screen.shows("field.batch"));
  CHECK(screen.shows("field.tensor_parallel"));
  CHECK_FALSE(screen.shows("field.optimizer"));
  const float tabs = screen.rect("tab.plan").y;
  screen.press("button.more.rest");
  CHECK(screen.shows("field.optimizer"));
  CHECK(screen.rect("tab.plan").y > tabs);
  screen.press("button.more.rest");
  CHECK_FALSE(screen.shows("field.optimizer"));
  screen.app().set_field("optimizer", "nothing");
  screen.settle();
  CHECK(screen.shows("field.optimizer"));
  CHECK(screen.errors().empty());
}

TEST_CASE("a press that comes at once with the pointer opens a list all the same") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  const app::Rect row = screen.rect("field.device");
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(row.x + row.w / 2, row.y + row.h / 2);
  io.AddMouseButtonEvent(0, true);
  io.AddMouseButtonEvent(0, false);
  screen.settle();
  CHECK(screen.shows("picker.search"));
  CHECK(screen.errors().empty());
}

TEST_CASE("no key typed while a list opens is lost, however early it comes") {
  for (const int frames_between : {0, 1, 2, 3, 4}) {
    CAPTURE(frames_between);
    NullScreen screen("model=llama-3-8b&device=h100-80-sxm", {1440, 1600});
    const app::Rect row = screen.rect("field.device");
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(row.x + row.w / 2, row.y + row.h / 2);
    screen.frames(2);
    io.AddMouseButtonEvent(0, true);
    io.AddMouseButtonEvent(0, false);
    screen.frames(frames_between);
    for (const char letter : std::string{"4090"}) {
      io.AddInputCharacter(static_cast<unsigned>(letter));
      screen.frames(frames_between > 2 ? 1 : 0);
    }
    screen.settle();
    CHECK(screen.app().view.search == "4090");
    screen.key(ImGuiKey_Enter);
    screen.settle();
    CHECK(screen.app().answer.inputs.hardware.id == "rtx4090");
    CHECK(screen.errors().empty());
  }
}

TEST_CASE("a value of a hundred thousand letters costs the drawing no more than it has to") {
  NullScreen screen("model=llama-3-8b&device=" + std::string(100'000, 'x'), {1440, 900});
  const auto begin = std::chrono::steady_clock::now();
  screen.frames(10);
  const auto each = (std::chrono::steady_clock::now() - begin) / 10;
  CHECK(each < std::chrono::milliseconds{250}); // cut letter by letter it takes a minute
  CHECK(screen.errors().empty());
}

TEST_CASE("a number is turned to the next one with arrows and signs, and is edited further") {
  NullScreen screen(kQuestion);
  screen.press("field.batch");
  screen.type("6");
  screen.key(ImGuiKey_UpArrow);
  CHECK(*screen.app().request.find("batch") == "8");
  screen.key(ImGuiKey_DownArrow);
  CHECK(*screen.app().request.find("batch") == "4");
  screen.press("more.batch");
  CHECK(*screen.app().request.find("batch") == "8");
  screen.press("less.batch");
  CHECK(*screen.app().request.find("batch") == "4");
  CHECK(screen.app().view.editing == "batch");
}

TEST_CASE("the number of GPUs comes first, and what divides them opens under it") {
  NullScreen screen("model=llama-3-70b&device=h100-80-sxm&profile=vllm");
  CHECK(screen.shows("field.gpus"));
  CHECK_FALSE(screen.shows("field.tensor_parallel"));
  screen.press("field.gpus");
  screen.type("16");
  CHECK(screen.app().answer.estimate.gpus == Count{16});
  CHECK(*screen.app().request.find("tensor_parallel") == "8");
  CHECK(*screen.app().request.find("pipeline_parallel") == "2");
  CHECK(screen.shows("field.tensor_parallel"));
  screen.type("many");
  CHECK(has_issue(screen.app(), "gpus"));
  CHECK(*screen.app().request.find("gpus") == "16many");
}
