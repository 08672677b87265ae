// ggml-org/llama.cpp, common/arg.cpp.
#include "files/commands/engine.hpp"

#include <array>

namespace plimsoll::io::commands {

namespace {

using enum Takes;
using enum Reading;

constexpr std::array kMarkers{Marker{"llama-server"}, Marker{"llama-cli"}, Marker{"llama-server.exe"}, Marker{"llama-cli.exe"}, Marker{"llama", "serve"},
                              Marker{"llama-sweep-bench"}, Marker{"llama-sweep-bench.exe"}, Marker{"llama-perplexity"}, Marker{"llama-perplexity.exe"}}; // the same options (common/arg.cpp)

constexpr std::array kOptions{
    Option{"--model -m", one, model, "model"},
    Option{"--hf-repo -hf -hfr", one, repository, "model"},
    Option{"--ctx-size -c", one, cells, "context_tokens"},
    Option{"--parallel -np", one, slots, "batch"},
    Option{"--n-gpu-layers -ngl --gpu-layers", one, layers, "gpu_layers"},
    Option{"--cache-type-k -ctk", one, cache_dtype, "kv_dtype"},
    Option{"--cache-type-v -ctv", one, cache_dtype, "value_dtype"},
    Option{"--flash-attn -fa", truth, switched_on, "flash_attention"},
    Option{"--ubatch-size -ub", one, whole, "prefill_tokens"},
    Option{"--swa-full", none, switched_on, "full_window_cache"},

    Option{"--hf-file -hff", one, memory, "another file than the repository's first"},
    Option{"--hf-repo-draft -hfd -hfrd", one, Reading::draft_model, "draft_model"},
    Option{"--model-draft -md --spec-draft-model", one, Reading::draft_model, "draft_model"},
    Option{"--ctx-size-draft -cd", one, memory, "a draft model with its cache"},
    Option{"--gpu-layers-draft -ngld --n-gpu-layers-draft", one, memory, "a draft model with its cache"},
    Option{"--spec-type", one, memory, "a draft model with its cache"},
    Option{"--mmproj -mm", one, memory, "a vision or audio tower"},
    Option{"--mmproj-url -mmu", one, memory, "a vision or audio tower"},
    Option{"--n-cpu-moe -ncmoe", one, whole, "host_expert_layers"},
    Option{"--cpu-moe -cmoe", none, experts_on_host},
    Option{"--override-tensor -ot", one, places, "tensors that are elsewhere"},
    // ikawrakow/ik_llama.cpp, common/common.cpp; pull requests 235, 240 and 473 for what -mla keeps
    Option{"--mla-use -mla", one, latent, "latent_cache"},
    Option{"--attention-max-batch -amb", one, latent_buffer, "latent_buffer_bytes"},
    Option{"--fused-moe -fmoe", none, fork}, Option{"--run-time-repack -rtr", none, fork}, Option{"--smart-expert-reduction -ser", one, fork}, Option{"-if", none, harmless},
    Option{"-mli --multiline-input", none, harmless},
    Option{"--override-kv", one, memory, "another model than the file says"},
    Option{"--split-mode -sm", one, split_mode, "rows that several GPUs divide"},
    Option{"--tensor-split -ts", one, split, "pipeline_parallel"},
    Option{"--no-kv-offload -nkvo", none, memory, "a cache in the host's memory"},
    Option{"--lora", one, memory, "an adapter beside the weights"},
    Option{"--lora-scaled", many, memory, "an adapter beside the weights"},
    Option{"--control-vector", one, memory, "vectors beside the weights"},
    Option{"--rpc", one, memory, "layers on other machines"},
    Option{"--fit -fit", truth, memory, "layers, experts and context that are fitted to the device"},
    Option{"--fit-target -fitt", one, memory, "layers, experts and context that are fitted to the device"},
    Option{"--fit-ctx -fitc", one, memory, "layers, experts and context that are fitted to the device"},

    Option{"--kv-unified -kvu", none, happens}, Option{"--kv-offload -kvo", none, happens},
    Option{"--batch-size -b"}, Option{"--threads -t"}, Option{"--threads-batch -tb"}, Option{"--threads-http"}, Option{"--host"}, Option{"--port"},
    Option{"--path"}, Option{"--api-key"}, Option{"--api-key-file"}, Option{"--ssl-key-file"}, Option{"--ssl-cert-file"}, Option{"--alias -a"},
    Option{"--timeout -to"}, Option{"--no-webui", none, harmless}, Option{"--no-mmap", none, harmless}, Option{"--mmap", none, harmless},
    Option{"--mlock", none, harmless}, Option{"--no-warmup", none, harmless}, Option{"--warmup", none, harmless}, Option{"--jinja", none, harmless},
    Option{"--no-jinja", none, harmless}, Option{"--chat-template"}, Option{"--chat-template-file"}, Option{"--chat-template-kwargs"},
    Option{"--reasoning-format"}, Option{"--reasoning-budget"}, Option{"--reasoning -rea"}, Option{"--temp --temperature"}, Option{"--top-k"}, Option{"--top-p"},
    Option{"--min-p"}, Option{"--repeat-penalty"}, Option{"--presence-penalty"}, Option{"--frequency-penalty"}, Option{"--seed -s"},
    Option{"--n-predict -n --predict"}, Option{"--prompt -p"}, Option{"--file -f"}, Option{"--interactive -i", none, harmless},
    Option{"--conversation -cnv", none, harmless}, Option{"--no-conversation -no-cnv", none, harmless}, Option{"--system-prompt -sys"},
    Option{"--color", truth, harmless}, Option{"--verbose -v", none, harmless}, Option{"--verbosity -lv"}, Option{"--log-file"},
    Option{"--log-disable", none, harmless}, Option{"--metrics", none, harmless}, Option{"--slots", none, harmless}, Option{"--no-slots", none, harmless},
    Option{"--props", none, harmless}, Option{"--cont-batching -cb", none, harmless}, Option{"--no-cont-batching -nocb", none, harmless},
    Option{"--cache-reuse"}, Option{"--cache-ram -cram"}, Option{"--ctx-checkpoints -ctxcp --swa-checkpoints"}, Option{"--slot-save-path"},
    Option{"--no-context-shift", none, harmless}, Option{"--context-shift", none, harmless}, Option{"--main-gpu -mg"}, Option{"--device -dev"},
    Option{"--numa"}, Option{"--prio"}, Option{"--no-perf", none, harmless}, Option{"--hf-token -hft"}, Option{"--offline", none, harmless},
    Option{"--embedding --embeddings", none, harmless}, Option{"--pooling"}, Option{"--reranking --rerank", none, harmless}, Option{"--rope-scaling"},
    Option{"--rope-scale"}, Option{"--rope-freq-base"}, Option{"--rope-freq-scale"}, Option{"--yarn-orig-ctx"}, Option{"--samplers"},
    Option{"--grammar"}, Option{"--json-schema -j"}, Option{"--draft-max --draft --draft-n", one, whole, "draft_tokens"}, Option{"--draft-min"}, Option{"--draft-p-min"},
    Option{"--no-mmproj", none, harmless}, Option{"--check-tensors", none, harmless}, Option{"--keep"}, Option{"--no-op-offload", none, harmless},
    Option{"--models-dir"}, Option{"--slot-prompt-similarity -sps"}, Option{"--special -sp", none, harmless}, Option{"--no-prefill-assistant", none, harmless}};

constexpr std::array kVariables{Option{"CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES", one, visible}};

/// tools/llama-bench/llama-bench.cpp: each takes a list, of which each value is a test.
constexpr std::array kBenchMarkers{Marker{"llama-bench"}, Marker{"llama-bench.exe"}};
constexpr std::array kBenchOptions{
    Option{"--model -m", one, model, "model"},
    Option{"--hf-repo -hf -hfr", one, repository, "model"},
    Option{"--n-prompt -p", one, longest, "context_tokens"},
    Option{"--n-gen -n", one, longest, "context_tokens"},
    Option{"-pg -gp", one, longest, "context_tokens"}, // -gp: ikawrakow/ik_llama.cpp
    Option{"--n-depth -d", one, memory, "tokens that stand in the cache before"},
    Option{"--n-gpu-layers -ngl", one, layers, "gpu_layers"},
    Option{"--cache-type-k -ctk", one, cache_dtype, "kv_dtype"},
    Option{"--cache-type-v -ctv", one, cache_dtype, "value_dtype"},
    Option{"--flash-attn -fa", truth, switched_on, "flash_attention"},
    Option{"--ubatch-size -ub", one, whole, "prefill_tokens"},
    Option{"--n-cpu-moe -ncmoe", one, whole, "host_expert_layers"},
    Option{"--override-tensor -ot", one, places, "tensors that are elsewhere"},
    Option{"--split-mode -sm", one, split_mode, "rows that several GPUs divide"},
    Option{"--tensor-split -ts", one, split, "pipeline_parallel"},
    Option{"--mla-use -mla", one, latent, "latent_cache"},
    Option{"--attention-max-batch -amb", one, latent_buffer, "latent_buffer_bytes"},
    Option{"--fused-moe -fmoe", one, fork}, Option{"--run-time-repack -rtr", one, fork}, Option{"--smart-expert-reduction -ser", one, fork},
    Option{"--no-kv-offload -nkvo", one, memory_above_one, "a cache in the host's memory"},
    Option{"--rpc", one, memory, "layers on other machines"},
    Option{"--batch-size -b"}, Option{"--threads -t"}, Option{"--repetitions -r"}, Option{"--output -o"}, Option{"--mmap -mmp"}, Option{"--main-gpu -mg"}, Option{"--numa"}, Option{"--prio"},
    Option{"--poll"}, Option{"--cpu-mask -C"}, Option{"--delay"}, Option{"--embeddings -embd"}, Option{"--device -dev"}, Option{"--verbose -v", none, harmless}, Option{"--progress", none, harmless},
    Option{"--warmup -w", one, harmless}, Option{"--no-warmup", none, harmless}};

} // namespace

const Engine& llama_bench() noexcept {
  static constexpr Engine kEngine{.id = "llama_cpp", .name = "llama.cpp", .markers = kBenchMarkers, .options = kBenchOptions, .variables = kVariables, .command = "", .one_after_another = true};
  return kEngine;
}

const Engine& llama_cpp() noexcept {
  static constexpr Engine kEngine{.id = "llama_cpp", .name = "llama.cpp", .markers = kMarkers, .options = kOptions, .variables = kVariables, .command = "llama-server"};
  return kEngine;
}

} // namespace plimsoll::io::commands
