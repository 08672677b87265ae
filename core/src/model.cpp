#include "plimsoll/model.hpp"

#include "plimsoll/scenario.hpp"

namespace plimsoll {

namespace {

LayerGroup group_of(const ModelSpec& spec, std::int64_t layers, std::int64_t window) {
  LayerGroup group;
  group.layers = Count{layers};
  group.attention = {.query_heads = Count{spec.query_heads},
                     .kv_heads = Count{spec.kv_heads},
                     .head_dim = Count{spec.head_dim},
                     .window = Count{window},
                     .qkv_bias = spec.qkv_bias,
                     .output_bias = spec.output_bias,
                     .qk_norm = spec.qk_norm};
  group.mlp = {.kind = spec.mlp_kind, .intermediate_size = Count{spec.intermediate_size}, .bias = spec.mlp_bias, .activation = spec.activation};
  group.norms = Count{spec.norms_per_layer};
  group.parallel = spec.parallel_block;
  group.fused_projections = spec.fused_projections;
  return group;
}

} // namespace

Model model_of(const ModelSpec& spec) {
  Model model;
  model.id = spec.id;
  model.name = spec.name;
  model.hidden_size = Count{spec.hidden_size};
  model.vocab_size = Count{spec.vocab_size};
  model.learned_positions = Count{spec.learned_positions};
  model.max_context = Count{spec.max_context};
  model.norm = spec.norm;
  model.tied_embeddings = spec.tied_embeddings;
  model.head_bias = spec.head_bias;

  const std::int64_t full_layers = spec.layers - spec.sliding_layers;
  const bool mixed = full_layers > 0 && spec.sliding_layers > 0;
  if (full_layers > 0) {
    LayerGroup& group = model.groups[model.group_count++];
    group = group_of(spec, full_layers, 0);
    if (mixed) group.id = "full", group.label = "full-attention layers";
  }
  if (spec.sliding_layers > 0) {
    LayerGroup& group = model.groups[model.group_count++];
    group = group_of(spec, spec.sliding_layers, spec.sliding_window);
    if (mixed) group.id = "sliding", group.label = "sliding-window layers";
  }
  return model;
}

Scenario scenario_of(const Inputs& inputs, const Profile& profile) {
  return {.model = model_of(inputs.model),
          .workload = inputs.workload,
          .strategy = inputs.strategy,
          .hardware = inputs.hardware,
          .profile = profile};
}

} // namespace plimsoll
