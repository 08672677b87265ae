// Plans as a table, and the sheet they are handed over as.
#include "scenarios.hpp"

#include "plimsoll/method/time.hpp"
#include "plimsoll/results/api.hpp"
#include "plimsoll/results/plan_report.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

using namespace plimsoll;

namespace {

io::PlanAnswer plans() {
  static const io::Prices prices = io::Prices::load(test::catalog());
  Issues issues;
  const io::Request question = io::request_from_query("model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=torchtitan&gpus=16&train_tokens=1000000000", issues);
  io::PlanSession session{test::catalog(), prices, question, issues};
  session.finish(1);
  return session.answer();
}

} // namespace

TEST_CASE("a table of plans is sorted by any column, the better first, and by a second press the other way round") {
  io::PlanTable table{{{"time_ns", "Time"}, {"to_spare_bytes", "To spare", true}}, {}};
  const auto add = [&](std::optional<std::int64_t> time, std::int64_t room, const char* text) { table.rows.push_back({{{"", time}, {"", room}}, text, ""}); };
  add(30, 1, "a"), add(10, 3, "b"), add(std::nullopt, 2, "c"), add(20, 3, "d");
  const auto order = [&](std::string_view column, bool turned) {
    io::sort_rows(table, column, turned);
    std::string text;
    for (const io::PlanRow& row : table.rows) text += row.text;
    return text;
  };
  CHECK(order("time_ns", false) == "bdac");
  CHECK(order("time_ns", true) == "adbc"); // what nobody knows stays last
  CHECK(order("to_spare_bytes", false) == "dbca");
  CHECK(order("nothing", false) == "dbca");
}

TEST_CASE("a plan that is opened shows the numbers of its row") {
  const io::PlanAnswer answer = plans();
  REQUIRE_FALSE(answer.best.empty());
  for (const io::PlannedWay& way : answer.best) {
    io::Answer opened = io::answer_query(test::catalog(), way.query);
    io::add_footprint(opened);
    CAPTURE(way.query);
    REQUIRE(way.judged);
    CHECK(opened.footprint->headroom == way.headroom);
    CHECK(step_time(opened.scenario).mfu == way.mfu);
  }
}

TEST_CASE("a plan is handed over with its layout, its price and that price's date, and what it rests on") {
  const io::PlanAnswer answer = plans();
  const io::PlanTable table = io::table_of(answer);
  const io::PlannedWay& first = answer.best.front();
  const io::PriceRow* const price = answer.setups[first.planned.choice.variant].fleets[first.planned.choice.fleet].row;
  REQUIRE(price != nullptr);
  const std::string sheet = io::plan_report_html(test::catalog(), answer, table, "https://example.org/?a=1&b=2");
  for (const std::string& part : {price->cloud, price->date, table.rows.front().cells[0].text, std::string{"https://example.org/?a=1&amp;b=2"}, std::string{"1,000,000,000 tokens"}, std::string{"<svg"}, std::string{"MFU"}}) {
    CAPTURE(part);
    CHECK(sheet.find(part) != std::string::npos);
  }
  CHECK(sheet.find("<script") == std::string::npos);
  CHECK(io::plan_report_html(test::catalog(), io::PlanAnswer{}, {}, "").empty());

  const std::string csv = io::plan_csv(table);
  CHECK(csv.starts_with("time_ns,cost_micro_dollars,mfu_thousandths,to_spare_bytes,gpus,"));
  CHECK(std::ranges::count(csv, '\n') == static_cast<std::ptrdiff_t>(table.rows.size()) + 1);
  CHECK(csv.find("," + price->date + ",") != std::string::npos);
  CHECK(io::why_text(answer).find("fastest") != std::string::npos);
}
