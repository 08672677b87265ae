// The tab that searches: ways of training between frames, ways of serving at once.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;
using app::test::NullScreen;

TEST_CASE("plans are searched between frames, open as the question and are pinned") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=finetune&profile=torchtitan", {1440, 2400});
  screen.press("tab.plan");
  CHECK_FALSE(screen.shows("plan.row.0"));
  screen.press("plan.search");
  REQUIRE(screen.app().plan);
  screen.settle();
  CHECK_FALSE(screen.app().plan->running);
  REQUIRE(screen.shows("plan.row.0"));
  CHECK(screen.shows("plan.chart"));
  CHECK_FALSE(screen.shows("plan.stop"));
  CHECK_FALSE(screen.app().plan->rests_on.empty());
  const std::string best = screen.app().plan->answer.best.front().query;
  const std::string view = screen.app().view_text();
  CHECK(view.find("objective=time&gpus=8") != std::string::npos);
  screen.press("plan.pin.0");
  REQUIRE(screen.app().view.pins.size() == 1);
  CHECK(screen.app().view.pins.front() == best);
  screen.press("plan.row.0");
  CHECK(screen.app().query == best);
  CHECK(screen.app().answer.estimate.fits);
  CHECK(screen.shows("plan.search")); // the plans are of the question before
  screen.app().set_view(view);        // a link searches again
  screen.settle();
  CHECK(screen.shows("plan.row.0"));
  CHECK(screen.errors().empty());
}

TEST_CASE("a budget and a deadline are part of the search and of its link") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=finetune&profile=torchtitan&train_tokens=1000000000", {1440, 2400});
  screen.app().set_view("tab=plan&objective=time&gpus=8&budget=1");
  screen.settle();
  REQUIRE(screen.app().plan);
  CHECK(screen.app().plan->answer.best.empty());
  CHECK(screen.app().plan->answer.counts.dropped[static_cast<std::size_t>(Dropped::budget)] > 0);
  CHECK(screen.app().view.view_notes.empty());
  CHECK(screen.app().view_text() == "tab=plan&objective=time&gpus=8&budget=1");
  screen.press("plan.budget");
  screen.type("000000"); // a million
  screen.key(ImGuiKey_Enter);
  CHECK(screen.app().view.plan_limits.at("budget").ends_with("000000"));
  CHECK(!screen.app().plan->answer.best.empty());
  CHECK(screen.errors().empty());
}

TEST_CASE("ways of serving are found, open as the question and are pinned") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&profile=vllm", {1440, 2400});
  screen.press("tab.plan");
  CHECK_FALSE(screen.shows("plan.row.0"));
  screen.press("plan.search");
  REQUIRE(screen.app().serving);
  REQUIRE(screen.shows("plan.row.0"));
  CHECK(screen.shows("plan.chart"));
  const std::string best = screen.app().serving->plan.best.front().query, view = screen.app().view_text();
  CHECK(view.find("objective=throughput&gpus=8") != std::string::npos);
  screen.press("plan.pin.0");
  CHECK(screen.app().view.pins.front() == best);
  screen.press("plan.row.0");
  Issues issues;
  CHECK(screen.app().query == io::canonical_query(io::answer(screen.app().catalog, io::request_from_query(best, issues))));
  CHECK(screen.app().answer.estimate.fits);
  CHECK(screen.shows("plan.search")); // the ways are of the question before
  screen.press("plan.objective.latency");
  CHECK(screen.app().serving->plan.objective == io::ServingObjective::latency);
  screen.app().set_view(view); // a link searches again
  screen.settle();
  CHECK(screen.shows("plan.row.0"));
  CHECK(screen.errors().empty());
}

TEST_CASE("the slowest that a sequence may be leaves ways out") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&profile=vllm", {1440, 2400});
  screen.app().set_view("tab=plan&objective=throughput&gpus=1");
  screen.settle();
  REQUIRE(screen.app().serving);
  const auto slowest = [&] { return std::ranges::min(screen.app().serving->plan.best, {}, &io::ServedWay::sequence_rate).sequence_rate; };
  REQUIRE(slowest() < Count{100'000});
  screen.app().set_view("tab=plan&objective=throughput&gpus=1&least_rate=100");
  screen.settle();
  CHECK(slowest() >= Count{100'000});
  CHECK(screen.app().serving->plan.too_slow > 0);
}

TEST_CASE("an objective of the other kind of search asks for none") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm", {1440, 2400});
  screen.app().set_view("tab=plan&objective=time&gpus=8"); // of training
  screen.settle();
  CHECK_FALSE(screen.app().plan);
  CHECK_FALSE(screen.app().serving);
  CHECK(screen.app().view.view_notes.empty());
}

TEST_CASE("a plan takes any number of GPUs and asks how many tokens") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=pretrain", {1440, 2400});
  screen.press("tab.plan");
  screen.press("plan.train_tokens");
  screen.type("2T");
  CHECK(*screen.app().request.find("train_tokens") == "2T");
  screen.press("plan.gpus");
  screen.type("48");
  screen.key(ImGuiKey_Enter);
  screen.settle();
  REQUIRE(screen.shows("plan.row.0"));
  REQUIRE(screen.app().plan);
  CHECK(screen.app().plan->answer.tokens == 2'000'000'000'000);
  CHECK(screen.app().view_text() == "tab=plan&objective=time&gpus=48");
  screen.app().set_view("tab=plan&objective=time&gpus=48");
  CHECK(screen.app().view.plan_limits.at("gpus") == "48");
  screen.app().set_view("tab=plan&objective=time&gpus=64");
  CHECK(screen.app().view.plan_gpus == 64);
}

TEST_CASE("plans are sorted by a press on a head, and handed over in that order") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=pretrain&profile=torchtitan", {1440, 900});
  screen.app().set_view("tab=plan&objective=time&gpus=16");
  screen.settle();
  REQUIRE(screen.app().plan);
  const app::Rect row = screen.rect("plan.row.0");
  CHECK(row.y + row.h < 900); // above the fold
  screen.resize({1440, 2400}); // with what stands below the table
  screen.settle();
  const std::string fastest = screen.app().plan->answer.best.front().query;
  screen.press("plan.order.to_spare_bytes");
  screen.press("plan.csv");
  CHECK(screen.app().effects.save_name.ends_with(".csv"));
  const std::string csv = screen.app().effects.save_text, first = csv.substr(csv.find('\n') + 1);
  const Bytes most = std::ranges::max(screen.app().plan->answer.best, {}, &io::PlannedWay::headroom).headroom;
  CHECK(first.substr(0, first.find('\n')).find("," + std::to_string(most.value) + ",") != std::string::npos);
  screen.press("plan.report");
  CHECK(screen.app().effects.save_name.starts_with("plan-"));
  CHECK(screen.app().effects.save_type == "text/html");
  screen.press("plan.order.time_ns");
  screen.press("plan.row.0");
  CHECK(screen.app().query == fastest);
  CHECK(screen.errors().empty());
}

TEST_CASE("a load is stated and bounded where its waits stand") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&profile=vllm", {1440, 2400});
  screen.press("tab.time");
  screen.settle();
  REQUIRE(screen.app().load);
  CHECK_FALSE(screen.app().load->session.report().ok); // what is missing is said
  for (const auto& [name, text] : {std::pair{"prompt_tokens", "1000"}, std::pair{"answer_tokens", "100"}, std::pair{"concurrency", "8"}}) {
    screen.press(std::string{"load."} + name);
    screen.type(text);
    screen.key(ImGuiKey_Enter);
  }
  screen.settle();
  CHECK(screen.app().query.find("prompt_tokens=1000&answer_tokens=100&concurrency=8") != std::string::npos);
  REQUIRE(screen.app().load->session.report().ok);
  CHECK_FALSE(screen.app().load->session.report().highest);
  screen.press("load.limit.0");
  screen.type("500");
  screen.key(ImGuiKey_Enter);
  screen.settle();
  REQUIRE(screen.app().load->session.report().highest);
  const io::LoadReport at_once = io::load_report(screen.app().catalog, screen.app().prices, screen.app().request, {500, 0});
  CHECK(*screen.app().load->session.report().highest == *at_once.highest);
  CHECK(screen.errors().empty());
}
