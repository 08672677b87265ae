// Encoder-decoders: T5 (arXiv 1910.10683), mT5, UMT5 (arXiv 2304.09151), BART (arXiv 1910.13461), mBART, Marian (arXiv 1804.00344), PEGASUS
// (arXiv 1912.08777), M2M-100 and NLLB (arXiv 2207.04672). Sources as in llama_like.cpp.
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

Tensor norm_tensor(std::string_view name, NormKind norm, Count size, Count copies) {
  return {.name = name, .kind = TensorKind::norms, .rows = size, .columns = Count{norm == NormKind::layernorm ? 2 : 1}, .copies = copies, .active = copies, .matrix = false};
}

/// Encoder layers first, then decoder layers, which attend to the encoder's output as well.
void stack(ModelBuilder& draft, Layer encoder, Layer decoder, std::int64_t encoder_layers, std::int64_t decoder_layers) {
  encoder.encoder = true;
  encoder.attention.caches = false;
  encoder.norms = Count{2};
  decoder.cross = decoder.attention;
  decoder.norms = Count{3};
  draft.out.layers.assign(static_cast<std::size_t>(encoder_layers), encoder);
  draft.out.layers.insert(draft.out.layers.end(), static_cast<std::size_t>(decoder_layers), decoder);
}

void build_t5(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  const std::string mlp = read.text({"feed_forward_proj"}, draft.family.activation);
  layer.mlp.kind = read.choice("mlp_kind", mlp.starts_with("gated") || read.says({"is_gated_act"}, false) ? MlpKind::gated : MlpKind::plain);
  layer.mlp.activation = read.choice("activation", mlp == "gated-gelu" ? Activation::gelu_new : Activation::native);
  layer.mlp.intermediate_size = read_mlp_width(draft);
  layer.attention = read_attention(draft);
  const std::int64_t encoder = read.integer("encoder_layers", {"num_layers"}, 6);
  const std::int64_t decoder = read.integer("layers", {"num_decoder_layers"}, read.number({"num_layers"}, {1, 10'000}, 6));
  Layer last = layer;
  // T5 has one table of position biases in each stack, UMT5 one in each layer.
  const bool everywhere = draft.family.type == "umt5";
  const Tensor table{.name = "relative_attention_bias", .kind = TensorKind::positions, .rows = read.count("relative_buckets", {"relative_attention_num_buckets"}, 32),
                     .columns = layer.attention.query_heads, .copies = Count{everywhere ? 1 : 2}, .active = Count{everywhere ? 1 : 2}, .matrix = false};
  if (everywhere) layer.extras.push_back(table), last.extras.push_back(table);
  else draft.out.extras.push_back(table);
  draft.out.extras.push_back(norm_tensor("encoder.final_layer_norm", draft.out.norm, draft.out.hidden_size, Count{1}));
  stack(draft, layer, last, encoder, decoder);
}

void build_bart(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer encoder = read_block(draft);
  const Range heads{1, 65'536}, widths{1, 16'777'216};
  const std::int64_t decoder_heads = read.integer("query_heads", {"decoder_attention_heads", "num_attention_heads"}, 16);
  const std::int64_t encoder_heads = read.overridden("query_heads") ? decoder_heads : read.number({"encoder_attention_heads", "num_attention_heads"}, heads, 16);
  const std::int64_t decoder_width = read.integer("intermediate_size", {"decoder_ffn_dim"}, 4096);
  const std::int64_t encoder_width = read.overridden("intermediate_size") ? decoder_width : read.number({"encoder_ffn_dim"}, widths, 4096);
  if (draft.hidden() % decoder_heads != 0 || draft.hidden() % encoder_heads != 0) {
    read.report_at(read.where("query_heads"), "The width " + std::to_string(draft.hidden()) + " is not a multiple of the attention heads.", "Correct one of the two.");
    return;
  }
  Layer decoder = encoder;
  const auto fill = [&](Layer& layer, std::int64_t count, std::int64_t width) {
    layer.attention = {.query_heads = Count{count}, .kv_heads = Count{count}, .head_dim = Count{draft.hidden() / count}, .qkv_bias = true, .output_bias = true};
    layer.mlp.intermediate_size = Count{width};
  };
  fill(encoder, encoder_heads, encoder_width);
  fill(decoder, decoder_heads, decoder_width);
  read.fact("head_dim", draft.hidden() / decoder_heads);
  const std::int64_t encoder_layers = read.integer("encoder_layers", {"encoder_layers", "num_hidden_layers"}, 12);
  stack(draft, encoder, decoder, encoder_layers, read.integer("layers", {"decoder_layers", "num_hidden_layers"}, 12));

  Architecture& out = draft.out; // BART has a table of positions in each stack and a norm after it, mBART a last norm besides
  const std::string_view type = draft.family.type;
  if (out.learned_positions > Count{0}) out.extras.push_back(map_tensor("encoder.embed_positions", TensorKind::positions, out.learned_positions, out.hidden_size));
  if (type == "bart" || type == "mbart") out.extras.push_back(norm_tensor("layernorm_embedding", out.norm, out.hidden_size, Count{2}));
  if (out.final_norm) out.extras.push_back(norm_tensor("encoder.layer_norm", out.norm, out.hidden_size, Count{1}));
}

constexpr Family t5(std::string_view type, std::string_view name, std::int64_t vocab, std::string_view mlp, bool tied) {
  return {.type = type, .name = name, .defaults = {.hidden = 512, .heads = 8, .head_dim = 64, .mlp = 2048, .vocab = vocab}, .tied = tied,
          .activation = mlp, .build = build_t5};
}

constexpr Family bart(std::string_view type, std::string_view name, bool final_norm) {
  return {.type = type, .name = name, .defaults = {.hidden = 1024, .vocab = 50265, .context = 1024}, .norm = NormKind::layernorm, .qkv_bias = kPresent,
          .output_bias = kPresent, .mlp_bias = kPresent, .tied = true, .mlp = MlpKind::plain, .activation = "gelu", .learned_positions = true,
          .position_offset = 2, .final_norm = final_norm, .build = build_bart};
}

/// Tables of sines, which transformers counts among the parameters, and no norm behind the embedding.
constexpr Family without_offset(std::string_view type, std::string_view name, bool final_norm, std::int64_t vocab, std::int64_t context) {
  Family family = bart(type, name, final_norm);
  family.position_offset = 0;
  family.defaults.vocab = vocab;
  family.defaults.context = context;
  return family;
}

constexpr Family kFamilies[] = {
    t5("t5", "T5", 32128, "relu", true),
    t5("mt5", "mT5", 250112, "gated-gelu", false),
    t5("umt5", "UMT5", 250112, "gated-gelu", false),
    bart("bart", "BART", false),
    bart("mbart", "mBART", true),
    without_offset("marian", "Marian", false, 58101, 1024),
    without_offset("pegasus", "PEGASUS", true, 50265, 1024),
    [] {
      Family family = without_offset("m2m_100", "M2M-100 and NLLB", true, 128112, 1024);
      family.learned_positions = false; // sines, computed and stored nowhere
      return family;
    }(),
};

} // namespace

std::span<const Family> families::encoder_decoder() noexcept { return kFamilies; }

} // namespace plimsoll::io
