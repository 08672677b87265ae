// How an inference engine is told to run.
#include "method/fields/conditions.hpp"
#include "method/fields/rows.hpp"
#include "plimsoll/method/parameters.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

constexpr Choice kKeyDtypes[] = {
    {"fp32", value(CacheDtype::fp32), "FP32", "4 bytes per number."},
    {"bf16", value(CacheDtype::bf16), "BF16", "2 bytes per number."},
    {"fp16", value(CacheDtype::fp16), "FP16", "2 bytes per number."},
    {"fp8", value(CacheDtype::fp8), "FP8", "1 byte per number, with one scale per tensor."},
    {"q8_0", value(CacheDtype::q8_0), "q8_0", "Blocks of 32 numbers in 34 bytes (llama.cpp)."},
    {"q5_1", value(CacheDtype::q5_1), "q5_1", "Blocks of 32 numbers in 24 bytes (llama.cpp)."},
    {"q5_0", value(CacheDtype::q5_0), "q5_0", "Blocks of 32 numbers in 22 bytes (llama.cpp)."},
    {"q4_1", value(CacheDtype::q4_1), "q4_1", "Blocks of 32 numbers in 20 bytes (llama.cpp)."},
    {"q4_0", value(CacheDtype::q4_0), "q4_0", "Blocks of 32 numbers in 18 bytes (llama.cpp)."},
    {"iq4_nl", value(CacheDtype::iq4_nl), "iq4_nl", "Blocks of 32 numbers in 18 bytes, on an uneven grid (llama.cpp)."},
    {"nvfp4", value(CacheDtype::nvfp4), "NVFP4", "Blocks of 16 numbers in 9 bytes."},
    {"int8", value(CacheDtype::int8), "INT8", "1 byte per number, with one scale per tensor (TensorRT-LLM)."},
    {"int8_per_token_head", value(CacheDtype::int8_per_token_head), "INT8, scaled by head", "1 byte per number and 4 bytes for each head of each token (vLLM, LMDeploy)."},
    {"fp8_per_token_head", value(CacheDtype::fp8_per_token_head), "FP8, scaled by head", "1 byte per number and 4 bytes for each head of each token (vLLM)."},
    {"int4_per_token_head", value(CacheDtype::int4_per_token_head), "INT4, scaled by head", "Half a byte per number and 4 bytes for each head of each token (LMDeploy)."},
    {"fp8_ds_mla", value(CacheDtype::fp8_ds_mla), "FP8 latent", "Latent vectors in fp8 with a scale for each 128 numbers, their rotary part in 16 bits (vLLM, for DeepSeek's sparse attention)."},
};

/// Values may have a format of their own.
constexpr auto kValueDtypes = [] {
  std::array<Choice, std::size(kKeyDtypes) + 1> choices{};
  choices[0] = {"same", value(CacheDtype::same), "as the keys", "The format of the keys."};
  for (std::size_t i = 0; i < std::size(kKeyDtypes); ++i) choices[i + 1] = kKeyDtypes[i];
  return choices;
}();

constexpr Choice kSwitches[] = {
    {"profile", value(Switch::profile), "as the engine does", "What the engine does by itself."},
    {"on", value(Switch::on), "on", "Switched on."},
    {"off", value(Switch::off), "off", "Switched off."},
};

constexpr Choice kExchanges[] = {
    {"collectives", value(ExpertExchange::collectives), "collectives", "All-gather and reduce-scatter, or all-to-all, of the usual communicators."},
    {"deepep", value(ExpertExchange::deepep), "DeepEP", "DeepEP, with buffers for both kinds of its kernels (SGLang's --deepep-mode auto)."},
    {"deepep_normal", value(ExpertExchange::deepep_normal), "DeepEP, high throughput", "DeepEP's kernels for many tokens."},
    {"deepep_low_latency", value(ExpertExchange::deepep_low_latency), "DeepEP, low latency", "DeepEP's kernels for few tokens, with room for the rows of all experts."},
};
constexpr Choice kRoles[] = {
    {"none", value(Disaggregation::none), "both", "One server reads prompts and answers them."},
    {"prefill", value(Disaggregation::prefill), "prefill", "The server reads prompts, and sends their caches to others that answer."},
    {"decode", value(Disaggregation::decode), "decode", "The server receives caches of prompts that others have read, and answers."},
};
constexpr Choice kDrafters[] = {
    {"model", value(Drafter::model), "a model", "A draft model, or the model's own prediction layers."},
    {"ngram", value(Drafter::ngram), "n-grams", "What followed the same tokens before in prompt and answer: no weights."},
    {"eagle", value(Drafter::eagle), "EAGLE", "One layer over the model's hidden states, with the model's token table and head."},
    {"eagle3", value(Drafter::eagle3), "EAGLE-3", "One layer over three of the model's hidden states, with a head of its own for the most frequent tokens."},
    {"medusa", value(Drafter::medusa), "Medusa", "One head for each draft token, all in one pass."},
};

constexpr Choice kLatentCaches[] = {
    {"profile", value(LatentCache::profile), "as the engine does", "What the engine does by itself."},
    {"latent", value(LatentCache::latent), "latent", "The latent vector and its rotary part, once."},
    {"latent_and_values", value(LatentCache::latent_and_values), "latent and transposed", "The latent vector a second time, transposed."},
    {"expanded", value(LatentCache::expanded), "expanded", "Keys and values of every head, as without latent attention."},
};

bool has_latent(const Inputs& inputs) {
  for (const LayerGroup& group : inputs.model.groups)
    if (group.attention_shape.caches_vector) return true;
  return false;
}
bool has_windows(const Inputs& inputs) {
  for (const LayerGroup& group : inputs.model.groups)
    if (group.attends() && group.attention_shape.pattern != AttentionPattern::full) return true;
  return false;
}

bool has_dense_mlps(const Inputs& inputs) {
  for (const LayerGroup& group : inputs.model.groups)
    if (group.moe.experts == Count{0} && group.mlp.intermediate_size > Count{0}) return true;
  return false;
}
bool has_replicas_of_experts(const Inputs& inputs) { return has_experts(inputs) && inputs.strategy.data_parallel > 1; }
bool has_expert_groups(const Inputs& inputs) { return has_experts(inputs) && inputs.strategy.expert_parallel > 1; }
bool has_drafts(const Inputs& inputs) { return inputs.serving.draft_tokens > 0; }
bool has_lora_slots(const Inputs& inputs) { return inputs.serving.lora_slots > 0; }
bool has_shared(const Inputs& inputs) { return inputs.serving.shared_tokens > 0; }

using Row = Rows<Topic::strategy, kServing, &Inputs::serving>;

constexpr std::int64_t kMostSequences = 1'000'000, kMostLayers = 10'000, kMostBlock = 65'536, kMostBeams = 1000,
                       kMostTokens = 100'000'000, kMostBytes = 1'000'000'000'000, kMostMemory = 100'000'000'000'000, kMostDrives = 1'000'000'000'000'000;

constexpr std::array kFields = {
    Row::choice<&Serving::kv_dtype>("kv_dtype", "KV cache", kKeyDtypes, "Number format of cached keys, and of values unless they have their own."),
    advanced(Row::choice<&Serving::value_dtype>("value_dtype", "cached values", kValueDtypes, "Number format of cached values.")),
    needing({has_latent, "Choose a model with latent attention"},
            advanced(Row::choice<&Serving::latent_cache>("latent_cache", "latent cache", kLatentCaches, "What is cached of latent attention."))),
    needing({has_latent, "Choose a model with latent attention"},
            advanced(Row::number<&Serving::latent_buffer_bytes>("latent_buffer_bytes", "latent buffer", "bytes", 0, kMostBytes,
                                                                "Within which the latent vectors are expanded, for some heads at a time: ik_llama.cpp's --attn-max-batch; "
                                                                "0 for the engine's default."))),
    needing({has_windows, "Choose a model with sliding windows"},
            advanced(Row::choice<&Serving::full_window_cache>("full_window_cache", "whole context in windows", kSwitches,
                                                              "Whether layers with a window keep the whole context all the same."))),
    advanced(Row::choice<&Serving::flash_attention>("flash_attention", "flash attention", kSwitches,
                                                    "Whether attention runs in one fused kernel. Without it, llama.cpp's buffers hold the scores of a pass.")),
    advanced(Row::number<&Serving::block_tokens>("block_tokens", "cache page", "tokens", 0, kMostBlock,
                                                 "Tokens per page of the cache; 0 for the engine's own.")),
    in_thousandths("memory_permille",
                   advanced(Row::number<&Serving::memory_permille>("memory_fraction", "memory share", "", 0, 1000,
                                                                   "Share that the engine may fill: vLLM's gpu_memory_utilization, SGLang's mem_fraction_static, "
                                                                   "TensorRT-LLM's free_gpu_memory_fraction, such as 0.95; 0 for the engine's default."))),
    advanced(Row::number<&Serving::kv_cache_memory_bytes>("kv_cache_memory_bytes", "cache memory", "bytes", 0, kMostMemory,
                                                          "What the engine is told to take for its cache on each GPU, in place of a share: vLLM's "
                                                          "--kv-cache-memory-bytes; 0 for the engine's rule.")),
    advanced(Row::number<&Serving::memory_before_cache_bytes>("memory_before_cache_bytes", "memory before the cache", "bytes", 0, kMostMemory,
                                                              "What an engine's log says it has taken when it comes to the cache: weights, the peak of its "
                                                              "profile run, and what libraries, communicators and graphs hold; 0 for the estimate's own.")),
    advanced(Row::number<&Serving::max_sequences>("max_sequences", "most sequences", "sequences", 0, kMostSequences,
                                                  "Sequences that one pass may take: what an engine prepares for when it measures its passes; "
                                                  "0 for the engine's default.")),
    advanced(Row::choice<&Serving::cuda_graphs>("cuda_graphs", "CUDA graphs", kSwitches,
                                                "Whether passes over few tokens are captured and replayed: off is vLLM's --enforce-eager. Of engines whose graphs "
                                                "somebody has measured.")),
    advanced(Row::number<&Serving::largest_graph>("largest_graph", "largest graph", "tokens", 0, kMostSequences,
                                                  "Tokens of the largest pass that is captured, which decides how many graphs there are: vLLM's "
                                                  "max_cudagraph_capture_size, SGLang's --cuda-graph-max-bs; 0 for the engine's default.")),
    advanced(Row::number<&Serving::beams>("beams", "beams", "per sequence", 1, kMostBeams, "Answers that are followed at once for each sequence (beam search).")),
    advanced(Row::number<&Serving::shared_tokens>("shared_tokens", "shared prompt", "tokens", 0, kMostTokens,
                                                  "Tokens that sequences begin with alike, such as a system prompt; with beams, the prompt. Engines that "
                                                  "cache prefixes keep them once.")),
    needing({has_shared, "Set shared_tokens above 0"},
            advanced(Row::number<&Serving::shared_by>("shared_by", "shared by", "sequences", 0, kMostSequences,
                                                      "Sequences that have the shared tokens in common; 0 for all, 1 where only the beams of each do."))),
    Field{.name = "draft_model",
          .topic = Topic::strategy,
          .kind = FieldKind::id,
          .label = "draft model",
          .unit = "",
          .help = "A small model of the catalogue, by its id, that proposes tokens (speculative decoding). Left out: there is none.",
          .tasks = kServing,
          .advanced = true},
    advanced(Row::flag<&Serving::mixed_chunks>("mixed_chunks", "mixed chunks",
                                               "Prompts are read beside sequences that are answered, where the engine by itself reads them first (SGLang's --enable-mixed-chunk).")),
    advanced(Row::number<&Serving::poll_steps>("poll_steps", "polling", "steps", 1, 10'000,
                                               "Decode steps after which the scheduler looks for new requests (SGLang's --scheduler-recv-interval): more of them disturb decoding less, and let "
                                               "first tokens wait.")),
    advanced(Row::number<&Serving::draft_tokens>("draft_tokens", "draft tokens", "tokens", 0, 1000,
                                                 "Tokens proposed for each sequence before one pass of the model checks them; 0 without speculative decoding.")),
    needing({has_drafts, "Set draft_tokens above 0"},
            advanced(Row::choice<&Serving::drafter>("drafter", "drafter", kDrafters, "What proposes the draft tokens where it is no model of its own."))),
    needing({has_drafts, "Set draft_tokens above 0"},
            in_thousandths("acceptance_permille",
                           advanced(Row::number<&Serving::acceptance_permille>("acceptance_rate", "acceptance", "", 0, 1000,
                                                                               "Chance of a draft token to be accepted if those before it were, such as 0.7, which decides how "
                                                                               "many tokens a step gives; 0 for what is assumed.")))),
    needing({has_prediction, "Choose a model with prediction layers"},
            advanced(Row::flag<&Serving::predicts_drafts>("predicts_drafts", "prediction layers draft",
                                                          "The model's own prediction layers propose the draft tokens (multi-token prediction)."))),
    needing({has_replicas_of_experts, "Set data_parallel above 1 for a model with experts"},
            advanced(Row::choice<&Serving::data_parallel_attention>("data_parallel_attention", "data-parallel attention", kSwitches,
                                                                    "Whether replicas hold attention each, and divide the experts among all of them."))),
    needing({has_tensor_group, "Set tensor_parallel above 1"},
            advanced(Row::number<&Serving::cache_parallel>("cache_parallel", "cache parts", "GPUs", 1, 256,
                                                           "GPUs of a tensor-parallel group that divide each sequence's cache by tokens instead of keeping "
                                                           "copies of it (decode context parallelism)."))),
    advanced(Row::number<&Serving::lora_slots>("lora_slots", "LoRA slots", "adapters", 0, 10'000,
                                               "LoRA adapters that are on the GPU at once beside the weights: vLLM's max_loras, SGLang's max_loras_per_batch.")),
    needing({has_lora_slots, "Set lora_slots above 0"},
            advanced(Row::number<&Serving::lora_rank>("lora_rank", "LoRA rank", "channels", 1, 65'536, "The largest rank for which each slot has room."))),
    advanced(Row::number<&Serving::gpu_layers>("gpu_layers", "layers on the GPU", "layers", 0, kMostLayers,
                                               "Layers whose weights and cache are on the GPU, from the last one on; the host has the others.")),
    needing({has_experts, "Choose a model with experts"},
            advanced(Row::number<&Serving::host_expert_layers>("host_expert_layers", "layers with experts on the host", "layers", 0, kMostLayers,
                                                               "Layers, from the first on, whose routed experts the host keeps and computes with, while all else is on the GPU: "
                                                               "llama.cpp's --n-cpu-moe."))),
    needing({has_dense_mlps, "Choose a model with dense MLPs"},
            advanced(Row::number<&Serving::host_mlp_layers>("host_mlp_layers", "layers with MLPs on the host", "layers", 0, kMostLayers,
                                                            "Layers, from the first on, whose dense MLPs the host keeps and computes with, while all else is on the GPU: "
                                                            "llama.cpp's --override-tensor with patterns such as ffn_.*=CPU."))),
    advanced(Row::number<&Serving::host_weight_bytes>("host_weight_bytes", "weights on the host", "bytes", 0, kMostMemory,
                                                      "Of the layers' weights on each GPU, what the host keeps and every pass reads over the link: vLLM's and SGLang's "
                                                      "--cpu-offload-gb.")),
    advanced(Row::number<&Serving::host_cache_bytes>("host_cache_bytes", "cache on the host", "bytes", 0, kMostMemory,
                                                     "Memory of the host for caches of contexts that left the GPUs of a replica, all of them together: vLLM's "
                                                     "--kv-offloading-size, SGLang's --hicache-size on each GPU.")),
    advanced(Row::number<&Serving::drive_cache_bytes>("drive_cache_bytes", "cache on drives", "bytes", 0, kMostDrives,
                                                      "Room on drives for caches that left the host's memory too, of all GPUs of a replica: LMCache's "
                                                      "max_local_disk_size on each GPU.")),
    advanced(Row::choice<&Serving::disaggregation>("disaggregation", "disaggregation", kRoles,
                                                   "Which part of the work a server does where prompts and answers have GPUs of their own: SGLang's --disaggregation-mode. "
                                                   "For a load choose decode, and prefill_replicas.")),
    needing({has_expert_groups, "Set expert_parallel above 1 for a model with experts"},
            advanced(Row::number<&Serving::redundant_experts>("redundant_experts", "redundant experts", "experts", 0, 4096,
                                                              "Further copies of experts in each layer, so that busy ones are on several GPUs (expert load balancing); the GPUs "
                                                              "divide them along with the others."))),
    needing({has_expert_groups, "Set expert_parallel above 1 for a model with experts"},
            advanced(Row::choice<&Serving::expert_exchange>("expert_exchange", "expert exchange", kExchanges,
                                                            "How rows go to experts on other GPUs: DeepEP keeps buffers of its own. Its speed is not told apart."))),
};

} // namespace

std::span<const Field> serving() noexcept { return rows_of<kFields>(); }
std::span<const Texts> serving_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
