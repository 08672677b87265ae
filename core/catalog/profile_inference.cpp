// "inference" of core/catalog/data/profiles/*.json -> InferenceProfile.
#include "catalog/profile_reading.hpp"

namespace plimsoll::io {

namespace {

// In the order of the enumerations in profile.hpp and serving.hpp.
constexpr std::array<std::string_view, 3> kWindowCaches{"pages", "cells", "whole"};
constexpr std::array<std::string_view, 3> kPassBuffers{"live_set", "graph", "scratch"};
constexpr std::array<std::string_view, 5> kPoolRules{"none", "share_of_device", "share_of_start", "share_of_free", "share_after_load"};
constexpr std::array<std::string_view, 4> kLatentCaches{"profile", "latent", "latent_and_values", "expanded"};
constexpr std::array<std::string_view, 4> kOddLayers{"first", "before_last", "last", "with_head"};
constexpr std::array<std::string_view, 3> kReplicaExperts{"apart", "together", "asked"};
constexpr std::array<std::string_view, 3> kLoraRooms{"none", "layers", "tables"};
constexpr std::array<std::string_view, 16> kCacheDtypes{"fp32", "bf16", "fp16", "fp8",  "q8_0",   "q5_1",  "q5_0",  "q4_1", "q4_0", "iq4_nl", "nvfp4",
                                                        "int8", "int8_per_token_head", "fp8_per_token_head", "int4_per_token_head", "fp8_ds_mla"};

/// What a key names, or `standard` where the profile does not have it.
template <class Enum, std::size_t N> Enum named_or(const std::array<std::string_view, N>& names, const Json& group, const char* key, Enum standard) {
  return group.contains(key) ? named<Enum>(names, group.at(key)) : standard;
}

PoolProfile pool_of(const Json& inference, std::string_view arch) {
  const auto pool = inference.find("pool");
  if (pool == inference.end()) return {};
  const Constants constant{*pool, arch};
  return {.rule = named<PoolRule>(kPoolRules, pool->at("rule")),
          .share = constant("share"),
          .outside = constant("outside"),
          .outside_divided = constant.has("outside_divided") ? constant("outside_divided") : constant("outside"),
          .rounds_up = pool->value("rounds_up", false),
          .starts_short = pool->contains("starts_short") && pool->at("starts_short").at("value").get<bool>(),
          .left = constant.or_none("left"),
          .left_token = constant.or_none("left_token"),
          .min_free_tokens = constant.or_none("min_free_tokens"),
          .left_sequence = constant.or_none("left_sequence"),
          .left_gpu = constant.or_none("left_gpu"),
          .left_least = constant.or_none("left_least"),
          .reserve_from_device_bytes = constant.or_none("reserve_from_device_bytes")};
}

GraphProfile graphs_of(const Json& inference, std::string_view arch) {
  const auto graphs = inference.find("graphs");
  if (graphs == inference.end()) return {};
  const Constants constant{*graphs, arch};
  return {.first = constant("first"),
          .each = constant("each"),
          .most = constant("most"),
          .fine = constant("fine"),
          .coarse_from = constant("coarse_from"),
          .coarse = constant("coarse"),
          .decodes_apart = graphs->at("decodes_apart").get<bool>(),
          .in_budget = graphs->at("in_budget").get<bool>()};
}

std::vector<DeviceTier> tiers_of(const Json& inference, std::string_view arch) {
  std::vector<DeviceTier> tiers;
  const auto rows = inference.find("tiers");
  if (rows == inference.end()) return tiers;
  for (const Json& row : *rows) {
    const Constants constant{row, arch};
    tiers.push_back({.below = row.value("below_bytes", std::int64_t{0}),
                     .pass_tokens = constant("pass_tokens"),
                     .graph_sequences = constant("graph_sequences"),
                     .graph_sequences_divided = constant("graph_sequences_divided")});
  }
  return tiers;
}

} // namespace

InferenceProfile inference_of(const Json& group, std::string_view arch) {
  const Constants constant{group, arch};
  const auto or_else = [&](const char* key, const char* otherwise) { return constant.has(key) ? constant(key) : constant.or_none(otherwise); };
  InferenceProfile inference{.kv_block_tokens = constant("kv_block_tokens"),
                             .logit_bytes = constant.or_none("logit_bytes"),
                             .sampler_bytes = constant.or_none("sampler_bytes"),
                             .pass_tokens = constant("pass_tokens"),
                             .pass_tokens_large = or_else("pass_tokens_large", "pass_tokens"),
                             .whole_prompts = constant.or_none("whole_prompts"),
                             .smallest_pass = constant.or_none("smallest_pass"),
                             .sequences = constant.or_none("sequences"),
                             .sequences_large = or_else("sequences_large", "sequences"),
                             .large_device = constant.or_none("large_device"),
                             .index_bytes = constant.or_none("index_bytes"),
                             .conv_bytes = constant.or_none("conv_bytes"),
                             .hidden_copies = constant.or_none("hidden_copies"),
                             .latent_buffer = constant.or_none("latent_buffer"),
                             .expands_latents = group.value("expands_latents", false),
                             .keeps_expanded = group.value("keeps_expanded", false),
                             .stage_inputs = constant.or_none("stage_inputs"),
                             .encoder_outputs = constant.or_none("encoder_outputs"),
                             .input_copies = constant.or_none("input_copies"),
                             .acceptance = constant.or_none("acceptance"),
                             .window_cache = named_or(kWindowCaches, group, "window_cache", WindowCache::pages),
                             .latent_cache = named_or(kLatentCaches, group, "latent_cache", LatentCache::latent),
                             .pass_buffers = named_or(kPassBuffers, group, "pass_buffers", PassBuffers::live_set),
                             .flash_attention = group.value("flash_attention", true),
                             .table_on_host = group.value("table_on_host", false),
                             .hybrid_page = constant.or_none("hybrid_page"),
                             .towers_apart = group.value("towers_apart", false),
                             .rotary_table = group.value("rotary_table", false),
                             .offloads_layers = group.value("offloads_layers", false),
                             .offloads_experts = group.value("offloads_experts", false),
                             .copied_pass = constant.or_none("copied_pass"),
                             .copy_share = constant.or_none("copy_share"),
                             .link_share = constant.or_none("link_share"),
                             .caches_on_host = group.value("caches_on_host", false),
                             .transfer_share = constant.or_none("transfer_share"),
                             .sends_chunks = group.value("sends_chunks", false),
                             .first_again = group.value("first_again", false),
                             .prefill_graphs = group.value("prefill_graphs", true),
                             .deepep_tokens = constant.or_none("deepep_tokens"),
                             .deepep_buffer = constant.or_none("deepep_buffer"),
                             .head_is_a_layer = group.value("head_is_a_layer", false),
                             .shares_prefixes = group.value("shares_prefixes", false),
                             .beams = group.value("beams", false),
                             .lora_room = named_or(kLoraRooms, group, "lora_room", LoraRoom::none),
                             .speculates = group.value("speculates", false),
                             .pipelines = group.value("pipelines", false), .odd_layers = named_or(kOddLayers, group, "odd_layers", OddLayers::first),
                             .groups_experts = group.value("groups_experts", false),
                             .replica_experts = named_or(kReplicaExperts, group, "replica_experts", ReplicaExperts::apart),
                             .dense_together = group.value("dense_together", false), .divides_cache = group.value("divides_cache", false),
                             .cache_dtypes = 0,
                             .pool = pool_of(group, arch),
                             .graphs = graphs_of(group, arch),
                             .whole_blocks = {},
                             .tiers = tiers_of(group, arch),
                             .efficiencies = {}};
  if (const auto blocks = group.find("whole_blocks"); blocks != group.end())
    for (const Json& id : blocks->at("formats")) inference.whole_blocks.push_back(id.text());
  if (const auto dtypes = group.find("cache_dtypes"); dtypes != group.end())
    for (const Json& dtype : *dtypes) inference.cache_dtypes |= 1u << static_cast<unsigned>(named<CacheDtype>(kCacheDtypes, dtype));
  return inference;
}

} // namespace plimsoll::io
