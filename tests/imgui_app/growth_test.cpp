// What is sought once nothing moves any more: how memory grows, the most that fits, the line that starts an engine.
#include "null_screen.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;
using app::test::NullScreen;

namespace {

void wait(NullScreen& screen) {
  screen.app().advises = true;
  screen.app().wake();
  const app::App& app = screen.app();
  do screen.frames(1);
  while (!app.growth || app.growth->query != app.query || app.growth->running || !app.advice || app.advice->query != app.query || app.advice->running);
  screen.settle();
}

} // namespace

TEST_CASE("the curve rises, crosses the line where the context does not fit any more, and has the question on it") {
  NullScreen screen("model=llama-3-8b&device=rtx4090", {1440, 1600});
  wait(screen);
  REQUIRE(screen.app().grown);
  const io::CurveLine& line = screen.app().grown->lines.front();
  REQUIRE(line.points.size() > 5);
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    CHECK(line.points[i].value > line.points[i - 1].value);
    CHECK(line.points[i].needs >= line.points[i - 1].needs);
  }
  const auto now = std::ranges::find(line.points, 8192, &io::CurvePoint::value);
  REQUIRE(now != line.points.end());
  CHECK(now->needs == screen.app().answer.footprint->process.expected);
  for (const io::CurvePoint& point : line.points) CHECK((point.verdict == Verdict::holds) == (point.needs <= screen.app().grown->usable));
}

TEST_CASE("the point is drawn along the curve, and the context is another when it is let go") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm", {1440, 1600});
  wait(screen);
  const app::Rect plot = screen.rect("growth.plot");
  ImGuiIO& io = ImGui::GetIO();
  const float middle = plot.y + plot.h / 2;
  io.AddMousePosEvent(plot.x + plot.w - 2, middle);
  screen.frames(2);
  io.AddMouseButtonEvent(0, true);
  screen.frames(2);
  CHECK(screen.app().answer.inputs.workload.context_tokens == 8192);
  io.AddMousePosEvent(plot.x + 1, middle);
  screen.frames(2);
  io.AddMouseButtonEvent(0, false);
  screen.frames(3);
  CHECK(screen.app().answer.inputs.workload.context_tokens == 1024);
  CHECK(screen.errors().empty());
}

TEST_CASE("the most that fits is a press away") {
  NullScreen screen("model=llama-3-8b&device=rtx4090", {1440, 1600});
  wait(screen);
  const auto& limits = screen.app().advice->session.advice().limits;
  const auto batch = std::ranges::find(limits, "batch", &io::InputLimit::field);
  REQUIRE(batch != limits.end());
  REQUIRE(screen.shows("link.room"));
  screen.press("link.room");
  CHECK(screen.app().answer.judgement.holds());
  CHECK(screen.app().query != "model=llama-3-8b&device=rtx4090");
}

TEST_CASE("the launch line of an engine is copied whole") {
  NullScreen screen("model=llama-3-8b&device=rtx4090&profile=vllm", {1440, 1600});
  wait(screen);
  REQUIRE(screen.shows("button.copy_launch"));
  screen.press("button.copy_launch");
  CHECK(screen.app().effects.copy_text.find("vllm serve") != std::string::npos);
}

TEST_CASE("what no engine's line says has none") {
  NullScreen screen("model=llama-3-8b&device=rtx4090", {1440, 1600});
  wait(screen);
  CHECK_FALSE(screen.shows("button.copy_launch"));
}

TEST_CASE("a step that takes long to replay is replayed between frames, and the former answer stays until then") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=finetune", {1440, 900});
  app::App& app = screen.app();
  app.answers_in_slices = true;
  app.slice = {};
  const std::string before = app.shown->answer.headline.rest;
  app.set_query("model=llama-3.1-405b&device=h100-80-sxm&task=finetune");
  CHECK(app.query.find("405b") != std::string::npos); // at once
  CHECK(app.shown->answer.headline.rest == before);
  CHECK(app.wants_frame());
  app.effects = {};
  int frames = 0;
  while (!app.effects.answered && frames < 2000) screen.frames(1), ++frames;
  CHECK(frames > 1);
  io::Answer at_once = io::answer_query(app.catalog, app.query);
  io::add_footprint(at_once);
  CHECK(app.shown->answer.headline.rest == at_once.headline.rest);
  CHECK(app.answer.footprint->process.expected == at_once.footprint->process.expected);
  app.set_query("model=llama-3-8b&device=nothing");
  CHECK(app.effects.answered); // what is wrong with a question is known at once
  CHECK(screen.errors().empty());
}
