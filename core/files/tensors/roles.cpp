#include "files/tensors/roles.hpp"

#include "files/tensors/names.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::tensor_files {

namespace {

using namespace std::string_view_literals;
using enum TensorKind;

struct Row {
  std::string_view component; ///< the last of the module's name
  Role role;
  bool by_context = false; ///< the kind is that of the block around it, where that is known
};

// Sorted. Hugging Face: the modelling files of transformers. GGUF: gguf-py/gguf/constants.py of llama.cpp (TENSOR_NAMES).
constexpr std::array kRows = std::to_array<Row>({
    {"A_log", {"A_log", recurrence}},
    {"D", {"D", recurrence}},
    {"EncDecAttention", {"cross_attention", attention}},
    {"W_pack", {"qkv_proj", attention, Cut::query_rows}},
    {"Wqkv", {"qkv_proj", attention, Cut::query_rows}},
    {"attn_gate", {"attn_gate", attention, Cut::query_rows}},
    {"attn_k", {"k_proj", attention, Cut::key_rows}},
    {"attn_k_b", {"k_b_proj", attention}},
    {"attn_k_norm", {"k_norm", attention}},
    {"attn_kv_a_mqa", {"kv_a_proj_with_mqa", attention}},
    {"attn_kv_a_norm", {"kv_a_layernorm", attention}},
    {"attn_kv_b", {"kv_b_proj", attention, Cut::query_rows}},
    {"attn_o", {"o_proj", attention, Cut::query_columns}},
    {"attn_output", {"o_proj", attention, Cut::query_columns}},
    {"attn_q", {"q_proj", attention, Cut::query_rows}},
    {"attn_q_a", {"q_a_proj", attention}},
    {"attn_q_a_norm", {"q_a_layernorm", attention}},
    {"attn_q_b", {"q_b_proj", attention, Cut::query_rows}},
    {"attn_q_norm", {"q_norm", attention}},
    {"attn_qkv", {"qkv_proj", attention, Cut::query_rows}},
    {"attn_sinks", {"sinks", attention, Cut::query_rows}},
    {"attn_v", {"v_proj", attention, Cut::key_rows}},
    {"attn_v_b", {"v_b_proj", attention}},
    {"c_attn", {"qkv_proj", attention, Cut::query_rows}},
    {"c_fc", {"up_proj", mlp, Cut::channel_rows}, true},
    {"c_proj", {"down_proj", mlp, Cut::channel_columns}, true},
    {"conv", {"conv", recurrence}},
    {"conv1d", {"conv1d", recurrence}},
    {"cross_attn_k", {"k_proj", attention, Cut::key_rows}},
    {"cross_attn_o", {"o_proj", attention, Cut::query_columns}},
    {"cross_attn_q", {"q_proj", attention, Cut::query_rows}},
    {"cross_attn_v", {"v_proj", attention, Cut::key_rows}},
    {"dense", {"o_proj", attention, Cut::query_columns}, true},
    {"dense_4h_to_h", {"down_proj", mlp, Cut::channel_columns}},
    {"dense_h_to_4h", {"up_proj", mlp, Cut::channel_rows}},
    {"down_proj", {"down_proj", mlp, Cut::channel_columns}, true},
    {"dt_bias", {"dt_bias", recurrence}},
    {"dt_proj", {"dt_proj", recurrence, Cut::channel_rows}},
    {"e_score_correction_bias", {"gate.e_score_correction_bias", router}},
    {"exp_probs_b", {"gate.e_score_correction_bias", router}},
    {"fc1", {"up_proj", mlp, Cut::channel_rows}},
    {"fc2", {"down_proj", mlp, Cut::channel_columns}},
    {"fc_in", {"up_proj", mlp, Cut::channel_rows}},
    {"fc_out", {"down_proj", mlp, Cut::channel_columns}},
    {"ffn_down", {"down_proj", mlp, Cut::channel_columns}},
    {"ffn_down_exps", {"down_proj", experts, Cut::channel_columns}},
    {"ffn_down_shexp", {"down_proj", shared_experts, Cut::channel_columns}},
    {"ffn_gate", {"gate_proj", mlp, Cut::channel_rows}},
    {"ffn_gate_exps", {"gate_proj", experts, Cut::channel_rows}},
    {"ffn_gate_inp", {"gate", router}},
    {"ffn_gate_inp_shexp", {"shared_expert_gate", shared_experts}},
    {"ffn_gate_shexp", {"gate_proj", shared_experts, Cut::channel_rows}},
    {"ffn_gate_up_exps", {"gate_up_proj", experts, Cut::channel_rows}},
    {"ffn_latent_down", {"latent_down_proj", adapters}},
    {"ffn_latent_up", {"latent_up_proj", adapters}},
    {"ffn_up", {"up_proj", mlp, Cut::channel_rows}},
    {"ffn_up_exps", {"up_proj", experts, Cut::channel_rows}},
    {"ffn_up_shexp", {"up_proj", shared_experts, Cut::channel_rows}},
    {"g_proj", {"g_proj", attention, Cut::query_rows}, true},
    {"gate", {"gate", router}},
    {"gate_proj", {"gate_proj", mlp, Cut::channel_rows}, true},
    {"gate_up_proj", {"gate_up_proj", mlp, Cut::channel_rows}, true},
    {"in_proj", {"in_proj", recurrence, Cut::channel_rows}},
    {"k", {"k_proj", attention, Cut::key_rows}},
    {"k_layernorm", {"k_norm", attention}},
    {"k_norm", {"k_norm", attention}},
    {"k_proj", {"k_proj", attention, Cut::key_rows}, true},
    {"key", {"k_proj", attention, Cut::key_rows}},
    {"kv_a_layernorm", {"kv_a_layernorm", attention}},
    {"kv_a_proj_with_mqa", {"kv_a_proj_with_mqa", attention}},
    {"kv_b_proj", {"kv_b_proj", attention, Cut::query_rows}},
    {"o", {"o_proj", attention, Cut::query_columns}},
    {"o_proj", {"o_proj", attention, Cut::query_columns}, true},
    {"out_lin", {"o_proj", attention, Cut::query_columns}},
    {"out_proj", {"o_proj", attention, Cut::query_columns}, true},
    {"q", {"q_proj", attention, Cut::query_rows}},
    {"q_a_layernorm", {"q_a_layernorm", attention}},
    {"q_a_proj", {"q_a_proj", attention}},
    {"q_b_proj", {"q_b_proj", attention, Cut::query_rows}},
    {"q_conv1d", {"q_conv1d", recurrence}},
    {"q_layernorm", {"q_norm", attention}},
    {"q_norm", {"q_norm", attention}},
    {"q_proj", {"q_proj", attention, Cut::query_rows}, true},
    {"qkv_proj", {"qkv_proj", attention, Cut::query_rows}, true},
    {"query", {"q_proj", attention, Cut::query_rows}},
    {"query_key_value", {"qkv_proj", attention, Cut::query_rows}},
    {"router", {"gate", router}},
    {"shared_expert_gate", {"shared_expert_gate", shared_experts}},
    {"sinks", {"sinks", attention, Cut::query_rows}},
    {"ssm_a", {"A_log", recurrence}},
    {"ssm_alpha", {"in_proj_a", recurrence}},
    {"ssm_b_norm", {"norm", recurrence}},
    {"ssm_ba", {"in_proj_ba", recurrence}},
    {"ssm_beta", {"in_proj_b", recurrence}},
    {"ssm_beta_alpha", {"in_proj_ba", recurrence}},
    {"ssm_c_norm", {"norm", recurrence}},
    {"ssm_conv1d", {"conv1d", recurrence}},
    {"ssm_conv1d_q", {"q_conv1d", recurrence}},
    {"ssm_d", {"D", recurrence}},
    {"ssm_dt", {"dt_proj", recurrence, Cut::channel_rows}},
    {"ssm_dt_norm", {"norm", recurrence}},
    {"ssm_in", {"in_proj", recurrence, Cut::channel_rows}},
    {"ssm_norm", {"norm", recurrence}},
    {"ssm_out", {"out_proj", recurrence, Cut::channel_columns}},
    {"ssm_x", {"x_proj", recurrence, Cut::channel_columns}},
    {"up_proj", {"up_proj", mlp, Cut::channel_rows}, true},
    {"v", {"v_proj", attention, Cut::key_rows}},
    {"v_proj", {"v_proj", attention, Cut::key_rows}, true},
    {"value", {"v_proj", attention, Cut::key_rows}},
    {"w1", {"gate_proj", mlp, Cut::channel_rows}, true},
    {"w2", {"down_proj", mlp, Cut::channel_columns}, true},
    {"w3", {"up_proj", mlp, Cut::channel_rows}, true},
    {"wi", {"up_proj", mlp, Cut::channel_rows}},
    {"wi_0", {"gate_proj", mlp, Cut::channel_rows}},
    {"wi_1", {"up_proj", mlp, Cut::channel_rows}},
    {"wk", {"k_proj", attention, Cut::key_rows}},
    {"wo", {"o_proj", attention, Cut::query_columns}, true},
    {"wq", {"q_proj", attention, Cut::query_rows}},
    {"wqkv", {"qkv_proj", attention, Cut::query_rows}},
    {"wv", {"v_proj", attention, Cut::key_rows}},
    {"x_proj", {"x_proj", recurrence, Cut::channel_columns}},
});
static_assert(std::ranges::is_sorted(kRows, {}, &Row::component));

/// The block around a module; `adapters` when its name does not tell.
TensorKind context_of(std::string_view module, bool recurrent) noexcept {
  struct Context {
    std::string_view component;
    TensorKind kind;
  };
  constexpr auto kContexts = std::to_array<Context>({{"indexer", indexer},
                                                     {"shared_expert", shared_experts},
                                                     {"shared_experts", shared_experts},
                                                     {"shared_mlp", shared_experts},
                                                     {"experts", experts},
                                                     {"linear_attn", recurrence},
                                                     {"mamba", recurrence},
                                                     {"short_conv", recurrence},
                                                     {"conv", recurrence},
                                                     {"shortconv", recurrence},
                                                     {"self_attn", attention},
                                                     {"attn", attention},
                                                     {"self_attention", attention},
                                                     {"attention", attention},
                                                     {"SelfAttention", attention},
                                                     {"EncDecAttention", attention},
                                                     {"encoder_attn", attention},
                                                     {"mlp", mlp},
                                                     {"feed_forward", mlp},
                                                     {"ffn", mlp},
                                                     {"DenseReluDense", mlp},
                                                     {"block_sparse_moe", mlp},
                                                     {"intermediate", mlp},
                                                     {"output", mlp},
                                                     {"nextn", prediction}});
  for (const Context& context : kContexts)
    if (has_component(module, context.component)) return recurrent && context.kind == attention ? recurrence : context.kind;
  return recurrent ? recurrence : adapters;
}

/// A name for what has no row of its own.
std::string_view plain_name(TensorKind kind) noexcept {
  switch (kind) {
    case attention: return "attention";
    case indexer: return "indexer";
    case recurrence: return "recurrence";
    case mlp: return "mlp";
    case router: return "router";
    case experts: return "experts";
    case shared_experts: return "shared_experts";
    case norms: return "norm";
    case vision: return "vision";
    case audio: return "audio";
    case prediction: return "prediction";
    default: return "other";
  }
}

Role swapped_for_block(Role role, TensorKind context) noexcept {
  if (context == attention && role.name == "down_proj") return {"o_proj", attention, Cut::query_columns}; // GPT-2: attn.c_proj
  if (context == mlp && role.name == "o_proj") // BERT: intermediate.dense, output.dense; T5: DenseReluDense.wo
    return {"down_proj", mlp, Cut::channel_columns};
  if (context == recurrence && role.name == "o_proj") return {"out_proj", recurrence, Cut::channel_columns};
  role.kind = context;
  if (context == recurrence) role.cut = Cut::none;
  return role;
}

bool is_norm(std::string_view component) noexcept {
  return component.find("norm") != component.npos || component.starts_with("ln_") || component.find("Norm") != component.npos;
}

} // namespace

bool marks_recurrence(std::string_view component) noexcept {
  constexpr std::array kMarks = {"A_log"sv, "conv1d"sv, "q_conv1d"sv, "ssm_a"sv, "ssm_conv1d"sv, "conv"sv};
  return std::ranges::find(kMarks, component) != kMarks.end();
}

Role role_in_layer(std::string_view module, bool recurrent) noexcept {
  const std::string_view last =
      last_component(module).starts_with('*') ? last_component(parent_of(module)) : last_component(module);
  const TensorKind context = context_of(module, recurrent);
  const auto row = std::ranges::lower_bound(kRows, last, {}, &Row::component);
  if (row != kRows.end() && row->component == last && context != indexer && context != prediction) {
    Role role = row->role;
    if (module.ends_with(".*")) role.kind = experts; // "ffn_up.7", as GGUF files of 2023 name experts
    if (module.find("intermediate.dense") != module.npos) return {"up_proj", mlp, Cut::channel_rows};
    return row->by_context && context != adapters ? swapped_for_block(role, context) : role;
  }
  if (last.starts_with("ssm_") || last.starts_with("shortconv") || last.starts_with("time_mix")) return {"recurrence", recurrence};
  if (last.starts_with("channel_mix")) return {"mlp", mlp};
  if (is_norm(last)) {
    const bool own = context != adapters && context != mlp && context != experts && context != shared_experts;
    return {"norm", own ? context : norms};
  }
  return {plain_name(context), context};
}

Role as_recurrence(const Role& role) noexcept {
  if (role.kind != attention) return role;
  if (role.name == "qkv_proj") return {"in_proj_qkv", recurrence};
  if (role.name == "attn_gate") return {"in_proj_z", recurrence};
  if (role.name == "o_proj") return {"out_proj", recurrence, Cut::channel_columns};
  return {role.name, recurrence};
}

TensorKind stack_kind(std::string_view stack) noexcept {
  for (const std::string_view part : {"vision"sv, "visual"sv, "image"sv})
    if (stack.find(part) != stack.npos) return vision;
  for (const std::string_view part : {"audio"sv, "speech"sv})
    if (stack.find(part) != stack.npos) return audio;
  if (stack.starts_with("v.") || stack == "v" || stack.starts_with("mm.")) return vision;
  if (stack.starts_with("a.")) return audio;
  if (has_component(stack, "mtp") || has_component(stack, "nextn")) return prediction;
  return embedding;
}

Role role_outside(std::string_view module) noexcept {
  struct Outside {
    std::string_view component;
    Role role;
  };
  constexpr auto kOutside = std::to_array<Outside>({
      {"embed_tokens", {"embed_tokens", embedding, Cut::channel_rows}},
      {"token_embd", {"embed_tokens", embedding, Cut::channel_rows}},
      {"wte", {"embed_tokens", embedding, Cut::channel_rows}},
      {"word_embeddings", {"embed_tokens", embedding, Cut::channel_rows}},
      {"tok_embeddings", {"embed_tokens", embedding, Cut::channel_rows}},
      {"embed_in", {"embed_tokens", embedding, Cut::channel_rows}},
      {"embeddings", {"embed_tokens", embedding, Cut::channel_rows}},
      {"embedding", {"embed_tokens", embedding, Cut::channel_rows}},
      {"shared", {"embed_tokens", embedding, Cut::channel_rows}},
      {"wpe", {"embed_positions", positions}},
      {"embed_positions", {"embed_positions", positions}},
      {"position_embd", {"embed_positions", positions}},
      {"position_embeddings", {"embed_positions", positions}},
      {"token_types", {"token_types", positions}},
      {"token_type_embeddings", {"token_types", positions}},
      {"rope_freqs", {"rope_freqs", positions}},
      {"rope_factors_long", {"rope_factors", positions}},
      {"rope_factors_short", {"rope_factors", positions}},
      {"lm_head", {"lm_head", head, Cut::channel_rows}},
      {"output", {"lm_head", head, Cut::channel_rows}},
      {"embed_out", {"lm_head", head, Cut::channel_rows}},
      {"output_layer", {"lm_head", head, Cut::channel_rows}},
      {"norm", {"norm", final_norm}},
      {"output_norm", {"norm", final_norm}},
      {"ln_f", {"norm", final_norm}},
      {"norm_f", {"norm", final_norm}},
      {"final_layernorm", {"norm", final_norm}},
      {"final_layer_norm", {"norm", final_norm}},
      {"cls", {"pooler", pooler}},
  });
  if (const TensorKind kind = stack_kind(module); kind != embedding) return {plain_name(kind), kind};
  if (has_component(module, "pooler") || has_component(module, "cls")) return {"pooler", pooler};
  const std::string_view last = last_component(module);
  for (const Outside& known : kOutside)
    if (known.component == last) return known.role;
  return is_norm(last) ? Role{"norm", norms} : Role{"other", adapters};
}

} // namespace plimsoll::io::tensor_files
