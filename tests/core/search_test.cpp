// Finding rows by a few letters: what begins with them comes before what contains them.
#include "plimsoll/catalog/search.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace plimsoll;
using io::SearchRow;

namespace {

using Ids = std::vector<std::string>;

const std::vector<std::string> kNext{"Qwen/Qwen3-Coder-Next"}, kMeta{"meta-llama/Meta-Llama-3-8B"}, kStar{"bigcode/starcoder", "octocoder"};

const std::vector<SearchRow> kRows{
    {"starcoder-15.5b", "StarCoder 15.5B", "GPT-BigCode", kStar},
    {"llama-3.1-8b", "Llama 3.1 8B", "Llama", {}},
    {"llama-3-8b", "Llama 3 8B", "Llama", kMeta},
    {"yi-6b", "Yi-6B", "Llama", {}},
    {"qwen3-8b", "Qwen3 8B", "Qwen3", {}},
    {"qwen3-coder-480b-a35b", "Qwen3-Coder 480B-A35B", "Qwen3 MoE", {}},
    {"qwen3-coder-next-80b-a3b", "Qwen3-Coder-Next 80B-A3B", "Qwen3-Next", kNext},
};

Ids found(std::string_view text) {
  Ids ids;
  for (const std::size_t i : io::search(kRows, text)) ids.emplace_back(kRows.at(i).id);
  return ids;
}

} // namespace

TEST_CASE("an empty search finds everything, in order") {
  CHECK(found("").size() == kRows.size());
  CHECK(found(" - ") == found(""));
  CHECK(found("").front() == "starcoder-15.5b");
}

TEST_CASE("what begins with the letters comes first") {
  CHECK(found("qwen3-c") == Ids{"qwen3-coder-480b-a35b", "qwen3-coder-next-80b-a3b"});
  CHECK(found("QWEN3 C") == found("qwen3-c"));
  CHECK(found("coder").front() == "qwen3-coder-480b-a35b"); // a word of it; in StarCoder it stands inside one
  CHECK(found("coder").back() == "starcoder-15.5b");
}

TEST_CASE("a whole word comes before the beginning of a longer one") {
  CHECK(found("llama-3").front() == "llama-3-8b");
  CHECK(found("llama 3.1").front() == "llama-3.1-8b");
}

TEST_CASE("signs between words do not matter") {
  CHECK(found("llama3").front() == "llama-3-8b");
  CHECK(found("llama_3_8b").front() == "llama-3-8b");
  CHECK(found("Qwen/Qwen3-Coder-Next").front() == "qwen3-coder-next-80b-a3b");
}

TEST_CASE("an alias is as good as the id, its owner or its own name alone") {
  CHECK(found("octoc") == Ids{"starcoder-15.5b"});
  CHECK(found("meta-llama/") == Ids{"llama-3-8b"});
  CHECK(found("Meta-Llama-3").front() == "llama-3-8b");
}

TEST_CASE("every word of the search must be found, wherever") {
  CHECK(found("qwen 480") == Ids{"qwen3-coder-480b-a35b"});
  CHECK(found("8b llama").front() == "llama-3.1-8b");
  CHECK(found("llama 70b").empty());
  CHECK(found("moe").front() == "qwen3-coder-480b-a35b"); // by what it belongs to
  CHECK(found("llama").back() == "yi-6b");
}

TEST_CASE("a slip of the finger is forgiven when nothing else is found") {
  CHECK(found("lama-3-8b").front() == "llama-3-8b");
  CHECK(found("qwem3").front() == "qwen3-8b");
  CHECK(found("zz").empty());
  CHECK(found("gemini").empty());
}

TEST_CASE("a search of any length and any bytes is survived") {
  CHECK(found(std::string(100000, 'x')).empty());
  CHECK(found(std::string_view{"\0\xff\xfe\x80", 4}).empty());
  CHECK(io::search({}, "llama").empty());
}

TEST_CASE("the catalogue is searched by field") {
  const io::Catalog catalog = io::Catalog::load();
  CHECK(io::rows_of(catalog, "model").size() == catalog.models().size() + 1); // and the custom one
  CHECK(io::rows_of(catalog, "device").size() == catalog.devices().size());
  CHECK(io::rows_of(catalog, "weight_dtype").size() == catalog.weights().schemes().size());
  CHECK(io::search_json(catalog, "weight_dtype", "q4_k_m").starts_with(R"(["q4_k_m")"));
  CHECK(io::rows_of(catalog, "batch").empty());
  CHECK(io::search_json(catalog, "model", "qwen3-c").starts_with(R"(["qwen3-coder)"));
  CHECK(io::search_json(catalog, "device", "rtx4090").starts_with(R"(["rtx4090")"));
  CHECK(io::search_json(catalog, "batch", "4") == "[]");
}

TEST_CASE("where two rows differ by a sign alone, the sign decides") {
  const std::vector<std::string> one{"mistral-7b"}, other{"mistral:7b"};
  const std::vector<SearchRow> rows{{"mistral-7b-v0.1", "Mistral 7B v0.1", "Mistral", one}, {"mistral-7b-v0.3", "Mistral 7B v0.3", "Mistral", other}};
  CHECK(io::search(rows, "mistral-7b").front() == 0);
  CHECK(io::search(rows, "mistral:7b").front() == 1);
  CHECK(io::search(rows, "Mistral:7B").front() == 1);
  CHECK(io::search(rows, "mistral 7b").size() == 2);
}
