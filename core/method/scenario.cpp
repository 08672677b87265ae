#include "plimsoll/method/scenario.hpp"

#include "method/composition.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <algorithm>

namespace plimsoll {

namespace {

/// Tokens of a page that is as large as the largest state of a recurrence: all caches of a hybrid model share one size of page.
/// vllm-project/vllm, vllm/model_executor/models/config.py, HybridAttentionMambaModelConfig.
std::int64_t hybrid_page(const Scenario& scenario) noexcept {
  const Constant& step = scenario.profile.inference.hybrid_page;
  if (step.value <= 0) return 0;
  Bytes state, token;
  for (const LayerGroup& group : scenario.model.groups) {
    const LayerShare share = layer_share(group, scenario.strategy);
    state = max(state, share.conv_state * scenario.weights.compute_bytes + share.recurrent_state * Bytes{4});
    const Count head = max(group.attention.head_dim, Count{1});
    const CacheFormat keys = format_of(scenario.serving.kv_dtype, head), values = format_of(scenario.serving.value_dtype, head);
    token = max(token, ceil_div(share.cached_width - share.cached_values, keys.numbers) * keys.bytes + ceil_div(share.cached_values, values.numbers) * values.bytes);
  }
  if (state == Bytes{0} || token == Bytes{0}) return 0;
  return (ceil_div(Count{state.value}, Count{step.value} * Count{token.value}) * Count{step.value}).value;
}

const DeviceTier* tier_of(const InferenceProfile& engine, const Hardware& hardware) noexcept {
  for (const DeviceTier& tier : engine.tiers)
    if (tier.below == 0 || hardware.usable_bytes < tier.below) return &tier;
  return nullptr;
}

/// The share that is left of the device when passes, graphs and communicators have theirs, to the nearest thousandth.
/// sgl-project/sglang, python/sglang/srt/server_args.py, _handle_gpu_memory_settings.
std::int64_t default_share(const Scenario& scenario, const DeviceTier* tier) noexcept {
  const PoolProfile& pool = scenario.profile.inference.pool;
  const std::int64_t device = scenario.hardware.usable_bytes;
  if (pool.left.value <= 0 || device <= 0) return pool.share.value;
  const Count gpus = Count{scenario.strategy.tensor_parallel} * Count{scenario.strategy.pipeline_parallel};
  const Count tokens{std::max(scenario.workload.prefill_tokens, pool.min_free_tokens.value)};
  const Constant none{};
  const Constant& usual = tier == nullptr ? none : scenario.strategy.tensor_parallel >= 4 ? tier->graph_sequences_divided : tier->graph_sequences;
  const std::int64_t captured = scenario.serving.largest_graph > 0 ? scenario.serving.largest_graph : usual.value;
  Count left = Count{pool.left.value} + tokens * Count{pool.left_token.value} + Count{captured} * Count{pool.left_sequence.value} + gpus * Count{pool.left_gpu.value};
  if (device > pool.reserve_from_device_bytes.value) left = max(left, Count{pool.left_least.value});
  const Count kept = max(Count{device} - left, Count{0});
  return (Count{2} * Count{1000} * kept + Count{device}).value / (Count{2} * Count{device}).value;
}

} // namespace

void settle_serving(Scenario& scenario) noexcept {
  const InferenceProfile& engine = scenario.profile.inference;
  Serving& serving = scenario.serving;
  const bool large = engine.large_device.value > 0 && scenario.hardware.usable_bytes >= engine.large_device.value;
  constexpr std::int64_t kPass = 8192; // where the profile knows of no passes
  std::int64_t& pass = scenario.workload.prefill_tokens;
  const std::int64_t context = scenario.workload.context_tokens;
  const DeviceTier* const tier = tier_of(engine, scenario.hardware);
  if (pass == 0 && tier != nullptr) pass = tier->pass_tokens.value;
  if (pass == 0 && context <= engine.whole_prompts.value) pass = std::max(context, engine.smallest_pass.value);
  if (pass == 0) pass = (large ? engine.pass_tokens_large : engine.pass_tokens).value;
  if (pass == 0) pass = kPass;
  if (serving.max_sequences == 0) serving.max_sequences = (large ? engine.sequences_large : engine.sequences).value;
  if (serving.max_sequences == 0) serving.max_sequences = (Count{scenario.workload.batch} * Count{serving.beams}).value;
  if (serving.memory_permille == 0) serving.memory_permille = default_share(scenario, tier);
  if (engine.graphs.each.value <= 0) serving.cuda_graphs = Switch::off;
  if (serving.disaggregation == Disaggregation::prefill && !engine.prefill_graphs) serving.cuda_graphs = Switch::off;
  if (serving.cuda_graphs == Switch::profile) serving.cuda_graphs = Switch::on;
  // vllm-project/vllm, vllm/config/vllm.py, _set_cudagraph_sizes: twice as many as the sequences of a pass.
  if (serving.largest_graph == 0) serving.largest_graph = std::min(2 * serving.max_sequences, engine.graphs.most.value);
  if (serving.value_dtype == CacheDtype::same) serving.value_dtype = serving.kv_dtype;
  if (serving.block_tokens == 0) serving.block_tokens = std::max<std::int64_t>({engine.kv_block_tokens.value, hybrid_page(scenario), 1});
  if (serving.latent_cache == LatentCache::profile) serving.latent_cache = engine.latent_cache;
  if (serving.latent_cache == LatentCache::profile) serving.latent_cache = LatentCache::latent;
  if (!engine.shares_prefixes) serving.shared_tokens = 0;
  if (!engine.beams) serving.beams = 1;
  if (!engine.speculates) serving.draft_tokens = 0;
  if (serving.draft_tokens == 0) serving.drafter = Drafter::model;
  if (serving.latent_buffer_bytes == 0) serving.latent_buffer_bytes = engine.latent_buffer.value;
  if (!engine.speculates || prediction_layers(scenario.model) == Count{0}) serving.predicts_drafts = false;
  if (!engine.divides_cache) serving.cache_parallel = 1;
  if (engine.lora_room == LoraRoom::none) serving.lora_slots = 0;
  if (serving.flash_attention == Switch::profile) serving.flash_attention = engine.flash_attention ? Switch::on : Switch::off;
  if (serving.full_window_cache == Switch::profile) serving.full_window_cache = engine.window_cache == WindowCache::whole ? Switch::on : Switch::off;
  const auto layers = static_cast<std::int64_t>(scenario.model.pattern.size());
  if (engine.offloads_experts) {
    scenario.strategy.host_expert_layers = std::min(serving.host_expert_layers, layers);
    scenario.strategy.host_mlp_layers = std::min(serving.host_mlp_layers, layers);
  }
  if (!engine.offloads_layers) return;
  // ggml-org/llama.cpp, src/llama-model.cpp, i_gpu_start: layers go to the GPU from the last one on; newer builds count the head first.
  const std::int64_t counted = engine.head_is_a_layer ? layers + 1 : layers;
  scenario.strategy.host_layers = std::clamp<std::int64_t>(counted - serving.gpu_layers, 0, layers);
  scenario.strategy.head_on_host = engine.head_is_a_layer ? serving.gpu_layers == 0 : serving.gpu_layers <= layers;
}

Scenario scenario_of(const Inputs& inputs, const Profile& profile, const Profile& engine) {
  Scenario scenario{.model = inputs.model,
                    .weights = inputs.weights,
                    .workload = inputs.workload,
                    .job = inputs.job,
                    .strategy = inputs.strategy,
                    .serving = inputs.serving,
                    .implementation = inputs.implementation,
                    .tuning = inputs.tuning,
                    .composition = inputs.composition,
                    .auxiliary_models = {},
                    .hardware = inputs.hardware,
                    .profile = profile};
  if (const Switch asked = scenario.implementation.tf32; asked != Switch::profile) scenario.profile.training.tf32 = asked == Switch::on;
  if (const Switch asked = scenario.implementation.expandable_segments; asked != Switch::profile)
    scenario.profile.runtime.expandable_segments = asked == Switch::on;
  if (scenario.strategy.vocab_multiple == 0) scenario.strategy.vocab_multiple = profile.vocab_multiple.value;
  scenario.strategy.vocab_multiple_each = profile.vocab_multiple_each;
  if (!trains(scenario.workload.task) || !scenario.workload.trains_prediction) {
    scenario.model.prediction.clear(); // their weights are among the tensors; nothing is predicted
    scenario.model.prediction_depths = Count{0};
  }
  if (is_frozen(scenario)) {
    scenario.workload.context_tokens = (Count{scenario.workload.context_tokens} + Count{added_tokens(scenario.tuning)}).value;
    if (scenario.workload.mean_tokens > 0)
      scenario.workload.mean_tokens = (Count{scenario.workload.mean_tokens} + Count{added_tokens(scenario.tuning)}).value;
    if (scenario.tuning.adapter_dtype == AdapterDtype::profile) scenario.tuning.adapter_dtype = profile.training.tuning.adapter_dtype;
    if (scenario.strategy.precision == Precision::fp32) scenario.tuning.adapter_dtype = AdapterDtype::fp32;
  }
  // LitGPT has its own layers, whatever matrices a family's checkpoints join: queries, keys and values in one map, the MLP's in two.
  if (is_frozen(scenario) && profile.training.tuning.joint_attention)
    for (LayerGroup& group : scenario.model.groups) group.fused_projections = false;
  if (!trains(scenario.workload.task)) { // what only training asks has no effect on serving
    // ggml-org/llama.cpp, src/llama-model.cpp, load_tensors: without --tensor-split, in proportion to what is free on each GPU.
    if (scenario.strategy.tensor_split.empty()) scenario.strategy.tensor_split = inputs.hardware.usable_each;
    scenario.strategy = serving_strategy(scenario.strategy, inputs.serving, profile.inference, scenario.model);
    scenario.workload.micro_batches = 1;
    scenario.workload.batching = Batching::padded;
    scenario.workload.mean_tokens = 0;
    scenario.implementation = {};
    scenario.tuning = {};
    settle_serving(scenario);
  }
  compose(scenario, inputs.role_models, engine);
  return scenario;
}

Scenario scenario_of(const Inputs& inputs, const Profile& profile) { return scenario_of(inputs, profile, profile); }

} // namespace plimsoll
