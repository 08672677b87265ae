// Every fact of a model stands under a heading, and headings are about as many as people can scan.
#include "plimsoll/catalog/field_groups.hpp"

#include <catch2/catch_test_macros.hpp>

#include <map>
#include <string>

using namespace plimsoll;

TEST_CASE("every fact has a heading, no heading has most of them") {
  std::map<std::string_view, int> counts;
  for (const Field& field : model_facts()) {
    CAPTURE(field.name);
    CHECK_FALSE(io::group_of(field).empty());
    ++counts[io::group_of(field)];
  }
  CHECK(counts.size() >= 4);
  for (const auto& [heading, count] : counts) {
    CAPTURE(heading);
    CHECK(count >= 2);
    CHECK(count <= static_cast<int>(model_facts().size()) / 2);
  }
}

TEST_CASE("facts stand where people look for them") {
  const auto heading = [](const char* name) { return io::group_of(*find_field(name)); };
  CHECK(heading("hidden_size") == "Size");
  CHECK(heading("vocab_size") == "Size");
  CHECK(heading("kv_heads") == "Attention");
  CHECK(heading("kv_lora_rank") == "Attention");
  CHECK(heading("experts_per_token") == "Experts");
  CHECK(heading("batch").empty());
  CHECK(heading("model").empty());
}
