// vllm-project/vllm, vllm/engine/arg_utils.py and vllm/entrypoints/openai/cli_args.py.
#include "files/commands/engine.hpp"

#include <array>

namespace plimsoll::io::commands {

namespace {

using enum Takes;
using enum Reading;

constexpr std::array kMarkers{Marker{"vllm", "serve"}, Marker{"vllm.entrypoints.openai.api_server"}, Marker{"vllm.entrypoints.api_server"}, Marker{"dynamo.vllm"},
                              Marker{"trl", "vllm-serve"}}; // huggingface/trl, trl/scripts/vllm_serve.py hands its options on, with the same defaults

constexpr std::array kOptions{
    Option{"--model", one, model, "model"},
    Option{"--max-model-len", one, whole, "context_tokens"},
    Option{"--tensor-parallel-size -tp", one, whole, "tensor_parallel"},
    Option{"--data-parallel-size -dp", one, whole, "data_parallel"},
    Option{"--gpu-memory-utilization", one, share, "memory_permille"},
    Option{"--max-num-batched-tokens", one, whole, "prefill_tokens"},
    Option{"--max-num-seqs", one, whole, "max_sequences"},
    Option{"--kv-cache-dtype", one, cache_dtype, "kv_dtype"},
    Option{"--block-size", one, whole, "block_tokens"},
    Option{"--quantization -q", one, quantization, "weight_dtype"},
    Option{"--dtype", one, dtype, "weight_dtype"},
    Option{"--disable-hybrid-kv-cache-manager", none, switched_on, "full_window_cache"},

    Option{"--pipeline-parallel-size -pp", one, whole, "pipeline_parallel"},
    Option{"--decode-context-parallel-size -dcp", one, whole, "cache_parallel"},
    Option{"--prefill-context-parallel-size -pcp", one, memory_above_one, "a cache that GPUs divide by tokens"},
    Option{"--enable-expert-parallel -ep", none, whole_experts, "expert_parallel"},
    Option{"--enable-lora", none, enables, "lora_slots=1"},
    Option{"--max-loras", one, whole, "lora_slots"},
    Option{"--max-lora-rank", one, whole, "lora_rank"},
    Option{"--lora-modules", many, harmless}, Option{"--max-cpu-loras"}, Option{"--lora-dtype"},
    Option{"--fully-sharded-loras", none, memory, "adapters beside the weights"},
    Option{"--speculative-config -sc", one, speculation},
    Option{"--speculative-model", one, Reading::draft_model, "draft_model"},
    Option{"--num-speculative-tokens", one, whole, "draft_tokens"},
    Option{"--cpu-offload-gb", one, gibibytes, "host_weight_bytes"},
    Option{"--kv-cache-memory-bytes", one, bytes, "kv_cache_memory_bytes"},
    Option{"--num-gpu-blocks-override", one, memory, "a cache of a stated size"},
    Option{"--kv-offloading-size", one, gibibytes, "host_cache_bytes"},
    Option{"--kv-offloading-backend", one, harmless},
    Option{"--enforce-eager", none, switched_off, "cuda_graphs"},
    Option{"--max-cudagraph-capture-size", one, whole, "largest_graph"},
    Option{"--compilation-config -cc -O", one, memory, "CUDA graphs and compiled code"},
    Option{"--cudagraph-capture-sizes --cuda-graph-sizes", many, memory, "CUDA graphs"},
    Option{"--max-seq-len-to-capture", one, harmless},
    Option{"--hf-overrides", one, memory, "another model than the config says"},
    Option{"--rope-scaling", one, memory, "positions beyond the model's own"},
    Option{"--limit-mm-per-prompt", one, media},
    Option{"--mm-encoder-tp-mode", one, memory, "a vision tower that GPUs divide"},
    Option{"--load-format", one, harmless},
    Option{"--disable-sliding-window", none, memory, "a context no longer than the window"},
    Option{"--kv-transfer-config", one, transfer, "disaggregation"},
    Option{"--is-prefill-worker --is-decode-worker", none, role, "disaggregation"}, // ai-dynamo/dynamo, components/src/dynamo/vllm/args.py
    Option{"--enable-sleep-mode", none, memory, "an allocator of its own"},
    Option{"--language-model-only", none, memory, "towers that are left out"},

    Option{"--num-redundant-experts", one, whole, "redundant_experts"},
    Option{"--eplb-config", one, balancing},
    Option{"--all2all-backend", one, exchange, "expert_exchange"},
    Option{"--enable-dbo", none, memory, "two batches at once, each with buffers"},
    Option{"--mamba-cache-dtype --mamba-ssm-cache-dtype", one, memory, "recurrent states in another format"},
    Option{"--mamba-block-size", one, memory, "recurrent states that are kept of more places"},
    Option{"--rope-theta", one, harmless},

    Option{"-O2 -O3", none, happens},
    Option{"--enable-chunked-prefill", truth, happens},
    Option{"--enable-prefix-caching", none, happens},
    Option{"--host"}, Option{"--port"}, Option{"--uds"}, Option{"--api-key", many, harmless}, Option{"--served-model-name", many, harmless},
    Option{"--root-path"}, Option{"--ssl-keyfile"}, Option{"--ssl-certfile"}, Option{"--ssl-ca-certs"}, Option{"--middleware"},
    Option{"--chat-template"}, Option{"--chat-template-content-format"}, Option{"--response-role"}, Option{"--default-chat-template-kwargs"},
    Option{"--allowed-origins"}, Option{"--allowed-methods"}, Option{"--allowed-headers"}, Option{"--allow-credentials", none, harmless},
    Option{"--uvicorn-log-level"}, Option{"--disable-uvicorn-access-log", none, harmless}, Option{"--disable-log-stats", none, harmless},
    Option{"--disable-log-requests", none, harmless}, Option{"--enable-log-requests", none, harmless}, Option{"--max-log-len"},
    Option{"--tokenizer"}, Option{"--tokenizer-mode"}, Option{"--tokenizer-revision"}, Option{"--skip-tokenizer-init", none, harmless},
    Option{"--revision"}, Option{"--code-revision"}, Option{"--trust-remote-code", none, harmless}, Option{"--download-dir"},
    Option{"--config-format"}, Option{"--hf-config-path"}, Option{"--hf-token", truth, harmless}, Option{"--allowed-local-media-path"},
    Option{"--seed"}, Option{"--generation-config"}, Option{"--override-generation-config"}, Option{"--task"}, Option{"--runner"},
    Option{"--convert"}, Option{"--model-impl --vllm-model-impl"}, Option{"--log-level"}, Option{"--guided-decoding-backend"}, Option{"--structured-outputs-config"},
    Option{"--reasoning-parser"}, Option{"--enable-reasoning", none, harmless}, Option{"--tool-call-parser"},
    Option{"--enable-auto-tool-choice", none, harmless}, Option{"--tool-parser-plugin"}, Option{"--distributed-executor-backend"},
    Option{"--disable-custom-all-reduce", none, harmless}, Option{"--scheduling-policy"}, Option{"--async-scheduling", none, harmless},
    Option{"--max-logprobs"}, Option{"--logprobs-mode"}, Option{"--swap-space"}, Option{"--preemption-mode"}, Option{"--num-scheduler-steps"},
    Option{"--otlp-traces-endpoint"}, Option{"--collect-detailed-traces"}, Option{"--mm-processor-kwargs"}, Option{"--nnodes"},
    Option{"--node-rank"}, Option{"--master-addr"}, Option{"--master-port"}, Option{"--headless", none, harmless}, Option{"--api-server-count"},
    Option{"--data-parallel-address"}, Option{"--data-parallel-rpc-port"}, Option{"--data-parallel-backend"}, Option{"--enable-server-load-tracking", none, harmless},
    Option{"--return-tokens-as-token-ids", none, harmless}, Option{"--enable-prompt-tokens-details", none, harmless},
    Option{"--enable-request-id-headers", none, harmless}, Option{"--device"}, Option{"--max-parallel-loading-workers"},
    Option{"--model-loader-extra-config"}, Option{"--safetensors-load-strategy"}, Option{"--enable-force-include-usage", none, harmless},
    Option{"--attention-backend"}, Option{"--ignore-patterns", many, harmless}, Option{"--use-v2-block-manager", none, harmless},
    Option{"--enable-eplb", none, harmless}, Option{"--data-parallel-size-local -dpl"}, Option{"--data-parallel-start-rank -dpr"},
    Option{"--data-parallel-rank -dpn"}, Option{"--data-parallel-hybrid-lb", none, harmless},
    Option{"--max-num-partial-prefills"}, Option{"--max-long-partial-prefills"}, Option{"--long-prefill-token-threshold"}, Option{"--scheduler-cls"},
    Option{"--worker-cls"}, Option{"--worker-extension-cls"}, Option{"--ray-workers-use-nsight", none, harmless}, Option{"--num-lookahead-slots"},
    Option{"--logits-processor-pattern"}, Option{"--logits-processors", many, harmless}, Option{"--additional-config"}, Option{"--kv-events-config"},
    Option{"--disable-cascade-attn", none, harmless}, Option{"--interleave-mm-strings", none, harmless}, Option{"--media-io-kwargs"},
    Option{"--use-tqdm-on-load", none, harmless}, Option{"--pt-load-map-location"}, Option{"--disable-fastapi-docs", none, harmless},
    Option{"--enable-ssl-refresh", none, harmless}, Option{"--log-config-file"}, Option{"--kv-offloading-backend"},
    Option{"--calculate-kv-scales", none, harmless}, Option{"--mm-processor-cache-gb"}, Option{"--prefix-caching-hash-algo"}};

// LMCache/LMCache, docs/source/api_reference/configurations.rst
constexpr std::array kVariables{Option{"LMCACHE_LOCAL_CPU", one, lmcache, "local_cpu"}, Option{"LMCACHE_MAX_LOCAL_CPU_SIZE", one, lmcache, "max_local_cpu_size"},
                                Option{"LMCACHE_MAX_LOCAL_DISK_SIZE", one, lmcache, "max_local_disk_size"}, Option{"LMCACHE_CONFIG_FILE", one, memory, "caches in the host's memory and on drives"}};

} // namespace

const Engine& vllm() noexcept {
  static constexpr Engine kEngine{.id = "vllm", .name = "vLLM", .markers = kMarkers, .options = kOptions, .variables = kVariables, .command = "vllm serve", .positional_model = true, .abbreviates = true};
  return kEngine;
}

} // namespace plimsoll::io::commands
