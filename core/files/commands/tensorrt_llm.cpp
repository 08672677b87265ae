// NVIDIA/TensorRT-LLM, tensorrt_llm/commands/serve.py.
#include "files/commands/engine.hpp"

#include <array>

namespace plimsoll::io::commands {

namespace {

using enum Takes;
using enum Reading;

constexpr std::array kMarkers{Marker{"trtllm-serve", "serve"}, Marker{"trtllm-serve"}};

constexpr std::array kOptions{
    Option{"--max_seq_len", one, whole, "context_tokens"},
    Option{"--tp_size --tensor_parallel_size", one, whole, "tensor_parallel"},
    Option{"--kv_cache_free_gpu_memory_fraction --free_gpu_memory_fraction", one, share, "memory_permille"},
    Option{"--max_num_tokens", one, whole, "prefill_tokens"},
    Option{"--max_batch_size", one, whole, "max_sequences"},

    Option{"--pp_size --pipeline_parallel_size", one, whole, "pipeline_parallel"},
    Option{"--cp_size --context_parallel_size", one, memory_above_one, "sequences that GPUs divide"},
    Option{"--ep_size --moe_expert_parallel_size", one, whole, "expert_parallel"},
    Option{"--cluster_size --moe_cluster_parallel_size", one, memory_above_one, "whole experts on each GPU in place of parts of all"},
    Option{"--max_beam_width", one, whole, "beams"},
    Option{"--config --extra_llm_api_options", one, memory, "what a YAML file says, which is not read"},

    Option{"--kv_cache_dtype", one, cache_dtype, "kv_dtype"},
    // The file that --config names says these: tensorrt_llm/llmapi/llm_args.py.
    Option{"--tokens_per_block", one, whole, "block_tokens", "kv_cache_config.tokens_per_block"},
    Option{"--enable_attention_dp", truth, switched_on, "data_parallel_attention", "enable_attention_dp"},
    Option{"--max_draft_len", one, whole, "draft_tokens", "speculative_config.max_draft_len"},

    Option{"--enable_chunked_prefill", none, happens},
    Option{"--tokenizer"}, Option{"--custom_tokenizer"}, Option{"--host"}, Option{"--port"}, Option{"--backend"}, Option{"--custom_module_dirs"},
    Option{"--log_level"}, Option{"--gpus_per_node"}, Option{"--num_postprocess_workers"}, Option{"--trust_remote_code", none, harmless},
    Option{"--revision"}, Option{"--reasoning_parser"}, Option{"--tool_parser"}, Option{"--metadata_server_config_file"}, Option{"--server_role"},
    Option{"--fail_fast_on_attention_window_too_large", none, harmless}, Option{"--otlp_traces_endpoint"}, Option{"--disagg_cluster_uri"},
    Option{"--media_io_kwargs"}, Option{"--chat_template"}};

} // namespace

const Engine& tensorrt_llm() noexcept {
  static constexpr Engine kEngine{.id = "tensorrt_llm", .name = "TensorRT-LLM", .markers = kMarkers, .options = kOptions, .command = "trtllm-serve", .positional_model = true};
  return kEngine;
}

} // namespace plimsoll::io::commands
