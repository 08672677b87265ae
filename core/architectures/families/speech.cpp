// Models that hear: Whisper (arXiv 2212.04356), an encoder-decoder whose encoder always gets 30 seconds, and wav2vec 2.0 (arXiv 2006.11477)
// with HuBERT (arXiv 2106.07447), encoders of 50 vectors a second. Sources: huggingface/transformers, models/whisper/modeling_whisper.py,
// models/wav2vec2/modeling_wav2vec2.py.
#include "architectures/steps/steps.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

constexpr Range kWide{1, 16'777'216};

Tensor norm_tensor(std::string_view name, Count size) { return {.name = name, .kind = TensorKind::norms, .rows = size, .columns = Count{2}, .matrix = false}; }

/// A convolution as a map from what its taps see.
void add_convolution(Architecture& to, std::string_view name, Count out, Count in, Count taps, bool bias) {
  to.extras.push_back(map_tensor(name, TensorKind::embedding, out, in * taps));
  if (bias) to.extras.push_back(vector_tensor("conv.bias", TensorKind::embedding, out));
}

void build_whisper(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Architecture& out = draft.out;
  out.max_context = read.count("max_context", {"max_target_positions"}, 448);
  out.learned_positions = Count{read.fact("learned_positions", read.number({"max_target_positions"}, kWide, 448))};
  out.encoder_tokens = read.count("encoder_tokens", {"max_source_positions"}, 1500);
  Layer decoder = read_block(draft);
  const std::int64_t heads = read.integer("query_heads", {"decoder_attention_heads", "encoder_attention_heads"}, 6);
  if (draft.hidden() % heads != 0) {
    read.report_at(read.where("query_heads"), "The width " + std::to_string(draft.hidden()) + " is not a multiple of the attention heads.", "Correct one of the two.");
    return;
  }
  decoder.attention = {.query_heads = Count{heads}, .kv_heads = Count{heads}, .head_dim = Count{read.fact("head_dim", draft.hidden() / heads)},
                       .qkv_bias = true, .key_bias = false, .output_bias = true};
  decoder.mlp.intermediate_size = read.count("intermediate_size", {"decoder_ffn_dim", "encoder_ffn_dim"}, 1536);
  Layer encoder = decoder;
  encoder.encoder = true;
  encoder.attention.caches = false;
  decoder.cross = decoder.attention;
  decoder.norms = Count{3};
  out.layers.assign(static_cast<std::size_t>(read.integer("encoder_layers", {"encoder_layers"}, 4)), encoder);
  out.layers.insert(out.layers.end(), static_cast<std::size_t>(read.integer("layers", {"decoder_layers"}, 4)), decoder);
  const Count width = out.hidden_size, bins{read.number({"num_mel_bins"}, {1, 4096}, 80)}, taps{3};
  add_convolution(out, "encoder.conv1", width, bins, taps, true);
  add_convolution(out, "encoder.conv2", width, width, taps, true);
  out.extras.push_back(map_tensor("encoder.embed_positions", TensorKind::positions, out.encoder_tokens, width));
  out.extras.push_back(norm_tensor("encoder.layer_norm", width));
}

/// Seven convolutions make a vector of 320 samples; a convolution over 128 of them stands for positions.
void build_wav2vec2(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  Architecture& out = draft.out;
  out.hidden_size = read.count("hidden_size", names::kHidden);
  out.norm = read.choice("norm", NormKind::layernorm);
  out.has_embedding = out.has_head = out.tied_embeddings = out.final_norm = false;
  out.vocab_size = Count{0};
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  layer.attention.caches = false;
  layer.mlp.intermediate_size = read.count("intermediate_size", {"intermediate_size"}, 3072);
  read_layers(draft, layer);

  const std::vector<std::int64_t> standard(7, 512), usual{10, 3, 3, 3, 3, 2, 2};
  const auto channels = read.numbers({"conv_dim"}, kWide).value_or(standard), taps = read.numbers({"conv_kernel"}, {1, 4096}).value_or(usual);
  const bool bias = read.says({"conv_bias"}, false), every = read.text({"feat_extract_norm"}, "group") == "layer";
  Count last{1};
  for (std::size_t i = 0; i < std::min<std::size_t>({channels.size(), taps.size(), 64}); ++i) {
    add_convolution(out, "feature_extractor.conv", Count{channels[i]}, last, Count{taps[i]}, bias);
    last = Count{channels[i]};
    if (every || i == 0) out.extras.push_back(norm_tensor("feature_extractor.norm", last));
  }
  const Count width = out.hidden_size, positions{read.number({"num_conv_pos_embeddings"}, {1, 65'536}, 128)};
  const Count groups{read.number({"num_conv_pos_embedding_groups"}, {1, 65'536}, 16)};
  if (read.says({"feat_proj_layer_norm"}, true)) out.extras.push_back(norm_tensor("feature_projection.layer_norm", last));
  out.extras.push_back(map_tensor("feature_projection.projection", TensorKind::embedding, width, last));
  out.extras.push_back(vector_tensor("feature_projection.bias", TensorKind::embedding, width));
  out.extras.push_back(map_tensor("pos_conv_embed", TensorKind::positions, width, ceil_div(width, groups) * positions));
  out.extras.push_back(vector_tensor("pos_conv_embed.bias_and_scale", TensorKind::positions, width + positions));
  out.extras.push_back(norm_tensor("encoder.layer_norm", width));
  out.extras.push_back(vector_tensor("masked_spec_embed", TensorKind::embedding, width));
  if (!class_of(draft).ends_with("ForCTC")) return;
  const Count letters{read.number({"vocab_size"}, kWide, 32)};
  out.extras.push_back(map_tensor("lm_head", TensorKind::pooler, letters, width));
  out.extras.push_back(vector_tensor("lm_head.bias", TensorKind::pooler, letters));
}

constexpr Family kFamilies[] = {
    {.type = "whisper", .name = "Whisper", .defaults = {.hidden = 384, .vocab = 51865, .context = 448}, .norm = NormKind::layernorm, .qkv_bias = kPresent,
     .output_bias = kPresent, .mlp_bias = kPresent, .tied = true, .mlp = MlpKind::plain, .activation = "gelu", .build = build_whisper},
    {.type = "wav2vec2", .name = "wav2vec 2.0", .defaults = {.hidden = 768, .layers = 12, .heads = 12, .mlp = 3072}, .norm = NormKind::layernorm,
     .qkv_bias = kPresent, .output_bias = kPresent, .mlp_bias = kPresent, .mlp = MlpKind::plain, .activation = "gelu", .build = build_wav2vec2},
};

} // namespace

std::span<const Family> families::speech() noexcept { return kFamilies; }

} // namespace plimsoll::io
