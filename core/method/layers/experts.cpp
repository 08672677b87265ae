// Mixture of experts: Shazeer et al. 2017 (arXiv 1701.06538); shared experts: DeepSeekMoE, 2024 (arXiv 2401.06066); the bias that
// only steers the choice of experts: DeepSeek-V3, 2024 (arXiv 2412.19437), section 2.1.2. Tensor parallelism divides every expert by
// channels; the router is whole on every GPU.
#include "method/layers/tensors.hpp"

namespace plimsoll::layers {

namespace {

void append(Tensors& to, Tensors from) { to.insert(to.end(), from.begin(), from.end()); }

Tensors router(const Moe& moe, Count hidden_size) {
  TensorList list{TensorKind::router};
  const Count choices = moe.experts + moe.zero_experts;
  list.map("gate", choices, hidden_size);
  if (moe.router_bias) list.vector("gate.bias", choices);
  if (moe.correction_bias) list.vector("gate.e_score_correction_bias", choices);
  if (moe.router_scales) {
    list.vector("router.scale", hidden_size);
    list.vector("router.per_expert_scale", moe.experts);
  }
  return std::move(list).take();
}

Tensors experts(const Moe& moe, Count width) {
  Tensors tensors = of(Mlp{.intermediate_size = moe.expert_size, .kind = moe.kind, .bias = moe.bias}, width);
  for (Tensor& tensor : tensors) {
    tensor.kind = TensorKind::experts;
    tensor.copies = moe.experts;
    tensor.active = min(moe.per_token, moe.experts);
  }
  return tensors;
}

Tensors latent_maps(const Moe& moe, Count hidden_size) {
  TensorList list{TensorKind::adapters};
  list.map("latent_down_proj", moe.latent_size, hidden_size);
  list.map("latent_up_proj", hidden_size, moe.latent_size);
  if (moe.latent_norm) list.vector("latent_norm", moe.latent_size);
  return std::move(list).take();
}

Tensors shared(const Moe& moe, Count hidden_size) {
  Tensors tensors = of(Mlp{.intermediate_size = moe.shared_size, .kind = moe.kind, .bias = moe.bias}, hidden_size);
  if (moe.shared_gate) tensors.push_back({.name = "shared_expert_gate", .columns = hidden_size});
  for (Tensor& tensor : tensors) tensor.kind = TensorKind::shared_experts;
  return tensors;
}

} // namespace

Tensors of(const Moe& moe, Count hidden_size) {
  if (moe.experts == Count{0}) return {};
  const bool narrow = moe.latent_size > Count{0};
  Tensors tensors = router(moe, hidden_size);
  append(tensors, experts(moe, narrow ? moe.latent_size : hidden_size));
  if (narrow) append(tensors, latent_maps(moe, hidden_size));
  if (moe.shared_size > Count{0}) append(tensors, shared(moe, hidden_size));
  return tensors;
}

} // namespace plimsoll::layers
