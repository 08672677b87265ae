// One verdict, whoever asks: an estimate and its JSON, the judge of searches and plans, advice, and the line that is written for an engine.
#include "json.hpp"
#include "scenarios.hpp"

#include "catalog/flags.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/questions/changes.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

constexpr const char* kModels[] = {"llama-3.1-8b", "gpt-oss-120b", "qwen3-32b", "gemma-3-27b", "llama-4-scout-109b-a17b", "mixtral-8x7b"};
constexpr const char* kEngines[] = {"vllm", "sglang", "tensorrt_llm", "lmdeploy", "llama_cpp", "paged_serving"};

/// Contexts and batches around what engines hold, on one GPU and on two; without those that an engine does not load.
std::vector<std::string> served_queries() {
  std::vector<std::string> queries;
  for (const char* model : kModels)
    for (const char* engine : kEngines)
      for (const char* asked : {"&context_tokens=8192", "&context_tokens=131072", "&context_tokens=8192&batch=16", "&context_tokens=32768&batch=64&shared_tokens=4096"})
        for (const char* device : {"&device=h100-80-sxm", "&device=a100-80-sxm&tensor_parallel=2"})
          queries.push_back("task=inference&model=" + std::string{model} + "&profile=" + engine + asked + device);
  return queries;
}

io::Answer judged(const std::string& query) {
  Issues issues;
  const io::Request request = io::request_from_query(query, issues);
  io::Answer answer = io::answer(test::catalog(), request, issues);
  io::add_footprint(answer);
  return answer;
}

} // namespace

TEST_CASE("what fits is held, by the engine's own count") {
  int held = 0, short_of = 0, refused = 0;
  for (const std::string& query : served_queries()) {
    INFO(query);
    const io::Answer answer = judged(query);
    if (!answer.ok) continue;
    const Judgement& judgement = answer.judgement;
    CHECK(judgement.asked == Count{answer.scenario.workload.batch});
    CHECK(judgement.holds() == (answer.footprint->fits && judgement.held >= judgement.asked && judgement.verdict != Verdict::start));
    if (answer.judgement.pool.exists && answer.scenario.serving.shared_tokens == 0 && judgement.holds()) CHECK(answer.judgement.pool.sequences >= judgement.asked);
    ++(judgement.holds() ? held : judgement.verdict == Verdict::pool ? short_of : refused);
  }
  CHECK(held > 50);
  CHECK(short_of > 5);
  CHECK(refused > 5);
}

TEST_CASE("an estimate, its JSON, the judge of searches, advice and export say the same") {
  int index = 0;
  for (const std::string& query : served_queries()) {
    INFO(query);
    const io::Answer answer = judged(query);
    if (!answer.ok) continue;
    const io::Json json = test::parsed(io::estimate_json(answer));
    CHECK(json.at("estimate").at("fits").get<bool>() == answer.judgement.holds());
    CHECK(json.at("estimate").at("verdict").at("id").text() == name_of(answer.judgement.verdict));
    const Profile engine = *test::catalog().profile(test::catalog().default_profile(false), answer.inputs.hardware.arch);
    const Trial trial = try_inputs(answer.inputs, answer.scenario.profile, engine, Judge::process);
    CHECK(trial.verdict() == answer.judgement.verdict);
    CHECK((answer.headline.verdict == "Fits." || answer.headline.verdict == "Probably fits.") == answer.judgement.holds());
    const io::ExportedCommand line = io::export_scenario(test::catalog(), answer, answer.profile_id);
    if (line.ok) CHECK((line.text.find(answer.headline.verdict) == std::string::npos) == answer.judgement.holds());
    if (++index % 12 != 0) continue; // advice tries hundreds of changes
    CHECK(io::advise(test::catalog(), answer.request).fits == answer.judgement.holds());
  }
}

TEST_CASE("every remedy of an engine holds, and its flag is read back as the input it changes") {
  int remedies = 0, flags = 0;
  for (const std::string& query : served_queries()) {
    const io::Answer answer = judged(query);
    if (!answer.ok || answer.judgement.holds()) continue;
    for (const io::Remedy& remedy : answer.remedies) {
      INFO(query << ": " << remedy.field << " = " << remedy.value << ", " << remedy.flag);
      ++remedies;
      CHECK(judged(test::with(query, remedy.field, remedy.value)).judgement.holds());
      if (remedy.flag.empty()) continue;
      ++flags;
      const char* const start = answer.profile_id == "vllm"           ? "vllm serve some/model "
                                : answer.profile_id == "sglang"       ? "python -m sglang.launch_server --model-path some/model "
                                : answer.profile_id == "tensorrt_llm" ? "trtllm-serve some/model "
                                : answer.profile_id == "lmdeploy"     ? "lmdeploy serve api_server some/model "
                                                                      : "llama-server --model model.gguf ";
      const std::string slots = answer.profile_id == "llama_cpp" ? " --parallel " + std::to_string(answer.inputs.workload.batch) : "";
      const io::CommandLine line = io::read_command_line(test::catalog(), start + remedy.flag + slots);
      const io::Request read = io::answer(test::catalog(), line.request).request; // in our own names and units
      const std::string* const value = read.find(remedy.field);
      REQUIRE(value != nullptr);
      CHECK(*value == remedy.value);
    }
  }
  CHECK(remedies > 50);
  CHECK(flags > 40);
}

TEST_CASE("a scenario that no change of one flag saves says why it does not start, and names no flag") {
  const io::Answer answer = judged("task=inference&model=deepseek-v3-671b&profile=vllm&device=rtx4090&context_tokens=4096");
  REQUIRE(answer.ok);
  CHECK(answer.judgement.verdict == Verdict::start);
  CHECK(answer.remedies.empty());
  CHECK(answer.headline.verdict == "Does not start.");
  CHECK(answer.headline.rest.find("--") == std::string::npos);
}

TEST_CASE("sequences that share their beginning are held beyond those that do not") {
  const std::string query = "task=inference&model=llama-3.1-8b&profile=vllm&device=rtx4090&context_tokens=8192&batch=16";
  const io::Answer apart = judged(query), together = judged(test::with(query, "shared_tokens", "8000"));
  CHECK(apart.judgement.verdict == Verdict::pool);
  CHECK(apart.judgement.held == apart.judgement.pool.sequences);
  CHECK(together.judgement.holds());
  CHECK(together.judgement.held > apart.judgement.held);
}

TEST_CASE("states that the driver can move do not stand in the way, and count for the host") {
  const std::string query = "task=finetune&model=llama-3.1-8b&device=rtx4090&profile=torchtune&optimizer=paged_adamw_8bit&optimizer_in_backward=true&recompute=full&batch=2&context_tokens=512";
  const io::Answer paged = judged(query);
  REQUIRE(paged.ok);
  CHECK(paged.estimate.movable > Bytes{0});
  CHECK(paged.judgement.holds());
  CHECK(paged.judgement.host > Bytes{0});
  CHECK(judged(test::with(query, "host_bytes", "1000000000")).judgement.verdict == Verdict::host);
  CHECK(judged(test::with(query, "host_bytes", "64000000000")).judgement.holds());
  CHECK(!judged(test::with(query, "optimizer", "adamw_8bit")).judgement.holds());
}
