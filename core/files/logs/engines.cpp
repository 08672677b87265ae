// Lines as these print them: vllm-project/vllm, vllm/v1/worker/gpu_worker.py, vllm/v1/core/kv_cache_utils.py, vllm/v1/worker/gpu_model_runner.py,
// vllm/entrypoints/utils.py (log_non_default_args), and before 0.9 vllm/worker/worker.py; sgl-project/sglang, python/sglang/srt/model_executor/model_runner.py,
// mem_cache/memory_pool.py, managers/scheduler.py; ggml-org/llama.cpp, src/llama-model.cpp, llama-kv-cache.cpp, llama-context.cpp; ollama/ollama, llm/server.go.
// Their GB is 2^30 bytes.
#include "files/commands/words.hpp"
#include "files/logs/lines.hpp"
#include "files/logs/logs.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::logs {

namespace {

bool has(std::string_view line, std::string_view words) { return line.find(words) != std::string_view::npos; }

std::string_view behind(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  return at == std::string_view::npos ? std::string_view{} : line.substr(at + words.size());
}

struct Name {
  std::string_view key, option;
};

/// Options that the fields become: those that have a value, in the order of `names`.
std::string options_of(const std::vector<Field>& fields, std::span<const Name> names) {
  std::string line;
  for (const Name& name : names)
    for (const auto& [key, value] : fields) {
      if (key != name.key || value.empty() || value == "None" || value == "False" || value == "auto") continue;
      std::string text = value.starts_with("torch.") ? value.substr(6) : value;
      line += " " + std::string{name.option} + (value == "True" ? "" : " " + commands::quoted_word(text));
      break;
    }
  return line;
}

std::string value_of(const std::vector<Field>& fields, std::string_view key) {
  for (const auto& [name, value] : fields)
    if (name == key && value != "None") return value;
  return "";
}

class Vllm {
public:
  Log run(std::string_view text) {
    for (std::string_view rest = text; !rest.empty();) line(take_line(rest));
    if (!log_.is) return {};
    log_.program = "vLLM";
    if (model_.empty()) return std::move(log_);
    static constexpr std::array kNames{Name{"dtype", "--dtype"}, Name{"max_model_len", "--max-model-len"}, Name{"max_seq_len", "--max-model-len"}, Name{"tensor_parallel_size", "--tensor-parallel-size"},
                                       Name{"pipeline_parallel_size", "--pipeline-parallel-size"}, Name{"data_parallel_size", "--data-parallel-size"}, Name{"quantization", "--quantization"},
                                       Name{"kv_cache_dtype", "--kv-cache-dtype"}, Name{"gpu_memory_utilization", "--gpu-memory-utilization"}, Name{"max_num_seqs", "--max-num-seqs"},
                                       Name{"max_num_batched_tokens", "--max-num-batched-tokens"}, Name{"enable_expert_parallel", "--enable-expert-parallel"}, Name{"block_size", "--block-size"},
                                       Name{"enforce_eager", "--enforce-eager"}, Name{"enable_lora", "--enable-lora"}, Name{"max_loras", "--max-loras"}, Name{"max_lora_rank", "--max-lora-rank"},
                                       Name{"cpu_offload_gb", "--cpu-offload-gb"}};
    std::erase_if(fields_, [&](const Field& field) { return field.first == "max_seq_len" && !value_of(fields_, "max_model_len").empty(); });
    log_.words = "vllm serve " + commands::quoted_word(model_) + options_of(fields_, kNames);
    return std::move(log_);
  }

private:
  void line(std::string_view text) {
    if (has(text, "LLM engine (v") && has(text, "with config:")) configured(python_fields(behind(text, "with config:")), false);
    if (has(text, "non-default args:")) configured(python_fields(behind(behind(text, "non-default args:"), "{")), true);
    const auto gib = [&](std::string_view words, std::string_view counter) {
      if (const auto value = number_behind(text, words)) log_.is = true, measure(log_.measured, counter, *value * kGiB, "bytes");
    };
    gib("Model loading took ", "weights");
    gib("Loading model weights took ", "weights");
    gib("Available KV cache memory: ", "kv_pool");
    gib("reserved for KV Cache is ", "kv_pool");
    gib("activation peak memory takes ", "passes");
    if (const auto tokens = number_behind(text, "GPU KV cache size: ")) log_.is = true, measure(log_.measured, "kv_tokens", *tokens, "tokens");
    if (const std::size_t at = text.find("Maximum concurrency for "); at != std::string_view::npos)
      if (const auto times = number_behind(text.substr(at), "request: ")) log_.is = true, measure(log_.measured, "concurrency", *times, "sequences");
    if (const auto tokens = number_behind(text, "Avg generation throughput: ")) log_.is = true, measure(log_.measured, "tokens_per_s", *tokens, "tokens/s");
  }

  void configured(std::vector<Field> fields, bool first) {
    log_.is = true;
    for (const char* key : {"model_tag", "model"})
      if (const std::string name = value_of(fields, key); !name.empty() && model_.empty()) model_ = name;
    if (first) fields_.insert(fields_.begin(), fields.begin(), fields.end());
    else fields_.insert(fields_.end(), fields.begin(), fields.end());
  }

  Log log_;
  std::string model_;
  std::vector<Field> fields_;
};

class Sglang {
public:
  Log run(std::string_view text) {
    for (std::string_view rest = text; !rest.empty();) line(take_line(rest));
    if (!log_.is) return {};
    log_.program = "SGLang";
    const std::string model = value_of(fields_, "model_path");
    if (model.empty()) return std::move(log_);
    static constexpr std::array kNames{Name{"model_path", "--model-path"}, Name{"dtype", "--dtype"}, Name{"quantization", "--quantization"}, Name{"kv_cache_dtype", "--kv-cache-dtype"},
                                       Name{"context_length", "--context-length"}, Name{"mem_fraction_static", "--mem-fraction-static"}, Name{"max_running_requests", "--max-running-requests"},
                                       Name{"chunked_prefill_size", "--chunked-prefill-size"}, Name{"page_size", "--page-size"}, Name{"tp_size", "--tp-size"}, Name{"pp_size", "--pp-size"},
                                       Name{"dp_size", "--dp-size"}, Name{"ep_size", "--ep-size"}, Name{"enable_dp_attention", "--enable-dp-attention"},
                                       Name{"speculative_algorithm", "--speculative-algorithm"}, Name{"speculative_draft_model_path", "--speculative-draft-model-path"},
                                       Name{"speculative_num_draft_tokens", "--speculative-num-draft-tokens"}};
    log_.words = "python -m sglang.launch_server" + options_of(fields_, kNames);
    return std::move(log_);
  }

private:
  void line(std::string_view text) {
    if (has(text, "server_args=ServerArgs(")) log_.is = true, fields_ = python_fields(behind(text, "server_args=ServerArgs("));
    const std::optional<std::int64_t> rank = rank_of(text);
    if (has(text, "Load weight end"))
      if (const auto used = number_behind(text, "mem usage=")) log_.is = true, measure(log_.measured, "weights", *used * kGiB, "bytes", rank);
    if (has(text, "KV Cache is allocated")) {
      log_.is = true;
      if (const auto tokens = number_behind(text, "#tokens: ")) measure(log_.measured, "kv_tokens", *tokens, "tokens", rank);
      const auto keys = number_behind(text, "K size: "), values = number_behind(text, "V size: "), both = number_behind(text, "KV size: ");
      if (both) measure(log_.measured, "kv_pool", *both * kGiB, "bytes", rank);
      else if (keys && values) measure(log_.measured, "kv_pool", (*keys + *values) * kGiB, "bytes", rank);
    }
    if (const auto tokens = number_behind(text, "max_total_num_tokens=")) log_.is = true, measure(log_.measured, "kv_tokens", *tokens, "tokens", rank);
  }

  /// "[2025-03-08 12:29:21 TP0]".
  static std::optional<std::int64_t> rank_of(std::string_view text) {
    const auto rank = number_behind(text.substr(0, text.find(']')), " TP");
    return rank ? std::optional{static_cast<std::int64_t>(*rank)} : std::nullopt;
  }

  Log log_;
  std::vector<Field> fields_;
};

/// The options of the command above a log of llama.cpp, whose model the log itself tells better; "" where none stands there. People copy prompts of
/// their shells too, and lines go on where one ends in '\\', '^' or '`', or the next begins with an option.
std::string options_above(std::string_view text) {
  static constexpr std::array<std::string_view, 4> kPrograms{"llama-server", "llama-cli", "llama-sweep-bench", "llama-perplexity"};
  std::string command;
  bool goes_on = false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view whole = take_line(rest), line = whole.substr(std::min(whole.find_first_not_of(" \t"), whole.size()));
    if (has(line, "llama_model_loader:") || has(line, "llm_load_print_meta:") || has(line, "print_info:")) break;
    const bool starts = std::ranges::any_of(kPrograms, [&](std::string_view name) {
      const std::size_t at = line.find(name);
      return at != std::string_view::npos && (at == 0 || line[at - 1] == '/' || line[at - 1] == '\\') && !has(line, "--version");
    });
    if (starts) command.clear();
    if (starts || goes_on || (!command.empty() && line.starts_with('-'))) command += (command.empty() ? "" : " ") + std::string{line};
    goes_on = (starts || goes_on) && (line.ends_with('\\') || line.ends_with('^') || line.ends_with('`'));
    if (goes_on) command.pop_back();
  }
  std::string options;
  bool is_program = true;
  const std::vector<commands::Word> words = commands::split_words(command);
  for (std::size_t i = 0; i < words.size(); ++i) {
    is_program = is_program && !words[i].text.starts_with('-');
    if (is_program || words[i].ends_command) continue;
    const bool model = words[i].text == "-m" || words[i].text == "--model" || words[i].text == "-hf" || words[i].text == "--alias" || words[i].text == "-a";
    if (model) ++i;
    else options += " " + commands::quoted_word(words[i].text);
  }
  return options;
}

class LlamaCpp {
public:
  Log run(std::string_view text) {
    ollama_ = has(text, "source=server.go") || has(text, "source=runner.go") || has(text, "OLLAMA_");
    for (std::string_view rest = text; !rest.empty();) line(take_line(rest));
    if (!log_.is) return {};
    log_.program = ollama_ ? "Ollama" : "llama.cpp";
    for (const Buffer& buffer : buffers_) measure(log_.measured, buffer.counter, buffer.bytes, "bytes", buffer.device);
    if (name_.empty()) return std::move(log_);
    std::ranges::replace(name_, ' ', '-');
    const std::string file = name_ + (type_.empty() ? "" : "-" + type_);
    if (ollama_) log_.words = (cells_.empty() ? "" : "OLLAMA_CONTEXT_LENGTH=" + cells_ + " ") + "ollama run " + commands::quoted_word(file);
    else log_.words = "llama-server -m " + commands::quoted_word(file + ".gguf") + part("-c", cells_) + part("-np", slots_) + part("-ub", pass_) + part("-ngl", layers_) + part("-ctk", keys_) + part("-ctv", values_) + options_above(text);
    return std::move(log_);
  }

private:
  struct Buffer {
    std::string_view counter;
    std::int64_t device;
    double bytes;
  };

  static std::string part(const char* option, const std::string& value) { return value.empty() ? "" : std::string{" "} + option + " " + value; }

  static std::string whole(std::optional<double> value) { return value && *value >= 0 && *value < 1e8 ? std::to_string(static_cast<std::int64_t>(*value)) : ""; }

  void line(std::string_view text) {
    buffer(text, " model buffer size =", "weights");
    buffer(text, " KV buffer size =", "kv_cache");
    buffer(text, " compute buffer size =", "workspace");
    if (has(text, "general.name str")) name_ = trimmed(behind(behind(text, "general.name str"), "= "));
    if (has(text, "file type") && has(text, "print_info:")) type_ = type_of(trimmed(behind(text, "= ")));
    if (has(text, "llm_load_print_meta: model ftype")) type_ = type_of(trimmed(behind(text, "= ")));
    if (has(text, "llama_context:") || has(text, "llama_new_context_with_model:") || has(text, "llama_init_from_model:")) {
      if (has(text, " n_ctx ")) cells_ = whole(number_behind(behind(text, " n_ctx "), "="));
      if (has(text, " n_seq_max ")) slots_ = whole(number_behind(behind(text, " n_seq_max "), "="));
      if (has(text, " n_ubatch ")) pass_ = whole(number_behind(behind(text, " n_ubatch "), "="));
    }
    if (has(text, "offloaded ") && has(text, "layers to GPU")) layers_ = whole(number_behind(text, "offloaded "));
    if (has(text, "K (")) keys_ = trimmed(behind(text, "K (").substr(0, behind(text, "K (").find(')')));
    if (has(text, "V (")) values_ = trimmed(behind(text, "V (").substr(0, behind(text, "V (").find(')')));
    const bool prompt = has(text, "prompt eval time =");
    if ((prompt || has(text, " eval time =")) && has(text, "tokens per second"))
      if (const auto rate = number_behind(text, "ms per token,")) measure(log_.measured, prompt ? "prompt_tokens_per_s" : "tokens_per_s", *rate, "tokens/s");
  }

  /// "load_tensors:        CUDA0 model buffer size =  4155.99 MiB": those of the host are left out.
  void buffer(std::string_view text, std::string_view words, std::string_view counter) {
    const std::size_t at = text.find(words);
    if (at == std::string_view::npos) return;
    log_.is = true;
    const std::string_view front = text.substr(0, at);
    const std::string_view name = front.substr(std::min(front.find_last_of(" \t") + 1, front.size()));
    if (name.starts_with("CPU") || has(name, "Host") || name.empty()) return;
    const auto size = number_behind(text, words);
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (!size || digits >= name.size() || name.size() - digits > 3) return;
    const std::int64_t device = static_cast<std::int64_t>(*number_behind(name, name.substr(0, digits)));
    const auto same = std::ranges::find_if(buffers_, [&](const Buffer& each) { return each.counter == counter && each.device == device; });
    if (same != buffers_.end()) same->bytes += *size * kMiB; // a second cache, of window layers
    else if (buffers_.size() < 256) buffers_.push_back({counter, device, *size * kMiB});
  }

  static std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
    return begin == std::string_view::npos ? "" : std::string{text.substr(begin, end - begin + 1)};
  }

  /// "Q4_K - Medium" is Q4_K_M, as files are named (llama.cpp, src/llama-model-loader.cpp, llama_model_ftype_name).
  static std::string type_of(std::string text) {
    text = text.substr(0, text.find(" (guessed"));
    for (const auto& [words, letters] : {std::pair{" - Small", "_S"}, std::pair{" - Medium", "_M"}, std::pair{" - Large", "_L"}, std::pair{" MoE", "_MOE"}})
      if (const std::size_t at = text.find(words); at != std::string::npos) text = text.substr(0, at) + letters;
    return text.substr(0, text.find(' '));
  }

  Log log_;
  bool ollama_ = false;
  std::string name_, type_, cells_, slots_, pass_, layers_, keys_, values_;
  std::vector<Buffer> buffers_;
};

} // namespace

Log read_engine_log(std::string_view text) {
  if (has(text, "ServerArgs(") || has(text, "max_total_num_tokens=")) return Sglang{}.run(text);
  if (has(text, "KV cache") || has(text, "Loading model weights took") || has(text, "LLM engine (v"))
    if (Log log = Vllm{}.run(text); log.is) return log;
  return has(text, "buffer size =") ? LlamaCpp{}.run(text) : Log{};
}

} // namespace plimsoll::io::logs
