#include "method/validate/checks.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::checks {

namespace {

constexpr std::int64_t value(CacheDtype dtype) { return static_cast<std::int64_t>(dtype); }

/// The formats that an engine's caches may have, as people write them.
std::string names_of(std::uint32_t dtypes) {
  std::string names;
  for (const Choice& choice : find_field("kv_dtype")->choices)
    if ((dtypes >> static_cast<unsigned>(choice.value) & 1u) != 0) names += (names.empty() ? "" : ", ") + std::string{choice.name};
  return names;
}

void dtype(CacheDtype asked, std::string_view field, const Profile& profile, Issues& issues) {
  const std::uint32_t known = profile.inference.cache_dtypes;
  if (asked == CacheDtype::same || known == 0 || (known >> static_cast<unsigned>(asked) & 1u) != 0) return;
  refuse(issues, field, profile.name + " has no cache in " + std::string{choice_name(*find_field("kv_dtype"), value(asked))} + ".",
         "Choose one of: " + names_of(known) + ".");
}

void without_effect(bool set, std::string_view field, std::string_view what, const Profile& profile, Issues& issues) {
  if (set) warn(issues, field, std::string{what} + " has no effect in " + profile.name + ".", "Leave it out, or choose another implementation.");
}

/// GPUs divide a draft model as they divide the model.
void draft_model(const Inputs& inputs, const RoleModel& draft, Issues& issues) {
  if (draft.role != Role::draft) return;
  Inputs own = inputs;
  own.model = draft.model;
  own.role_models.clear();
  Issues found;
  tensor_parallel(own, found);
  for (const Issue& issue : found)
    if (issue.severity == Severity::error) refuse(issues, "draft_model", draft.model.name + ": " + issue.message, issue.remedy);
  if (draft.model.vocab_size != inputs.model.vocab_size)
    warn(issues, "draft_model", draft.model.name + " has " + number(draft.model.vocab_size.value) + " tokens in its vocabulary, the model " +
         number(inputs.model.vocab_size.value) + ".", "Choose models with the same tokenizer.");
}

/// Three numbers of each request: when it arrives, and at least one token of a prompt and of an answer.
void trace(const std::vector<std::int64_t>& requests, Issues& issues) {
  constexpr std::size_t kEach = 3;
  bool whole = requests.size() % kEach == 0;
  for (std::size_t i = 0; whole && i < requests.size(); i += kEach) whole = requests[i + 1] > 0 && requests[i + 2] > 0;
  if (!whole)
    refuse(issues, "trace", "Each request has three numbers: when it arrives, and the tokens of its prompt and of its answer, at least one of each.",
           "Write them like 0,1000,200,350,80,500: two requests, the second after 350 milliseconds.");
}

/// A request finds its beginning in one place.
void hits(const Inputs& inputs, Issues& issues) {
  constexpr std::int64_t kWhole = 1000;
  const Traffic& traffic = inputs.workload.traffic;
  const bool host = inputs.serving.host_cache_bytes > 0, drives = inputs.serving.drive_cache_bytes > 0;
  const std::int64_t elsewhere = (host ? traffic.host_hits : 0) + (drives ? traffic.drive_hits : 0);
  if (elsewhere == 0 || traffic.prefix_hits + elsewhere <= kWhole) return;
  const std::string_view field = host && traffic.host_hits > 0 ? "host_hits" : "drive_hits";
  refuse(issues, field, "Hits on the GPU, on the host and on drives are more than all requests.",
         elsewhere <= kWhole ? "Lower prefix_hits: a request that finds its beginning on the GPU does not look elsewhere." : "Lower one of them.");
}

/// Lengths about a mean end where the context does, and so do conversations.
void lengths_in_context(const Inputs& inputs, Issues& issues) {
  const Traffic& traffic = inputs.workload.traffic;
  const bool even = traffic.lengths == Lengths::even;
  if ((even && traffic.turns <= 1) || !traffic.trace.empty() || traffic.conversation_tokens() <= inputs.workload.context_tokens) return;
  if (traffic.turns > 1)
    return refuse(issues, "turns", "Conversations of " + number(traffic.conversation_tokens()) + " tokens at their end do not fit a context of " + number(inputs.workload.context_tokens) + ".",
                  "Lower turns, turn_tokens or answer_tokens, or raise context_tokens.");
  refuse(issues, "context_tokens", "Requests are longer on average than the context has room for.", "Raise context_tokens to several times prompt_tokens and answer_tokens.");
}

/// Servers that read prompts for others.
void separate_servers(const Inputs& inputs, const Profile& profile, Issues& issues) {
  if (inputs.serving.disaggregation == Disaggregation::none) return;
  if (profile.inference.transfer_share.value == 0)
    return refuse(issues, "disaggregation", profile.name + " reads prompts and answers them in one server.", "Choose the profile vllm, sglang or tensorrt_llm, or none as disaggregation.");
  if (inputs.serving.disaggregation != Disaggregation::decode || inputs.strategy.prefill_replicas == 0) return;
  if (expert_group(inputs.strategy, inputs.serving, profile.inference, inputs.model) > Count{inputs.strategy.tensor_parallel})
    refuse(issues, "prefill_replicas", "Separate prefill servers are followed where each replica has all experts.",
           "Set prefill_replicas=0 for the memory of one kind of server, or data_parallel_attention=off.");
}

/// Copies of experts, and the buffers of another library.
void wide_experts(const Inputs& inputs, const Profile& profile, Issues& issues) {
  const Serving& asked = inputs.serving;
  const std::int64_t group = inputs.strategy.expert_parallel;
  if (group <= 1) return;
  without_effect(asked.expert_exchange != ExpertExchange::collectives && profile.inference.deepep_tokens.value == 0, "expert_exchange", "DeepEP", profile, issues);
  for (const LayerGroup& layers : inputs.model.groups) {
    const std::int64_t all = layers.moe.experts.value + asked.redundant_experts;
    if (layers.moe.experts == Count{0} || asked.redundant_experts == 0 || all % group == 0) continue;
    return refuse(issues, "redundant_experts", number(all) + " experts with their copies do not divide among " + number(group) + " GPUs.",
                  "Write " + number(asked.redundant_experts + group - all % group) + ", or another multiple that divides.");
  }
}

} // namespace

void serving(const Inputs& inputs, const Profile& profile, Issues& issues) {
  const Serving& asked = inputs.serving;
  trace(inputs.workload.traffic.trace, issues);
  const InferenceProfile& engine = profile.inference;
  dtype(asked.kv_dtype, "kv_dtype", profile, issues);
  dtype(asked.value_dtype, "value_dtype", profile, issues);
  const bool latent = std::ranges::any_of(inputs.model.groups, [](const LayerGroup& group) { return group.attention_shape.caches_vector; });
  if (asked.kv_dtype == CacheDtype::fp8_ds_mla && !latent)
    refuse(issues, "kv_dtype", "fp8_ds_mla is a format of latent vectors, which this model does not cache.", "Choose fp8, or a model with latent attention.");
  without_effect(asked.latent_buffer_bytes > 0 && !engine.expands_latents, "latent_buffer_bytes", "A buffer for latent vectors", profile, issues);
  without_effect(asked.gpu_layers != Serving::kAllLayers && !engine.offloads_layers, "gpu_layers", "The number of layers on the GPU", profile, issues);
  without_effect(asked.host_expert_layers > 0 && !engine.offloads_experts, "host_expert_layers", "Experts on the host", profile, issues);
  without_effect(asked.host_mlp_layers > 0 && !engine.offloads_experts, "host_mlp_layers", "MLPs on the host", profile, issues);
  without_effect(asked.host_weight_bytes > 0 && engine.link_share.value == 0, "host_weight_bytes", "A share of the weights on the host", profile, issues);
  without_effect(asked.host_cache_bytes > 0 && !engine.caches_on_host, "host_cache_bytes", "A cache in the host's memory", profile, issues);
  without_effect(asked.drive_cache_bytes > 0 && !engine.caches_on_host, "drive_cache_bytes", "A cache on drives", profile, issues);
  hits(inputs, issues);
  lengths_in_context(inputs, issues);
  separate_servers(inputs, profile, issues);
  wide_experts(inputs, profile, issues);
  without_effect(asked.memory_permille != 0 && engine.pool.rule == PoolRule::none, "memory_fraction", "A share of the memory", profile, issues);
  without_effect(asked.kv_cache_memory_bytes != 0 && engine.pool.rule == PoolRule::none, "kv_cache_memory_bytes", "A size of the cache", profile, issues);
  without_effect(asked.memory_before_cache_bytes != 0 && (engine.pool.rule == PoolRule::none || asked.kv_cache_memory_bytes != 0), "memory_before_cache_bytes",
                 "Memory taken before the cache", profile, issues);
  without_effect(asked.beams > 1 && !engine.beams, "beams", "A number of beams", profile, issues);
  without_effect((asked.draft_tokens > 0 || !inputs.role_models.empty()) && !engine.speculates, inputs.role_models.empty() ? "draft_tokens" : "draft_model",
                 "Speculative decoding", profile, issues);
  const Strategy& strategy = inputs.strategy;
  without_effect(asked.predicts_drafts && !engine.speculates, "predicts_drafts", "Speculative decoding", profile, issues);
  without_effect(strategy.pipeline_parallel > 1 && !engine.pipelines, "pipeline_parallel", "A number of stages", profile, issues);
  without_effect(strategy.expert_parallel > 1 && !engine.groups_experts, "expert_parallel", "Expert parallelism", profile, issues);
  without_effect(asked.data_parallel_attention == Switch::on && engine.replica_experts == ReplicaExperts::apart, "data_parallel_attention",
                 "Data-parallel attention", profile, issues);
  without_effect(asked.cache_parallel > 1 && !engine.divides_cache, "cache_parallel", "A cache that GPUs divide by tokens", profile, issues);
  serving_parallel(inputs, profile, issues);
  serving_blocks(inputs, profile, issues);
  for (const RoleModel& draft : inputs.role_models) draft_model(inputs, draft, issues);
  without_effect(asked.lora_slots > 0 && engine.lora_room == LoraRoom::none, "lora_slots", "Room for adapters", profile, issues);
  without_effect(asked.shared_tokens > 0 && !engine.shares_prefixes, "shared_tokens", "A shared prompt", profile, issues);
  if (asked.shared_tokens > inputs.workload.context_tokens)
    refuse(issues, "shared_tokens", number(asked.shared_tokens) + " shared tokens do not fit a context of " + number(inputs.workload.context_tokens) + ".",
           "Write at most " + number(inputs.workload.context_tokens) + ", or a longer context_tokens.");
  without_effect(asked.flash_attention != Switch::profile && engine.pass_buffers == PassBuffers::live_set, "flash_attention",
                 "The switch of flash attention", profile, issues);
  // ggml-org/llama.cpp, src/llama-context.cpp, llama_init_from_model: "V cache quantization requires flash_attn".
  const bool quantised = format_of(asked.value_dtype == CacheDtype::same ? asked.kv_dtype : asked.value_dtype).numbers > Count{1};
  if (quantised && engine.pass_buffers == PassBuffers::graph && asked.flash_attention == Switch::off)
    refuse(issues, "value_dtype", "Cached values in blocks need flash attention.", "Choose fp16 as value_dtype, or switch flash_attention on.");
  const bool divides = inputs.strategy.tensor_parallel > 1;
  if (divides && engine.offloads_layers)
    warn(issues, "tensor_parallel", profile.name + " divides a model over GPUs layer by layer unless it is told otherwise.",
         "The answer is for rows that are divided; leave tensor_parallel at 1 for one GPU.");
}

} // namespace plimsoll::checks
