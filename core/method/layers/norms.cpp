// RMSNorm has one vector (Zhang and Sennrich 2019, arXiv 1910.07467), LayerNorm a weight and a bias (Ba et al. 2016, arXiv 1607.06450).
#include "method/layers/tensors.hpp"

namespace plimsoll::layers {

Count norm_vectors(NormKind kind) noexcept {
  switch (kind) {
    case NormKind::layernorm: return Count{2};
    case NormKind::layernorm_no_weights: return Count{0};
    case NormKind::rmsnorm:
    case NormKind::rmsnorm_zero_centered:
    case NormKind::layernorm_no_bias: break;
  }
  return Count{1};
}

Tensors norms(Count norms, NormKind kind, Count hidden_size, TensorKind tensor_kind) {
  TensorList list{tensor_kind};
  const Count vectors = norm_vectors(kind);
  if (norms > Count{0} && vectors > Count{0}) {
    Tensor& norm = list.table("norm", hidden_size, vectors);
    norm.copies = norm.active = norms;
  }
  return std::move(list).take();
}

} // namespace plimsoll::layers
