// {"engine", "engine_version", "model", "arch", "weights_format", "kv_format", "n_ctx", "batch", "gpu", "tp", "component", "value", "unit",
// "value_bytes", "notes"}: what a log of an inference engine prints of its memory. "check" and "derived" are other people's arithmetic
// and not read.
#include "evidence/inference/parts.hpp"
#include "evidence/inference/units.hpp"
#include "plimsoll/catalog/weights.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/validate.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::accuracy::inference {

namespace {

bool matches(const Json& row) { return row.contains("component") && row.contains("engine") && row.contains("weights_format"); }

void give(Comparison& comparison, std::int64_t predicted, std::int64_t low, std::int64_t high) {
  comparison.modelled = true;
  comparison.predicted = predicted;
  comparison.low = low;
  comparison.high = high;
}
void give(Comparison& comparison, Bytes bytes) { give(comparison, bytes.value, bytes.value, bytes.value); }

bool is_of_llama(const Question& question) {
  return question.profile.starts_with("llama_cpp") || question.profile == "ik_llama_cpp" || question.profile == "ollama";
}

struct Asked {
  Scenario scenario;
  Estimate estimate;
};

/// The scenario as the estimate answers it; nothing, with the reason in the comparison, where the inputs make no sense.
std::optional<Asked> ask(const Question& question, Comparison& comparison) {
  std::optional<Profile> profile = presets().profile(question.profile, question.inputs.hardware.arch);
  if (!profile) return comparison.reason = "There is no profile \"" + question.profile + "\".", std::nullopt;
  if (question.outside) profile->inference.pool.outside = profile->inference.pool.outside_divided = *question.outside;
  if (question.passes) profile->inference.pool.passes = *question.passes;
  if (question.weights) profile->inference.pool.weights = *question.weights;
  if (question.free) profile->inference.pool.free = *question.free;
  for (const Issue& issue : validate(question.inputs, *profile))
    if (issue.severity == Severity::error) return comparison.reason = issue.message, std::nullopt;
  Asked asked{scenario_of(question.inputs, *profile), {}};
  asked.estimate = estimate(asked.scenario);
  if (asked.estimate.saturated) return comparison.reason = "Together these inputs need more than can be counted.", std::nullopt;
  return asked;
}

Bytes part_of(const Estimate& estimate, Part part) { return estimate.at_peak().parts[static_cast<std::size_t>(part)]; }

/// Cache of so many tokens in one sequence.
std::optional<Bytes> cache_of(Question question, std::int64_t tokens, Comparison& comparison) {
  question.inputs.workload.context_tokens = tokens;
  question.inputs.workload.batch = 1;
  question.inputs.model.learned_positions = Count{0};
  const auto asked = ask(question, comparison);
  return asked ? std::optional{part_of(asked->estimate, Part::kv_cache)} : std::nullopt;
}

double parameters_of(const Inputs& inputs) {
  Count count = inputs.model.rotary_factors;
  for (const StoredTensor& tensor : inputs.weights.tensors) count += tensor.layers * (tensor.copies * (tensor.rows * tensor.columns));
  return static_cast<double>(count.value);
}

void compare_weights(const Json& row, Question& question, Comparison& comparison) {
  read_weights(row, question);
  if (!question.whole_model) question.decline("The row does not state all dimensions of the model.");
  if (comparison.reason = question.reason; !question.reason.empty()) return;
  const std::string notes = lower(text_of(row, "notes"));
  Bytes stored = stored_bytes(question.inputs.model, question.inputs.weights);
  if (is_of_llama(question))
    for (const StoredTensor& tensor : question.inputs.weights.tensors) // towers are files of their own
      if (const TensorKind kind = question.inputs.model.tensors[tensor.tensor].tensor.kind; kind != TensorKind::prediction && !in_language_model(kind))
        stored = stored - stored_bytes(question.inputs.weights, tensor);
  if (has(notes, "engine size")) return void(comparison.reason = "A TensorRT engine's file holds code and a head of its own besides the weights.");
  if (text_of(row, "unit") == "bits/weight") {
    const double parameters = parameters_of(question.inputs);
    constexpr int kDigits = 4;
    comparison.decimals = kDigits;
    comparison.measured = decimal_of(row, "value", kDigits);
    const auto bits = static_cast<std::int64_t>(8e4 * static_cast<double>(stored.value) / std::max(parameters, 1.0) + 0.5);
    return give(comparison, bits, bits, bits);
  }
  if (has(notes, "excludes the embedding table")) return give(comparison, stored - stored_bytes(question.inputs.model, question.inputs.weights, TensorKind::embedding));
  if (question.profile.empty() || (is_of_llama(question) && !has(notes, "stays in host memory")))
    return give(comparison, stored);
  const auto asked = ask(question, comparison);
  if (asked) give(comparison, part_of(asked->estimate, Part::weights));
}

/// The budget as the engine computes it, `digits` of its formula's inputs given by the log.
void compare_pool(const Json& row, const Log& log, Question& question, Comparison& comparison, bool tokens) {
  if (!question.free) {
    read_weights(row, question);
    if (!question.whole_model) question.decline("The row does not state all dimensions of the model.");
    if (text_of(row, "gpu").empty()) question.decline("The row does not name the device.");
  }
  if (comparison.reason = question.reason; !question.reason.empty()) return;
  if (log.passes != nullptr && log.outside != nullptr && log.weights != nullptr) {
    question.weights = printed_bytes(*log.weights);
    comparison.assumed.push_back("Given by the same log: the weights.");
  }
  if (log.passes != nullptr) question.passes = printed_bytes(*log.passes);
  if (log.outside != nullptr) question.outside = printed_bytes(*log.outside);
  const auto asked = ask(question, comparison);
  if (!asked) return;
  const CachePool& pool = asked->estimate.pool;
  if (!pool.there) return void(comparison.reason = "This engine takes its cache as it needs it.");
  if (log.passes != nullptr) comparison.assumed.push_back("Given by the same log: the peak of the profile run.");
  if (log.outside != nullptr) comparison.assumed.push_back("Given by the same log: memory outside the allocator.");
  if (!tokens) return give(comparison, pool.bytes.expected.value, pool.bytes.low.value, pool.bytes.high.value);
  if (!pool.uniform) return void(comparison.reason = "Where layers keep different numbers of tokens, the printed number is no capacity.");
  const Count page{asked->scenario.serving.block_tokens}, token = Count{asked->estimate.kv_cache_per_token.value};
  const std::int64_t each = std::max<std::int64_t>((page * token).value, 1), more = asked->scenario.profile.inference.pool.rounds_up ? each - 1 : 0;
  const Count members{asked->scenario.serving.cache_parallel};
  const auto fitting = [&](Bytes bytes) { return (Count{(bytes + Bytes{more}).value / each} * page * members).value; };
  give(comparison, pool.tokens.value, fitting(pool.bytes.low), fitting(pool.bytes.high));
}

/// Engines print caches of window layers, of the others and recurrent states in lines of their own: the one that the notes name is left.
void keep_part(const std::string& notes, Question& question) {
  const bool recurrent = has(notes, "recurrent") || has(notes, "ssm state") || has(notes, "delta-net state");
  const bool others = has(notes, "non-swa") || has(notes, "full layers") || has(notes, "full-attention layers") || has(notes, "global layers");
  const bool windows = !others && (has(notes, "swa layers") || has(notes, "swa cache") || has(notes, "window layers") || has(notes, "sliding-window layers"));
  if (!recurrent && !others && !windows) return;
  for (LayerGroup& group : question.inputs.model.groups) {
    const bool full = group.attention.reach == Reach::full;
    if (recurrent || full == windows) group.attention.caches = false;
    if (!recurrent) group.recurrence_shape = {};
  }
}

/// Sequences that the notes count: "3 slots", "2 sequences", "n_seq_max 4".
std::int64_t slots_of(const std::string& notes) {
  for (const char* words : {" slots", " sequences", " seqs"})
    if (const auto slots = number_before(notes, words, 0); slots && *slots >= 1) return *slots;
  for (const char* flag : {"n_seq_max", "n_parallel"})
    if (const auto slots = number_behind(notes, flag, 0); slots && *slots >= 1) return *slots;
  return 1;
}

/// n_ctx is the total over all slots.
std::optional<Asked> ask_for_cells(const Json& row, Question& question, Comparison& comparison) {
  Workload& work = question.inputs.workload;
  work.batch = slots_of(lower(text_of(row, "notes")));
  work.context_tokens = std::max<std::int64_t>(1, work.context_tokens / work.batch);
  question.inputs.model.learned_positions = Count{0};
  return ask(question, comparison);
}

void compare_cache(const Json& row, const Log& log, Question& question, Comparison& comparison) {
  read_cache(row, question);
  if (!question.cache_known) question.decline("The row states neither key and value heads nor their size.");
  if (comparison.reason = question.reason; !question.reason.empty()) return;
  const bool by_cells = is_of_llama(question);
  if (!by_cells && text_of(row, "gpu").empty() && text_of(row, "weights_format").empty() && log.tokens == nullptr && number_of(row, "n_ctx")) { // of so many tokens
    comparison.assumed.push_back("Neither device nor weights: a cache of one sequence.");
    if (const auto bytes = cache_of(question, question.inputs.workload.context_tokens, comparison)) give(comparison, *bytes);
    return;
  }
  const bool one_request = question.inputs.workload.batch == 1 && number_of(row, "batch") == 1 && number_of(row, "n_ctx");
  if (by_cells || one_request) {
    if (!number_of(row, "n_ctx") && !has(lower(text_of(row, "notes")), "recurrent")) return void(comparison.reason = "The row does not state the context.");
    keep_part(lower(text_of(row, "notes")), question);
    if (by_cells) {
      const auto asked = ask_for_cells(row, question, comparison);
      if (asked) give(comparison, part_of(asked->estimate, Part::kv_cache));
      return;
    }
    if (const auto bytes = cache_of(question, question.inputs.workload.context_tokens, comparison)) give(comparison, *bytes);
    return;
  }
  if (log.passes != nullptr && log.outside != nullptr) return compare_pool(row, log, question, comparison, false);
  if (log.tokens != nullptr)
    if (const auto tokens = number_of(*log.tokens, "value"); tokens && *tokens >= 1) {
      if (const auto bytes = cache_of(question, *tokens, comparison)) give(comparison, *bytes);
      comparison.assumed.push_back("Given by the same log: tokens of the cache.");
      return;
    }
  compare_pool(row, log, question, comparison, false);
}

/// A log prints the bytes of one rank, and all ranks keep as many pages as the one with the fewest (vllm-project/vllm,
/// vllm/v1/core/kv_cache_utils.py): another may hold more outside its allocator, as far as the profile knows. In bytes.
std::int64_t least_of_ranks(const Scenario& scenario, Comparison& comparison) {
  const PoolProfile& pool = scenario.profile.inference.pool;
  if (scenario.strategy.tensor_parallel <= 1 || pool.rule != PoolRule::share_of_device) return 0;
  comparison.assumed.push_back("The rank whose bytes are printed has the fewest pages; another one may hold more outside its allocator.");
  return std::max<std::int64_t>(pool.outside_divided.high - pool.outside_divided.low, 0);
}

void compare_tokens(const Json& row, const Log& log, Question& question, Comparison& comparison) {
  read_cache(row, question);
  if (comparison.reason = question.reason; !question.reason.empty()) return;
  if (!question.cache_known) return void(comparison.reason = "The row states neither key and value heads nor their size.");
  comparison.unit = "tokens";
  comparison.measured = number_of(row, "value");
  if (question.free && question.profile.starts_with("vllm")) question.inputs.serving.memory_permille = 1000; // vLLM prints what it takes
  if (log.cache == nullptr || question.free) return compare_pool(row, log, question, comparison, true);
  const auto asked = ask(question, comparison);
  if (!asked) return;
  const Count page{asked->scenario.serving.block_tokens};
  for (const LayerGroup& group : question.inputs.model.groups)
    if (group.recurrence_shape.inner > Count{0} || (group.attention.query_heads > Count{0} && group.attention.reach != Reach::full))
      return void(comparison.reason = "Where layers keep different numbers of tokens, the printed number is no capacity.");
  const std::int64_t one = std::max<std::int64_t>((page * Count{asked->estimate.kv_cache_per_token.value}).value, 1);
  const Constant cache = printed_bytes(*log.cache);
  comparison.assumed.push_back("Given by the same log: bytes of the cache.");
  const std::int64_t others = least_of_ranks(asked->scenario, comparison);
  const std::int64_t members = asked->scenario.serving.cache_parallel;
  const auto tokens = [&](std::int64_t bytes) { return (Count{std::max<std::int64_t>(bytes, 0) / one} * page * Count{members}).value; };
  give(comparison, tokens(cache.value), tokens(cache.low - others), tokens(cache.high));
}

void compare_concurrency(const Json& row, const Log& log, Question& question, Comparison& comparison) {
  const bool ratio = text_of(row, "unit") == "x";
  comparison.unit = ratio ? "" : "sequences";
  comparison.decimals = ratio ? 2 : 0;
  comparison.measured = decimal_of(row, "value", comparison.decimals);
  const auto context = number_of(row, "n_ctx");
  if (!context || *context < 1) return void(comparison.reason = "The row does not state the context.");
  if (ratio && log.tokens != nullptr)
    if (const auto tokens = number_of(*log.tokens, "value"); tokens && *tokens >= 0 && *tokens < Count::kMax / 200) {
      const std::int64_t hundredths = (200 * *tokens + *context) / (2 * *context); // to the nearest
      comparison.assumed.push_back("Given by the same log: tokens of the cache.");
      return give(comparison, hundredths, hundredths, hundredths);
    }
  read_cache(row, question);
  read_weights(row, question);
  if (!question.whole_model) question.decline("The row does not state all dimensions of the model.");
  if (text_of(row, "gpu").empty()) question.decline("The row does not name the device.");
  if (comparison.reason = question.reason; !question.reason.empty()) return;
  question.inputs.workload.batch = 1;
  const auto asked = ask(question, comparison);
  if (!asked) return;
  const CachePool& pool = asked->estimate.pool;
  if (!pool.there) return void(comparison.reason = "This engine takes its cache as it needs it.");
  const std::int64_t one = std::max<std::int64_t>(part_of(asked->estimate, Part::kv_cache).value, 1), scale = ratio ? 100 : 1;
  const auto fitting = [&](Bytes bytes) { return (Count{scale} * bytes).value / one; };
  give(comparison, fitting(pool.bytes.expected), fitting(pool.bytes.low), fitting(pool.bytes.high));
}

/// "CUDA_Host compute buffer", and "CUDA_Host output buffer": of pinned memory, on every platform.
void compare_host(const Json& row, const std::string& notes, Question& question, Comparison& comparison) {
  if (!question.whole_model && question.inputs.model.hidden_size <= Count{1}) question.decline("The row does not state the width of the model.");
  if (comparison.reason = question.reason; !question.reason.empty()) return;
  const auto batch = number_of(row, "batch");
  if (question.inputs.workload.prefill_tokens == 0 && batch && *batch >= 1) question.inputs.workload.prefill_tokens = *batch;
  const auto asked = ask_for_cells(row, question, comparison);
  if (!asked) return;
  if (asked->scenario.profile.inference.pass_buffers == PassBuffers::live_set) return void(comparison.reason = "What this engine keeps in the host's memory is not modelled.");
  const std::string_view id = has(notes, "output buffer") ? "memory.host.graph_outputs" : "memory.host.graph_inputs";
  for (const Component& fact : explain(asked->scenario, asked->estimate).facts)
    if (const Component* const part = find_component(fact, id)) give(comparison, Bytes{part->amount});
}

/// "mla=2 FA", "mla, amb 2048", "attn_max_batch=512 MiB": false where the model has latent attention and the row does not say how it runs.
bool read_latent_buffer(const Json& row, const std::string& notes, Question& question) {
  const bool latent = std::ranges::any_of(question.inputs.model.groups, [](const LayerGroup& group) { return group.latent.heads > Count{0}; });
  if (!latent || !is_of_llama(question)) return true;
  const std::string format = lower(text_of(row, "kv_format"));
  if (!has(format, "mla")) return false;
  Serving& serving = question.inputs.serving;
  serving.latent_cache = LatentCache::latent;
  if (has(format, " fa") || has(format, "flash")) serving.flash_attention = Switch::on;
  for (const auto& [text, flag] : {std::pair{&notes, "attn_max_batch"}, std::pair{&format, "amb"}})
    if (const auto most = number_behind(*text, flag, 0); most && *most >= 1 && *most < 1'000'000) serving.latent_buffer_bytes = *most * kBinaryMega;
  return true;
}

void compare_passes(const Json& row, Question& question, Comparison& comparison) {
  const std::string notes = lower(text_of(row, "notes"));
  if (has(notes, "cuda_host")) return compare_host(row, notes, question, comparison);
  if (!read_latent_buffer(row, notes, question)) return void(comparison.reason = "The row does not say how latent attention is computed.");
  if (!question.whole_model && (question.inputs.model.vocab_size <= Count{1} || question.inputs.model.hidden_size <= Count{1}))
    question.decline("The row states neither vocabulary nor width of the model.");
  if (comparison.reason = question.reason; !question.reason.empty()) return;
  const bool graph = is_of_llama(question);
  const auto batch = number_of(row, "batch");
  if (graph && question.inputs.workload.prefill_tokens == 0 && batch && *batch >= 1) question.inputs.workload.prefill_tokens = *batch;
  question.inputs.workload.batch = 1;
  const auto asked = ask(question, comparison);
  if (!asked) return;
  const MomentUse& peak = asked->estimate.at_peak();
  if (graph) {
    const Bytes buffer = peak.parts[static_cast<std::size_t>(Part::workspace)];
    const Component tree = explain_moment(asked->scenario, peak.moment);
    const Component* const found = find_component(tree, "memory.workspace");
    return give(comparison, buffer.value, found == nullptr ? buffer.value : found->low, found == nullptr ? buffer.value : found->high);
  }
  if (!asked->estimate.pool.there) return void(comparison.reason = "Activations of this engine are not modelled yet.");
  if (question.profile == "tensorrt_llm") return void(comparison.reason = "The execution context of a TensorRT engine is not modelled yet.");
  const BytesRange& passes = asked->estimate.pool.passes;
  give(comparison, passes.expected.value, passes.low.value, passes.high.value);
}

/// What macOS lets a GPU use of the unified memory: two thirds up to 36 GB, three quarters above. ggml-org/llama.cpp prints it as
/// recommendedMaxWorkingSetSize; the catalogue's devices follow the same rule (core/catalog/data/devices/apple.json).
void compare_working_set(const Json& row, Comparison& comparison) {
  const std::string gpu = text_of(row, "gpu");
  std::optional<std::int64_t> gigabytes;
  for (std::size_t at = gpu.find(' '); at != std::string::npos; at = gpu.find(' ', at + 1))
    if (const auto number = number_behind(gpu.substr(at), " ", 0); number && has(gpu.substr(at), std::to_string(*number) + "GB")) gigabytes = number;
  if (!gigabytes || *gigabytes < 1 || *gigabytes > 100'000) return void(comparison.reason = "The row does not say how much memory the machine has.");
  const std::int64_t bytes = *gigabytes * kBinaryGiga, share = *gigabytes <= 36 ? bytes / 3 * 2 : bytes / 4 * 3;
  give(comparison, Bytes{share});
}

void compare_total(const Json& row, Question& question, Comparison& comparison) {
  const std::string notes = lower(text_of(row, "notes"));
  if (has(notes, "recommendedmaxworkingset") || has(notes, "working-set")) return compare_working_set(row, comparison);
  if (has(lower(text_of(row, "engine")), "metal") && has(notes, "label trap")) return compare_working_set(row, comparison);
  read_cache(row, question);
  read_weights(row, question);
  if (!question.profile.starts_with("llama_cpp")) question.decline("Totals of this engine's process are not modelled yet.");
  if (!question.whole_model) question.decline("The row does not state all dimensions of the model.");
  if (comparison.reason = question.reason; !question.reason.empty()) return;
  const auto batch = number_of(row, "batch");
  if (question.inputs.workload.prefill_tokens == 0 && batch && *batch >= 1) question.inputs.workload.prefill_tokens = *batch;
  question.inputs.workload.batch = 1;
  const auto asked = ask(question, comparison);
  if (!asked) return;
  const MomentUse& peak = asked->estimate.at_peak();
  give(comparison, peak.requested.value, peak.low.value - (peak.total - peak.requested).value, peak.high.value - (peak.total - peak.requested).value);
}

void compare_component(const Json& row, const Log& log, Question& question, Comparison& comparison) {
  const std::string component = text_of(row, "component");
  if (component == "throughput") return compare_speed(row, question, comparison);
  if (component == "overhead") return void(comparison.reason = "What drivers, communicators and graphs hold is a band in a profile, not a prediction.");
  if (component == "total") return compare_total(row, question, comparison);
  if (component == "weights") return compare_weights(row, question, comparison);
  if (comparison.reason = question.reason; !question.reason.empty() && component != "concurrency") return;
  if (component == "kv") return compare_cache(row, log, question, comparison);
  if (component == "kv_tokens") return compare_tokens(row, log, question, comparison);
  if (component == "concurrency") return comparison.reason.clear(), compare_concurrency(row, log, question, comparison);
  if (component == "compute") return compare_passes(row, question, comparison);
  comparison.reason = "Rows of the component \"" + component + "\" are not covered.";
}

Comparison compare_row(const Json& row, const Log& log) {
  Comparison comparison;
  comparison.id = text_of(row, "id");
  const std::string engine = text_of(row, "engine"), component = text_of(row, "component");
  comparison.group = engine + " " + component;
  comparison.metric = component;
  comparison.unit = "bytes";
  comparison.memory = component == "total" ? "process" : "";
  comparison.measured = number_of(row, "value_bytes");
  comparison.features = {component, engine};
  Question question;
  read_engine(row, question);
  if (component == "weights" && question.profile.empty()) question.reason.clear(); // the files are the same whoever loads them
  if (component == "throughput") read_kernels(row, question);
  read_model(row, question);
  read_setting(row, question);
  comparison.assumed = question.assumed;
  compare_component(row, log, question, comparison);
  if (!comparison.modelled) return comparison;
  comparison.reason.clear();
  if (!question.inputs.model.groups.empty() && !question.profile.empty()) comparison.scenario = query_of(question);
  return comparison;
}

void compare(const Json& row, std::vector<Comparison>& into) { into.push_back(compare_row(row, {})); }

void compare_among(const Json& rows, std::size_t index, std::vector<Comparison>& into) {
  into.push_back(compare_row(rows.at(index), log_of(rows, index)));
}

} // namespace

} // namespace plimsoll::io::accuracy::inference

namespace plimsoll::io::accuracy {

Schema measured_inference() { return {"measured_inference", inference::matches, inference::compare, nullptr, inference::compare_among}; }

} // namespace plimsoll::io::accuracy
