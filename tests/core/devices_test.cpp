// Which devices run a question.
#include "plimsoll/questions/devices.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>

using namespace plimsoll;

namespace {

struct Found {
  io::Catalog catalog = io::Catalog::load();
  io::Prices prices = io::Prices::load(catalog);
  io::Answer asked;
  std::vector<io::DeviceChoice> choices;

  explicit Found(const char* query) {
    Issues issues;
    asked = io::answer(catalog, io::request_from_query(query, issues));
    REQUIRE(asked.ok);
    io::DevicesSession session{catalog, prices, asked, {}};
    while (session.advance()) {}
    choices = session.choices();
  }

  io::Answer answer(const std::string& query) const {
    Issues issues;
    io::Answer found = io::answer(catalog, io::request_from_query(query, issues));
    if (found.ok) io::add_footprint(found);
    return found;
  }
};

} // namespace

TEST_CASE("every device has one row, and its query gives what the row says") {
  for (const char* query : {"model=llama-3.3-70b&device=h100-80-sxm&profile=vllm&batch=4", "model=llama-3-8b&device=rtx4090&task=finetune&method=lora"}) {
    INFO(query);
    const Found found{query};
    std::set<std::string> ids;
    for (const io::DeviceChoice& choice : found.choices) {
      INFO(choice.id);
      ids.insert(choice.id);
      CHECK(choice.is_asked == (choice.id == found.asked.inputs.hardware.id));
      CHECK(choice.is_possible == choice.reason.empty());
      if (!choice.is_possible) continue;
      const io::Answer there = found.answer(choice.query);
      REQUIRE(there.ok);
      CHECK(there.inputs.hardware.id == choice.id);
      CHECK(there.estimate.gpus == choice.gpus);
      CHECK(there.judgement.holds() == choice.holds);
      if (choice.holds) CHECK(there.footprint->headroom == choice.headroom);
      CHECK(choice.per_million.has_value() == (choice.hourly && choice.token_rate > 0));
    }
    CHECK(ids.size() == found.catalog.devices().size());
  }
}

TEST_CASE("a device takes no more GPUs than it needs, doubled from those of the question") {
  const Found found{"model=llama-3.3-70b&device=h100-80-sxm&profile=vllm"};
  const auto row = std::ranges::find(found.choices, std::string{"h100-80-sxm"}, &io::DeviceChoice::id);
  REQUIRE(row != found.choices.end());
  CHECK(row->holds);
  CHECK(row->gpus == Count{2}); // 131 GiB of weights
  const auto small = std::ranges::find(found.choices, std::string{"rtx4090"}, &io::DeviceChoice::id);
  REQUIRE(small != found.choices.end());
  CHECK(small->gpus == Count{8});
}

TEST_CASE("those that hold come first, in the order that is asked for") {
  Found found{"model=llama-3.3-70b&device=h100-80-sxm&profile=vllm&batch=4"};
  for (const io::DeviceOrder order : {io::DeviceOrder::cheapest, io::DeviceOrder::fastest, io::DeviceOrder::roomiest}) {
    INFO(name_of(order));
    io::sort_choices(found.choices, order);
    for (std::size_t i = 1; i < found.choices.size(); ++i) {
      const io::DeviceChoice &one = found.choices[i - 1], &next = found.choices[i];
      CHECK((one.holds || !next.holds));
      if (!one.holds || !next.holds) continue;
      if (order == io::DeviceOrder::cheapest && next.per_million) CHECK((one.per_million && *one.per_million <= *next.per_million));
      if (order == io::DeviceOrder::fastest) CHECK(one.token_rate >= next.token_rate);
      if (order == io::DeviceOrder::roomiest) CHECK(one.headroom >= next.headroom);
    }
  }
}
