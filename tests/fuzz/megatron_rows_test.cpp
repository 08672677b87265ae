// Damaged rows: whatever a row says, reading it ends, and either gives a model of bounded size or a reason.
#include "evidence/megatron/megatron.hpp"
#include "measured_rows.hpp"
#include "random.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace plimsoll;
using io::Json;

namespace {

/// Every value inside, objects and lists too.
void collect(Json& value, std::vector<Json*>& into) {
  into.push_back(&value);
  for (Json& inner : value) collect(inner, into);
}

Json nasty(fuzz::Random& random) {
  static const std::array<Json, 20> kValues{
      Json(nullptr), Json(true), Json(0), Json(-1), Json(1), Json(7), Json(0.5), Json(1e300), Json(std::numeric_limits<double>::quiet_NaN()),
      Json(std::numeric_limits<std::int64_t>::min()), Json(std::numeric_limits<std::int64_t>::max()), Json(std::numeric_limits<std::uint64_t>::max()),
      Json(100'000'000), Json("E(t*9999|)*9999L"), Json("((((t)*99)*99)*99)*99"), Json("\xff\x00|/"), Json(std::string(50'000, 'M')), Json(std::string(9'000, '/')),
      Json::array({1, "x", nullptr}), Json::object({{"tp", -3}})};
  return random.one_of(std::span<const Json>{kValues});
}

void damage(Json& row, fuzz::Random& random) {
  std::vector<Json*> values;
  collect(row, values);
  Json& victim = *values[random.below(values.size())];
  if (victim.is_object() && !victim.empty() && random.once_in(2)) {
    victim.erase(std::string{victim.items()[random.below(victim.size())].key});
  } else if (&victim != &row || random.once_in(20)) {
    victim = nasty(random);
  }
}

void check(const Json& json) {
  const io::accuracy::MegatronRow row = io::accuracy::read_megatron(json);
  CHECK(row.inputs.model.pattern.size() <= 10'000);
  CHECK(row.facts.chunks.size() <= 10'001);
  if (row.reason.empty()) {
    CHECK(!row.inputs.model.pattern.empty());
    CHECK(!row.inputs.model.tensors.empty());
    CHECK(row.inputs.strategy.tensor_parallel >= 1);
    CHECK(row.inputs.workload.micro_batches >= 1);
  }
  std::vector<io::Comparison> comparisons;
  io::accuracy::megatron().compare(json, comparisons);
  CHECK((comparisons.size() == 2 || comparisons.size() == 3));
  for (const io::Comparison& comparison : comparisons) CHECK((comparison.modelled || !comparison.reason.empty()));
  io::accuracy::megatron().matches(json);
}

} // namespace

TEST_CASE("damaged Megatron rows have a reason and never fail") {
  const Json rows = test::measured_rows("megatron.json");
  REQUIRE(rows.is_array());
  fuzz::Random random{20};
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    Json row = rows[random.below(rows.size())];
    for (std::size_t n = 1 + random.below(3); n > 0; --n) damage(row, random);
    check(row);
    refused += io::accuracy::read_megatron(row).reason.empty() ? 0 : 1;
  }
  CHECK(refused > 1000); // most damage is noticed
}

TEST_CASE("what is no row at all has a reason too") {
  for (const Json& json : {Json(nullptr), Json(3), Json("row"), Json::array(), Json::object(), Json::object({{"kind", "training"}, {"framework", "megatron"}})})
    check(json);
}

TEST_CASE("each part of a row may be missing or null") {
  const Json rows = test::measured_rows("megatron.json");
  REQUIRE(rows.is_array());
  const Json& row = rows[0];
  for (const auto& [key, value] : row.items()) {
    Json damaged = row;
    damaged.erase(key);
    check(damaged);
    for (const auto& [inner, ignored] : value.items()) {
      if (!value.is_object()) continue;
      damaged = row;
      damaged[key][inner] = nullptr;
      check(damaged);
    }
  }
}
