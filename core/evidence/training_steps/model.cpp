// {"family", "layers", "hidden", …, "moe"}: tests/measure/families.py, facts_of. What a family's code does beyond its dimensions
// stands in transformers, src/transformers/models/*/modeling_*.py.
#include "evidence/peft.hpp"
#include "evidence/training_steps/fields.hpp"

#include <array>

namespace plimsoll::io::accuracy::training_steps {

namespace {

struct Family {
  std::string_view name;
  bool fused_projections = false; ///< queries, keys and values are one linear map
  bool zero_centered = false;     ///< RMSNorm multiplies by 1 + weight
  bool caps = false;              ///< caps its scores, where the kernel can, and its logits
  std::int64_t window = 0;        ///< of sliding layers, as the family's config has it unless told otherwise; 0 = none
};
constexpr std::array kFamilies{Family{"llama"},   Family{"mistral"},   Family{"qwen2"},   Family{"qwen3"},
                               Family{"phi"},     Family{"mixtral"},   Family{"qwen3_moe"}, Family{"gpt2", true},
                               Family{"phi3", true}, Family{"gemma2", false, true, true, 4096}, Family{"gemma3_text", false, true, false, 4096}};

constexpr Choice<NormKind> kNorms[] = {{"rmsnorm", NormKind::rmsnorm}, {"layernorm", NormKind::layernorm}};
constexpr Choice<Activation> kActivations[] = {
    {"silu", Activation::native}, {"gelu", Activation::native}, {"gelu_pytorch_tanh", Activation::native}, {"gelu_new", Activation::gelu_new}};
constexpr Choice<bool> kLearned[] = {{"rope", false}, {"learned", true}};

/// Experts in the place of the MLP.
void read_experts(const Place& model, Layer& layer) {
  const Json& moe = model.at("moe");
  if (moe.is_null()) return;
  if (!moe.is_object()) return model.decline("moe", "no object");
  const Place experts{moe, model.name + ".moe", model.into};
  static constexpr std::array<std::string_view, 3> kKnown{"experts", "top_k", "ffn"};
  experts.refuse_others(kKnown);
  for (const char* key : {"experts", "top_k", "ffn"})
    if (experts.at(key).is_null()) experts.decline(key, "missing");
  layer.moe.experts = Count{experts.size("experts", 1)};
  layer.moe.per_token = Count{experts.size("top_k", 1)};
  layer.moe.expert_size = Count{experts.size("ffn", 1)};
  layer.moe.kind = layer.mlp.kind;
  layer.mlp = {};
}

/// The dimensions alone, as readers of other schemas have them.
std::optional<Architecture> dimensions(const Place& model, std::int64_t positions) {
  Json shapes = model.object;
  shapes.erase("moe");
  if (model.at("max_positions").is_null()) shapes["max_positions"] = positions;
  std::string reason;
  std::optional<Architecture> architecture = architecture_of_row(shapes, model.into.assumed, reason);
  if (!architecture) model.into.decline(reason);
  return architecture;
}

} // namespace

void read_model(const Json& row, const Place& scenario) {
  MeasuredRow& into = scenario.into;
  const Json& object = member(row, "model");
  if (!object.is_object()) return into.decline("The row gives no model.");
  const Place model{object, "model", into};
  const std::int64_t tokens = scenario.size("seq", 1);
  constexpr std::int64_t kFewestPositions = 2048; // tests/measure/train.py, build
  std::optional<Architecture> architecture = dimensions(model, std::max(tokens, kFewestPositions));
  if (!architecture) return;
  const std::string name = model.word("family", "");
  const auto family = std::ranges::find(kFamilies, std::string_view{name}, &Family::name);
  if (family == kFamilies.end()) return model.decline("family", quoted(std::string_view{name}) + " is not known, so that its code is not");
  if (family->window > 0 && tokens > family->window) model.decline("family", "masks of sliding layers beyond their window are not covered");

  const bool norm_has_bias = choice(model, "norm", "rmsnorm", kNorms) == NormKind::layernorm && model.truth("norm_bias", true);
  if (model.word("norm", "") == "layernorm") architecture->norm = norm_has_bias ? NormKind::layernorm : NormKind::layernorm_no_bias;
  else if (family->zero_centered) architecture->norm = NormKind::rmsnorm_zero_centered;
  if (!choice(model, "position", "rope", kLearned)) architecture->learned_positions = Count{0};
  architecture->head_bias = model.truth("head_bias", false);
  architecture->caps_logits = family->caps;
  architecture->tied_embeddings = model.truth("tied", false);

  Layer layer = architecture->layers.front();
  layer.norms = Count{model.size("norms_per_layer", 2)};
  layer.attention.caps_scores = family->caps;
  layer.attention.qkv_bias = model.truth("qkv_bias", false);
  layer.attention.qk_norm = model.truth("qk_norm", false) ? QkNorm::per_head : QkNorm::none;
  layer.parallel = model.truth("parallel_block", false);
  layer.fused_projections = family->fused_projections;
  layer.mlp.kind = model.truth("gated_mlp", true) ? MlpKind::gated : MlpKind::plain;
  layer.mlp.activation = choice(model, "activation", "silu", kActivations);
  read_experts(model, layer);
  architecture->layers.assign(into.reading == Reading::saved_per_layer ? 1 : architecture->layers.size(), layer);
  into.inputs.model = make_model(*architecture);
}

} // namespace plimsoll::io::accuracy::training_steps
