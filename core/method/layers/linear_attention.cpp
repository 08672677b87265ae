// Linear attention: Gated DeltaNet, Yang et al. 2024 (arXiv 2412.06464); Kimi Delta Attention, Kimi Team 2025 (arXiv 2510.26692);
// lightning attention, MiniMax 2025 (arXiv 2501.08313); and the gated short convolution of LFM2. Divided by heads or channels.
#include "method/layers/recurrences.hpp"

namespace plimsoll::layers {

Tensors of(const GatedDeltaNet& delta, Count hidden_size) {
  TensorList list{TensorKind::recurrence};
  const Count key = delta.key_heads * delta.key_dim, value = delta.value_heads * delta.value_dim;
  const Count mixed = Count{2} * key + value;
  list.map("in_proj_qkvz", mixed + value, hidden_size, Split::rows, delta.key_heads);
  list.map("in_proj_ba", Count{2} * delta.value_heads, hidden_size, Split::rows, delta.value_heads);
  list.table("conv1d", mixed, delta.kernel, Split::rows, delta.key_heads);
  list.vector("dt_bias", delta.value_heads, Split::rows, delta.value_heads);
  list.vector("A_log", delta.value_heads, Split::rows, delta.value_heads);
  list.vector("norm", delta.value_dim);
  list.map("out_proj", hidden_size, value, Split::columns, delta.value_heads);
  return std::move(list).take();
}

RecurrenceShape shape_of(const GatedDeltaNet& delta, Count) noexcept {
  const Count key = delta.key_heads * delta.key_dim, value = delta.value_heads * delta.value_dim;
  return {.units = delta.value_heads,
          .conv_channels = Count{2} * key + value,
          .conv_taps = delta.kernel - Count{1},
          .state = value * delta.key_dim,
          .projected = Count{2} * (key + value) + Count{2} * delta.value_heads,
          .inner = value};
}

Tensors of(const KimiDelta& delta, Count hidden_size) {
  TensorList list{TensorKind::recurrence};
  const Count heads = delta.heads, inner = heads * delta.head_dim;
  for (const char* name : {"q_proj", "k_proj", "v_proj"}) list.map(name, inner, hidden_size, Split::rows, heads);
  for (const char* name : {"q_conv1d", "k_conv1d", "v_conv1d"}) list.table(name, inner, delta.kernel, Split::rows, heads);
  if (delta.full_rank_decay) {
    list.map("f_proj", inner, hidden_size, Split::rows, heads);
  } else {
    list.map("f_a_proj", delta.head_dim, hidden_size);
    list.map("f_b_proj", inner, delta.head_dim, Split::rows, heads);
  }
  list.map("b_proj", heads, hidden_size, Split::rows, heads);
  if (delta.full_rank_gate) {
    list.map("g_proj", inner, hidden_size, Split::rows, heads);
  } else {
    list.map("g_a_proj", delta.head_dim, hidden_size);
    list.map("g_b_proj", inner, delta.head_dim, Split::rows, heads);
  }
  list.vector("A_log", heads, Split::rows, heads);
  list.vector("dt_bias", inner, Split::rows, heads);
  list.vector("o_norm", delta.head_dim);
  list.map("o_proj", hidden_size, inner, Split::columns, heads);
  return std::move(list).take();
}

RecurrenceShape shape_of(const KimiDelta& delta, Count) noexcept {
  const Count inner = delta.heads * delta.head_dim;
  return {.units = delta.heads,
          .conv_channels = Count{3} * inner,
          .conv_taps = delta.kernel - Count{1},
          .state = inner * delta.head_dim,
          .projected = Count{5} * inner + delta.heads,
          .inner = inner};
}

Tensors of(const Lightning& linear, Count hidden_size) {
  TensorList list{TensorKind::recurrence};
  const Count inner = linear.heads * linear.head_dim;
  list.map("qkv_proj", Count{3} * inner, hidden_size, Split::rows, linear.heads);
  list.map("output_gate", inner, hidden_size, Split::rows, linear.heads);
  list.map("out_proj", hidden_size, inner, Split::columns, linear.heads);
  list.vector("norm", inner, Split::rows, linear.heads);
  return std::move(list).take();
}

RecurrenceShape shape_of(const Lightning& linear, Count) noexcept {
  const Count inner = linear.heads * linear.head_dim;
  return {.units = linear.heads, .state = inner * linear.head_dim, .projected = Count{4} * inner, .inner = inner};
}

Tensors of(const ShortConvolution& convolution, Count hidden_size) {
  TensorList list{TensorKind::recurrence};
  list.map("in_proj", Count{3} * hidden_size, hidden_size, Split::rows, hidden_size);
  list.table("conv", hidden_size, convolution.kernel, Split::rows, hidden_size);
  list.map("out_proj", hidden_size, hidden_size, Split::columns, hidden_size);
  if (convolution.bias) {
    list.vector("in_proj.bias", Count{3} * hidden_size, Split::rows, hidden_size);
    list.vector("conv.bias", hidden_size, Split::rows, hidden_size);
    list.vector("out_proj.bias", hidden_size);
  }
  return std::move(list).take();
}

RecurrenceShape shape_of(const ShortConvolution& convolution, Count hidden_size) noexcept {
  return {.units = hidden_size,
          .conv_channels = hidden_size,
          .conv_taps = convolution.kernel - Count{1},
          .projected = Count{3} * hidden_size,
          .inner = hidden_size};
}

} // namespace plimsoll::layers
