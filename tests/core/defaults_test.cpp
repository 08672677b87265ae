// What programs do by themselves, the same in an estimate, a plan and a file that is written; and what nobody asked for is not taken.
#include "scenarios.hpp"

#include "catalog/defaults.hpp"
#include "catalog/profile_data.hpp"
#include "plimsoll/catalog/prices.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/questions/solve.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

io::Request request_of(const std::string& query) {
  Issues issues;
  return io::request_from_query(query, issues);
}

std::string value_of(const io::Answer& answer, std::string_view field) { return io::value_text(answer, *find_field(field)); }

const io::Prices& prices() {
  static const io::Prices kPrices = io::Prices::load(test::catalog());
  return kPrices;
}

} // namespace

TEST_CASE("every default is of a profile, a field and a source, and is what an answer takes") {
  const std::vector<io::ProfilePart> parts = io::profile_parts("defaults");
  CHECK(parts.size() >= 8);
  for (const io::ProfilePart& part : parts)
    for (const auto& [field, row] : part.json->items()) {
      INFO(part.profile << " " << field);
      CHECK(test::catalog().find_citation(row.at("citation").text()) != nullptr);
      const auto known = std::ranges::find(test::catalog().profiles(), part.profile, &io::Catalog::ProfileRow::id);
      REQUIRE(known != test::catalog().profiles().end());
      const std::string query = "model=llama-3.1-8b&device=h100-80-sxm&profile=" + part.profile + "&task=" + (known->for_training ? "finetune" : "inference");
      const io::Answer answer = test::answer_to(query);
      const io::FieldState& state = *answer.find_field(field);
      CHECK(state.default_citation == row.at("citation").text());
      CHECK(!state.changed);
      if (field != "context_tokens") {
        const io::Json& tiers = row.at("values"); // the first that names no models holds for this one
        const auto tier = std::ranges::find_if(tiers, [](const io::Json& one) { return !one.contains("models"); });
        REQUIRE(tier != tiers.end());
        CHECK(value_of(answer, field) == tier->at("value").text());
      }
      CHECK(io::answer(test::catalog(), request_of(io::canonical_query(answer))).estimate.at_peak().total == answer.estimate.at_peak().total);
    }
}

TEST_CASE("a model whose tag of Ollama's library is in another format has that") {
  const auto weights = [](const std::string& model) { return value_of(test::answer_to("task=inference&device=h100-80-sxm&profile=ollama&model=" + model), "weight_dtype"); };
  CHECK(weights("llama2:7b") == "q4_0");
  CHECK(weights("llama3.2:1b") == "q8_0");
  CHECK(weights("llama3.1:8b") == "q4_k_m");
  CHECK(weights("nomic-embed-text:latest") == "gguf_f16");
  for (const io::ProfilePart& part : io::profile_parts("defaults"))
    for (const auto& [field, row] : part.json->items())
      for (const io::Json& tier : row.at("values"))
        if (tier.contains("models"))
          for (const io::Json& model : tier.at("models")) CHECK(test::catalog().find_model(model.text()) != nullptr);
}

TEST_CASE("what is stated stays, whatever the program does by itself") {
  const io::Answer stated = test::answer_to("model=llama-3.1-8b&task=finetune&device=h100-80-sxm&profile=deepspeed&precision=bf16");
  CHECK(value_of(stated, "precision") == "bf16");
  CHECK(io::canonical_query(stated).find("precision=bf16") != std::string::npos);
  CHECK(value_of(test::answer_to("model=llama-3.1-8b&task=inference&device=rtx4090&profile=ollama&context_tokens=8192&weight_dtype=q8_0"), "context_tokens") == "8192");
}

TEST_CASE("Ollama's context follows the device and ends where the model's does") {
  const auto context = [](const char* model, const char* device) {
    return value_of(test::answer_to("task=inference&profile=ollama&model=" + std::string{model} + "&device=" + device), "context_tokens");
  };
  CHECK(context("llama-3.1-8b", "rtx3060-12") == "4096");
  CHECK(context("llama-3.1-8b", "rtx3090") == "32768");
  CHECK(context("llama-3.1-8b", "h100-80-sxm") == "131072");
  CHECK(context("llama-3-8b", "h100-80-sxm") == "8192");
}

TEST_CASE("an estimate, a plan and a configuration have the same precision") {
  for (const char* profile : {"deepspeed", "fsdp2", "megatron", "torchtitan", "torchtune"}) {
    INFO(profile);
    const std::string query = "model=llama-3.2-1b&task=finetune&device=h100-80-sxm&context_tokens=2048&profile=" + std::string{profile};
    const io::Answer alone = test::answer_to(query);
    io::PlanSession session{test::catalog(), prices(), request_of(query + "&gpus=2&top=1")};
    session.finish(1);
    const io::PlanAnswer plan = session.answer();
    REQUIRE(!plan.best.empty());
    CHECK(value_of(io::answer(test::catalog(), request_of(plan.best.front().query)), "precision") == value_of(alone, "precision"));
    const bool shards = profile == std::string{"torchtitan"} || profile == std::string{"fsdp2"}; // one GPU has nothing to shard: torchtitan autocasts
    const io::Answer written = shards ? test::answer_to(query + "&data_parallel=2&sharding=parameters") : alone;
    const io::ExportedCommand file = io::export_scenario(test::catalog(), written, profile == std::string{"fsdp2"} ? "accelerate" : profile);
    REQUIRE(file.ok);
    INFO(file.text);
    CHECK(file.text.find("precision=") == std::string::npos); // nothing of it is lost on the way
  }
}

TEST_CASE("plans serve a quantised checkpoint as it is, and say where they do not") {
  const auto formats = [](const std::string& query) {
    Issues issues;
    const io::ServingPlan plan = io::plan_serving(test::catalog(), prices(), io::request_from_query(query, issues));
    std::vector<std::string> ids;
    for (const io::ServedWay& way : plan.best) ids.push_back(way.weights);
    const bool said = std::ranges::any_of(plan.issues, [](const Issue& issue) { return issue.field == "weight_dtype"; });
    return std::pair{ids, said};
  };
  const auto [own, quiet] = formats("task=inference&model=deepseek-r1-671b&device=h200-141-sxm&profile=vllm&context_tokens=8192&gpus=8");
  REQUIRE(!own.empty());
  CHECK(std::ranges::all_of(own, [](const std::string& id) { return id == "fp8_block"; }));
  CHECK(!quiet);
  const auto [others, told] = formats("task=inference&model=llama-3.3-70b&device=h100-80-sxm&profile=vllm&context_tokens=8192&gpus=2");
  CHECK(std::ranges::any_of(others, [](const std::string& id) { return id != "bf16"; }));
  CHECK(told);
}

TEST_CASE("the fewest GPUs are those that hold it without the host, unless the host is asked for") {
  const std::string query = "model=llama-3.1-8b&task=finetune&device=rtx4090&profile=deepspeed&context_tokens=1024&recompute=full";
  const io::Solved alone = io::solve(test::catalog(), request_of(query), {Goal::smallest, "gpus"});
  const io::Solved helped = io::solve(test::catalog(), request_of(query + "&offload=optimizer"), {Goal::smallest, "gpus"});
  REQUIRE(alone.ok());
  REQUIRE(helped.ok());
  CHECK(alone.query.find("offload") == std::string::npos);
  CHECK(helped.query.find("offload=optimizer") != std::string::npos);
  CHECK(std::stoll(helped.answer->value) < std::stoll(alone.answer->value));
}
