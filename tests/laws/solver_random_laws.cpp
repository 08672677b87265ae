// A thousand scenarios as people ask about them, always the same ones, and every kind of solver: the answer fits, and its successor does not.
#include "scenarios.hpp"

#include "plimsoll/questions/solve.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

constexpr int kScenarios = 1000;

/// The same numbers on every platform.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757u + 3037000493u) {}
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 33;
  }
  template <class T> const T& pick(const std::vector<T>& from) { return from[next() % from.size()]; }

private:
  std::uint64_t state_;
};

std::string setting(const char* name, const std::string& value) { return "&" + std::string{name} + "=" + value; }

std::string serving_query(Random& random) {
  static const std::vector<std::string> kEngines{"vllm", "sglang", "tensorrt_llm", "llama_cpp", "transformers"};
  static const std::vector<std::string> kWeights{"", "", "", "&weight_dtype=nf4", "&weight_dtype=q4_k_m", "&weight_dtype=q8_0", "&weight_dtype=fp8_channel"};
  static const std::vector<std::string> kCaches{"", "", "&kv_dtype=fp8", "&kv_dtype=fp16"};
  return test::in_order({"&task=inference", setting("profile", random.pick(kEngines)), random.pick(kWeights), random.pick(kCaches)});
}

std::string training_query(Random& random) {
  static const std::vector<std::string> kMethods{"&task=pretrain", "&task=finetune", "&task=finetune&method=lora", "&task=finetune&method=lora&weight_dtype=nf4",
                                                 "&task=finetune&method=dora&targets=all_linear"};
  static const std::vector<std::string> kFrameworks{"pytorch", "hf_trainer", "deepspeed", "fsdp2", "torchtitan", "megatron", "torchtune"};
  static const std::vector<std::string> kRegimes{"bf16", "mixed_bf16", "master_bf16", "sharded_bf16"};
  static const std::vector<std::string> kShardings{"none", "optimizer", "gradients", "parameters"};
  static const std::vector<std::string> kRecomputes{"none", "full", "selective"};
  static const std::vector<std::string> kReplicas{"1", "2", "8", "64"};
  static const std::vector<std::string> kOptimizers{"adamw_fused", "adamw_fused", "adamw_8bit", "muon", "adafactor"};
  const std::string replicas = random.pick(kReplicas);
  std::string query = test::in_order({random.pick(kMethods), setting("profile", random.pick(kFrameworks)), setting("precision", random.pick(kRegimes)), setting("data_parallel", replicas)});
  if (replicas != "1") query += setting("sharding", random.pick(kShardings));
  return test::in_order({query, setting("recompute", random.pick(kRecomputes)), setting("optimizer", random.pick(kOptimizers)), setting("micro_batches", random.next() % 2 == 0 ? "1" : "4")});
}

/// Free of errors.
std::string scenario(int seed) {
  static const std::vector<std::string> kDevices{"rtx4090", "rtx3090", "l4", "a100-40-sxm", "a100-80-sxm", "h100-80-sxm", "h200-141-sxm", "b200"};
  static const std::vector<std::string> kContexts{"512", "2048", "4096", "8192", "32768"};
  static const std::vector<std::string> kBatches{"1", "2", "4", "8"};
  static const std::vector<std::string> kTensor{"1", "1", "2", "4", "8"};
  const std::vector<io::ModelRow>& models = test::catalog().models();
  for (std::uint64_t attempt = 0;; ++attempt) {
    Random random{static_cast<std::uint64_t>(seed) * 1000 + attempt};
    std::string query = test::in_order({"model=" + random.pick(models).id, setting("device", random.pick(kDevices)), setting("context_tokens", random.pick(kContexts)),
                                  setting("batch", random.pick(kBatches)), setting("tensor_parallel", random.pick(kTensor))});
    query += random.next() % 2 == 0 ? serving_query(random) : training_query(random);
    if (io::answer_query(test::catalog(), query).ok) return query;
  }
}

Profile engine_of(const Inputs& inputs) { return *test::catalog().profile(test::catalog().default_profile(false), inputs.hardware.arch); }

struct Tally {
  int asked = 0, answers = 0, successors = 0;
};

bool holds(const io::Answer& answer, const Field& field, std::int64_t value) {
  Inputs inputs = answer.inputs;
  field.set(inputs, value);
  return try_inputs(inputs, answer.scenario.profile, engine_of(inputs), Judge::estimate).holds();
}

/// Whole numbers: the answer again from nothing, the step after it, and steps further on.
void check_number(const io::Answer& answer, std::string_view name, Goal goal, Tally& tally) {
  const Field& field = *find_field(name);
  if (!applies(field, answer.inputs.workload.task) || is_idle(field, answer.inputs)) return;
  ++tally.asked;
  INFO(name);
  const Solution solution = solve(answer.inputs, answer.scenario.profile, engine_of(answer.inputs), field, goal);
  if (!solution.answer) {
    CHECK(has_errors(solution.issues));
    return;
  }
  ++tally.answers;
  const std::int64_t value = solution.answer->value;
  INFO("answer " << value);
  CHECK(holds(answer, field, value));
  if (goal == Goal::smallest) {
    for (std::int64_t smaller = value - 1; smaller >= 1 && smaller >= value - 16; --smaller) CHECK(!holds(answer, field, smaller));
    tally.successors += value > 1 ? 1 : 0;
    return;
  }
  if (!solution.next) return; // the end of the range
  ++tally.successors;
  CHECK(solution.next->value == value + 1);
  CHECK(!holds(answer, field, value + 1));
  if (solution.method != Method::bisection) return;
  for (const std::int64_t further : {value + 2, value + 7, value + value / 16 + 1, value + value / 2 + 1, 2 * value + 1, 8 * value + 3})
    if (further <= field.max) CHECK(!holds(answer, field, further));
}

/// Ids of the catalogue and fleets: the scenario of the answer fits; the candidate before or after it does not.
void check_choice(const std::string& query, const char* field, Goal goal, Tally& tally) {
  ++tally.asked;
  INFO(field);
  Issues issues;
  const io::Request request = io::request_from_query(query, issues);
  const io::Solved solved = io::solve(test::catalog(), request, {goal, field}, {}, Judge::estimate);
  if (!solved.answer) {
    CHECK(has_errors(solved.issues));
    return;
  }
  ++tally.answers;
  INFO("answer " << solved.answer->value << ": " << solved.query);
  const io::Answer there = io::answer_query(test::catalog(), solved.query);
  CHECK(there.ok);
  CHECK(there.estimate.fits);
  CHECK(try_inputs(there.inputs, there.scenario.profile, engine_of(there.inputs), Judge::estimate).holds());
  if (!solved.next) return;
  ++tally.successors;
  CHECK(!solved.next->trial.holds());
  CHECK(solved.next->value != solved.answer->value);
}

} // namespace

TEST_CASE("a solver's answer fits and its successor does not, on a thousand scenarios") {
  std::map<std::string, Tally> tallies;
  for (int seed = 0; seed < kScenarios; ++seed) {
    const std::string query = scenario(seed);
    INFO(query);
    const io::Answer answer = test::answer_to(query);
    const bool serves = !trains(answer.inputs.workload.task);
    for (const char* name : {"context_tokens", "batch", "rank", "gpu_layers"}) check_number(answer, name, Goal::largest, tallies[name]);
    // On most cards every layer has room: a small one has it for some.
    if (serves && answer.scenario.profile.inference.offloads_layers)
      if (const io::Answer small = io::answer_query(test::catalog(), test::with(query, "device", "rtx3060-12")); small.ok) check_number(small, "gpu_layers", Goal::largest, tallies["gpu_layers"]);
    if (seed % 5 == 0) check_number(answer, "tensor_parallel", Goal::smallest, tallies["tensor_parallel"]);
    if (seed % 5 == 1) check_choice(query, "model", Goal::largest, tallies["model"]);
    if (seed % 5 == 2) check_choice(query, "device", Goal::smallest, tallies["device"]);
    if (seed % 5 == 3 && (serves || is_frozen(answer.scenario))) check_choice(query, "weights", Goal::largest, tallies["weights"]);
    if (seed % 25 == 4 && serves) check_choice(query, "instance", Goal::smallest, tallies["instance"]);
    // A search for each number of GPUs and each offer: of models that need few of them.
    const bool small = io::record_of(*test::catalog().find_model(answer.inputs.model.id)).parameters < 15'000'000'000;
    if (seed % 10 == 4 && !serves && small) check_choice(query, "gpus", Goal::smallest, tallies["gpus"]);
    if (seed % 50 == 49 && !serves && small) check_choice(query, "instance", Goal::smallest, tallies["instance"]);
  }
  const std::map<std::string, std::array<int, 2>> least{{"context_tokens", {500, 450}}, {"batch", {450, 400}}, {"rank", {80, 60}}, {"gpu_layers", {50, 5}},
                                                        {"tensor_parallel", {60, 20}}, {"model", {50, 10}}, {"device", {60, 40}}, {"weights", {40, 10}},
                                                        {"instance", {12, 6}}, {"gpus", {5, 1}}};
  for (const auto& [name, tally] : tallies) {
    INFO(name << ": " << tally.asked << " asked, " << tally.answers << " answers, " << tally.successors << " successors");
    CHECK(tally.answers >= least.at(name)[0]);
    CHECK(tally.successors >= least.at(name)[1]);
  }
}
