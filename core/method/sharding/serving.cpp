// How engines divide a model that they serve.
//   Experts of vLLM stand in groups of tensor × data parallelism, each GPU with a part of every expert, or with whole ones where
//   --enable-expert-parallel asks for it: vllm-project/vllm, vllm/model_executor/layers/fused_moe/config.py, FusedMoEParallelConfig.make.
//   SGLang's data-parallel attention works within one tensor-parallel group, which divides everything but attention, norms and the
//   token table: sgl-project/sglang, python/sglang/srt/layers/dp_attention.py and srt/models/deepseek_v2.py. TensorRT-LLM's leaves all
//   but routed experts to each replica: NVIDIA/TensorRT-LLM, tensorrt_llm/_torch/models/modeling_deepseekv3.py.
#include "plimsoll/method/profile.hpp"
#include "plimsoll/method/serving.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace plimsoll {

namespace {

bool shares_experts(const Strategy& asked, const Serving& serving, const InferenceProfile& engine, const Model& model) noexcept {
  if (asked.data_parallel <= 1 || !has_experts(model)) return false;
  switch (engine.replica_experts) {
    case ReplicaExperts::apart: return false;
    case ReplicaExperts::together: return serving.data_parallel_attention != Switch::off;
    case ReplicaExperts::asked: break;
  }
  return serving.data_parallel_attention == Switch::on;
}

/// Layers of each stage where they do not divide evenly. vllm-project/vllm, vllm/distributed/utils.py, get_pp_indices; sgl-project/sglang,
/// python/sglang/srt/distributed/utils.py, likewise; NVIDIA/TensorRT-LLM, tensorrt_llm/mapping.py, pp_layers.
std::vector<std::int64_t> stage_sizes(std::int64_t layers, std::int64_t stages, OddLayers odd) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(stages), layers / stages);
  const std::int64_t more = layers % stages;
  const auto at = [&](std::int64_t i) -> std::int64_t& { return sizes[static_cast<std::size_t>(i)]; };
  for (std::int64_t i = 0; i < more; ++i)
    switch (odd) {
      case OddLayers::first: ++at(i); break;
      case OddLayers::before_last: ++at(stages - 2 - i); break;
      case OddLayers::last: ++at(stages - 1 - i); break;
      case OddLayers::with_head: break; // above
    }
  return sizes;
}

/// Layers of each GPU where the output head is divided along as one more layer, and GPUs get parts in proportion to `shares`. Layers that the
/// host keeps, the first ones, count to the first GPU, and what is divided are the others. ggml-org/llama.cpp, src/llama-model.cpp,
/// load_tensors, get_layer_buft_list: the first GPU up to whose part the layer's place reaches.
std::vector<std::int64_t> split_sizes(std::int64_t layers, std::int64_t on_host, std::span<const std::int64_t> shares) {
  __extension__ using Wide = __int128; // products of two 64-bit numbers
  Wide all = 0;
  for (const std::int64_t share : shares) all += share;
  std::vector<std::int64_t> sizes(shares.size(), 0);
  sizes.front() = on_host;
  const std::int64_t divided = layers - on_host;
  for (std::int64_t i = 0; i < divided; ++i) {
    Wide below = shares.front();
    std::size_t gpu = 0;
    while (gpu + 1 < shares.size() && below * (divided + 1) <= Wide{i} * all) below += shares[++gpu];
    ++sizes[gpu];
  }
  return sizes;
}

/// Replicas whose tokens meet in one group of experts.
std::int64_t replicas_at_experts(const Strategy& strategy) noexcept {
  if (strategy.expert_tensor_parallel == 0) return 1;
  return std::max<std::int64_t>(1, strategy.expert_parallel * strategy.expert_tensor_parallel / strategy.tensor_parallel);
}

} // namespace

Count expert_group(const Strategy& asked, const Serving& serving, const InferenceProfile& engine, const Model& model) {
  return Count{asked.tensor_parallel} * Count{shares_experts(asked, serving, engine, model) ? asked.data_parallel : 1};
}

Strategy serving_strategy(const Strategy& asked, const Serving& serving, const InferenceProfile& engine, const Model& model) {
  Strategy strategy;
  strategy.vocab_multiple = asked.vocab_multiple;
  strategy.vocab_multiple_each = asked.vocab_multiple_each;
  strategy.tensor_parallel = asked.tensor_parallel;
  strategy.data_parallel = asked.data_parallel;
  if (engine.pipelines) strategy.pipeline_parallel = asked.pipeline_parallel;
  if (serving.disaggregation == Disaggregation::decode) {
    strategy.prefill_replicas = asked.prefill_replicas;
    strategy.prefill_tensor_parallel = asked.prefill_tensor_parallel;
  }
  const auto layers = static_cast<std::int64_t>(model.pattern.size());
  if (engine.odd_layers == OddLayers::with_head && strategy.pipeline_parallel > 1) {
    const bool stated = std::ssize(asked.tensor_split) == strategy.pipeline_parallel;
    const std::vector<std::int64_t> shares = stated ? asked.tensor_split : std::vector<std::int64_t>(static_cast<std::size_t>(strategy.pipeline_parallel), 1);
    const std::int64_t on_host = engine.offloads_layers ? std::clamp<std::int64_t>(layers + 1 - serving.gpu_layers, 0, layers) : 0;
    strategy.chunk_layers = split_sizes(layers, on_host, shares);
  } else if (layers >= strategy.pipeline_parallel && layers % strategy.pipeline_parallel != 0) {
    strategy.chunk_layers = stage_sizes(layers, strategy.pipeline_parallel, engine.odd_layers);
  }
  if (!has_experts(model)) return strategy;
  const std::int64_t group = expert_group(asked, serving, engine, model).value;
  if (engine.groups_experts) strategy.expert_parallel = asked.expert_parallel;
  if (strategy.expert_parallel > 1 || group > strategy.tensor_parallel)
    strategy.expert_tensor_parallel = std::max<std::int64_t>(1, group / strategy.expert_parallel);
  if (group > strategy.tensor_parallel && engine.dense_together) strategy.dense_tensor_parallel = group;
  return strategy;
}

Strategy rollout_strategy(std::int64_t tensor_parallel, Count gpus) noexcept {
  Strategy strategy;
  strategy.tensor_parallel = std::max<std::int64_t>(tensor_parallel, 1);
  strategy.data_parallel = std::max<std::int64_t>(gpus.value / strategy.tensor_parallel, 1);
  return strategy;
}

bool replicas_share_experts(const Strategy& strategy) noexcept { return replicas_at_experts(strategy) > 1; }

Count sequences_at_experts(Count of_a_replica, const Strategy& strategy) noexcept { return of_a_replica * Count{replicas_at_experts(strategy)}; }

Count sequences_of_replica(Count sequences, const Strategy& strategy) noexcept { return ceil_div(sequences, Count{std::max<std::int64_t>(strategy.data_parallel, 1)}); }

Bytes sent_to_experts(Bytes whole, const Strategy& strategy) noexcept {
  if (!replicas_share_experts(strategy)) return Bytes{0};
  const Count members = Count{strategy.expert_parallel} * Count{strategy.expert_tensor_parallel};
  return ring_traffic(whole, members);
}

bool divides_model(const Strategy& strategy) noexcept {
  return strategy.tensor_parallel > 1 || strategy.pipeline_parallel > 1 || replicas_share_experts(strategy);
}

Strategy without_stages(const Strategy& strategy) noexcept {
  Strategy whole; // a copy would copy chunk_layers
  whole.host_layers = strategy.host_layers;
  whole.head_on_host = strategy.head_on_host;
  whole.host_expert_layers = strategy.host_expert_layers;
  whole.host_mlp_layers = strategy.host_mlp_layers;
  whole.tensor_parallel = strategy.tensor_parallel;
  whole.expert_parallel = strategy.expert_parallel;
  whole.expert_tensor_parallel = strategy.expert_tensor_parallel;
  whole.dense_tensor_parallel = strategy.dense_tensor_parallel;
  whole.data_parallel = strategy.data_parallel;
  return whole;
}

Count prefill_gpus(const Strategy& strategy) noexcept { return Count{strategy.prefill_replicas} * gpus_of_a_replica(prefill_strategy(strategy)); }

bool reads_apart(const Strategy& strategy) noexcept { return strategy.prefill_tensor_parallel > 0 && strategy.prefill_tensor_parallel != strategy.tensor_parallel; }

Strategy prefill_strategy(const Strategy& strategy) {
  Strategy reading = strategy;
  reading.prefill_replicas = reading.prefill_tensor_parallel = 0;
  reading.data_parallel = std::max<std::int64_t>(strategy.prefill_replicas, 1);
  if (!reads_apart(strategy)) return reading;
  reading.tensor_parallel = strategy.prefill_tensor_parallel;
  if (reading.expert_parallel > 1) reading.expert_parallel = reading.tensor_parallel;
  return reading;
}

Strategy one_replica(const Strategy& strategy) {
  Strategy one = strategy;
  one.data_parallel = 1;
  return one;
}

Count hops_of(const Strategy& strategy) noexcept { return Count{strategy.pipeline_parallel - 1}; }

Count sequences_in_pass(Count sequences, const Strategy& strategy) noexcept {
  return strategy.pipeline_parallel == 1 ? sequences : ceil_div(sequences, Count{strategy.pipeline_parallel});
}

double in_one_pass(double of_all, const Strategy& strategy) noexcept { return of_all / static_cast<double>(strategy.pipeline_parallel); }

// A page holds tokens of all GPUs of the group in turn: vllm-project/vllm, vllm/v1/kv_cache_interface.py, FullAttentionSpec, dcp_world_size.
Count cached_tokens(Count tokens, const Serving& serving) noexcept {
  return serving.cache_parallel == 1 ? tokens : ceil_div(tokens, Count{serving.cache_parallel});
}

Count tokens_of_group(Count on_gpu, const Serving& serving) noexcept { return on_gpu * Count{serving.cache_parallel}; }

} // namespace plimsoll
