// Multi-head latent attention: DeepSeek-V2, 2024 (arXiv 2405.04434), section 2.1. The maps down to the latent vectors and their
// norms are whole on every GPU, the maps up are divided by heads.
#include "method/layers/tensors.hpp"

namespace plimsoll::layers {

Tensors of(const LatentAttention& attention, Count hidden_size) {
  TensorList list{TensorKind::attention};
  const Count heads = attention.heads;
  if (heads == Count{0}) return std::move(list).take();
  const Count query = heads * (attention.nope_dim + attention.rope_dim), output = heads * attention.value_dim;
  const Count latent = attention.kv_rank + attention.rope_dim;

  if (attention.query_rank > Count{0}) {
    list.map("q_a_proj", attention.query_rank, hidden_size);
    if (attention.bias) list.vector("q_a_proj.bias", attention.query_rank);
    list.vector("q_a_layernorm", attention.query_rank);
    list.map("q_b_proj", query, attention.query_rank, Split::rows, heads);
  } else {
    list.map("q_proj", query, hidden_size, Split::rows, heads);
  }
  list.map("kv_a_proj_with_mqa", latent, hidden_size);
  if (attention.bias) list.vector("kv_a_proj_with_mqa.bias", latent);
  list.vector("kv_a_layernorm", attention.kv_rank);
  list.map("kv_b_proj", heads * (attention.nope_dim + attention.value_dim), attention.kv_rank, Split::rows, heads);
  list.map("o_proj", hidden_size, output, Split::columns, heads);
  if (attention.bias) list.vector("o_proj.bias", hidden_size);
  if (attention.output_gate) list.map("g_proj", output, hidden_size, Split::rows, heads);

  Tensors tensors = std::move(list).take();
  for (Tensor& tensor : tensors) tensor.copies = tensor.active = attention.copies;
  return tensors;
}

} // namespace plimsoll::layers
