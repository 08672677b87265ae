// InternLM/lmdeploy, lmdeploy/cli/serve.py and lmdeploy/cli/utils.py; ollama/ollama, envconfig/config.go.
#include "files/commands/engine.hpp"

#include <array>

namespace plimsoll::io::commands {

namespace {

using enum Takes;
using enum Reading;

constexpr std::array kLmdeployMarkers{Marker{.program = "lmdeploy", .then = "serve", .but = "proxy api_client"}};

constexpr std::array kLmdeploy{
    Option{"--session-len", one, whole, "context_tokens"},
    Option{"--tp", one, whole, "tensor_parallel"},
    Option{"--dp", one, whole, "data_parallel"},
    Option{"--cache-max-entry-count", one, share, "memory_permille"},
    Option{"--max-prefill-token-num", one, whole, "prefill_tokens"},
    Option{"--max-batch-size", one, whole, "max_sequences"},
    Option{"--cache-block-seq-len", one, whole, "block_tokens"},
    Option{"--model-format", one, quantization, "weight_dtype"},
    Option{"--dtype", one, dtype, "weight_dtype"},

    Option{"--quant-policy", one, cache_dtype, "kv_dtype"},
    Option{"--ep", one, memory_above_one, "whole experts on each GPU in place of parts of all"},
    Option{"--adapters", many, memory, "adapters beside the weights"},
    Option{"--vision-max-batch-size", one, memory_above_one, "images"},
    Option{"--cp", one, memory_above_one, "a cache that GPUs divide by tokens"},
    Option{"--language-model-only", none, memory, "towers that are left out"},
    Option{"--hf-overrides", one, memory, "another shape of the model"},
    Option{"--speculative-algorithm", one, algorithm},
    Option{"--speculative-draft-model", one, draft_model},
    Option{"--speculative-num-draft-tokens", one, whole, "draft_tokens"},
    Option{"--role", one, role, "disaggregation"},
    Option{"--enable-prefix-caching", none, happens},
    Option{"--backend"}, Option{"--server-name"}, Option{"--server-port"}, Option{"--api-keys", many, harmless}, Option{"--model-name"},
    Option{"--chat-template"}, Option{"--log-level"}, Option{"--revision"}, Option{"--download-dir"}, Option{"--ssl", none, harmless},
    Option{"--tool-call-parser"}, Option{"--reasoning-parser"}, Option{"--proxy-url"}, Option{"--max-log-len"}, Option{"--device"},
    Option{"--rope-scaling-factor"}, Option{"--num-tokens-per-iter"}, Option{"--max-prefill-iters"}, Option{"--eager-mode", none, harmless},
    Option{"--max-concurrent-requests"}, Option{"--allowed-media-domains", many, harmless}, Option{"--disable-fastapi-docs", none, harmless}, Option{"--allow-terminate-by-client", none, harmless},
    Option{"--enable-abort-handling", none, harmless}, Option{"--trust-remote-code", none, harmless}, Option{"--generation-config"}, Option{"--logprobs-mode"},
    Option{"--enable-return-routed-experts", none, harmless}, Option{"--distributed-executor-backend"}, Option{"--kernel-block-size"}, Option{"--dp-rank"}, Option{"--node-rank"}, Option{"--nnodes"},
    Option{"--dist-init-addr"}, Option{"--communicator"}, Option{"--enable-metrics", none, harmless}, Option{"--disable-metrics", none, harmless}, Option{"--migration-backend"},
    Option{"--enable-microbatch", none, harmless}, Option{"--enable-eplb", none, harmless}};

constexpr std::array kOllamaMarkers{Marker{"ollama", "run"}, Marker{"ollama", "pull"}, Marker{"ollama", "serve"}, // what is pulled is served
                                    Marker{"ollama", "launch", true}}; // ollama/ollama, cmd/launch: an integration by its name, and its model as an option

constexpr std::array kOllama{Option{"--model", one, model, "model"}, Option{"--yes -y", none, harmless}, Option{"--config", none, harmless}, Option{"--verbose", none, harmless}, Option{"--keepalive"}, Option{"--format"}, Option{"--nowordwrap", none, harmless},
                             Option{"--insecure", none, harmless}, Option{"--think", truth, harmless}, Option{"--hidethinking", none, harmless}};

constexpr std::array kOllamaVariables{Option{"OLLAMA_CONTEXT_LENGTH", one, whole, "context_tokens"}, Option{"OLLAMA_NUM_PARALLEL", one, whole, "batch"},
                                      Option{"OLLAMA_KV_CACHE_TYPE", one, cache_dtype, "kv_dtype"},
                                      Option{"OLLAMA_FLASH_ATTENTION", one, switched_on, "flash_attention"},
                                      Option{"OLLAMA_GPU_OVERHEAD", one, memory, "memory that stays free"}};

} // namespace

const Engine& lmdeploy() noexcept {
  static constexpr Engine kEngine{.id = "lmdeploy", .name = "LMDeploy", .markers = kLmdeployMarkers, .options = kLmdeploy, .command = {}, .positional_model = true, .abbreviates = true};
  return kEngine;
}

const Engine& ollama() noexcept {
  static constexpr Engine kEngine{.id = "ollama", .name = "Ollama", .markers = kOllamaMarkers, .options = kOllama, .variables = kOllamaVariables,
                                  .command = {}, .positional_model = true};
  return kEngine;
}

} // namespace plimsoll::io::commands
