// Decoders of the age of GPT-2 and GPT-3, and code models after them. Sources as in llama_like.cpp.
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

constexpr FlagRule kBias{.names = {"bias"}};
constexpr FlagRule kUseBias{.names = {"use_bias"}, .standard = true};
constexpr FlagRule kEnableBias{.names = {"enable_bias"}, .standard = true};

std::int64_t one_when_multi_query(ModelBuilder& draft, std::int64_t heads) { return draft.read.says({"multi_query"}, true) ? 1 : heads; }

/// Falcon's files state KV heads that hold only for its new layout.
std::int64_t falcon_kv_heads(ModelBuilder& draft, std::int64_t heads) {
  if (!draft.read.says({"new_decoder_architecture"}, false)) return one_when_multi_query(draft, heads);
  return draft.read.number({"num_kv_heads", "n_head_kv"}, {1, 65'536}, heads);
}

void finish_falcon(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const bool renewed = read.says({"new_decoder_architecture"}, false), parallel = renewed || read.says({"parallel_attn"}, true);
  const std::int64_t norms = parallel ? read.number({"num_ln_in_parallel_attn"}, {1, 2}, renewed ? 2 : 1) : 2;
  for (Layer& layer : draft.out.layers) {
    layer.norms = Count{read.fact("norms_per_layer", norms)};
    layer.parallel = read.fact("parallel_block", norms == 1 ? 1 : 0) != 0;
  }
}

/// GPT-Neo alternates: [[["global", "local"], 12]] or a list with an entry for each layer.
void finish_gpt_neo(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  std::vector<std::string> kinds;
  if (const auto listed = read.words({"attention_layers"})) {
    kinds = *listed;
  } else if (const Json* types = read.find("attention_types"); types != nullptr && types->is_array()) {
    for (const Json& entry : *types) { // the same kinds again and again; only their order matters
      if (!entry.is_array() || entry.empty() || !entry.front().is_array()) continue;
      for (const Json& kind : entry.front())
        if (kind.is_string()) kinds.push_back(kind.get<std::string>());
    }
  }
  if (kinds.empty()) kinds = {"global", "local"};
  if (!check_words(draft, kinds, read.has("attention_layers") ? "attention_layers" : "attention_types", {"global", "local"})) return;
  std::vector<bool> slides(draft.layers());
  for (std::size_t i = 0; i < slides.size(); ++i) slides[i] = by_layer(kinds, i) == "local";
  set_windows(draft, slides, read.integer("sliding_window", {"window_size"}, 256));
}

/// OPT-350m has narrower token vectors with maps in and out, norms after the blocks, and so no last one.
void finish_opt(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  Architecture& out = draft.out;
  const Count narrow = read.count("embedding_size", {"word_embed_proj_dim"}, draft.hidden());
  if (narrow != out.hidden_size) {
    out.embedding_size = narrow;
    out.extras.push_back(map_tensor("project_in", TensorKind::embedding, out.hidden_size, narrow));
    out.extras.push_back(map_tensor("project_out", TensorKind::head, narrow, out.hidden_size));
  }
  out.final_norm = read.says({"do_layer_norm_before"}, true) && !read.says({"_remove_final_layer_norm"}, false);
}

void finish_bloom(ModelBuilder& draft) {
  Architecture& out = draft.out;
  out.extras.push_back({.name = "word_embeddings_layernorm", .kind = TensorKind::norms, .rows = out.hidden_size, .columns = Count{2}, .matrix = false});
}

std::int64_t mpt_width(ModelBuilder& draft) { return scaled(draft.hidden(), draft.read.real({"expansion_ratio"}, {0, 1024}, 4)); }

void finish_mpt(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const bool biased = !read.says({"no_bias"}, true);
  draft.out.norm = read.choice("norm", biased ? NormKind::layernorm : NormKind::layernorm_no_bias);
  for (Layer& layer : draft.out.layers) {
    layer.attention.qkv_bias = read.fact("qkv_bias", biased) != 0;
    layer.attention.output_bias = read.fact("output_bias", biased) != 0;
    layer.mlp.bias = read.fact("mlp_bias", biased) != 0;
  }
  const bool table = read.says({"learned_pos_emb"}, true) && !read.says({"attn_config.alibi"}, true);
  draft.out.learned_positions = Count{read.fact("learned_positions", table ? draft.out.max_context.value : 0)};
}

constexpr Family gpt_j(std::string_view type, std::string_view name, Defaults defaults) {
  return {.type = type, .name = name, .defaults = defaults, .norm = NormKind::layernorm, .norms = 1, .mlp_bias = kPresent,
          .head_bias = kPresent, .parallel = kPresent, .mlp = MlpKind::plain, .mlp_factor = 4, .activation = "gelu_new"};
}

constexpr Family falcon(std::string_view type) {
  return {.type = type, .name = "Falcon", .defaults = {.hidden = 4544, .layers = 32, .heads = 71, .vocab = 65024, .context = 2048},
          .norm = NormKind::layernorm, .qkv_bias = kBias, .output_bias = kBias, .mlp_bias = kBias, .tied = true, .fused = true,
          .mlp = MlpKind::plain, .mlp_factor = 4, .kv_heads = falcon_kv_heads, .finish = finish_falcon};
}

constexpr Family kFamilies[] = {
    {.type = "gpt2", .name = "GPT-2", .defaults = {.hidden = 768, .layers = 12, .heads = 12, .vocab = 50257, .context = 1024},
     .norm = NormKind::layernorm, .qkv_bias = kPresent, .output_bias = kPresent, .mlp_bias = kPresent, .tied = true, .fused = true,
     .mlp = MlpKind::plain, .mlp_factor = 4, .activation = "gelu_new", .learned_positions = true},
    {.type = "openai-gpt", .name = "GPT", .defaults = {.hidden = 768, .layers = 12, .heads = 12, .vocab = 40478, .context = 512},
     .norm = NormKind::layernorm, .qkv_bias = kPresent, .output_bias = kPresent, .mlp_bias = kPresent, .tied = true, .fused = true,
     .mlp = MlpKind::plain, .mlp_factor = 4, .activation = "gelu_new", .learned_positions = true, .final_norm = false},
    {.type = "persimmon", .name = "Persimmon",
     .defaults = {.hidden = 4096, .layers = 36, .heads = 64, .mlp = 16384, .vocab = 262144, .context = 16384}, .norm = NormKind::layernorm,
     .qk_norm = QkRule::layernorm_unless_off, .qkv_bias = kPresent, .output_bias = kPresent, .mlp_bias = kPresent, .fused = true, .mlp = MlpKind::plain,
     .activation = "relu2"},
    {.type = "gpt_bigcode", .name = "StarCoder", .defaults = {.hidden = 768, .layers = 12, .heads = 12, .vocab = 50257, .context = 1024},
     .norm = NormKind::layernorm, .qkv_bias = kPresent, .output_bias = kPresent, .mlp_bias = kPresent, .tied = true, .fused = true,
     .mlp = MlpKind::plain, .mlp_factor = 4, .activation = "gelu_pytorch_tanh", .learned_positions = true, .kv_heads = one_when_multi_query},
    {.type = "gpt_neo", .name = "GPT-Neo", .defaults = {.hidden = 2048, .layers = 24, .heads = 16, .vocab = 50257, .context = 2048},
     .norm = NormKind::layernorm, .output_bias = kPresent, .mlp_bias = kPresent, .tied = true, .mlp = MlpKind::plain, .mlp_factor = 4,
     .activation = "gelu_new", .learned_positions = true, .window = WindowRule::own, .finish = finish_gpt_neo},
    gpt_j("gptj", "GPT-J", {.hidden = 4096, .layers = 28, .heads = 16, .vocab = 50400, .context = 2048}),
    gpt_j("codegen", "CodeGen", {.hidden = 4096, .layers = 28, .heads = 16, .vocab = 50400, .context = 2048}),
    {.type = "gpt_neox", .name = "GPT-NeoX",
     .defaults = {.hidden = 6144, .layers = 44, .heads = 64, .mlp = 24576, .vocab = 50432, .context = 2048}, .norm = NormKind::layernorm,
     .qkv_bias = {.names = {"attention_bias"}, .standard = true}, .output_bias = {.names = {"attention_bias"}, .standard = true},
     .mlp_bias = kPresent, .fused = true, .mlp = MlpKind::plain, .activation = "gelu"},
    {.type = "opt", .name = "OPT",
     .defaults = {.hidden = 768, .layers = 12, .heads = 12, .mlp = 3072, .vocab = 50272, .context = 2048}, .norm = NormKind::layernorm,
     .qkv_bias = kEnableBias, .output_bias = kEnableBias, .mlp_bias = kEnableBias, .tied = true, .mlp = MlpKind::plain,
     .activation = "relu", .learned_positions = true, .position_offset = 2, .finish = finish_opt},
    {.type = "bloom", .name = "BLOOM", .defaults = {.hidden = 64, .layers = 2, .heads = 8, .vocab = 250880}, .norm = NormKind::layernorm,
     .qkv_bias = kPresent, .output_bias = kPresent, .mlp_bias = kPresent, .tied = true, .fused = true, .mlp = MlpKind::plain,
     .mlp_factor = 4, .activation = "gelu", .finish = finish_bloom},
    falcon("falcon"),
    falcon("RefinedWeb"),
    falcon("RefinedWebModel"),
    {.type = "mpt", .name = "MPT", .defaults = {.hidden = 2048, .layers = 24, .heads = 16, .vocab = 50368, .context = 2048},
     .norm = NormKind::layernorm_no_bias, .tied = true, .fused = true, .mlp = MlpKind::plain, .activation = "gelu", .mlp_width = mpt_width,
     .finish = finish_mpt},
    {.type = "starcoder2", .name = "StarCoder 2",
     .defaults = {.hidden = 3072, .layers = 30, .heads = 24, .kv_heads = 2, .mlp = 12288, .vocab = 49152, .context = 4096},
     .norm = NormKind::layernorm, .qkv_bias = kUseBias, .output_bias = kUseBias, .mlp_bias = kUseBias, .tied = true, .mlp = MlpKind::plain,
     .activation = "gelu_pytorch_tanh", .window = WindowRule::all_layers},
};

} // namespace

std::span<const Family> families::gpt() noexcept { return kFamilies; }

} // namespace plimsoll::io
