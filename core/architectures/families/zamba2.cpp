// Zamba2 (arXiv 2411.15242): Mamba-2 everywhere; some layers also run one of a few attention-and-MLP blocks that they share, on the
// hidden state beside the first embedding, with low-rank adapters of their own.
#include "architectures/families/hybrid.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

/// The blocks stand once in the model, however many layers use them.
void add_shared_blocks(ModelBuilder& draft, const Attention& attention, Count width, Count blocks) {
  auto& extras = draft.out.extras;
  const Count h = draft.out.hidden_size, wide = Count{2} * h, query = attention.query_heads * attention.head_dim, key = attention.kv_heads * attention.head_dim;
  extras.push_back(map_tensor("shared.q_proj", TensorKind::attention, query, wide, blocks));
  extras.push_back(map_tensor("shared.k_proj", TensorKind::attention, key, wide, blocks));
  extras.push_back(map_tensor("shared.v_proj", TensorKind::attention, key, wide, blocks));
  extras.push_back(map_tensor("shared.o_proj", TensorKind::attention, h, query, blocks));
  extras.push_back(map_tensor("shared.gate_up_proj", TensorKind::mlp, Count{2} * width, h, blocks));
  extras.push_back(map_tensor("shared.down_proj", TensorKind::mlp, h, width, blocks));
  extras.push_back(vector_tensor("shared.input_layernorm", TensorKind::norms, wide, blocks));
  extras.push_back(vector_tensor("shared.pre_ff_layernorm", TensorKind::norms, h, blocks));
}

} // namespace

void build_zamba2(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  const Count h = draft.out.hidden_size;
  const Layer block = read_block(draft);
  Attention attention{.query_heads = read.count("query_heads", names::kHeads)};
  const std::int64_t heads = attention.query_heads.value;
  attention.kv_heads = read.count("kv_heads", {"num_key_value_heads"}, heads);
  check_heads(draft, heads, attention.kv_heads.value, "kv_heads");
  attention.head_dim = read.count("head_dim", {"attention_head_dim"}, std::max<std::int64_t>(1, 2 * draft.hidden() / heads)); // kv_channels is half of it
  attention.borrowed = true;
  const Count width = read.count("intermediate_size", {"ffn_hidden_size", "intermediate_size"}, 4 * draft.hidden());
  const Mamba2 ssm = read_mamba2(draft, {.heads = 8, .state = 64});

  Layer layer;
  layer.norms = block.norms;
  layer.recurrence = ssm;
  read_layers(draft, layer);
  const auto kinds = layer_words(draft, {"layers_block_type", "layer_types"}, draft.layers());
  if (!kinds) {
    if (!read.failed())
      read.report(Severity::error, "layers_block_type", read.path_of("layers_block_type") + " is missing: without it the kinds of layers are unknown.",
                  "Paste the whole config.json of the model.");
    return;
  }
  if (!check_words(draft, *kinds, read.has("layers_block_type") ? "layers_block_type" : "layer_types", {"mamba", "hybrid"})) return;

  const Count rank = read.count("adapter_rank", {"adapter_rank", "lora_rank"}, 128), query = attention.query_heads * attention.head_dim;
  const bool adapts_mlp = read.says({"use_shared_mlp_adapter", "use_shared_block_lora"}, !read.has("adapter_rank")); // the first files and their class: on
  const bool adapts_attention = read.says({"use_shared_attention_adapter", "use_shared_attention_lora"}, false);
  std::int64_t uses = 0;
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    if (by_layer(*kinds, i) != "hybrid") continue;
    ++uses;
    Layer& at = draft.out.layers[i];
    at.attention = attention;
    at.mlp = block.mlp;
    at.mlp.intermediate_size = width;
    at.mlp.borrowed = true;
    at.extras.push_back(map_tensor("linear", TensorKind::adapters, h, h));
    if (adapts_mlp) {
      at.extras.push_back(map_tensor("gate_up_adapter.down", TensorKind::adapters, rank, h));
      at.extras.push_back(map_tensor("gate_up_adapter.up", TensorKind::adapters, Count{2} * width, rank));
    }
    if (adapts_attention) {
      at.extras.push_back(map_tensor("qkv_adapter.down", TensorKind::adapters, rank, Count{2} * h, Count{3}));
      at.extras.push_back(map_tensor("qkv_adapter.up", TensorKind::adapters, query, rank, Count{3}));
    }
  }
  const Count blocks = min(read.count("shared_blocks", {"num_mem_blocks"}, 1), Count{uses});
  if (blocks > Count{0}) add_shared_blocks(draft, attention, width, blocks);
}

} // namespace plimsoll::io
