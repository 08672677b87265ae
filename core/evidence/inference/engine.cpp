#include "evidence/inference/parts.hpp"
#include "evidence/inference/units.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::accuracy::inference {

namespace {

struct Engine {
  std::string_view name;    ///< the row's "engine" begins so, in lower case
  std::string_view profile;
};
constexpr std::array kEngines{Engine{"llama.cpp", "llama_cpp"}, Engine{"ik_llama.cpp", "ik_llama_cpp"}, Engine{"ollama", "ollama"},
                              Engine{"vllm", "vllm"},           Engine{"sglang", "sglang"},             Engine{"tensorrt-llm", "tensorrt_llm"},
                              Engine{"lmdeploy", "lmdeploy"},   Engine{"transformers", "transformers"}};

/// The year that the text names, 0 where it names none.
int year_of(std::string_view text) {
  for (int year = 2022; year <= 2035; ++year)
    if (has(text, std::to_string(year))) return year;
  return 0;
}

/// "b4567", "build 4567": the number of a build of llama.cpp.
std::optional<std::int64_t> build_of(std::string_view version) {
  if (const auto number = number_behind(version, "build", 0)) return number;
  return version.starts_with("b") ? number_behind(version, "b", 0) : std::nullopt;
}

/// Graph allocators came with build 1800, windows in caches of their own with 5427 (pull request 13194).
std::string llama_build(const std::string& version, Question& into) {
  if (const auto build = build_of(version); build && *build >= 100) return *build < 1800 ? "llama_cpp_2023" : *build < 5427 ? "llama_cpp_2024" : "llama_cpp";
  const int year = year_of(version);
  if (year == 0) into.assumed.push_back("The build: a new one.");
  return year == 2023 ? "llama_cpp_2023" : year == 2024 ? "llama_cpp_2024" : "llama_cpp";
}

/// "v0.11.0", "v0.9/0.10", "0.19+".
std::string vllm_build(const std::string& version, Question& into) {
  const auto minor = number_behind(version, "0.", 0);
  if (!minor && year_of(version) == 0 && !has(version, "v0")) into.assumed.push_back("The version: a new one.");
  if (minor) return *minor >= 21 ? "vllm" : *minor >= 9 ? "vllm_0_11" : *minor == 8 ? "vllm_0_8" : "vllm_0_6";
  return has(version, "v0") ? "vllm_0_6" : "vllm"; // "v0" is the engine of 2023 and 2024
}

/// A flag's number in any of its spellings.
void read_degree(const std::string& notes, std::initializer_list<const char*> flags, std::int64_t& into) {
  for (const char* flag : flags)
    if (const auto number = number_behind(notes, flag, 0); number && *number >= 1) into = *number;
}

/// "pipeline_parallel_size=2", "--ep-size 8", "DCP8".
void read_degrees(std::string notes, Question& into) {
  std::ranges::replace(notes, '-', '_');
  Strategy& strategy = into.inputs.strategy;
  read_degree(notes, {"pipeline_parallel_size", "pp_size"}, strategy.pipeline_parallel);
  read_degree(notes, {"data_parallel_size", "dp_size"}, strategy.data_parallel);
  read_degree(notes, {"expert_parallel_size", "ep_size"}, strategy.expert_parallel);
  read_degree(notes, {"decode_context_parallel_size", "dcp"}, into.inputs.serving.cache_parallel);
}

} // namespace

void read_engine(const Json& row, Question& into) {
  const std::string name = lower(text_of(row, "engine")), version = lower(text_of(row, "engine_version"));
  const auto engine = std::ranges::find_if(kEngines, [&](const Engine& one) { return name.starts_with(one.name); });
  if (engine == kEngines.end() && text_of(row, "component") == "kv" && name.starts_with("(")) { // somebody's table: tokens as they are
    into.profile = "paged_serving";
    into.inputs.serving.block_tokens = 1;
    return into.assumed.push_back("No engine: a cache without pages.");
  }
  if (engine == kEngines.end()) return into.decline("There is no profile of \"" + text_of(row, "engine") + "\".");
  into.profile = engine->profile;
  if (into.profile == "llama_cpp") into.profile = llama_build(version, into);
  if (into.profile == "vllm") into.profile = vllm_build(version, into);
}

void read_setting(const Json& row, Question& into) {
  Workload& work = into.inputs.workload;
  Serving& serving = into.inputs.serving;
  work.task = Task::inference;
  const std::string notes = lower(text_of(row, "notes")), gpu = lower(text_of(row, "gpu")), batch = lower(text_of(row, "batch"));
  if (const auto context = number_of(row, "n_ctx"); context && *context >= 1) work.context_tokens = *context;
  else if (into.profile.starts_with("vllm") && into.inputs.model.max_context > Count{0}) { // vllm/config/model.py, _get_and_verify_max_len
    work.context_tokens = into.inputs.model.max_context.value;
    into.assumed.push_back("The longest context: the model's own.");
  }
  const auto sequences = number_of(row, "batch");
  const bool micro_batch = into.profile.starts_with("llama_cpp") || into.profile == "ik_llama_cpp"; // their rows give n_batch there
  if (sequences && *sequences >= 1 && !micro_batch) work.batch = *sequences;
  for (const char* flag : {"n_ubatch", "max_num_tokens", "max_num_batched_tokens", "n_batch"})
    for (const std::string& text : {notes, batch})
      if (const auto tokens = number_behind(text, flag, 0); tokens && *tokens >= 1 && work.prefill_tokens == 0) work.prefill_tokens = *tokens;
  for (const char* flag : {"max_num_seqs", "max_batch_size"})
    for (const std::string& text : {notes, batch})
      if (const auto most = number_behind(text, flag, 0); most && *most >= 1) serving.max_sequences = *most;
  for (const char* flag : {"gpu_memory_utilization", "mem_fraction_static", "free_gpu_memory_fraction", "kv fraction", "util"})
    for (const std::string& text : {notes, batch})
      if (const auto share = number_behind(text, flag, 3); share && *share <= 1000 && serving.memory_permille == 0) serving.memory_permille = *share;
  read_degrees(notes, into);
  if (const auto on = number_behind(notes, "flash_attn", 0)) serving.flash_attention = *on != 0 ? Switch::on : Switch::off;
  if (const auto layers = number_behind(notes, "device share with", 0)) serving.gpu_layers = *layers;
  if (const auto page = number_behind(notes, "blocks of", 0); page && *page >= 1) serving.block_tokens = *page;
  if (const auto free = number_before(notes, " gib available", 2)) {
    const auto bytes = [](std::int64_t hundredths) { return (Count{hundredths} * Bytes{kBinaryGiga}).value / 100; };
    Constant constant;
    constant.value = bytes(*free);
    constant.low = bytes(*free) - kBinaryGiga / 200;
    constant.high = bytes(*free) + kBinaryGiga / 200;
    into.free = constant;
  }
  if (const auto degree = number_of(row, "tp"); degree && *degree >= 1) into.inputs.strategy.tensor_parallel = *degree;
  if (!gpu.empty()) read_device(text_of(row, "gpu"), into);
  else into.inputs.hardware = presets().find_device(kDefaultDevice)->hardware;
  constexpr std::int64_t kReverted = 4, kThen = 256; // 0.8.4: vllm-project/vllm, pull request 16158
  const auto patch = number_behind(lower(text_of(row, "engine_version")), "0.8.", 0);
  if (into.profile == "vllm_0_8" && patch && *patch >= kReverted && into.inputs.hardware.arch != "Hopper" && serving.max_sequences == 0) serving.max_sequences = kThen;
  for (std::size_t open = gpu.find('('); open != std::string::npos; open = gpu.find('(', open + 1))
    if (const auto visible = number_behind(gpu, gpu.substr(open, 1), 2); visible && has(gpu.substr(open), "gib") && *visible > 100)
      into.inputs.hardware.usable_bytes = (Count{*visible} * Bytes{kBinaryGiga}).value / 100;
}

} // namespace plimsoll::io::accuracy::inference
