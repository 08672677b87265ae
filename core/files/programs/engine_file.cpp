#include "files/programs/engine_file.hpp"

#include "files/scripts/marks.hpp"
#include "files/training/document.hpp"
#include "files/training/yaml.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::programs {

namespace {

struct Name {
  std::string_view key, option;
};
/// TensorRT-LLM's keys by the options that mean the same (tensorrt_llm/llmapi/llm_args.py, TorchLlmArgs and KvCacheConfig).
constexpr std::array kTensorrt{Name{"tensor_parallel_size", "--tp_size"},
                               Name{"pipeline_parallel_size", "--pp_size"},
                               Name{"moe_expert_parallel_size", "--ep_size"},
                               Name{"moe_cluster_parallel_size", "--cluster_size"},
                               Name{"max_batch_size", "--max_batch_size"},
                               Name{"max_num_tokens", "--max_num_tokens"},
                               Name{"max_seq_len", "--max_seq_len"},
                               Name{"max_beam_width", "--max_beam_width"},
                               Name{"kv_cache_config.free_gpu_memory_fraction", "--kv_cache_free_gpu_memory_fraction"},
                               Name{"kv_cache_config.dtype", "--kv_cache_dtype"},
                               Name{"kv_cache_config.tokens_per_block", "--tokens_per_block"},
                               Name{"enable_attention_dp", "--enable_attention_dp"},
                               Name{"speculative_config.max_draft_len", "--max_draft_len"}};
/// Those without an effect on what is kept.
constexpr std::string_view kTensorrtHarmless =
    " print_iter_log backend stream_interval enable_iter_perf_stats enable_chunked_prefill num_postprocess_workers kv_cache_config.enable_block_reuse trust_remote_code "
    "kv_cache_config.enable_partial_reuse disable_overlap_scheduler attn_backend sampler_type ";

/// A script that writes the file puts in what its caller sets: nothing here knows it, and it is asked for.
std::string with_mark(std::string text) {
  const bool name = text.size() > 1 && text[0] == '$' && std::ranges::all_of(text.substr(1), [](char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
  return name ? scripts::unset_mark(std::string_view{text}.substr(1)) : text;
}

std::vector<std::string> words_of(const Json& tree, bool tensorrt) {
  std::vector<std::string> words;
  const configs::Document document{tree};
  for (const configs::Leaf& leaf : document.leaves()) {
    if (leaf.value->is_null()) continue;
    const std::string text = with_mark(configs::plain_text(*leaf.value));
    const auto known = std::ranges::find(kTensorrt, leaf.path, &Name::key);
    if (tensorrt && kTensorrtHarmless.find(" " + leaf.path + " ") != std::string_view::npos) continue;
    if (tensorrt && known != kTensorrt.end()) {
      if (text == "auto") continue;
      words.push_back(std::string{known->option} + "=" + text);
      continue;
    }
    std::string name = "--" + leaf.path;
    if (!tensorrt) std::ranges::replace(name, '_', '-');
    if (leaf.value->is_boolean()) {
      if (text == "true") words.push_back(std::move(name));
    } else {
      words.push_back(name + "=" + text);
    }
  }
  return words;
}

} // namespace

std::string add_engine_file(scripts::Launch& launch, const Program& program, const FindText& find) {
  const bool tensorrt = program.engine->id == commands::tensorrt_llm().id;
  if (!tensorrt && program.engine->id != commands::vllm().id && program.engine->id != commands::sglang().id) return "";
  for (std::size_t i = program.first; i < launch.words.size(); ++i) {
    const std::string& word = launch.words[i];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (name != "--config" && !(tensorrt && name == "--extra_llm_api_options")) continue;
    if (equals == std::string::npos && i + 1 >= launch.words.size()) return "";
    const std::string file = equals != std::string::npos ? word.substr(equals + 1) : launch.words[i + 1];
    const std::string* const text = find(file);
    if (text == nullptr) return file;
    const auto begin = launch.words.begin() + static_cast<std::ptrdiff_t>(i);
    launch.words.erase(begin, begin + (equals == std::string::npos ? 2 : 1));
    const configs::ParsedTree parsed = configs::parse_yaml(*text);
    if (!parsed.ok || !parsed.value.is_object()) return "";
    std::vector<std::string> words = words_of(parsed.value, tensorrt);
    const auto place = tensorrt ? launch.words.end() : launch.words.begin() + static_cast<std::ptrdiff_t>(program.first);
    launch.words.insert(place, words.begin(), words.end());
    return "";
  }
  return "";
}

bool is_engine_file(std::string_view text) {
  const auto has = [&](const std::string& key) { return text.starts_with(key) || text.find("\n" + key) != std::string_view::npos; };
  return has("model:") && std::ranges::any_of(std::array{"max-model-len:", "gpu-memory-utilization:", "tensor-parallel-size:", "max-num-seqs:"}, has);
}

} // namespace plimsoll::io::programs
