#include "parameters/tensors.hpp"
#include "term.hpp"

namespace plimsoll::parameters {

namespace {

// Query, key, value and output matrices, their biases, and per-head norms of queries and keys. The output bias is added
// after the sum over GPUs, so every GPU holds it whole.
constexpr Formula kAttention{
    .id = "parameters.attention",
    .label = "Attention",
    .unit = "parameters",
    .text = "layers * (hidden * (query + 2 * kv) + query * hidden + qkv_bias * (query + 2 * kv) + output_bias * hidden "
            "+ qk_norm * 2 * head_dim)",
    .citation = "gqa",
    .basis = Basis::counted,
    .symbols = {{{"layers", "layers", "layers of this kind", "layers"},
                 {"hidden", "channels", "width of the model", "hidden_size"},
                 {"query", "channels", "query heads × head size, of this GPU", "query_heads"},
                 {"kv", "channels", "key/value heads × head size, of this GPU", "kv_heads"},
                 {"qkv_bias", "", "1 if queries, keys and values have biases", "qkv_bias"},
                 {"output_bias", "", "1 if the output projection has a bias", "output_bias"},
                 {"qk_norm", "", "1 if queries and keys are normalised per head", "qk_norm"},
                 {"head_dim", "channels", "size of one head", "head_dim"}}}};

} // namespace

Term attention(const Model& model, const LayerGroup& group, const LayerShare& share, Count layers) noexcept {
  const Count h = model.hidden_size, q = share.query_width, kv = share.kv_width, d = share.head_dim;
  const Count qkv_bias{group.attention.qkv_bias}, output_bias{group.attention.output_bias};
  const Count qk_norm{group.attention.qk_norm == QkNorm::per_head};
  const Count qkv = q + Count{2} * kv;
  const Count one_layer = h * qkv + q * h + qkv_bias * qkv + output_bias * h + qk_norm * (Count{2} * d);
  return make_term(kAttention, layers * one_layer,
                   {layers.value, h.value, q.value, kv.value, qkv_bias.value, output_bias.value, qk_norm.value, d.value});
}

} // namespace plimsoll::parameters
