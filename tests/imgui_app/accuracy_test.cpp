// What was measured beside what is predicted: asked for when its tab opens, chosen from, and opened.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;
using app::test::NullScreen;
using State = app::Arrival;

namespace {

const char* const kRows = R"({"corpora": [
  {"name": "runs", "rows": [
    {"id": "close", "group": "dense", "status": "modelled", "metric": "peak", "unit": "bytes", "predicted": 1100000000, "measured": 1000000000, "unexplained_error": 0.1, "scenario": "model=llama-3-8b&device=rtx4090&task=inference"},
    {"id": "far", "group": "moe", "status": "modelled", "metric": "peak", "unit": "bytes", "predicted": 500, "measured": 1000, "unexplained_error": -0.5},
    {"id": "unknown", "group": "moe", "status": "not_covered", "reason": "No experts.", "metric": "peak", "unit": "bytes"}]},
  {"name": "models", "rows": [
    {"id": "count", "group": "dense", "status": "modelled", "metric": "params", "unit": "parameters", "predicted": 8, "measured": 8, "unexplained_error": 0}]}]})";

std::string first_row(const NullScreen& screen, app::App& app) {
  REQUIRE(screen.shows("accuracy.row.0"));
  return app.evidence.all.rows[app.evidence.rows.at(0)].id;
}

} // namespace

TEST_CASE("rows are asked for once, when somebody looks") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm", {1440, 1600});
  CHECK_FALSE(screen.app().effects.want_evidence);
  screen.press("tab.accuracy");
  CHECK(screen.app().effects.want_evidence);
  CHECK(screen.app().evidence.state == State::asked);
  CHECK_FALSE(screen.shows("accuracy.scatter"));
  screen.app().effects = {};
  screen.press("tab.time");
  screen.press("tab.accuracy");
  CHECK_FALSE(screen.app().effects.want_evidence);
}

TEST_CASE("rows that cannot be read are said to be missing, and are asked for again") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm", {1440, 1600});
  screen.press("tab.accuracy");
  screen.app().effects = {};
  screen.app().set_evidence("");
  screen.settle();
  CHECK(screen.app().evidence.state == State::missing);
  screen.press("accuracy.again");
  CHECK(screen.app().effects.want_evidence);
  screen.app().set_evidence(kRows);
  screen.settle();
  CHECK(screen.shows("accuracy.scatter"));
  CHECK(screen.errors().empty());
}

TEST_CASE("rows are sorted, found and chosen; all of it stands in the link") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm", {1440, 1600});
  screen.press("tab.accuracy");
  screen.app().set_evidence(kRows);
  screen.settle();
  CHECK(first_row(screen, screen.app()) == "far"); // the worst, of the most frequent unit
  screen.press("accuracy.order.error");
  CHECK(first_row(screen, screen.app()) == "close");
  screen.press("accuracy.order.id");
  CHECK(first_row(screen, screen.app()) == "close");
  screen.press("accuracy.order.id");
  CHECK(first_row(screen, screen.app()) == "unknown");
  screen.press("accuracy.find");
  screen.type("dense");
  CHECK(screen.app().evidence.rows.size() == 1);
  screen.press("accuracy.unit");
  screen.press("option.parameters");
  CHECK(first_row(screen, screen.app()) == "count");
  const std::string view = screen.app().view_text();
  CHECK(view == "tab=accuracy&unit=parameters&find=dense&order=-id");
  screen.app().set_view("tab=accuracy&unit=none");
  screen.settle();
  CHECK(first_row(screen, screen.app()) == "unknown");
  CHECK_FALSE(screen.shows("accuracy.scatter")); // nothing is predicted of these
  screen.app().set_view(view);
  screen.settle();
  CHECK(first_row(screen, screen.app()) == "count");
  CHECK(screen.app().view.view_notes.empty());
  CHECK(screen.errors().empty());
}

TEST_CASE("a source is chosen from its list, and its groups with it") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm", {1440, 1600});
  screen.app().set_view("tab=accuracy&group=moe");
  screen.settle();
  screen.app().set_evidence(kRows);
  screen.settle();
  CHECK(screen.app().evidence.rows.size() == 2);
  screen.press("accuracy.source");
  screen.press("option.runs");
  CHECK(screen.app().evidence.rows.size() == 3); // its groups are others: all of them
  CHECK(screen.app().evidence.groups.size() == 2);
}

TEST_CASE("a row opens its scenario, one without does not") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm", {1440, 1600});
  screen.press("tab.accuracy");
  screen.app().set_evidence(kRows);
  screen.settle();
  const std::string before = screen.app().query;
  screen.press("accuracy.row.0");
  CHECK(screen.app().query == before);
  screen.press("accuracy.row.1");
  CHECK(screen.app().answer.inputs.hardware.id == "rtx4090");
  CHECK(screen.app().view.tab == app::Tab::accuracy);
}
