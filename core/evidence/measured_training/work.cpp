// Model, tokens and parallel degrees.
#include "evidence/litgpt.hpp"
#include "evidence/measured_training/fields.hpp"
#include "evidence/words.hpp"
#include "plimsoll/method/parameters.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace plimsoll::io::accuracy::measured_training {

namespace {

std::optional<std::int64_t> number_between(const std::vector<std::string>& words, std::string_view before, std::string_view after) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i)
    if (words[i] == before && words[i + 2].starts_with(after) && words[i + 1].size() < 6 && words[i + 1].find_first_not_of("0123456789") == std::string::npos)
      return std::stoll(words[i + 1]);
  return std::nullopt;
}

Count layers_of(const ModelRow& row) {
  Count layers;
  if (const std::optional<Model> model = import_model(row).model)
    for (const LayerGroup& group : model->groups) layers += group.layers;
  return layers;
}

/// Whether the count is the row's figure, in billions and rounded to its digits: names are rounder than counts.
bool agrees(const Model& model, double billions) {
  const double count = static_cast<double>(count_parameters(model).value) / 1e9;
  return billions <= 0 || std::abs(count - billions) <= 0.03 * billions;
}

void read_degree(const Json& parallelism, const char* key, std::int64_t& degree, MeasuredRow& into) {
  const std::optional<std::int64_t> value = parallelism.is_object() ? number_of(parallelism, key) : std::nullopt;
  if (!value || *value < 1) return into.decline("The row does not tell its \"" + std::string{key} + "\".");
  degree = *value;
}

enum Zero : int { kFsdp1, kFsdp2, kFsdp, kParameters, kGradients, kOptimizer, kOffloadAll, kOffloadOptimizer, kKeepGathered, kHybrid };
constexpr Phrase kZeros[] = {
    {"fsdp", kFsdp},
    {"fsdp1", kFsdp1},
    {"fsdp2", kFsdp2},
    {"full shard", kParameters},
    {"zero3", kParameters},
    {"zero2", kGradients},
    {"zero1", kOptimizer},
    {"cpu offload", kOffloadAll},
    {"offload", kOffloadAll},
    {"optimizer offload", kOffloadOptimizer},
    {"shard grad op", kGradients},
    {"no reshard", kKeepGathered},
    {"reshard never", kKeepGathered},
    {"reshard after forward never", kKeepGathered},
    {"hsdp", kHybrid},
    {"hybrid shard", kHybrid},
    {"last layer not resharded", kNothing}, // FSDP2 as torchtitan sets it up
    {"deepspeed", kNothing},
    {"zero", kNothing},
    {"ddp", kNothing},
};

void read_zero(const Json& zero, MeasuredRow& into) {
  Strategy& strategy = into.inputs.strategy;
  if (zero.is_number_integer()) {
    constexpr std::array kStages{Sharding::none, Sharding::optimizer, Sharding::gradients, Sharding::parameters};
    const auto stage = zero.get<std::int64_t>();
    if (stage < 0 || stage > 3) return into.decline("\"zero\" is 0 to 3, not " + quoted(zero) + ".");
    strategy.sharding = kStages[static_cast<std::size_t>(stage)];
    return;
  }
  if (!zero.is_string()) return into.decline("The row's \"zero\" is not understood: " + quoted(zero) + ".");
  const std::string text = zero.get<std::string>();
  const Understood words = understand(text, kZeros);
  if (!words.rest.empty()) return into.decline(not_understood("zero", text, words.rest));
  if (words.says(kHybrid)) return into.decline("The row does not tell how many GPUs hold one set of shards: " + quoted(zero) + ".");
  if (words.says(kGradients)) strategy.sharding = Sharding::gradients;
  else if (words.says(kOptimizer)) strategy.sharding = Sharding::optimizer;
  else if (words.says(kParameters) || words.says(kFsdp) || words.says(kFsdp1) || words.says(kFsdp2)) strategy.sharding = Sharding::parameters;
  strategy.reshard_after_forward = !words.says(kKeepGathered);
  if (words.says(kOffloadAll)) strategy.offload = Offload::parameters;
  if (words.says(kOffloadOptimizer)) strategy.offload = Offload::optimizer;
}

/// A profile of one process that is told to shard becomes that of the library that shards.
void choose_sharding_profile(const Json& row, MeasuredRow& into) {
  const Json* parallelism = member_of(row, "parallelism");
  const Json* zero = parallelism == nullptr ? nullptr : member_of(*parallelism, "zero");
  const bool plain = into.profile == "pytorch" || into.profile == "peft" || into.profile == "hf_trainer";
  if (!plain || zero == nullptr || into.inputs.strategy.sharding == Sharding::none) return;
  const std::string text = zero->is_string() ? zero->get<std::string>() : std::string{};
  if (zero->is_number() || contains_word(text, "deepspeed")) into.profile = "deepspeed";
  else into.profile = contains_word(text, "fsdp2") ? "fsdp2" : "fsdp1";
}

} // namespace

void read_model(const Json& row, MeasuredRow& into) {
  const std::string name = text_of(row, "model"), hf_id = text_of(row, "hf_id_guess");
  std::optional<Model> model = described_model(row, into.assumed);
  if (!model) {
    const ModelRow* found = find_model(hf_id);
    if (found == nullptr) found = find_model(name);
    if (found == nullptr) return into.decline("The model's shape is not given: " + quoted(std::string_view{name}) + ".");
    Overrides changes;
    // "cut to 9 layers": the same shapes, fewer of them.
    if (const auto layers = number_between(words_of(name), "to", "layer")) changes.facts["layers"] = *layers;
    else if (into.reading == Reading::layer_forward) changes.facts["layers"] = 1;
    else if (const auto count = described_layers(name); count && *count > 0 && Count{*count} < layers_of(*found)) changes.facts["layers"] = *count;
    const bool shaped = !changes.facts.empty();
    if (into.profile == "litgpt") changes.facts["tied_embeddings"] = 0; // its head has a matrix of its own (litgpt/model.py, GPT)
    model = import_model(*found, changes).model;
    if (!model) return into.decline("The model's shape is not given: " + quoted(std::string_view{name}) + ".");
    if (!shaped) into.inputs.facts = import_model(*found, changes).facts;
    const Json* billions = member_of(row, "params_b");
    if (!shaped && billions != nullptr && billions->is_number() && !agrees(*import_model(*found).model, billions->get<double>()))
      return into.decline("The row's model has " + quoted(*billions) + " billion parameters, " + found->name + " has not.");
  }
  into.inputs.model = std::move(*model);
}

void read_workload(const Json& row, MeasuredRow& into) {
  Workload& workload = into.inputs.workload;
  workload.task = into.profile == "megatron" || into.profile == "torchtitan" ? Task::pretrain : Task::finetune;
  const std::optional<std::int64_t> tokens = number_of(row, "seq_len"), batch = number_of(row, "micro_batch"), steps = number_of(row, "grad_accum");
  if (!tokens || *tokens < 1) return into.decline("The row does not tell the tokens of a sequence.");
  if (!batch || *batch < 1) return into.decline("The row does not tell the sequences of a micro-batch.");
  const Json* knobs = member_of(row, "other_knobs");
  const Json* packed = knobs == nullptr ? nullptr : member_of(*knobs, "packed");
  if (into.profile == "torchtune" && (packed == nullptr || *packed == false))
    return into.decline("Sequences are not packed: how long they are is up to the dataset.");
  workload.context_tokens = *tokens;
  workload.batch = *batch;
  workload.micro_batches = 1;
  if (steps && *steps > 0) workload.micro_batches = *steps;
  else if (into.profile == "litgpt") {
    workload.micro_batches = litgpt::micro_batches(*batch, member_of(row, "lora") != nullptr);
    into.assumed.push_back("As many micro-batches in a step as in LitGPT's recipes.");
  } else if (!member_of(row, "other_knobs") || !member_of(*member_of(row, "other_knobs"), "gbs")) into.assumed.push_back("One micro-batch in a step.");
}

void read_parallelism(const Json& row, MeasuredRow& into) {
  const Json* parallelism = member_of(row, "parallelism");
  if (parallelism == nullptr || !parallelism->is_object()) return into.decline("The row does not tell its parallel degrees.");
  Strategy& strategy = into.inputs.strategy;
  read_degree(*parallelism, "dp", strategy.data_parallel, into);
  read_degree(*parallelism, "tp", strategy.tensor_parallel, into);
  read_degree(*parallelism, "pp", strategy.pipeline_parallel, into);
  read_degree(*parallelism, "cp", strategy.context_parallel, into);
  read_degree(*parallelism, "ep", strategy.expert_parallel, into);
  if (const Json* sp = member_of(*parallelism, "sp")) strategy.sequence_parallel = sp->is_boolean() && sp->get<bool>();
  if (const auto stages = number_of(*parallelism, "vpp")) strategy.virtual_stages = std::max<std::int64_t>(1, *stages);
  if (const auto degree = number_of(*parallelism, "etp")) strategy.expert_tensor_parallel = std::max<std::int64_t>(0, *degree);
  if (const Json* zero = member_of(*parallelism, "zero")) read_zero(*zero, into);
  else into.assumed.push_back("Replicas do not divide training states.");
  choose_sharding_profile(row, into);
  const Json* knobs = member_of(row, "other_knobs");
  const auto global = knobs != nullptr && knobs->is_object() ? number_of(*knobs, "gbs") : std::nullopt;
  if (global && *global > 0 && !number_of(row, "grad_accum")) {
    const Count per_step = Count{into.inputs.workload.batch} * Count{strategy.data_parallel};
    if (per_step > Count{0}) into.inputs.workload.micro_batches = std::max<std::int64_t>(1, *global / per_step.value);
  }
}

} // namespace plimsoll::io::accuracy::measured_training
