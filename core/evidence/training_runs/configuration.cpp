// What a row says of its configuration: "TP4 PP8 CP1 VP4", "FSDP32 TP8 async", "FULL_SHARD".
#include "evidence/training_runs/parts.hpp"

#include "evidence/measured.hpp"
#include "evidence/words.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::accuracy::training_runs {

namespace {

/// The frameworks that sources of such rows publish for, by the name of the repository. What each runs: llm-foundry's FSDP shards weights
/// in bf16; torchtitan's keeps fp32 shards; Megatron-Bridge turns on Transformer Engine's overlap of tensor-parallel communication
/// (NVIDIA-NeMo/Megatron-Bridge, src/megatron/bridge/training/comm_overlap.py), and the table of Megatron-LM names it too.
struct Source {
  std::string_view repository;
  std::string_view profile;
  Regime regime;
  bool overlaps;
};
constexpr Source kSources[] = {
    {"llm-foundry", "fsdp1", Regime::bf16, false},
    {"torchtitan", "torchtitan", Regime::sharded_bf16, false},
    {"torchtune", "torchtune", Regime::bf16, false},
    {"megatron-bridge", "megatron", Regime::master_bf16, true},
    {"megatron-lm", "megatron", Regime::master_bf16, true},
    {"nanotron", "megatron", Regime::master_bf16, false},
};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

bool says(const std::vector<std::string>& words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

/// The number in "tp4" of "tp".
std::optional<std::int64_t> degree_in(const std::vector<std::string>& words, std::string_view name) {
  for (const std::string& word : words) {
    if (!word.starts_with(name) || word.size() == name.size() || word.size() > name.size() + 6) continue;
    const std::string digits = word.substr(name.size());
    if (digits.find_first_not_of("0123456789") == std::string::npos) return std::stoll(digits);
  }
  return std::nullopt;
}

std::int64_t at_least_one(std::optional<std::int64_t> value) { return std::max<std::int64_t>(value.value_or(1), 1); }

constexpr std::int64_t kMostGpus = 10'000'000;
std::optional<std::int64_t> size_in(const Json& row, const char* key, std::int64_t most) {
  const auto value = number_of(row, key);
  return value && *value >= 1 && *value <= most ? value : std::nullopt;
}

std::vector<std::string> layout_words(const Json& row) { return words_of(text_of(row, "parallelism")); }

void read_precision(const Json& row, Run& into) {
  const std::vector<std::string> words = words_of(lower(text_of(row, "precision")));
  Strategy& strategy = into.inputs.strategy;
  const std::string text = words.empty() ? "" : words.front();
  if (text.find("fp4") != std::string::npos) return into.decline("4-bit matrix multiplication is not covered.");
  if (text.find("fp8") != std::string::npos) return void(strategy.fp8 = Fp8::compute);
  if (text == "fp16") return void(strategy.regime = Regime::master_fp16);
  if (text == "fp32") return void(strategy.regime = Regime::fp32);
  if (text.empty()) into.assumed.push_back("The precision is bf16.");
  else if (text != "bf16") into.decline("The precision " + quoted(std::string_view{text}) + " is not covered.");
}

void read_recompute(const Json& row, Run& into) {
  Strategy& strategy = into.inputs.strategy;
  const std::string text = lower(text_of(row, "recompute"));
  const bool by_operation = into.profile == "torchtitan"; // its "selective" is by operation
  if (text.empty()) into.assumed.push_back("Nothing is recomputed.");
  else if (text == "full") strategy.recompute = Recompute::full;
  else if (text == "selective") strategy.recompute = by_operation ? Recompute::per_op : Recompute::selective;
  else if (text != "none") into.decline("The row's \"recompute\" says " + quoted(std::string_view{text}) + ", which is not covered.");
}

void read_degrees(const std::vector<std::string>& words, Run& into) {
  Strategy& strategy = into.inputs.strategy;
  strategy.tensor_parallel = at_least_one(degree_in(words, "tp"));
  strategy.sequence_parallel = strategy.tensor_parallel > 1;
  strategy.pipeline_parallel = at_least_one(degree_in(words, "pp"));
  strategy.context_parallel = at_least_one(degree_in(words, "cp"));
  strategy.virtual_stages = strategy.pipeline_parallel > 1 ? at_least_one(degree_in(words, "vp")) : 1;
  if (says(words, "interleaved") && strategy.virtual_stages == 1) strategy.virtual_stages = 2;
  strategy.expert_parallel = at_least_one(degree_in(words, "ep"));
  if (strategy.expert_parallel > 1) strategy.expert_tensor_parallel = 1;
  // Layers that stages cannot divide evenly: the first ones get one more. Frameworks leave the first or the last with fewer.
  const std::int64_t chunks = strategy.pipeline_parallel * strategy.virtual_stages, layers = static_cast<std::int64_t>(into.inputs.model.pattern.size());
  if (strategy.pipeline_parallel > 1 && layers >= chunks && layers % chunks != 0)
    for (std::int64_t i = 0; i < chunks; ++i) strategy.chunk_layers.push_back(layers / chunks + (i < layers % chunks ? 1 : 0));
  const bool shards = degree_in(words, "fsdp").value_or(0) > 1 || says(words, "shard") || says(words, "fsdp") || into.profile == "torchtitan" || into.profile == "fsdp1";
  strategy.sharding = shards ? Sharding::parameters : Sharding::optimizer;
}

/// Sequences of a micro-batch and micro-batches of a step.
void read_batch(const Json& row, Run& into) {
  Workload& workload = into.inputs.workload;
  const Strategy& strategy = into.inputs.strategy;
  constexpr std::int64_t kMostSequences = 1'000'000, kMostTokens = 1'000'000'000'000'000;
  constexpr Count kTokens{16'384};
  const bool whole = strategy.sharding == Sharding::parameters && strategy.pipeline_parallel == 1;
  if (const auto batch = size_in(row, "micro_batch", kMostSequences)) workload.batch = *batch;
  else if (whole) {
    const Count tokens = kTokens * gpus_of_a_replica(strategy);
    workload.batch = std::clamp<std::int64_t>(tokens.value / workload.context_tokens, 1, kMostSequences);
    into.assumed.push_back("A micro-batch has 16,384 tokens for each GPU.");
  } else into.assumed.push_back("A micro-batch has one sequence.");
  const std::int64_t step = workload.context_tokens * workload.batch * strategy.data_parallel;
  if (const auto tokens = size_in(row, "batch_tokens", kMostTokens)) workload.micro_batches = std::clamp<std::int64_t>((*tokens + step / 2) / step, 1, kMostSequences);
  else if (strategy.pipeline_parallel > 1) {
    workload.micro_batches = 2 * strategy.pipeline_parallel;
    into.assumed.push_back("Two micro-batches for each stage of the pipeline.");
  } else into.assumed.push_back("One micro-batch in a step.");
}

} // namespace

void read_device(const Json& row, Run& into) {
  const std::string gpu = text_of(row, "gpu");
  const DeviceRow* device = gpu.empty() ? nullptr : presets().find_device(gpu);
  if (device == nullptr) return into.decline(gpu.empty() ? "The row does not tell its device." : "The device " + quoted(std::string_view{gpu}) + " is not in the catalogue.");
  into.inputs.hardware = device->hardware;
}

void read_common(const Json& row, Run& into) {
  into.inputs.workload.task = Task::pretrain;
  into.inputs.strategy.regime = Regime::master_bf16;
  const std::string source = lower(text_of(row, "source"));
  for (const Source& known : kSources)
    if (source.find(known.repository) != std::string::npos) {
      into.profile = known.profile;
      into.inputs.strategy.regime = known.regime;
      into.inputs.implementation.communication_overlap = known.overlaps;
      break;
    }
  read_precision(row, into);
  read_recompute(row, into);
  constexpr std::int64_t kUsual = 4096, kLongest = 100'000'000;
  const auto tokens = size_in(row, "seq_len", kLongest);
  if (!tokens) into.assumed.push_back("Sequences have 4,096 tokens.");
  into.inputs.workload.context_tokens = tokens.value_or(kUsual);
}

void read_layout(const Json& row, Run& into) {
  const std::vector<std::string> words = layout_words(row);
  const std::string model = lower(text_of(row, "model"));
  Implementation& code = into.inputs.implementation;
  if (says(words, "compile") || says(words_of(model), "compile")) code.norms = code.mlp = Fusion::compiled;
  if (says(words, "async")) code.communication_overlap = true;
  read_degrees(words, into);
  Strategy& strategy = into.inputs.strategy;
  const std::int64_t replica = strategy.tensor_parallel * strategy.pipeline_parallel * strategy.context_parallel;
  const auto gpus = size_in(row, "n_gpus", kMostGpus);
  if (!gpus) return into.decline("The row does not tell how many GPUs ran.");
  if (*gpus % replica != 0) return into.decline(std::to_string(*gpus) + " GPUs are not a multiple of the " + std::to_string(replica) + " of one replica.");
  strategy.data_parallel = *gpus / replica;
  if (strategy.data_parallel * strategy.context_parallel == 1) strategy.sharding = Sharding::none;
  read_batch(row, into);
}

void read_gpus(const Json& row, Run& into) {
  constexpr std::int64_t kSeveralNodes = 256;
  Strategy& strategy = into.inputs.strategy;
  const auto gpus = size_in(row, "n_gpus", kMostGpus);
  strategy.data_parallel = gpus.value_or(kSeveralNodes);
  strategy.sharding = strategy.data_parallel > 1 ? Sharding::parameters : Sharding::none;
  into.inputs.job.basis = JobBasis::typical;
  into.inputs.workload.batch = std::max<std::int64_t>(1, 16'384 / into.inputs.workload.context_tokens);
  if (!gpus) into.assumed.push_back("More GPUs than one node has.");
  into.assumed.push_back("What published jobs reached on such devices: nothing of the layout is known.");
}

} // namespace plimsoll::io::accuracy::training_runs
