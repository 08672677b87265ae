#pragma once
// How an inference engine is told to run: what its flags say about cache, passes and the share of a device that it may fill.

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/switch.hpp"

#include <cstdint>

namespace plimsoll {

/// Number formats of cached keys and values.
enum class CacheDtype : unsigned char {
  fp32, bf16, fp16,
  fp8,    ///< one byte each; the scales of a tensor are a few bytes and not counted
  q8_0,   ///< blocks of 32 with a scale, as ggml stores them
  q5_1, q5_0, q4_1, q4_0, iq4_nl,
  nvfp4,  ///< 4-bit floating point, an fp8 scale for each 16
  int8,   ///< one byte each; the scales of a tensor are not counted
  int8_per_token_head, ///< and four bytes of scale, or of scale and zero, for each head of each token
  fp8_per_token_head,
  int4_per_token_head,
  fp8_ds_mla, ///< latent vectors in fp8 with an fp32 scale for each 128, their rotary part in 16 bits
  same,   ///< of values: as the keys
};

/// Formats whose blocks are as long as a head: one scale stands beside each head of each token.
constexpr bool scales_heads(CacheDtype dtype) noexcept {
  return dtype == CacheDtype::int8_per_token_head || dtype == CacheDtype::fp8_per_token_head || dtype == CacheDtype::int4_per_token_head;
}

/// A block: so many numbers in so many bytes.
struct CacheFormat {
  Count numbers;
  Bytes bytes;
};

/// ggml-org/llama.cpp, ggml/src/ggml-common.h: block_q8_0 and its kin. NVFP4 and formats with a scale for each head: vLLM,
/// v1/kv_cache_interface.py, page_size_bytes. `head` is the length of a block where a head is one; >= 1.
constexpr CacheFormat format_of(CacheDtype dtype, Count head = Count{1}) noexcept {
  constexpr Bytes kScale{4};
  switch (dtype) {
    case CacheDtype::fp32: return {Count{1}, Bytes{4}};
    case CacheDtype::bf16:
    case CacheDtype::fp16: return {Count{1}, Bytes{2}};
    case CacheDtype::fp8: return {Count{1}, Bytes{1}};
    case CacheDtype::q8_0: return {Count{32}, Bytes{34}};
    case CacheDtype::q5_1: return {Count{32}, Bytes{24}};
    case CacheDtype::q5_0: return {Count{32}, Bytes{22}};
    case CacheDtype::q4_1: return {Count{32}, Bytes{20}};
    case CacheDtype::q4_0:
    case CacheDtype::iq4_nl: return {Count{32}, Bytes{18}};
    case CacheDtype::nvfp4: return {Count{16}, Bytes{9}};
    case CacheDtype::int8: return {Count{1}, Bytes{1}};
    case CacheDtype::int8_per_token_head:
    case CacheDtype::fp8_per_token_head: return {head, Bytes{head.value} + kScale};
    case CacheDtype::int4_per_token_head: return {head, Bytes{(head.value + 1) / 2} + kScale};
    case CacheDtype::fp8_ds_mla: return {Count{128}, Bytes{128} + kScale};
    case CacheDtype::same: break;
  }
  return {Count{1}, Bytes{4}};
}

/// What is cached of multi-head latent attention.
enum class LatentCache : unsigned char {
  profile,
  latent,            ///< the latent vector with its rotary part
  latent_and_values, ///< and a second copy of the latent vector, transposed for the product with the scores
  expanded,          ///< keys and values of every head
};

/// What proposes the draft tokens of speculative decoding, where it is not a model of the catalogue.
enum class Drafter : unsigned char {
  model,  ///< a draft model, or the model's own prediction layers
  ngram,  ///< what followed the same tokens before: no weights
  eagle,  ///< one layer over the model's hidden states, with its token table and head
  eagle3, ///< one layer over three of its hidden states, with a head of its own
  medusa, ///< one head for each draft token
};

/// How rows go to experts on other GPUs, and come back.
enum class ExpertExchange : unsigned char {
  collectives,        ///< all-gather and reduce-scatter, or all-to-all, of the usual communicators
  deepep,             ///< DeepEP, both kinds of kernels
  deepep_normal,      ///< its kernels for many tokens
  deepep_low_latency, ///< its kernels for few, with room for the rows of all experts
};

/// Which part of the work a server does where prompts and answers have GPUs of their own.
enum class Disaggregation : unsigned char {
  none,    ///< both
  prefill, ///< it reads prompts, and hands their caches on
  decode,  ///< it receives caches of prompts, and answers
};

struct Serving {
  CacheDtype kv_dtype = CacheDtype::bf16;
  CacheDtype value_dtype = CacheDtype::same;
  LatentCache latent_cache = LatentCache::profile;
  Switch cuda_graphs = Switch::profile;  ///< passes over few tokens are captured, and replayed without launching each kernel
  std::int64_t largest_graph = 0;        ///< tokens of the largest captured pass; 0 = the engine's default
  Switch full_window_cache = Switch::profile; ///< layers with a window keep the whole context
  Switch flash_attention = Switch::profile;
  std::int64_t block_tokens = 0;    ///< tokens per page of the cache; 0 = as the engine does
  std::int64_t memory_permille = 0; ///< share that the engine may fill, in thousandths of what it is a share of; 0 = its default
  std::int64_t kv_cache_memory_bytes = 0;     ///< of the cache on each GPU, in place of the engine's rule; 0 = the rule
  std::int64_t memory_before_cache_bytes = 0; ///< on each GPU, as somebody has read it in the engine's log; 0 = the estimate's own
  std::int64_t max_sequences = 0;   ///< sequences that one pass may take; 0 = the engine's default
  std::int64_t beams = 1;           ///< of each sequence that is asked for; >= 1
  std::int64_t shared_tokens = 0;   ///< at the start of a context that several sequences have in common; >= 0
  std::int64_t shared_by = 0;       ///< sequences that have them in common, each with all its beams; 0 = all
  bool mixed_chunks = false;        ///< prompts are read beside decoding sequences where the engine by itself reads them apart
  bool logprobs = false;            ///< log-probabilities of the sampled tokens come back with them
  std::int64_t poll_steps = 1;      ///< decode steps between two looks for new requests; >= 1
  std::int64_t draft_tokens = 0;    ///< that are proposed for each sequence before a pass checks them (speculative decoding); 0 = none
  std::int64_t lora_slots = 0;      ///< adapters that are on the GPU at once beside the weights; >= 0
  std::int64_t lora_rank = 16;      ///< the largest rank of them, for which each slot has room; >= 1
  bool predicts_drafts = false;     ///< the model's own prediction layers propose them (multi-token prediction)
  Drafter drafter = Drafter::model; ///< what proposes them
  std::int64_t acceptance_permille = 0; ///< chance that a draft token is accepted if all before it were, in thousandths; 0 = what is assumed of the drafter
  std::int64_t latent_buffer_bytes = 0; ///< within which latent vectors are expanded for some heads at a time; 0 = the engine's default
  Switch data_parallel_attention = Switch::profile; ///< replicas hold attention each, and divide the experts among all of them
  std::int64_t cache_parallel = 1;  ///< GPUs of a tensor-parallel group that divide a sequence's cache by tokens (decode context
                                    ///< parallelism); >= 1, divides tensor_parallel
  std::int64_t gpu_layers = kAllLayers; ///< layers on the GPU, from the last one on; the others are the host's
  std::int64_t host_expert_layers = 0;  ///< layers, from the first on, of which the host has the routed experts; >= 0
  std::int64_t host_mlp_layers = 0;     ///< likewise the dense MLPs; >= 0
  std::int64_t host_weight_bytes = 0;   ///< of the layers' weights on each GPU, what the host keeps and every pass reads over the link; >= 0
  std::int64_t host_cache_bytes = 0;    ///< of the host's memory, for caches of contexts that left the GPUs of a replica; >= 0
  std::int64_t drive_cache_bytes = 0;   ///< likewise of drives, behind the host's memory; >= 0
  Disaggregation disaggregation = Disaggregation::none;
  std::int64_t redundant_experts = 0;   ///< further copies of experts in each layer, which the GPUs of an expert-parallel group divide along; >= 0
  ExpertExchange expert_exchange = ExpertExchange::collectives;

  static constexpr std::int64_t kAllLayers = 999; ///< more than any model has
};

} // namespace plimsoll
