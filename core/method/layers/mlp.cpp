// Gated (Shazeer 2020, arXiv 2002.05202) and plain MLPs, divided by channels. The bias of the map down is added after the sum over
// GPUs: every GPU holds it whole.
#include "method/layers/tensors.hpp"

namespace plimsoll::layers {

Tensors of(const Mlp& mlp, Count hidden_size) {
  TensorList list{TensorKind::mlp};
  const Count f = mlp.intermediate_size;
  if (f == Count{0} || mlp.borrowed) return std::move(list).take();
  const bool gated = mlp.kind == MlpKind::gated;
  if (gated) list.map("gate_proj", f, hidden_size, Split::rows, f);
  list.map("up_proj", f, hidden_size, Split::rows, f);
  list.map("down_proj", hidden_size, f, Split::columns, f);
  if (mlp.bias) {
    if (gated) list.vector("gate_proj.bias", f, Split::rows, f);
    list.vector("up_proj.bias", f, Split::rows, f);
    list.vector("down_proj.bias", hidden_size);
  }
  Tensors tensors = std::move(list).take();
  for (Tensor& tensor : tensors) tensor.copies = tensor.active = mlp.copies;
  return tensors;
}

} // namespace plimsoll::layers
