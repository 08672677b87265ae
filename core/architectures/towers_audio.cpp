// Sources: huggingface/transformers, models/whisper (the encoder that Qwen2-Audio, Qwen2.5-Omni and Voxtral have), models/gemma3n/modeling_gemma3n.py,
// models/qwen3_omni_moe/modeling_qwen3_omni_moe.py.
#include "architectures/towers.hpp"

#include <utility>

namespace plimsoll::io::towers {

namespace {

constexpr Range kSizes{1, 16'777'216};

Tensor vector(std::string_view name, Count size, Count copies = Count{1}) { return vector_tensor(name, TensorKind::vision, size, copies); }

} // namespace

Tensors whisper_encoder(ConfigReader& audio, bool stored_positions) {
  Tensors tower;
  const Count width{audio.number({"d_model", "hidden_size"}, kSizes, 1280)}, taps{3};
  const Count heads{audio.number({"encoder_attention_heads", "num_attention_heads"}, {1, 65'536}, 20)};
  add_map(tower, "conv1", width, Count{audio.number({"num_mel_bins"}, kSizes, 128)} * taps, true);
  add_map(tower, "conv2", width, width * taps, true);
  if (stored_positions) tower.push_back(map_tensor("embed_positions", TensorKind::vision, Count{audio.number({"max_source_positions"}, kSizes, 1500)}, width));
  Layer layer;
  const Count shared = width.value % heads.value == 0 ? heads : Count{1};
  layer.attention = {.query_heads = shared, .kv_heads = shared, .head_dim = Count{width.value / shared.value}, .qkv_bias = true, .key_bias = false, .output_bias = true, .caches = false};
  layer.mlp = {.intermediate_size = Count{audio.number({"encoder_ffn_dim", "intermediate_size"}, kSizes, 5120)}, .kind = MlpKind::plain, .bias = true};
  add_layers(tower, std::move(layer), width, Count{audio.number({"encoder_layers", "num_hidden_layers"}, {1, 10'000}, 32)}, NormKind::layernorm);
  tower.push_back(vector("layer_norm", width, Count{2}));
  return tower;
}

// Three convolutions over time and pitch, each of which halves both.
Tensors qwen3_omni_encoder(ConfigReader& audio, Count text) {
  Tensors tower;
  const Count width{audio.number({"d_model"}, kSizes, 1280)}, channels{audio.number({"downsample_hidden_size"}, kSizes, 480)}, square{9};
  const Count heads{audio.number({"encoder_attention_heads"}, {1, 65'536}, 20)};
  std::int64_t bins = audio.number({"num_mel_bins"}, {1, 65'536}, 128);
  for (int halved = 0; halved < 3; ++halved) bins = (bins + 1) / 2;
  add_map(tower, "conv2d1", channels, square, true);
  add_map(tower, "conv2d2", channels, channels * square, true);
  add_map(tower, "conv2d3", channels, channels * square, true);
  add_map(tower, "conv_out", width, channels * Count{bins}, false);
  Layer layer;
  const Count shared = width.value % heads.value == 0 ? heads : Count{1};
  layer.attention = {.query_heads = shared, .kv_heads = shared, .head_dim = Count{width.value / shared.value}, .qkv_bias = true, .output_bias = true, .caches = false};
  layer.mlp = {.intermediate_size = Count{audio.number({"encoder_ffn_dim"}, kSizes, 5120)}, .kind = MlpKind::plain, .bias = true};
  add_layers(tower, std::move(layer), width, Count{audio.number({"encoder_layers"}, {1, 10'000}, 32)}, NormKind::layernorm);
  tower.push_back(vector("ln_post", width, Count{2}));
  add_map(tower, "proj1", width, width, true);
  add_map(tower, "proj2", Count{audio.number({"output_dim"}, kSizes, text.value)}, width, true);
  return tower;
}

/// Two strided convolutions, then blocks of a half MLP, attention with relative positions, a convolution over time, and a half MLP.
Tensors conformer(ConfigReader& audio, Count text) {
  Tensors tower;
  const Count width{audio.number({"hidden_size"}, kSizes, 1536)}, layers{audio.number({"conf_num_hidden_layers"}, {1, 10'000}, 12)};
  const Count heads{audio.number({"conf_num_attention_heads"}, {1, 65'536}, 8)}, taps{audio.number({"conf_conv_kernel_size"}, {1, 4096}, 5)};
  const std::vector<std::int64_t> usual{128, 32};
  const auto channels = audio.numbers({"sscp_conv_channel_size"}, kSizes).value_or(usual);
  if (channels.size() != 2) return {};
  const Count first{channels[0]}, second{channels[1]}, square{9}, bins{audio.number({"input_feat_size"}, {4, 65'536}, 128)};
  add_map(tower, "conv_0", first, square, false);
  add_map(tower, "conv_1", second, first * square, false);
  tower.push_back(vector("conv_norms", first + second));
  add_map(tower, "input_proj_linear", width, second * Count{bins.value / 4}, false);
  const auto maps = [&](std::string_view name, Count rows, Count columns, std::int64_t each) {
    tower.push_back(map_tensor(name, TensorKind::vision, rows, columns, layers * Count{each}));
  };
  maps("ffw_layer_1", Count{4} * width, width, 2);
  maps("ffw_layer_2", width, Count{4} * width, 2);
  maps("attention.maps", width, width, 5); // queries, keys, values, positions, output
  maps("lconv1d.linear_start", Count{2} * width, width, 1);
  maps("lconv1d.linear_end", width, width, 1);
  tower.push_back({.name = "lconv1d.depthwise", .kind = TensorKind::vision, .rows = width, .columns = taps, .copies = layers, .active = layers, .matrix = false});
  tower.push_back(vector("attention.per_dim_scale", Count{width.value / heads.value}, layers));
  tower.push_back(vector("norms", width, layers * Count{9})); // two of each half MLP and of attention, two of the convolution, one at the end
  const Count vocab{audio.number({"vocab_size"}, kSizes, 128)};
  tower.push_back(map_tensor("embed_audio.embedding", TensorKind::vision, vocab, width));
  tower.push_back(vector("embed_audio.norms", width, Count{2}));
  add_map(tower, "embed_audio.embedding_projection", text, width, false);
  return tower;
}

} // namespace plimsoll::io::towers
