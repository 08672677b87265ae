#pragma once
// What an engine's command line can say: one row per option. Rows are read in both directions.

#include <span>
#include <string_view>

namespace plimsoll::io::commands {

enum class Takes : unsigned char {
  none,
  one,
  truth, ///< true, false, on, off, auto, 0 or 1 where the next word is one of them
  many,  ///< all words up to the next option
};

/// What an option's text means.
enum class Reading : unsigned char {
  whole,        ///< a whole number; 1k is 1000 and 1K 1024 (vLLM, vllm/engine/arg_utils.py, human_readable_int)
  share,        ///< a fraction of 1, kept in thousandths
  layers,       ///< a whole number, "all" or "auto"; negative = all
  cells,        ///< tokens of all slots together
  slots,        ///< sequences that divide the cells
  cache_dtype,
  dtype,        ///< of weights that nobody quantised
  quantization, ///< a method of quantisation
  model,        ///< an id, a folder or a file
  repository,   ///< a Hugging Face repository of GGUF files, perhaps with ":quantisation" behind
  draft_model,  ///< a model that proposes tokens
  tensor_group, ///< GPUs of a tensor-parallel group, those of all replicas where these attend apart (SGLang)
  whole_experts, ///< GPUs that share experts keep whole ones
  algorithm,    ///< of speculative decoding: EAGLE, NEXTN (SGLang)
  split,        ///< parts of the model that each GPU has, separated by commas (llama.cpp)
  split_mode,   ///< "layer", "none" or "row" (llama.cpp)
  speculation,  ///< a JSON object with "model" and "num_speculative_tokens" (vLLM)
  enables,      ///< "field=value": gives the field that value unless another option gives it one
  switched_on,  ///< switches its field on; "off" and "--no-…" switch it off
  switched_off, ///< switches its field off; "--no-…" switches it on
  happens,      ///< says what the engine does anyway
  harmless,     ///< without effect on the memory of the GPU
  latent,       ///< how the cache of latent attention is kept: 0 to 3 (ik_llama.cpp)
  latent_buffer, ///< megabytes of a buffer for expanded latent vectors (ik_llama.cpp)
  fork,         ///< an option that only ik_llama.cpp has, without effect on memory
  bytes,        ///< a number with k, m, g or t behind it: powers of 1000, or of 1024 in capitals (vLLM, human_readable_int)
  gibibytes,    ///< a number of them, for a field in bytes
  rank_gigabytes, ///< thousand millions of bytes on each GPU of a replica (SGLang)
  role,         ///< which part of the work a server does: "prefill", "decode" or "null" (SGLang), or by the option's name (Dynamo)
  transfer,     ///< a JSON object with "kv_connector" and "kv_role" (vLLM)
  lmcache,      ///< LMCache's "local_cpu", "max_local_cpu_size" or "max_local_disk_size", which the field names
  exchange,     ///< how rows go to experts: a backend by name (vLLM, SGLang)
  exchange_mode, ///< which of DeepEP's kernels (SGLang)
  balancing,    ///< a JSON object with "num_redundant_experts" (vLLM)
  experts_on_host, ///< the host keeps the routed experts of all layers (llama.cpp)
  places,       ///< decides which tensors the GPU holds, for which there is no input: an estimate without it would be another's
  visible,      ///< GPUs that the process sees, by their numbers: llama.cpp divides layers among all of them
  apart,        ///< GPUs do not reach each other's memory, where it is on (NCCL)
  longest,      ///< tokens of tests, separated by commas, of which the longest counts (llama-bench)
  media,        ///< "image=2,video=1", or the same as a JSON object, whose numbers may be objects with a "count" (vLLM)
  memory,       ///< matters and is not in the estimate
  memory_above_one, ///< the same where its number is above 1
};

struct Option {
  std::string_view names; ///< separated by spaces; the first is what is written; '_' and '-' are the same within long names
  Takes takes = Takes::one;
  Reading reading = Reading::harmless;
  std::string_view field{}; ///< that it becomes; of `memory`, what it needs memory for
  std::string_view in_file{}; ///< where a configuration file says it rather than the command line, its key there: read, and written as a comment
};

/// What a word in front of the options must be: the name of a program, which may stand in a folder, and the word after it.
struct Marker {
  std::string_view program;
  std::string_view then{};    ///< "" = nothing in particular
  bool takes_word = false;    ///< another word of the program's own stands behind them
  std::string_view but{};     ///< words behind them with which nothing is served
};

struct Engine {
  std::string_view id;      ///< of the profile
  std::string_view name;
  std::span<const Marker> markers;
  std::span<const Option> options;
  std::span<const Option> variables{}; ///< of the environment
  std::string_view command; ///< how a command line begins that is written; "" = none is
  bool one_after_another = false; ///< an option that stands twice asks for two runs
  bool positional_model = false; ///< the first word without an option is the model
  bool abbreviates = false;       ///< Python's argparse reads the options: the beginning of one alone is that one (docs.python.org, argparse, allow_abbrev)
};

const Engine& vllm() noexcept;
const Engine& sglang() noexcept;
const Engine& llama_cpp() noexcept;
const Engine& llama_bench() noexcept; ///< llama.cpp's program that measures
const Engine& tensorrt_llm() noexcept;
const Engine& lmdeploy() noexcept;
const Engine& ollama() noexcept;
const Engine& text_generation_inference() noexcept;

std::span<const Engine* const> engines() noexcept;

/// The row of that option as typed, with or without "--no-", without "=value" and ".member"; null where it is not known.
const Option* find_option(std::span<const Option> options, std::string_view typed) noexcept;

/// The same for the engine, with the beginnings of its options where it takes them.
const Option* find_option(const Engine& engine, std::string_view typed) noexcept;

/// The row of that variable of the environment, of the engine or of the library by which its GPUs exchange; null where it is not known.
const Option* find_variable(const Engine& engine, std::string_view name) noexcept;
/// Likewise where the program is no engine: of the library alone.
const Option* find_variable(std::string_view name) noexcept;

/// The first of an option's names.
std::string_view written_name(const Option& option) noexcept;

} // namespace plimsoll::io::commands
