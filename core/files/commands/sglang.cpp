// sgl-project/sglang, python/sglang/srt/server_args.py.
#include "files/commands/engine.hpp"

#include <array>

namespace plimsoll::io::commands {

namespace {

using enum Takes;
using enum Reading;

constexpr std::array kMarkers{Marker{"sglang.launch_server"}, Marker{"sglang", "serve"}, Marker{"dynamo.sglang"}};

constexpr std::array kOptions{
    Option{"--model-path --model", one, model, "model"},
    Option{"--context-length", one, whole, "context_tokens"},
    Option{"--tp --tp-size --tensor-parallel-size", one, tensor_group, "tensor_parallel"},
    Option{"--dp --dp-size --data-parallel-size", one, whole, "data_parallel"},
    Option{"--mem-fraction-static", one, share, "memory_permille"},
    Option{"--chunked-prefill-size", one, whole, "prefill_tokens"},
    Option{"--max-running-requests", one, whole, "max_sequences"},
    Option{"--kv-cache-dtype", one, cache_dtype, "kv_dtype"},
    Option{"--page-size", one, whole, "block_tokens"},
    Option{"--quantization", one, quantization, "weight_dtype"},
    Option{"--torchao-config", one, quantization, "weight_dtype"},
    Option{"--dtype", one, dtype, "weight_dtype"},
    Option{"--disable-hybrid-swa-memory", none, switched_on, "full_window_cache"},

    Option{"--pp-size --pipeline-parallel-size --pp", one, whole, "pipeline_parallel"},
    Option{"--ep-size --expert-parallel-size --ep", one, whole, "expert_parallel"},
    Option{"--enable-ep-moe --enable-deepep-moe", none, whole_experts},
    Option{"--moe-a2a-backend", one, exchange, "expert_exchange"},
    Option{"--deepep-mode", one, exchange_mode},
    Option{"--ep-num-redundant-experts", one, whole, "redundant_experts"},
    Option{"--enable-dp-attention", none, switched_on, "data_parallel_attention"},
    Option{"--moe-dense-tp-size", one, memory, "dense MLPs that fewer GPUs divide"},
    Option{"--enable-dp-lm-head", none, memory, "an output head that each replica divides by itself"},
    Option{"--max-total-tokens", one, memory, "a cache of a stated size"},
    Option{"--max-prefill-tokens", one, harmless},
    Option{"--speculative-algorithm --speculative-algo", one, algorithm, "drafter"},
    Option{"--speculative-draft-model-path --speculative-draft-model", one, Reading::draft_model, "draft_model"},
    Option{"--speculative-num-steps", one, memory, "further tokens of each pass"},
    Option{"--speculative-eagle-topk", one, memory, "further tokens of each pass"},
    Option{"--speculative-num-draft-tokens", one, whole, "draft_tokens"},
    Option{"--enable-lora", none, enables, "lora_slots=8"},
    Option{"--lora-paths", many, enables, "lora_slots=8"},
    Option{"--max-loras-per-batch", one, whole, "lora_slots"},
    Option{"--max-lora-rank", one, whole, "lora_rank"},
    Option{"--lora-target-modules", many, harmless}, Option{"--lora-backend"}, Option{"--max-loaded-loras"},
    Option{"--cpu-offload-gb", one, gibibytes, "host_weight_bytes"},
    Option{"--enable-hierarchical-cache", none, harmless},
    Option{"--hicache-size", one, rank_gigabytes, "host_cache_bytes"},
    Option{"--hicache-ratio", one, memory, "a second cache in the host's memory, as large as so many of the GPUs': say --hicache-size instead"},
    Option{"--hicache-write-policy"}, Option{"--hicache-io-backend"}, Option{"--hicache-mem-layout"}, Option{"--hicache-storage-backend"},
    Option{"--disable-cuda-graph", none, switched_off, "cuda_graphs"},
    Option{"--cuda-graph-max-bs --cuda-graph-max-bs-decode", one, whole, "largest_graph"},
    Option{"--cuda-graph-bs", many, memory, "CUDA graphs"},
    Option{"--enable-torch-compile", none, memory, "compiled code"},
    Option{"--json-model-override-args", one, memory, "another model than the config says"},
    Option{"--enable-multimodal", none, memory, "images and other media"},
    Option{"--enable-mixed-chunk", none, switched_on, "mixed_chunks"},
    Option{"--disaggregation-mode", one, role, "disaggregation"},
    Option{"--disaggregation-transfer-backend"}, Option{"--disaggregation-ib-device"}, Option{"--disaggregation-bootstrap-port"},
    Option{"--disaggregation-decode-tp"}, Option{"--disaggregation-decode-dp"}, Option{"--disaggregation-prefill-pp"},
    Option{"--num-reserved-decode-tokens"}, Option{"--disaggregation-decode-polling-interval"},
    Option{"--enable-memory-saver", none, memory, "an allocator of its own"},

    Option{"--host"}, Option{"--port"}, Option{"--api-key"}, Option{"--admin-api-key"}, Option{"--served-model-name"}, Option{"--tokenizer-path"},
    Option{"--tokenizer-mode"}, Option{"--tokenizer-worker-num"}, Option{"--skip-tokenizer-init", none, harmless},
    Option{"--trust-remote-code", none, harmless}, Option{"--load-format"}, Option{"--revision"}, Option{"--model-impl"},
    Option{"--is-embedding", none, harmless}, Option{"--chat-template"}, Option{"--completion-template"}, Option{"--random-seed"},
    Option{"--log-level"}, Option{"--log-level-http"}, Option{"--log-requests", none, harmless}, Option{"--show-time-cost", none, harmless},
    Option{"--enable-metrics", none, harmless}, Option{"--reasoning-parser"}, Option{"--tool-call-parser"}, Option{"--grammar-backend"},
    Option{"--sampling-backend"}, Option{"--attention-backend"}, Option{"--prefill-attention-backend"}, Option{"--decode-attention-backend"},
    Option{"--mm-attention-backend"}, Option{"--moe-runner-backend"}, Option{"--schedule-policy"}, Option{"--schedule-conservativeness"},
    Option{"--stream-interval"}, Option{"--disable-radix-cache", none, harmless}, Option{"--disable-overlap-schedule", none, harmless},
    Option{"--disable-custom-all-reduce", none, harmless}, Option{"--enable-flashinfer-allreduce-fusion", none, harmless},
    Option{"--dist-init-addr --nccl-init-addr"}, Option{"--nnodes"}, Option{"--node-rank"}, Option{"--dist-timeout"}, Option{"--watchdog-timeout"},
    Option{"--download-dir"}, Option{"--base-gpu-id"}, Option{"--gpu-id-step"}, Option{"--device"}, Option{"--constrained-json-whitespace-pattern"},
    Option{"--enable-cache-report", none, harmless}, Option{"--file-storage-path"}, Option{"--warmups"}, Option{"--skip-server-warmup", none, harmless},
    Option{"--enable-p2p-check", none, harmless}, Option{"--triton-attention-reduce-in-fp32", none, harmless}, Option{"--num-continuous-decode-steps"},
    Option{"--model-loader-extra-config"}, Option{"--tool-server"}, Option{"--decode-log-interval"}, Option{"--disable-shared-experts-fusion", none, harmless}};

} // namespace

const Engine& sglang() noexcept {
  static constexpr Engine kEngine{.id = "sglang", .name = "SGLang", .markers = kMarkers, .options = kOptions, .command = "python -m sglang.launch_server", .abbreviates = true};
  return kEngine;
}

} // namespace plimsoll::io::commands
