// Rows of the component "throughput": tokens per second of one device, or of several that take turns layer by layer.
#include "plimsoll/method/speed.hpp"

#include "catalog/efficiency.hpp"
#include "evidence/inference/parts.hpp"
#include "evidence/words.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/validate.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::accuracy::inference {

namespace {

/// Engines whose memory has no profile, but whose kernels have been timed: core/catalog/data/efficiency/inference.json.
struct Kernels {
  std::string_view name;   ///< the row's "engine" begins so, in lower case
  std::string_view engine; ///< of the file
};
constexpr std::array kKernels{Kernels{"torchao", "gpt_fast"}, Kernels{"gpt-fast", "gpt_fast"}, Kernels{"autoawq", "autoawq"}, Kernels{"mlx", "mlx_lm"}};

/// Form factors in the device's id, where the row does not say: servers have modules.
bool prefers(const std::string& text, const DeviceRow& candidate, const DeviceRow& other) {
  const auto form = [&](const DeviceRow& device) {
    for (const char* name : {"pcie", "nvl", "sxm"})
      if (has(device.hardware.id, name)) return has(text, name) ? 2 : has(device.hardware.id, "sxm") ? 1 : 0;
    return 0;
  };
  const auto sized = [&](const DeviceRow& device) { return has(text, std::to_string(device.hardware.label_gb) + "gb") ? 1 : 0; };
  const std::array<std::int64_t, 3> a{sized(candidate), form(candidate), candidate.hardware.label_gb}, b{sized(other), form(other), other.hardware.label_gb};
  return a > b;
}

/// The catalogue's device that the text names; null where it names none. Apple's chips by two words, "M2 Ultra".
const DeviceRow* device_named(const std::string& gpu) {
  const std::string letters = letters_of(gpu), text = lower(gpu);
  const std::vector<std::string> words = words_of(gpu);
  const DeviceRow* best = nullptr;
  std::size_t length = 0;
  for (const DeviceRow& device : presets().devices()) {
    const std::vector<std::string> id = words_of(device.hardware.id);
    if (id.empty()) continue;
    std::string name = id.front();
    const bool chip = device.vendor == "Apple" && id.size() > 1;
    if (chip) name += " " + id[1];
    const bool card = name.starts_with("rtx") && name.size() > 3;
    const bool named = chip ? contains_word(gpu, name)
                            : std::ranges::find(words, name) != words.end() || letters.starts_with(name) ||
                                  (card && (letters.starts_with(name.substr(3)) || std::ranges::find(words, name.substr(3)) != words.end()));
    if (!named || name.find_first_of("0123456789") == std::string::npos) continue;
    if (best == nullptr || name.size() > length || (name.size() == length && prefers(text, device, *best))) best = &device, length = name.size();
  }
  return best;
}

/// Cards of a generation share their numbers: "RTX 4000 Ada" is no RTX 4000.
bool is_other_generation(const std::string& gpu, const DeviceRow& device) {
  return has(lower(gpu), " ada") && device.hardware.arch != "Ada";
}

/// Tokens in front of the average token that the row times: half of what is generated, behind the prompt.
std::optional<std::int64_t> mean_context(const Json& row) {
  const std::string notes = lower(text_of(row, "notes"));
  if (const auto generated = number_behind(notes, "tg", 0)) return *generated / 2;
  if (const auto prompt = number_behind(notes, "prompt/new tokens", 0)) {
    const auto added = number_behind(notes, std::to_string(*prompt) + "/", 0);
    return *prompt + added.value_or(0) / 2;
  }
  if (const auto each = number_behind(notes, "lengths each", 0)) return *each + *each / 2;
  if (const auto prompt = number_behind(notes, "after prompt", 0)) return *prompt + number_behind(notes, "generation", 0).value_or(0) / 2;
  if (const auto context = number_of(row, "n_ctx"); context && *context >= 1) return *context / 2;
  return std::nullopt;
}

/// Tokens of the prompt that a row of prompts times.
std::optional<std::int64_t> prompt_tokens(const Json& row) {
  const std::string notes = lower(text_of(row, "notes"));
  for (const char* words : {"pp", "lengths each", "prompt of", "prompt"})
    if (const auto tokens = number_behind(notes, words, 0); tokens && *tokens >= 1) return tokens;
  return number_of(row, "n_ctx");
}

/// Sequences at once: "batch", or what the notes call concurrency.
std::optional<std::int64_t> sequences_of(const Json& row) {
  const auto sequences = number_of(row, "batch");
  const auto stated = sequences ? sequences : number_behind(lower(text_of(row, "notes")), "concurrency", 0);
  return stated && *stated >= 1 ? stated : std::nullopt;
}

bool is_of_a_queue(const Json& row) {
  const std::string notes = lower(text_of(row, "notes"));
  if (sequences_of(row)) return false;
  return has(lower(text_of(row, "batch")), "saturated") || has(notes, "under load") || has(notes, "max-throughput") || has(notes, "request throughput");
}

bool is_prefill(const std::string& notes) {
  const bool generates = has(notes, "decode") || has(notes, "generation") || has(notes, "new tokens");
  return has(notes, "prefill;") || has(notes, "prompt processing") || has(notes, "prompt eval") || notes.starts_with("pp") || has(notes, "llama-bench pp") ||
         (notes.starts_with("prompt") && !generates);
}

/// NVIDIA's checkpoints in 8 and 4 bits ask for a cache in fp8 (hf_quant_config.json, kv_cache_quant_algo), and TensorRT-LLM does as they say:
/// NVIDIA/TensorRT-LLM, tensorrt_llm/llmapi/llm_args.py, KvCacheConfig, dtype "auto".
void assume_cache(const Json& row, Question& into) {
  const std::string format = lower(text_of(row, "weights_format"));
  if (into.profile != "tensorrt_llm" || !text_of(row, "kv_format").empty() || !(format.starts_with("fp8") || format.starts_with("nvfp4"))) return read_cache(row, into);
  into.inputs.serving.kv_dtype = CacheDtype::fp8;
  into.assumed.emplace_back("The cache's format: fp8, as NVIDIA's checkpoints in this format ask for.");
}

/// "isl/osl 1000/1000": tokens of each request in a queue.
struct Requests {
  std::int64_t prompt = 0, answer = 0;
};
std::optional<Requests> requests_of(const Json& row) {
  const std::string notes = lower(text_of(row, "notes"));
  const auto prompt = number_behind(notes, "isl/osl", 0);
  if (!prompt || *prompt < 1) return std::nullopt;
  const auto answer = number_behind(notes.substr(notes.find("isl/osl")), std::to_string(*prompt) + "/", 0);
  constexpr std::int64_t kMost = 100'000'000;
  if (!answer || *answer < 1 || *prompt > kMost || *answer > kMost) return std::nullopt;
  return Requests{*prompt, *answer};
}

/// As many sequences as the pool holds and one step may take.
TokenRate of_a_queue(const Question& question, const Profile& profile, Requests requests, Comparison& comparison) {
  Inputs inputs = question.inputs;
  inputs.workload.batch = 1;
  inputs.workload.context_tokens = requests.prompt + requests.answer;
  const Scenario whole = scenario_of(inputs, profile);
  const Estimate held = estimate(whole);
  if (!held.pool.there || held.pool.sequences < Count{1}) return comparison.reason = "The model leaves no room for a request.", TokenRate{};
  std::int64_t together = held.pool.sequences.value;
  if (profile.inference.sequences.value > 0) together = std::min(together, whole.serving.max_sequences);
  inputs.workload.batch = together;
  inputs.workload.context_tokens = requests.prompt + requests.answer / 2;
  const Scenario decoding = scenario_of(inputs, profile);
  inputs.workload.context_tokens = requests.prompt;
  return saturated(decoding, scenario_of(inputs, profile), Count{requests.answer});
}

void give(Comparison& comparison, const TokenRate& rate) {
  constexpr std::int64_t kThousandthsOfDigit = 10;
  comparison.modelled = true;
  comparison.predicted = rate.expected.value / kThousandthsOfDigit;
  comparison.low = rate.low.value / kThousandthsOfDigit;
  comparison.high = rate.high.value / kThousandthsOfDigit;
}

} // namespace

void read_kernels(const Json& row, Question& into) {
  const std::string name = lower(text_of(row, "engine"));
  const auto found = std::ranges::find_if(kKernels, [&](const Kernels& one) { return name.starts_with(one.name); });
  if (found == kKernels.end()) return;
  into.reason.clear();
  into.profile = "paged_serving";
  into.kernels = found->engine;
}

void compare_speed(const Json& row, Question& question, Comparison& comparison) {
  const std::string gpu = text_of(row, "gpu"), split = lower(text_of(row, "tp")), notes = lower(text_of(row, "notes"));
  const bool in_turns = has(split, "layer");
  comparison.metric = is_prefill(notes) ? "prompt_tokens_per_s" : "tokens_per_s";
  comparison.unit = "tokens/s";
  constexpr int kDecimals = 2;
  comparison.decimals = kDecimals;
  comparison.measured = decimal_of(row, "value", kDecimals);
  const bool several = in_turns || question.inputs.strategy.tensor_parallel > 1;
  const bool queue = is_of_a_queue(row);
  comparison.features.emplace_back(std::string{several ? "several GPUs" : "single GPU"} + (queue ? ", queue" : ""));
  assume_cache(row, question);
  read_weights(row, question);
  comparison.assumed = question.assumed;
  if (!question.whole_model && question.inputs.model.groups.empty()) question.decline("The row does not state all dimensions of the model.");
  const std::optional<Requests> requests = requests_of(row);
  if (queue && !requests) question.decline("The row does not say how long the prompts and answers in the queue are.");
  const DeviceRow* const device = device_named(gpu);
  if (device == nullptr || is_other_generation(gpu, *device)) question.decline("The catalogue has no device \"" + gpu + "\".");
  if (comparison.reason = question.reason; !question.reason.empty()) return;
  question.inputs.hardware = device->hardware;
  if (in_turns) comparison.assumed.push_back("Layers are divided among GPUs that work one after the other: as fast as one.");
  const bool prompt = comparison.metric != "tokens_per_s";
  const auto context = prompt ? prompt_tokens(row) : mean_context(row);
  if (context) question.inputs.workload.context_tokens = std::max<std::int64_t>(1, *context);
  else question.inputs.workload.context_tokens = 100, comparison.assumed.push_back("The context: 100 tokens.");
  if (const auto sequences = sequences_of(row)) question.inputs.workload.batch = *sequences;
  else question.inputs.workload.batch = 1, comparison.assumed.push_back("The batch: one sequence.");
  question.inputs.model.learned_positions = Count{0};
  std::optional<Profile> profile = presets().profile(question.profile, device->hardware.arch);
  if (!profile) return void(comparison.reason = "There is no profile \"" + question.profile + "\".");
  if (!question.kernels.empty()) profile->inference.efficiencies = efficiencies(question.kernels, device->hardware.arch);
  for (const Issue& issue : validate(question.inputs, *profile))
    if (issue.severity == Severity::error) return void(comparison.reason = issue.message);
  if (queue) {
    const TokenRate rate = of_a_queue(question, *profile, *requests, comparison);
    if (rate.expected > Count{0}) return give(comparison, rate);
    if (comparison.reason.empty()) comparison.reason = "Nobody has said how fast this engine is on such devices.";
    return;
  }
  const Scenario scenario = scenario_of(question.inputs, *profile);
  if (estimate(scenario).saturated) return void(comparison.reason = "Together these inputs need more than can be counted.");
  const Speed found = speed(scenario);
  if (!found.there || (prompt && !found.prefill_there)) return void(comparison.reason = "Nobody has said how fast this engine is on such devices.");
  give(comparison, prompt ? found.prompt : found.total);
}

} // namespace plimsoll::io::accuracy::inference
