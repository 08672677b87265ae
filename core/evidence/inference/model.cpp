#include "evidence/inference/parts.hpp"

#include <algorithm>

namespace plimsoll::io::accuracy::inference {

namespace {

constexpr std::int64_t kMostLayers = 2'000, kLargest = 100'000'000;

/// A size, written as a number or as text; 0 where there is none.
Count size_in(const Json& object, const char* key) {
  std::optional<std::int64_t> value = number_of(object, key);
  if (const std::string text = text_of(object, key); !text.empty()) value = number_behind(text, "", 0);
  return Count{value && *value >= 1 && *value <= kLargest ? *value : 0};
}

bool agrees(Count ours, Count stated) { return stated == Count{0} || ours == stated; }

/// Whether the catalogue's model has the dimensions that the row states.
bool is_described_by(const Model& model, const Json& arch) {
  return agrees(Count{static_cast<std::int64_t>(model.pattern.size())}, size_in(arch, "n_layer")) &&
         agrees(model.hidden_size, size_in(arch, "hidden")) && agrees(model.vocab_size, size_in(arch, "vocab"));
}

/// Latent attention as GGUF files describe it: expanded widths, or one key head as wide as the latent vector.
void read_latent(const Json& arch, Layer& layer, Question& into) {
  LatentAttention& latent = layer.latent;
  const Json& mla = object_at(arch, "mla");
  const Count heads = size_in(arch, "n_head"), keys = size_in(arch, "n_embd_k_gqa"), values = size_in(arch, "n_embd_v_gqa");
  latent.heads = max(heads, Count{1});
  latent.kv_rank = max(size_in(arch, "n_lora_kv"), size_in(mla, "kv_lora_rank"));
  latent.rope_dim = size_in(mla, "qk_rope");
  latent.nope_dim = size_in(mla, "qk_nope");
  latent.value_dim = size_in(mla, "v_head");
  if (latent.rope_dim == Count{0} && size_in(arch, "n_kv_head") == Count{1} && keys > latent.kv_rank) {
    latent.rope_dim = keys - latent.kv_rank;
    if (values == latent.kv_rank) into.inputs.serving.latent_cache = LatentCache::latent_and_values;
  }
  if (latent.rope_dim == Count{0}) {
    latent.rope_dim = Count{64};
    into.assumed.push_back("arch.qk_rope: 64, as in every published model of this architecture");
  }
  if (latent.nope_dim == Count{0} && heads > Count{0} && keys.value / heads.value > latent.rope_dim.value)
    latent.nope_dim = Count{keys.value / heads.value} - latent.rope_dim;
  if (latent.value_dim == Count{0} && heads > Count{0}) latent.value_dim = Count{values.value / heads.value};
}

void read_attention(const Json& arch, Layer& layer, Question& into) {
  const Count heads = size_in(arch, "n_head"), kv_heads = size_in(arch, "n_kv_head"), hidden = size_in(arch, "hidden");
  const Count keys = size_in(arch, "n_embd_k_gqa"), values = size_in(arch, "n_embd_v_gqa");
  Attention& attention = layer.attention;
  attention.kv_heads = kv_heads > Count{0} ? kv_heads : heads;
  attention.query_heads = heads > Count{0} ? heads : attention.kv_heads;
  attention.head_dim = size_in(arch, "head_dim");
  if (attention.head_dim == Count{0} && keys > Count{0} && attention.kv_heads > Count{0}) {
    attention.head_dim = Count{keys.value / attention.kv_heads.value};
    attention.value_dim = Count{values.value / attention.kv_heads.value};
  }
  if (attention.head_dim == Count{0} && heads > Count{0}) attention.head_dim = Count{hidden.value / heads.value};
  into.cache_known = attention.head_dim > Count{0} && attention.kv_heads > Count{0};
  attention.head_dim = max(attention.head_dim, Count{1});
  attention.query_heads = max(attention.query_heads, Count{1});
  attention.kv_heads = max(attention.kv_heads, Count{1});
  const auto bias = arch.find("qkv_bias");
  attention.qkv_bias = bias != arch.end() && bias->is_boolean() && bias->get<bool>();
}

/// "5 local : 1 global": every sixth layer attends to everything; "alternating": every second.
std::int64_t full_every(const Json& swa) {
  const std::string pattern = text_of(swa, "pattern");
  if (const auto local = number_behind(pattern, "", 0); local && has(pattern, "local") && *local >= 1 && *local < 100) return *local + 1;
  return has(pattern, "alternat") || has(pattern, "1:1") || has(pattern, "half") ? 2 : 0;
}

void build(const Json& arch, Question& into) {
  Architecture architecture;
  Layer layer;
  const Count layers = size_in(arch, "n_layer");
  if (layers == Count{0} || layers > Count{kMostLayers}) return into.decline("The row names no model that the catalogue has, and states no layers.");
  architecture.hidden_size = max(size_in(arch, "hidden"), Count{1});
  architecture.vocab_size = max(size_in(arch, "vocab"), Count{1});
  if (size_in(arch, "n_lora_kv") > Count{0} || arch.contains("mla")) read_latent(arch, layer, into);
  else read_attention(arch, layer, into);
  layer.mlp.intermediate_size = size_in(arch, "ffn");
  const Json& moe = object_at(arch, "moe");
  layer.moe.experts = size_in(moe, "n_expert");
  layer.moe.per_token = size_in(moe, "top_k");
  layer.moe.expert_size = size_in(moe, "moe_ffn");
  const auto tied = arch.find("tied");
  architecture.tied_embeddings = tied != arch.end() && tied->is_boolean() && tied->get<bool>();
  architecture.id = "custom";
  architecture.layers.assign(static_cast<std::size_t>(layers.value), layer);
  if (const Json& swa = object_at(arch, "swa"); !swa.is_null())
    if (const std::int64_t every = full_every(swa), window = size_in(swa, "window").value; every > 1 && window > 0)
      for (std::int64_t i = 0; i < layers.value; ++i)
        if ((i + 1) % every != 0) {
          architecture.layers[static_cast<std::size_t>(i)].attention.reach = Reach::sliding;
          architecture.layers[static_cast<std::size_t>(i)].attention.window = Count{window};
        }
  into.whole_model = size_in(arch, "hidden") > Count{0} && size_in(arch, "vocab") > Count{0} && layer.mlp.intermediate_size > Count{0} &&
                     layer.moe.experts == Count{0} && layer.latent.heads == Count{0};
  into.inputs.model = make_model(architecture);
}

} // namespace

void read_model(const Json& row, Question& into) {
  const Json& arch = object_at(row, "arch");
  if (const ModelRow* found = find_model(text_of(row, "model"))) {
    ImportedModel imported = import_model(*found);
    if (imported.model && (arch.is_null() || is_described_by(*imported.model, arch))) {
      into.inputs.model = std::move(*imported.model);
      into.whole_model = true;
      // A file may describe one key head as wide as the latent vector, and values that are the vector again.
      if (size_in(arch, "n_kv_head") == Count{1} && size_in(arch, "n_embd_v_gqa") > Count{0} &&
          size_in(arch, "n_embd_v_gqa") == size_in(arch, "n_lora_kv"))
        into.inputs.serving.latent_cache = LatentCache::latent_and_values;
      return;
    }
  }
  if (arch.is_null()) return into.decline("The catalogue has no model \"" + text_of(row, "model") + "\", and the row states no dimensions.");
  build(arch, into);
}

} // namespace plimsoll::io::accuracy::inference
