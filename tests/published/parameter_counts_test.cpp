// 79 real config.json files of the Llama, Mistral, Qwen, Gemma, GPT-2 and Phi families against published parameter counts.
// parameter_counts.json holds each file's fields, the published number with its source, and, where that number counts something
// else too (rotary buffers, a second copy of the head, a vision tower), what and how much.
#include "plimsoll/io/huggingface.hpp"
#include "plimsoll/parameters.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace plimsoll;

TEST_CASE("published parameter counts are met exactly") {
  std::ifstream file{PLIMSOLL_SOURCE_DIR "/tests/published/parameter_counts.json"};
  REQUIRE(file.is_open());
  const auto rows = nlohmann::json::parse(file);
  CHECK(rows.size() == 79);
  int exact = 0, explained = 0, rounded = 0;
  for (const auto& row : rows) {
    INFO(row.at("hf_id"));
    const io::ImportedModel imported = io::import_huggingface_config(row.at("config").dump());
    REQUIRE(imported.model);
    const std::int64_t ours = count_parameters(model_of(*imported.model)).value;
    CHECK(ours == row.at("parameters").get<std::int64_t>());
    const auto published = row.at("published").get<std::int64_t>();
    if (!row.at("published_is_exact")) {
      ++rounded;
      CHECK(std::abs(ours - published) * 20 < published); // a name or a card, not a count
    } else if (row.at("why").empty()) {
      ++exact;
      CHECK(ours == published);
    } else {
      ++explained;
      CHECK(ours + row.at("difference").get<std::int64_t>() == published);
    }
  }
  WARN(exact << " exact, " << explained << " with an explained difference, " << rounded << " rounded");
}
