// Changes of the question are taken back and made again.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;
using app::test::NullScreen;

TEST_CASE("what is typed into one row is taken back at once, and made again") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  const std::string first = screen.app().query;
  CHECK_FALSE(screen.shows("button.undo"));
  screen.press("field.batch");
  screen.type("1");
  screen.type("6");
  screen.key(ImGuiKey_Enter);
  const std::string typed = screen.app().query;
  REQUIRE(typed != first);
  screen.press("task.finetune");
  screen.press("button.undo");
  CHECK(screen.app().query == typed);
  screen.press("button.undo");
  CHECK(screen.app().query == first);
  CHECK_FALSE(screen.shows("button.undo"));
  CHECK(screen.app().effects.query_changed);
  screen.press("button.redo");
  CHECK(screen.app().query == typed);
  screen.press("button.redo");
  CHECK(screen.app().answer.inputs.workload.task == Task::finetune);
  CHECK_FALSE(screen.shows("button.redo"));
}

TEST_CASE("another change forgets what was taken back") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  screen.press("task.finetune");
  screen.press("button.undo");
  screen.press("task.pretrain");
  CHECK_FALSE(screen.app().undo.can_redo());
  screen.press("button.undo");
  CHECK(screen.app().answer.inputs.workload.task == Task::inference);
}

TEST_CASE("keys take back and make again, but not while a row is edited") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  screen.press("task.finetune");
  ImGuiIO& io = ImGui::GetIO();
  const auto chord = [&](ImGuiKey key, bool shift) {
    io.AddKeyEvent(ImGuiMod_Ctrl, true);
    if (shift) io.AddKeyEvent(ImGuiMod_Shift, true);
    screen.key(key);
    io.AddKeyEvent(ImGuiMod_Ctrl, false);
    io.AddKeyEvent(ImGuiMod_Shift, false);
    screen.frames(2);
  };
  chord(ImGuiKey_Z, false);
  CHECK(screen.app().answer.inputs.workload.task == Task::inference);
  chord(ImGuiKey_Z, true);
  CHECK(screen.app().answer.inputs.workload.task == Task::finetune);
  screen.press("field.batch");
  chord(ImGuiKey_Z, false);
  CHECK(screen.app().answer.inputs.workload.task == Task::finetune);
}
