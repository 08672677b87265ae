// Megatron Core's layers (NVIDIA/Megatron-LM, megatron/core/models/gpt/gpt_layer_specs.py, megatron/core/models/hybrid,
// megatron/core/transformer/multi_latent_attention.py and multi_token_prediction.py; defaults of megatron/training/arguments.py and
// megatron/core/transformer/transformer_config.py).
#include "files/training/megatron_layers.hpp"

#include "files/training/megatron_reader.hpp"
#include "files/training/megatron_values.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace plimsoll::io::configs {

namespace {

constexpr std::string_view kByName = "Choose a model of that kind by its name, or import its config.json.";

class Layers : MegatronReader {
public:
  using MegatronReader::MegatronReader;

  void run() {
    const bool mamba = !arguments() && document_.has("model.mamba_ssm_ngroups"); // NVIDIA/NeMo, megatron_mamba_model.py: every layer, where no pattern is
    if (mamba || has("hybrid-layer-pattern") || has("hybrid-override-pattern") || has("hybrid-attention-ratio")) read_hybrid();
    else read_alike();
    if (config_.empty()) return;
    Json config{{"model_type", "decoder"}};
    config.update(config_);
    draft_.set("config", dump(config));
  }

private:
  void set_default(std::string_view field, std::string_view argument, std::int64_t usual) { draft_.set(field, whole(argument).value_or(usual)); }

  void read_alike() {
    if (is_on("multi-latent-attention")) {
      read_latent();
    } else {
      read_attention();
      read_linear();
    }
    if (whole("num-experts").value_or(0) > 0) {
      read_experts();
      place_experts();
    }
    read_prediction(whole("mtp-num-layers").value_or(0));
    if (config_.contains("model_type") && config_["model_type"] == "deepseek_v3") {
      if (!draft_.has("experts")) draft_.set("experts", 0);
      else draft_.set("correction_bias", "false"); // a buffer, which router-bias updates change
    }
  }

  void read_attention() {
    const std::int64_t heads = whole("num-attention-heads").value_or(1), hidden = stated("hidden_size");
    const bool grouped = is_on("group-query-attention");
    const auto groups = whole("num-query-groups");
    draft_.set("query_heads", heads);
    draft_.set("kv_heads", arguments() ? (grouped ? groups.value_or(1) : heads) : groups.value_or(heads)); // --num-query-groups is 1 by itself
    draft_.set("head_dim", whole("kv-channels").value_or(heads > 0 ? hidden / heads : hidden));
    const bool bias = draft_.text("mlp_bias") == "true";
    draft_.set("output_bias", bias ? "true" : "false");
    draft_.set("qkv_bias", is_on("add-qkv-bias") || bias ? "true" : "false");
    if (is_on("qk-layernorm")) draft_.set("qk_norm", draft_.text("norm") == "rmsnorm" ? "per_head" : "per_head_layernorm");
    if (const auto share = real("rotary-percent"); share && *share > 0 && *share < 1 && !draft_.has("learned_positions")) config_["partial_rotary_factor"] = *share;
  }

  /// A query's heads have a part without positions and one with; keys and values come from one latent vector.
  void read_latent() {
    config_["model_type"] = "deepseek_v3";
    draft_.set("query_heads", whole("num-attention-heads").value_or(1));
    set_default("q_lora_rank", "q-lora-rank", 0);
    set_default("kv_lora_rank", "kv-lora-rank", arguments() ? 32 : 512);
    set_default("qk_nope_head_dim", "qk-head-dim", 128);
    set_default("qk_rope_head_dim", "qk-pos-emb-head-dim", 64);
    set_default("v_head_dim", "v-head-dim", 128);
    for (const char* spared : {"group-query-attention", "num-query-groups", "kv-channels", "qk-layernorm", "add-qkv-bias", "rotary-percent"}) document_.take(key(spared));
  }

  void read_linear() {
    const bool gate = is_on("attention-output-gate");
    const std::string variant = text("experimental-attention-variant");
    if (variant.empty() && !has("linear-attention-freq")) {
      if (gate) draft_.refuse(key("attention-output-gate"), "Attention with an output gate is read beside Gated DeltaNet only.", std::string{kByName});
      return;
    }
    if (!variant.empty() && variant != "gated_delta_net")
      return draft_.refuse(key("experimental-attention-variant"), "Attention of the kind " + quoted(std::string_view{variant}) + " is not covered here.", std::string{kByName});
    config_["model_type"] = "qwen3_next";
    if (const auto every = every_or_marks("linear-attention-freq", "full_attention_interval"); !every.empty()) {
      Json kinds = Json::array();
      for (const int mark : every) kinds.push_back(mark != 0 ? "linear_attention" : "full_attention");
      config_["layer_types"] = std::move(kinds);
    }
    set_default("linear_key_heads", "linear-num-key-heads", 16);
    set_default("linear_value_heads", "linear-num-value-heads", 32);
    set_default("linear_key_dim", "linear-key-head-dim", 128);
    set_default("linear_value_dim", "linear-value-head-dim", 128);
    set_default("conv_kernel", "linear-conv-kernel-dim", 4);
    draft_.set("attention_gate", gate ? "true" : "false");
    draft_.set("prediction_layers", 0);
    if (!draft_.has("qk_norm")) draft_.set("qk_norm", "none");
    if (whole("num-experts").value_or(0) == 0) draft_.set("experts", 0);
  }

  /// 0 and 1 for each layer; a number becomes that field instead, where there is one.
  std::vector<int> every_or_marks(std::string_view argument, std::string_view field) {
    const Json* value = document_.take(key(argument));
    if (value == nullptr) return {};
    const std::string given = plain_text(*value);
    if (const auto every = whole_number(given)) {
      if (!field.empty()) draft_.set(field, *every);
      else return period(*every);
      return {};
    }
    const auto marks = marks_of(given);
    if (marks && static_cast<std::int64_t>(marks->size()) == stated("layers")) return *marks;
    document_.refuse(key(argument), "a number, or a sum of lists such as [0]*3+[1]*58 with 0 or 1 for each layer");
    return {};
  }

  /// 1 in the first of every so many layers (megatron/core/models/gpt/gpt_layer_specs.py).
  std::vector<int> period(std::int64_t every) const {
    std::vector<int> marks;
    constexpr std::int64_t kMostLayers = 10'000;
    for (std::int64_t i = 0; every > 1 && i < std::min(stated("layers"), kMostLayers); ++i) marks.push_back(i % every == 0 ? 1 : 0);
    return marks;
  }

  void read_experts() {
    draft_.set_if("experts", whole("num-experts"));
    draft_.set("experts_per_token", whole("moe-router-topk").value_or(2));
    draft_.set("expert_size", whole("moe-ffn-hidden-size").value_or(stated("intermediate_size")));
    draft_.set_if("shared_expert_size", whole("moe-shared-expert-intermediate-size"));
    if (is_on("moe-shared-expert-gate")) draft_.set("shared_expert_gate", "true");
    read_experts_kernel();
    const auto latent = whole("moe-latent-size");
    if (!latent || *latent == 0) return;
    if (hybrid_) draft_.set("expert_latent_size", *latent);
    else draft_.refuse(key("moe-latent-size"), "Experts on a latent vector are read in hybrid models only.", std::string{kByName});
  }

  /// Activation, gate and the router's weights are one kernel for gated MLPs, and for squared ReLU on demand; Transformer Engine's grouped
  /// experts are taken to be fused (megatron/core/transformer/moe/experts.py). Those of Transformer Engine's fuser of operations multiply, activate and quantise
  /// in one kernel in MXFP8, where its environment says so (transformer_engine/pytorch/ops/fused/forward_grouped_mlp.py).
  void read_experts_kernel() {
    constexpr std::string_view kGroupedMlp = "env.NVTE_CUTEDSL_FUSED_GROUPED_MLP";
    const bool gated = draft_.text("mlp_kind") == "gated", fused = gated ? draft_.text("mlp") != "eager" : is_on("use-fused-weighted-squared-relu");
    if (!arguments()) return;
    if (has("use-transformer-engine-op-fuser") && document_.peek(kGroupedMlp) != nullptr && is_on("moe-grouped-gemm") && lower_case(text("fp8-recipe")) == "mxfp8" &&
        is_on("use-transformer-engine-op-fuser") && document_.is_on(kGroupedMlp))
      draft_.set("experts_kernel", "in_products");
    else if (!fused) draft_.set("experts_kernel", "eager");
    else if (draft_.text("profile") == "megatron_local") draft_.set("experts_kernel", "fused");
  }

  /// Which layers have experts: all of them unless --moe-layer-freq says otherwise.
  void place_experts() {
    const std::vector<int> marks = every_or_marks("moe-layer-freq", "");
    const auto first = std::ranges::find(marks, 1);
    if (std::all_of(first, marks.end(), [](int mark) { return mark == 1; })) {
      if (first != marks.begin()) draft_.set("dense_layers", first - marks.begin());
      return;
    }
    config_["moe_layer_freq"] = marks;
  }

  void read_prediction(std::int64_t depths) {
    if (depths <= 0) return;
    if (!config_.contains("model_type")) config_.update({{"model_type", "deepseek_v3"}, {"use_mla", false}});
    set_prediction(depths);
  }

  void set_prediction(std::int64_t depths) {
    draft_.set("prediction_layers", depths);
    draft_.set("trains_prediction", "true");
    if (depths > 1 && is_on("mtp-use-repeated-layer")) draft_.refuse(key("mtp-use-repeated-layer"), "Prediction depths that share one layer are not covered.", "Leave the key out for an estimate in which each has its own.");
  }

  // ---- stacks whose layers are letters

  std::optional<HybridPattern> pattern() {
    for (const char* argument : {"hybrid-layer-pattern", "hybrid-override-pattern"})
      if (const std::string letters = text(argument); !letters.empty()) {
        const auto found = hybrid_pattern(letters);
        if (!found) document_.refuse(key(argument), "letters of layers with the same prediction depths behind each /");
        return found;
      }
    const double attention = real("hybrid-attention-ratio").value_or(0), mlp = real("hybrid-mlp-ratio").value_or(0);
    const auto found = hybrid_pattern(pattern_of_ratios(stated("layers"), attention, mlp));
    if (!found) document_.refuse(key("hybrid-attention-ratio"), "a part of the layers");
    return found;
  }

  void read_hybrid() {
    hybrid_ = true;
    const auto found = pattern();
    for (const char* spared : {"is-hybrid-model", "spec", "hybrid-attention-ratio", "hybrid-mlp-ratio"}) document_.take(key(spared));
    if (!found) return draft_.refuse("layers", "The kinds of the layers cannot be read.", std::string{kByName});
    std::string predicted = found->predicted;
    if (predicted.empty()) predicted = text("mtp-hybrid-override-pattern");
    const std::string letters = found->layers + predicted;
    if (const std::size_t other = letters.find_first_not_of("M*-E"); other != std::string::npos)
      return draft_.refuse("layers", "A layer of the kind " + quoted(std::string_view{letters}.substr(other, 1)) + " in a hybrid stack is not covered here.", std::string{kByName});
    draft_.set("layers", static_cast<std::int64_t>(found->layers.size()));
    config_ = {{"model_type", "nemotron_h"}, {"hybrid_override_pattern", found->layers}};
    if (letters.find('*') != std::string::npos) read_attention();
    else read_no_attention();
    if (letters.find('M') != std::string::npos) read_state_space();
    if (letters.find('E') != std::string::npos) {
      read_experts();
      draft_.set("correction_bias", "false");
    }
    const std::int64_t depths = found->depths > 0 ? found->depths : whole("mtp-num-layers").value_or(0);
    document_.take(key("mtp-num-layers"));
    if (depths > 0 && !predicted.empty()) {
      config_["mtp_hybrid_override_pattern"] = predicted;
      set_prediction(depths);
    }
    if (!found->chunks.empty()) set_megatron_chunks(draft_, found->chunks);
  }

  /// What the arguments say of attention, in a stack that has none.
  void read_no_attention() {
    config_.update({{"num_attention_heads", 1}, {"num_key_value_heads", 1}});
    for (const char* spared : {"num-attention-heads", "group-query-attention", "num-query-groups", "kv-channels"}) document_.take(key(spared));
  }

  void read_state_space() {
    set_default("ssm_state_size", "mamba-state-dim", 128);
    set_default("ssm_head_dim", "mamba-head-dim", 64);
    set_default("ssm_groups", "mamba-num-groups", 8);
    draft_.set("conv_kernel", 4);
    constexpr std::int64_t kExpand = 2;
    draft_.set("ssm_heads", whole("mamba-num-heads").value_or((Count{kExpand} * Count{stated("hidden_size")}).value / std::max<std::int64_t>(stated("ssm_head_dim"), 1)));
  }

  Json config_ = Json::object();
  bool hybrid_ = false;
};

} // namespace

void read_megatron_layers(Document& document, RequestBuilder& draft, MegatronDialect dialect) { Layers{document, draft, dialect}.run(); }

} // namespace plimsoll::io::configs
