// huggingface/text-generation-inference, launcher/src/main.rs: each option has a variable of its name too. It keeps keys and values in pages and reads
// prompts in parts, as paged serving engines do; its own budget is not modelled.
#include "files/commands/engine.hpp"

#include <array>

namespace plimsoll::io::commands {

namespace {

using enum Takes;
using enum Reading;

constexpr std::array kMarkers{Marker{"text-generation-launcher"}};

constexpr std::array kOptions{
    Option{"--model-id", one, model, "model"},
    Option{"--num-shard", one, whole, "tensor_parallel"},
    Option{"--quantize", one, quantization, "weight_dtype"},
    Option{"--dtype", one, dtype, "weight_dtype"},
    Option{"--kv-cache-dtype", one, cache_dtype, "kv_dtype"},
    Option{"--max-total-tokens", one, whole, "context_tokens"},
    Option{"--max-batch-prefill-tokens", one, whole, "prefill_tokens"},
    Option{"--max-batch-size", one, whole, "max_sequences"},

    Option{"--max-batch-total-tokens", one, memory, "a cache of a stated size"},
    Option{"--cuda-memory-fraction", one, memory, "a share of the device for all of it"},
    Option{"--cuda-graphs", many, memory, "CUDA graphs"},
    Option{"--speculate", one, memory, "tokens that are proposed"},
    Option{"--lora-adapters", one, memory, "adapters beside the weights"},
    Option{"--sharded", truth, harmless},
    Option{"--max-input-tokens"}, Option{"--max-input-length"}, Option{"--max-concurrent-requests"}, Option{"--max-best-of"}, Option{"--max-stop-sequences"},
    Option{"--max-top-n-tokens"}, Option{"--waiting-served-ratio"}, Option{"--max-waiting-tokens"}, Option{"--hostname"}, Option{"--port -p"}, Option{"--shard-uds-path"},
    Option{"--master-addr"}, Option{"--master-port"}, Option{"--huggingface-hub-cache"}, Option{"--weights-cache-override"}, Option{"--revision"},
    Option{"--validation-workers"}, Option{"--trust-remote-code", none, harmless}, Option{"--rope-scaling"}, Option{"--rope-factor"}, Option{"--json-output", none, harmless},
    Option{"--otlp-endpoint"}, Option{"--otlp-service-name"}, Option{"--cors-allow-origin"}, Option{"--api-key"}, Option{"--watermark-gamma"}, Option{"--watermark-delta"},
    Option{"--ngrok", none, harmless}, Option{"--tokenizer-config-path"}, Option{"--disable-grammar-support", none, harmless}, Option{"--max-client-batch-size"},
    Option{"--usage-stats"}, Option{"--payload-limit"}, Option{"--disable-custom-kernels", none, harmless}, Option{"--enable-prefill-logprobs", none, harmless}};

constexpr std::array kVariables{Option{"MODEL_ID", one, model, "model"},
                                Option{"NUM_SHARD", one, whole, "tensor_parallel"},
                                Option{"QUANTIZE", one, quantization, "weight_dtype"},
                                Option{"DTYPE", one, dtype, "weight_dtype"},
                                Option{"KV_CACHE_DTYPE", one, cache_dtype, "kv_dtype"},
                                Option{"MAX_TOTAL_TOKENS", one, whole, "context_tokens"},
                                Option{"MAX_BATCH_PREFILL_TOKENS", one, whole, "prefill_tokens"},
                                Option{"CUDA_MEMORY_FRACTION", one, memory, "a share of the device for all of it"}};

} // namespace

const Engine& text_generation_inference() noexcept {
  static constexpr Engine kEngine{.id = "paged_serving", .name = "Text Generation Inference", .markers = kMarkers, .options = kOptions, .variables = kVariables, .command = {}};
  return kEngine;
}

} // namespace plimsoll::io::commands
