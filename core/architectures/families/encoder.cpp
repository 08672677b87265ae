// Encoders that give vectors: nothing is cached, and there is no output head. BERT (arXiv 1810.04805), RoBERTa, DistilBERT, ELECTRA,
// MPNet, ModernBERT (arXiv 2412.13663), NomicBERT. Sources as in llama_like.cpp.
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

Tensor norm_tensor(std::string_view name, Count size) { return {.name = name, .kind = TensorKind::norms, .rows = size, .columns = Count{2}, .matrix = false}; }

/// Frame and layers, which are alike; gives one of them.
Layer read_encoder(ModelBuilder& draft) {
  read_frame(draft);
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  layer.attention.caches = false;
  layer.mlp.intermediate_size = read_mlp_width(draft);
  read_layers(draft, layer);
  draft.out.has_head = false;
  return layer;
}

/// Word, position and type vectors are added and normalised, then layers, each with a norm after attention and one after the MLP.
void build_bert(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const Layer layer = read_encoder(draft);
  Architecture& out = draft.out;
  out.final_norm = false;
  const bool types_and_pooler = draft.family.type != "distilbert";
  const bool own_map = draft.family.classifier == ClassifierRule::dense && classifies_sequences(draft); // its classifier has one in place of the pooler's
  const bool has_pooler = types_and_pooler && draft.family.type != "nomic_bert" && !own_map && !classifies_tokens(draft);
  const Count types = types_and_pooler ? read.count("token_types", {"type_vocab_size"}, draft.family.type == "mpnet" ? 0 : 2) : Count{0};
  if (types > Count{0}) out.extras.push_back(map_tensor("token_type_embeddings", TensorKind::positions, types, out.hidden_size));
  out.extras.push_back(norm_tensor("embeddings.LayerNorm", out.hidden_size));
  if (draft.family.type == "mpnet") {
    const Count buckets = read.count("relative_buckets", {"relative_attention_num_buckets"}, 32);
    out.extras.push_back({.name = "relative_attention_bias", .kind = TensorKind::positions, .rows = buckets, .columns = layer.attention.query_heads, .matrix = false});
  }
  if (read.fact("pooler", has_pooler ? 1 : 0) == 0) return;
  out.extras.push_back(map_tensor("pooler.dense", TensorKind::pooler, out.hidden_size, out.hidden_size));
  out.extras.push_back(vector_tensor("pooler.dense.bias", TensorKind::pooler, out.hidden_size));
}

/// Vectors of a width of their own, with a map to the layers' where that is another.
void build_electra(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_encoder(draft);
  Architecture& out = draft.out;
  out.final_norm = false;
  const Count width = read.count("embedding_size", {"embedding_size"}, draft.hidden()), positions = out.learned_positions;
  out.learned_positions = Count{0};
  out.embedding_size = width;
  out.extras.push_back(map_tensor("position_embeddings", TensorKind::positions, positions, width));
  out.extras.push_back(map_tensor("token_type_embeddings", TensorKind::positions, read.count("token_types", {"type_vocab_size"}, 2), width));
  out.extras.push_back(norm_tensor("embeddings.LayerNorm", width));
  if (width == out.hidden_size) return;
  out.extras.push_back(map_tensor("embeddings_project", TensorKind::embedding, out.hidden_size, width));
  out.extras.push_back(vector_tensor("embeddings_project.bias", TensorKind::embedding, out.hidden_size));
}

/// Gated MLPs, norms first; every third layer looks at everything. The first layer has no norm before its attention.
void build_modernbert(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_encoder(draft);
  Architecture& out = draft.out;
  out.norm = read.choice("norm", read.says({"norm_bias"}, false) ? NormKind::layernorm : NormKind::layernorm_no_bias);
  if (out.layers.front().norms > Count{1}) out.layers.front().norms = out.layers.front().norms - Count{1};
  const Count vectors{out.norm == NormKind::layernorm ? 2 : 1};
  out.extras.push_back(vector_tensor("embeddings.norm", TensorKind::norms, vectors * out.hidden_size));
  const auto every = static_cast<std::size_t>(read.integer("full_attention_interval", {"global_attn_every_n_layers"}, 3));
  std::vector<bool> slides(draft.layers());
  for (std::size_t i = 0; i < slides.size(); ++i) slides[i] = i % every != 0;
  set_windows(draft, slides, read.integer("sliding_window", {"local_attention"}, 128));
}

constexpr Family bert(std::string_view type, std::string_view name, std::int64_t vocab, ClassifierRule classifier = ClassifierRule::dense) {
  return {.type = type, .name = name, .defaults = {.hidden = 768, .layers = 12, .heads = 12, .mlp = 3072, .vocab = vocab, .context = 512},
          .norm = NormKind::layernorm, .qkv_bias = kPresent, .output_bias = kPresent, .mlp_bias = kPresent, .tied = true, .mlp = MlpKind::plain,
          .activation = "gelu", .learned_positions = true, .classifier = classifier, .build = build_bert};
}

constexpr Family kFamilies[] = {
    bert("bert", "BERT", 30522, ClassifierRule::pooled),
    bert("roberta", "RoBERTa", 50265),
    bert("xlm-roberta", "XLM-RoBERTa", 250002),
    bert("camembert", "CamemBERT", 32005),
    bert("mpnet", "MPNet", 30527),
    [] {
      Family family = bert("distilbert", "DistilBERT", 30522);
      family.mlp_width = [](ModelBuilder& draft) { return draft.read.number({"hidden_dim"}, {1, 16'777'216}, 3072); };
      return family;
    }(),
    [] {
      Family family = bert("electra", "ELECTRA", 30522);
      family.build = build_electra;
      return family;
    }(),
    // Rotary positions and gated MLPs in BERT's frame, without a pooler (arXiv 2402.01613; its code is shipped with the weights).
    {.type = "nomic_bert", .name = "NomicBERT", .defaults = {.hidden = 768, .layers = 12, .heads = 12, .mlp = 3072, .vocab = 30528, .context = 8192},
     .norm = NormKind::layernorm, .qkv_bias = {.names = {"qkv_proj_bias"}}, .output_bias = {.names = {"qkv_proj_bias"}},
     .mlp_bias = {.names = {"mlp_fc1_bias"}}, .tied = true, .classifier = ClassifierRule::pooled, .build = build_bert},
    {.type = "modernbert", .name = "ModernBERT", .defaults = {.hidden = 768, .layers = 22, .heads = 12, .mlp = 1152, .vocab = 50368, .context = 8192},
     .norm = NormKind::layernorm_no_bias, .qkv_bias = {.names = {"attention_bias"}}, .output_bias = {.names = {"attention_bias"}},
     .mlp_bias = {.names = {"mlp_bias"}}, .tied = true, .activation = "gelu", .window = WindowRule::own, .classifier = ClassifierRule::dense_norm,
     .build = build_modernbert},
};

} // namespace

std::span<const Family> families::encoder() noexcept { return kFamilies; }

} // namespace plimsoll::io
