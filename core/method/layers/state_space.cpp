// Mamba: Gu and Dao 2023 (arXiv 2312.00752); Mamba-2: Dao and Gu 2024 (arXiv 2405.21060). Channels, or heads, are the parts that GPUs
// divide; B and C of Mamba-2 are shared by groups of heads and whole on every GPU.
#include "method/layers/recurrences.hpp"

namespace plimsoll::layers {

Tensors of(const Mamba1& ssm, Count hidden_size) {
  TensorList list{TensorKind::recurrence};
  const Count inner = ssm.inner, selected = ssm.rank + Count{2} * ssm.state;
  list.map("in_proj", Count{2} * inner, hidden_size, Split::rows, inner);
  list.table("conv1d", inner, ssm.kernel, Split::rows, inner);
  if (ssm.conv_bias) list.vector("conv1d.bias", inner, Split::rows, inner);
  list.map("x_proj", selected, inner, Split::columns, inner);
  list.map("dt_proj", inner, ssm.rank, Split::rows, inner);
  list.vector("dt_proj.bias", inner, Split::rows, inner);
  list.table("A_log", inner, ssm.state, Split::rows, inner);
  list.vector("D", inner, Split::rows, inner);
  list.map("out_proj", hidden_size, inner, Split::columns, inner);
  if (ssm.projection_bias) {
    list.vector("in_proj.bias", Count{2} * inner, Split::rows, inner);
    list.vector("out_proj.bias", hidden_size);
  }
  if (ssm.inner_norms) {
    list.vector("dt_layernorm", ssm.rank);
    list.vector("b_layernorm", ssm.state);
    list.vector("c_layernorm", ssm.state);
  }
  return std::move(list).take();
}

RecurrenceShape shape_of(const Mamba1& ssm, Count) noexcept {
  return {.units = ssm.inner,
          .conv_channels = ssm.inner,
          .conv_taps = ssm.kernel - Count{1},
          .state = ssm.inner * ssm.state,
          .projected = Count{2} * ssm.inner,
          .inner = ssm.inner};
}

Tensors of(const Mamba2& ssm, Count hidden_size) {
  TensorList list{TensorKind::recurrence};
  const Count inner = ssm.heads * ssm.head_dim, shared = Count{2} * (ssm.groups * ssm.state), mixed = inner + shared;
  const Count projected = inner + mixed + ssm.heads;
  list.map("in_proj", projected, hidden_size, Split::rows, ssm.heads);
  list.table("conv1d", mixed, ssm.kernel, Split::rows, ssm.heads);
  if (ssm.conv_bias) list.vector("conv1d.bias", mixed, Split::rows, ssm.heads);
  for (const char* name : {"dt_bias", "A_log", "D"}) list.vector(name, ssm.heads, Split::rows, ssm.heads);
  if (ssm.gated_norm) list.vector("norm", inner, Split::rows, ssm.heads);
  list.map("out_proj", hidden_size, inner, Split::columns, ssm.heads);
  if (ssm.projection_bias) {
    list.vector("in_proj.bias", projected, Split::rows, ssm.heads);
    list.vector("out_proj.bias", hidden_size);
  }
  return std::move(list).take();
}

RecurrenceShape shape_of(const Mamba2& ssm, Count) noexcept {
  const Count inner = ssm.heads * ssm.head_dim, mixed = inner + Count{2} * (ssm.groups * ssm.state);
  return {.units = ssm.heads,
          .conv_channels = mixed,
          .conv_taps = ssm.kernel - Count{1},
          .state = inner * ssm.state,
          .projected = inner + mixed + ssm.heads,
          .inner = inner,
          .heads = ssm.heads};
}

} // namespace plimsoll::layers
