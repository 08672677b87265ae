#include "method/tuning/sites.hpp"

#include "plimsoll/method/tuning_parameters.hpp"

#include <array>
#include <string_view>

namespace plimsoll {

namespace {

struct ModuleName {
  std::string_view name;
  std::uint32_t targets;
};

// Names of modules in transformers' model code, last component. peft, src/peft/utils/constants.py, lists those that LoRA takes in each family.
constexpr std::array kModules{
    ModuleName{"q_proj", kTargetQuery}, ModuleName{"k_proj", kTargetKey}, ModuleName{"v_proj", kTargetValue},
    ModuleName{"o_proj", kTargetOutput}, ModuleName{"gate_proj", kTargetGate}, ModuleName{"up_proj", kTargetUp},
    ModuleName{"down_proj", kTargetDown}, ModuleName{"embed_tokens", kTargetEmbedding}, ModuleName{"lm_head", kTargetHead},
    ModuleName{"qkv_proj", kTargetQuery | kTargetKey | kTargetValue}, ModuleName{"query_key_value", kTargetQuery | kTargetKey | kTargetValue},
    ModuleName{"c_attn", kTargetQuery | kTargetKey | kTargetValue}, ModuleName{"Wqkv", kTargetQuery | kTargetKey | kTargetValue},
    ModuleName{"gate_up_proj", kTargetGate | kTargetUp}, ModuleName{"dense_h_to_4h", kTargetUp}, ModuleName{"dense_4h_to_h", kTargetDown},
    ModuleName{"out_proj", kTargetOutput | kTargetMixer}, ModuleName{"in_proj", kTargetMixer}, ModuleName{"fc1", kTargetUp}, ModuleName{"fc2", kTargetDown},
    ModuleName{"fc_in", kTargetUp}, ModuleName{"fc_out", kTargetDown}, ModuleName{"c_fc", kTargetUp}, ModuleName{"query", kTargetQuery},
    ModuleName{"key", kTargetKey}, ModuleName{"value", kTargetValue}, ModuleName{"w1", kTargetGate}, ModuleName{"w2", kTargetDown},
    ModuleName{"w3", kTargetUp}, ModuleName{"wte", kTargetEmbedding}, ModuleName{"word_embeddings", kTargetEmbedding},
    ModuleName{"q_a_proj", kTargetQuery}, ModuleName{"q_b_proj", kTargetQuery}, ModuleName{"kv_a_proj_with_mqa", kTargetKey | kTargetValue},
    ModuleName{"kv_b_proj", kTargetKey | kTargetValue}, ModuleName{"input_layernorm", kTargetNorms},
    ModuleName{"post_attention_layernorm", kTargetNorms}, ModuleName{"norm", kTargetFinalNorm}};

std::string_view last_component(std::string_view name) noexcept { return name.substr(name.rfind('.') + 1); }

} // namespace

std::uint32_t targets_of_module(std::string_view module) noexcept {
  for (const ModuleName& row : kModules)
    if (row.name == last_component(module)) return row.targets;
  return 0;
}

namespace tuning {

std::uint32_t targets_of(const Tensor& tensor) noexcept {
  if (!tensor.matrix) return 0;
  switch (tensor.kind) {
    case TensorKind::attention:
    case TensorKind::mlp:
    case TensorKind::shared_experts:
    case TensorKind::embedding:
    case TensorKind::head: return targets_of_module(tensor.name);
    case TensorKind::recurrence: return kTargetMixer;
    default: return 0; // routers and stacked experts are parameters, not linear modules: adapters pass them by
  }
}

Reader reader_of(const Tensor& tensor, std::uint32_t targets, const LayerGroup* group) noexcept {
  if (group == nullptr || tensor.kind == TensorKind::recurrence || tensor.name.starts_with("cross.")) return Reader::alone;
  if (tensor.name == "q_b_proj" || tensor.name == "kv_b_proj") return Reader::alone; // each reads a latent vector of its own
  if ((targets & (kTargetQuery | kTargetKey | kTargetValue)) != 0) return Reader::attention;
  if ((targets & kTargetOutput) != 0) return Reader::output;
  if ((targets & (kTargetGate | kTargetUp)) != 0) return group->parallel ? Reader::attention : Reader::mlp;
  return tensor.kind == TensorKind::mlp ? Reader::down : Reader::alone;
}

bool joins(const Tensor& before, const Tensor& tensor, const LayerGroup* group) noexcept {
  if (group == nullptr || !group->fused_projections || before.kind != tensor.kind || before.columns != tensor.columns) return false;
  if (tensor.kind == TensorKind::attention)
    return (before.name == "q_proj" && tensor.name == "k_proj") || (before.name == "k_proj" && tensor.name == "v_proj");
  return tensor.kind == TensorKind::mlp && before.name == "gate_proj" && tensor.name == "up_proj";
}

bool has_bias(const Model& model, const ModelTensor& part) noexcept {
  for (const ModelTensor& other : model.tensors)
    if (other.group == part.group && other.tensor.name.ends_with(".bias") &&
        other.tensor.name.substr(0, other.tensor.name.size() - 5) == part.tensor.name)
      return true;
  return false;
}

} // namespace tuning

} // namespace plimsoll
