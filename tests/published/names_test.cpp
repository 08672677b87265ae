// Names as people type them, each with the model or the device that it means: tests/published/names. What is not resolved is told, with why.
#include "json.hpp"
#include "plimsoll/catalog/names.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

using namespace plimsoll;
using json = io::Json;

namespace {

json names(const char* file) { return test::parsed_file(std::string{"tests/published/names/"} + file); }

io::Answer ask(std::string_view field, const std::string& typed, const std::string& more = "") {
  io::Request request;
  request.set(field, typed);
  if (field == "device") request.set("model", "llama-3.1-8b");
  if (!more.empty()) request.set("profile", more);
  return io::answer(test::catalog(), request);
}

const Issue* error_of(const io::Answer& answer, std::string_view field) {
  const auto at = std::ranges::find_if(answer.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == field; });
  return at == answer.issues.end() ? nullptr : &*at;
}

/// What "Did you mean a, b or c?" or "Write a or b" names first.
std::string first_named(const std::string& remedy) {
  for (const std::string start : {"Did you mean ", "Write "})
    if (remedy.starts_with(start)) return remedy.substr(start.size(), remedy.find_first_of(" ,?;", start.size()) - start.size());
  return "";
}

struct Share {
  int known = 0, all = 0;
};

/// Every row resolves to its model and no other; those without an id are refused, and printed with why.
Share share_of(const json& rows, const char* kind) {
  Share share;
  for (const json& row : rows) {
    if (row.value("kind", std::string{"language"}) == "other") continue;
    const std::string typed = row.at("typed").get<std::string>(), id = row.value("id", std::string{});
    INFO(kind << ": " << typed);
    const io::Answer answer = ask("model", typed);
    ++share.all;
    if (id.empty()) {
      CHECK(error_of(answer, "model") != nullptr);
      CHECK(!row.at("why").get<std::string>().empty());
      std::printf("  %-52s %s\n", typed.c_str(), row.at("why").get<std::string>().c_str());
      continue;
    }
    CHECK(error_of(answer, "model") == nullptr);
    CHECK(answer.inputs.model.id == id);
    share.known += answer.inputs.model.id == id ? 1 : 0;
  }
  std::printf("%s: %d of %d resolve, %.1f %%\n", kind, share.known, share.all, 100.0 * share.known / share.all);
  return share;
}

} // namespace

TEST_CASE("models that vLLM's recipes serve are known by the names that the recipes use") {
  const json file = names("recipes.json");
  CHECK(file.at("models").size() == 173);
  const Share share = share_of(file.at("models"), "language, vision-language and embedding models of vLLM's recipes");
  CHECK(share.known * 100 >= share.all * file.at("at_least_percent").get<int>());
}

TEST_CASE("the most used tags of Ollama are known") {
  const json file = names("ollama_tags.json");
  const Share share = share_of(file.at("models"), "tags of Ollama's most pulled models");
  CHECK(share.all >= 100);
  CHECK(share.known * 100 >= share.all * 95);
}

TEST_CASE("names of quantised and tuned checkpoints resolve to their model and tell the format") {
  int right = 0;
  const json file = names("checkpoints.json");
  for (const json& row : file.at("models")) {
    const std::string typed = row.at("typed").get<std::string>();
    INFO(typed);
    const io::NamedModel named = io::model_named(test::catalog(), typed);
    REQUIRE(named.row != nullptr);
    CHECK(named.row->id == row.at("id").get<std::string>());
    CHECK(named.weights == row.value("weights", std::string{}));
    const io::Answer answer = ask("model", typed);
    CHECK(answer.inputs.model.id == named.row->id);
    if (!named.weights.empty()) {
      CHECK(answer.inputs.weights.scheme == named.weights);
      CHECK(std::ranges::any_of(answer.issues, [](const Issue& issue) { return issue.field == "weight_dtype" && issue.severity == Severity::note; }));
    }
    ++right;
  }
  std::printf("checkpoints: %d\n", right);
  for (const json& row : file.at("asked_back")) {
    const std::string typed = row.at("typed").get<std::string>();
    INFO(typed);
    const io::Answer answer = ask("model", typed);
    const Issue* const issue = error_of(answer, "model");
    REQUIRE(issue != nullptr);
    CHECK(first_named(issue->remedy) == row.at("first").get<std::string>());
  }
}

TEST_CASE("a stated format stands against the one of a name, and says which counts") {
  Issues issues;
  const io::Answer answer = io::answer(test::catalog(), io::request_from_query("model=Qwen/Qwen3-8B-AWQ&weight_dtype=fp8_channel", issues));
  CHECK(answer.inputs.model.id == "qwen3-8b");
  CHECK(answer.inputs.weights.scheme == "fp8_channel");
}

TEST_CASE("a bare name is Ollama's latest tag where Ollama runs it, and asked back elsewhere") {
  CHECK(ask("model", "llama3.1", "ollama").inputs.model.id == "llama-3.1-8b");
  CHECK(error_of(ask("model", "llama3.1"), "model") != nullptr);
  CHECK(ask("model", "deepseek-r1").inputs.model.id == "deepseek-r1-671b"); // the name of its repository
}

TEST_CASE("devices as people write them") {
  const json file = names("devices.json");
  int right = 0;
  for (const json& row : file.at("devices")) {
    const std::string typed = row.at("typed").get<std::string>();
    INFO(typed);
    const io::NamedDevice named = io::device_named(test::catalog(), typed);
    REQUIRE(named.row != nullptr);
    CHECK(named.row->hardware.id == row.at("id").get<std::string>());
    CHECK(named.count == row.value("gpus", std::int64_t{0}));
    const io::Answer answer = ask("device", typed);
    CHECK(error_of(answer, "device") == nullptr);
    CHECK(answer.inputs.hardware.id == named.row->hardware.id);
    right += answer.inputs.hardware.id == row.at("id").get<std::string>() ? 1 : 0;
  }
  std::printf("devices: %d of %zu resolve\n", right, file.at("devices").size());
  for (const json& row : file.at("asked_back")) {
    const std::string typed = row.at("typed").get<std::string>();
    INFO(typed);
    const io::NamedDevice named = io::device_named(test::catalog(), typed);
    CHECK(named.row == nullptr);
    for (const json& id : row.at("ids"))
      CHECK(std::ranges::any_of(named.candidates, [&](const io::DeviceRow* one) { return one->hardware.id == id.get<std::string>(); }));
    CHECK(named.candidates.size() == row.at("ids").size());
  }
  for (const json& row : file.at("unknown")) {
    const std::string typed = row.at("typed").get<std::string>();
    INFO(typed);
    const io::Answer answer = ask("device", typed);
    const Issue* const issue = error_of(answer, "device");
    REQUIRE(issue != nullptr);
    CHECK(first_named(issue->remedy) == row.at("first").get<std::string>());
  }
}

TEST_CASE("a spelling that one command takes, all take, and they answer alike") {
  const io::Catalog& catalog = test::catalog();
  const io::Prices prices = io::Prices::load(catalog);
  for (const char* typed : {"Qwen/Qwen3-8B", "unsloth/Llama-3.3-70B-Instruct-bnb-4bit", "llama3.1:8b", "Qwen3-30B-A3B-Instruct-2507", "meta-llama/Llama-3.1-8B-Instruct", "deepseek-r1:32b"})
    for (const char* device : {"H100", "A100 80GB", "8xH100"}) {
      INFO(typed << " on " << device);
      io::Request request;
      request.set("model", typed);
      request.set("device", device);
      const io::Answer answer = io::answer(catalog, request);
      CHECK(error_of(answer, "model") == nullptr);
      CHECK(error_of(answer, "device") == nullptr);
      const io::Answer again = io::answer_query(catalog, io::canonical_query(answer));
      CHECK(io::canonical_query(again) == io::canonical_query(answer));
      const io::Answer from_json = io::answer_json(catalog, std::string{"{\"model\": \""} + typed + "\", \"device\": \"" + device + "\"}");
      CHECK(io::canonical_query(from_json) == io::canonical_query(answer));
      const io::Solved solved = io::solve(catalog, request, {Goal::largest, "batch"});
      CHECK(solved.query.find("model=" + answer.inputs.model.id) != std::string::npos);
      CHECK(solved.query.find("device=" + answer.inputs.hardware.id) != std::string::npos);
      const io::CommandLine line = io::read_command_line(std::string{"vllm serve "} + typed);
      if (const std::string* const model = line.request.find("model")) CHECK(io::answer(catalog, line.request).inputs.model.id == answer.inputs.model.id);
    }
}

TEST_CASE("a name of another model never leads to its neighbour") {
  for (const char* typed : {"Qwen3-9B", "llama-3.4-70b", "GLM-4.8", "gemma-5-27b", "Qwen3.7-27B", "gpt-oss-40b", "Qwen3-8B-Base-2610", "DeepSeek-V9", "Mistral-7B-v0.9", "phi-9"}) {
    INFO(typed);
    CHECK(io::model_named(test::catalog(), typed).row == nullptr);
  }
  CHECK(test::catalog().similar_models("GLM-4.8").front().starts_with("glm-4"));
  CHECK(test::catalog().similar_models("Qwen3-9B").front() == "qwen3-8b");
  CHECK(test::catalog().similar_models("zzzz").empty());
}
