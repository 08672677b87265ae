// The four numbers, the ranks of a pipeline, and why the process may come out otherwise.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <imgui_internal.h>

#include <algorithm>
#include <optional>
#include <string>

using namespace plimsoll;
using app::test::NullScreen;

namespace {

constexpr const char* kPipeline = "model=llama-3-8b&device=h100-80-sxm&task=pretrain&tensor_parallel=2&pipeline_parallel=4&data_parallel=2";
constexpr ImVec2 kWide{1440, 900}, kMedium{1024, 768}, kPhone{390, 844};

bool overlap(const app::Rect& a, const app::Rect& b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

std::string rank_name(std::size_t rank) { return "rank." + std::to_string(rank); }

} // namespace

TEST_CASE("the four numbers stand side by side in every size") {
  const ImVec2 size = GENERATE(kWide, kMedium, kPhone);
  const char* const query = GENERATE("model=llama-3-8b&task=inference", "model=llama-3-8b&task=finetune", kPipeline);
  CAPTURE(size.x, query);
  NullScreen screen(query, size);
  const app::Rect panel = screen.rect("numbers");
  for (const MemoryNumber& one : memory_numbers()) {
    const app::Rect at = screen.rect("number." + std::string(one.id));
    CHECK(at.w > 100);
    CHECK(at.x + at.w <= size.x);
    CHECK(at.y + at.h <= panel.y + panel.h);
    for (const MemoryNumber& other : memory_numbers())
      if (one.id != other.id) CHECK_FALSE(overlap(at, screen.rect("number." + std::string(other.id))));
  }
  CHECK(screen.errors().empty());
}

TEST_CASE("each of the four numbers says what it is") {
  NullScreen screen("model=llama-3-8b&task=finetune");
  for (const MemoryNumber& one : memory_numbers()) {
    CAPTURE(one.id);
    CHECK_FALSE(one.about.empty());
    screen.hover("number." + std::string(one.id));
    CHECK(screen.shows("hint"));
  }
  CHECK(screen.errors().empty());
}

TEST_CASE("no hint leaves the window") {
  const ImVec2 size = GENERATE(kWide, kMedium, kPhone);
  CAPTURE(size.x);
  NullScreen screen(kPipeline, size);
  for (const char* const name : {"rank.0", "rank.3", "number.requested", "number.process", "allowance", "moment.optimizer_step", "field.model"}) {
    if (!screen.shows(name)) continue;
    const app::Rect item = screen.rect(name);
    if (item.y + item.h / 2 > size.y || item.y + item.h / 2 < 56) continue; // scrolled away
    CAPTURE(name);
    screen.hover(name);
    REQUIRE(screen.shows("hint"));
    const app::Rect hint = screen.rect("hint");
    CHECK(hint.x >= 0);
    CHECK(hint.y >= 0);
    CHECK(hint.x + hint.w <= size.x);
    CHECK(hint.y + hint.h <= size.y);
  }
  CHECK(screen.errors().empty());
}

TEST_CASE("the headline is about the process, as everywhere") {
  const char* const query = GENERATE("model=llama-3-8b&task=inference", "model=llama-3-8b&task=finetune&device=rtx4090", kPipeline);
  NullScreen screen(query);
  const io::Answer& answer = screen.app().shown->answer;
  REQUIRE(answer.footprint);
  const Headline words = headline(answer.estimate, *answer.footprint);
  CHECK(app::title_of(screen.app()) == words.verdict + " " + words.rest);
  CHECK(answer.headline.detail == words.detail);
  CHECK(words.detail.find(format_bytes(answer.footprint->process.expected)) != std::string::npos);
}

TEST_CASE("one rank is one bar with its parts; several are a bar each") {
  const ImVec2 size = GENERATE(kWide, kMedium, kPhone);
  CAPTURE(size.x);
  NullScreen one("model=llama-3-8b&task=pretrain", size);
  CHECK(one.shows("segment.memory.weights"));
  CHECK_FALSE(one.shows(rank_name(0)));
  CHECK(one.app().shown->ranks.empty());
}

TEST_CASE("every pipeline rank has a bar, and the headline names the fullest") {
  const ImVec2 size = GENERATE(kWide, kMedium, kPhone);
  CAPTURE(size.x);
  NullScreen screen(kPipeline, size);
  const Estimate& estimate = screen.app().shown->answer.estimate;
  REQUIRE(estimate.ranks.size() == 4);
  const app::Rect hull = screen.rect("hull");
  float right = hull.x;
  for (std::size_t i = 0; i < estimate.ranks.size(); ++i) {
    const app::Rect at = screen.rect(rank_name(i));
    CHECK(at.x >= right);
    right = at.x + at.w;
    CHECK(screen.app().shown->ranks[i].total == estimate.ranks[i].total);
  }
  CHECK(right <= hull.x + hull.w + 0.5f);
  CHECK_FALSE(screen.shows("rank.4"));
  const Headline& words = screen.app().shown->answer.headline;
  CHECK(words.detail.starts_with("Pipeline " + format_rank(estimate, estimate.rank) + " is fullest: "));
  CHECK(screen.errors().empty());
}

TEST_CASE("as many ranks as there can be are drawn") {
  const ImVec2 size = GENERATE(kWide, kPhone);
  CAPTURE(size.x);
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=pretrain&layers=64&pipeline_parallel=64", size);
  REQUIRE(screen.app().answer.ok);
  REQUIRE(screen.app().shown->ranks.size() == 64);
  CHECK(screen.shows("rank.63"));
  CHECK(screen.errors().empty());
}

TEST_CASE("pressing a rank shows its moments and its breakdown, and there is a way back") {
  NullScreen screen(kPipeline);
  const Estimate& estimate = screen.app().shown->answer.estimate;
  const std::size_t other = estimate.rank == 0 ? 1 : 0;
  const Component peak = screen.app().shown->explanation.memory;
  screen.press(rank_name(other));
  REQUIRE(screen.app().shown->moment);
  CHECK(screen.app().shown->moment->amount == estimate.ranks[other].total.value);
  CHECK(screen.app().shown->looked_at().at_peak().total == estimate.ranks[other].total);
  screen.press("tab.timeline");
  screen.press("moment.optimizer_step");
  REQUIRE(screen.app().shown->moment);
  CHECK(screen.app().shown->moment->amount < estimate.ranks[other].total.value);
  screen.press("link.show_peak");
  CHECK_FALSE(screen.app().view.rank);
  CHECK_FALSE(screen.app().shown->moment);
  CHECK(screen.errors().empty());
}

TEST_CASE("a moment of the fullest rank is that rank's, whichever it is") {
  NullScreen screen(kPipeline);
  const Estimate& estimate = screen.app().shown->answer.estimate;
  screen.press("tab.timeline");
  screen.press("moment.optimizer_step");
  REQUIRE(screen.app().shown->moment);
  const auto at = std::find_if(estimate.moments.begin(), estimate.moments.begin() + estimate.moments.size(),
                               [](const MomentUse& use) { return use.moment == Moment::optimizer_step; });
  CHECK(screen.app().shown->moment->amount == at->total.value);
}

TEST_CASE("a rank that the next question does not have is let go") {
  NullScreen screen(kPipeline);
  const std::int64_t fullest = screen.app().shown->answer.estimate.rank;
  screen.press(rank_name(fullest == 3 ? 2 : 3));
  REQUIRE(screen.app().view.rank);
  screen.app().set_field("pipeline_parallel", "1");
  screen.settle();
  CHECK_FALSE(screen.app().view.rank);
  CHECK(screen.shows("segment.memory.weights"));
  CHECK(screen.errors().empty());
}

TEST_CASE("every reason for the spread is listed, the widest first") {
  const ImVec2 size = GENERATE(kWide, kMedium, kPhone);
  CAPTURE(size.x);
  NullScreen screen(kPipeline, size);
  const std::vector<Uncertainty>& list = screen.app().shown->answer.footprint->uncertainties;
  REQUIRE_FALSE(list.empty());
  float bottom = 0;
  for (const Uncertainty& one : list) {
    const std::string name = one.id.starts_with("uncertainty.") ? one.id : "uncertainty." + one.id;
    const app::Rect at = screen.rect(name);
    CHECK(at.y >= bottom);
    bottom = at.y + at.h;
  }
}

TEST_CASE("without a reason there is no list") {
  NullScreen screen(kPipeline);
  REQUIRE(screen.shows("uncertainties"));
  screen.app().shown->answer.footprint->uncertainties.clear();
  screen.app().wake();
  screen.settle();
  CHECK_FALSE(screen.shows("uncertainties"));
}

TEST_CASE("the Tab key reaches the numbers, the ranks and the reasons, and shows their hints") {
  NullScreen screen(kPipeline, {1440, 2400});
  for (const char* const name : {"rank.0", "number.process", "uncertainty.cache"}) {
    CAPTURE(name);
    bool reached = false;
    for (int i = 0; i < 200 && !reached; ++i) {
      screen.key(ImGuiKey_Tab);
      const ImRect at = ImGui::GetCurrentContext()->NavWindow ? ImGui::WindowRectRelToAbs(ImGui::GetCurrentContext()->NavWindow, ImGui::GetCurrentContext()->NavWindow->NavRectRel[0]) : ImRect{};
      const app::Rect wanted = screen.rect(name);
      reached = at.Min.x == wanted.x && at.Min.y == wanted.y && at.GetWidth() == wanted.w;
    }
    CHECK(reached);
    CHECK(screen.shows("hint"));
  }
}

TEST_CASE("the footprint is computed when the question changes and not before") {
  NullScreen screen(kPipeline);
  CHECK_FALSE(screen.app().wants_frame());
  std::optional<Footprint>& footprint = screen.app().shown->answer.footprint;
  footprint->usable = Bytes{12'345}; // would be gone with the next computation
  screen.frames(3);
  screen.press(rank_name(1));
  screen.hover("number.process");
  CHECK(footprint->usable == Bytes{12'345});
  CHECK_FALSE(screen.app().wants_frame());
  screen.app().set_field("batch", "2");
  CHECK(footprint->usable == screen.app().shown->answer.estimate.usable);
}
