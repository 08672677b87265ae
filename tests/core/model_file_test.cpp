// What people are shown of a model file: its parts sum to its total, and what is refused is refused with a reason.
#include "llama_gguf.hpp"
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/files/model_file.hpp"
#include "tensor_files.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>
#include <string>

using namespace plimsoll;

namespace {

Count sum(const std::vector<io::ModelFilePart>& parts) {
  Count total{0};
  for (const io::ModelFilePart& part : parts) total = total + part.parameters;
  return total;
}

io::ModelFile read(std::string_view text) { return io::read_model_file(text, text.size()); }

} // namespace

TEST_CASE("the groups of every model of the catalogue sum to its parameters") {
  const io::Catalog catalog = io::Catalog::load();
  for (const io::ModelRow& row : catalog.models()) {
    CAPTURE(row.id);
    const io::ModelFile file = read(io::config_of(row));
    REQUIRE(file.ok);
    CHECK(file.kind == "config");
    CHECK_FALSE(file.title.empty());
    Count total{0};
    for (const io::ModelFileGroup& group : file.groups) {
      CHECK(sum(group.parts) == group.parameters);
      total = total + group.parameters;
    }
    CHECK(total == file.parameters);
    REQUIRE(file.active_parameters.has_value());
    CHECK(*file.active_parameters <= file.parameters);
    CHECK(*file.request.find("model") == "custom");
  }
}

TEST_CASE("the request of a file asks about the model of that file") {
  const io::Catalog catalog = io::Catalog::load();
  for (const char* const id : {"llama-3-8b", "qwen3-30b-a3b", "gemma-3-27b", "qwen3-next-80b-a3b"}) {
    CAPTURE(id);
    const io::ModelFile file = read(io::config_of(*catalog.find_model(id)));
    const io::Answer answer = io::answer(catalog, file.request);
    CHECK(answer.ok);
    CHECK(answer.facts.parameters == file.parameters);
  }
}

TEST_CASE("towers are counted beside the language model") {
  const io::Catalog catalog = io::Catalog::load();
  const io::ModelFile file = read(io::config_of(*catalog.find_model("gemma-3-27b")));
  REQUIRE_FALSE(file.components.empty());
  CHECK(file.components.front().label == "Vision tower");
  CHECK(file.components.front().parameters > Count{0});
}

TEST_CASE("what is no model file has an error and no request") {
  for (const std::string text : {"", "x", "{", "[]", "GGUF", "{\"model_type\": \"mystery\"}", "<html>"}) {
    CAPTURE(text);
    const io::ModelFile file = read(text);
    CHECK_FALSE(file.ok);
    CHECK(has_errors(file.issues));
    CHECK(file.request.entries().empty());
    CHECK(std::ranges::all_of(file.issues, [](const Issue& issue) { return !issue.message.empty() && !issue.remedy.empty(); }));
  }
}

TEST_CASE("of a large file only the header is read, and an end before it is told") {
  const std::string json = R"({"a":{"dtype":"BF16","shape":[4,2],"data_offsets":[0,16]}})";
  std::string header(8, '\0');
  header[0] = static_cast<char>(json.size());
  header += json;
  std::size_t at = 0;
  const std::string padding(1'000'000, 'w');
  const std::string whole = header + padding;
  const auto give = [&](char* to, std::size_t count) {
    count = std::min(count, whole.size() - at);
    std::copy_n(whole.data() + at, count, to);
    at += count;
    return count;
  };
  std::string bytes;
  CHECK(io::read_header(bytes, std::uint64_t{1} << 40, give));
  CHECK(bytes.size() >= header.size());
  CHECK(bytes.size() < padding.size() / 2);

  std::string cut;
  CHECK_FALSE(io::read_header(cut, std::uint64_t{1} << 40, [](char*, std::size_t) { return std::size_t{0}; }));
  CHECK(cut.empty());
}

TEST_CASE("a share has one decimal, whatever the size of its parts") {
  CHECK(io::share_text(Count{1}, Count{3}) == "33.3 %");
  CHECK(io::share_text(Count{3}, Count{3}) == "100.0 %");
  CHECK(io::share_text(Count{0}, Count{3}) == "0.0 %");
  CHECK(io::share_text(Count{1}, Count{0}).empty());
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(io::share_text(Count{most}, Count{most}) == "100.0 %");
  CHECK(io::share_text(Count{most / 2}, Count{most}) == "50.0 %");
}

TEST_CASE("a GGUF file becomes a scenario: the same parameters, and its weights to the byte") {
  const test::GgufWriter writer = test::llama_q4_k_m();
  const io::ModelFile file = io::read_model_file(writer.header(), writer.file_size());
  REQUIRE(file.ok);
  REQUIRE(file.request.find("weight_dtype") != nullptr);
  CHECK(*file.request.find("weight_dtype") == "q4_k_m");
  const io::Answer answer = io::answer(io::Catalog::load(), file.request);
  REQUIRE(answer.ok);
  CHECK(answer.facts.parameters == file.parameters);
  CHECK(stored_bytes(answer.inputs.model, answer.inputs.weights) == file.bytes);
  CHECK(answer.facts.kv_cache_per_token == Bytes{131'072});
}
