// Dense decoders that are variants of one design. Read from their model classes in transformers (src/transformers/models), those that
// ship their code with the weights from that code; checked against published counts in tests/published.
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

constexpr FlagRule kAttentionBias{.names = {"attention_bias"}};
constexpr FlagRule kMlpBias{.names = {"mlp_bias"}};
constexpr FlagRule kUseBias{.names = {"use_bias"}};
constexpr FlagRule kBias{.names = {"bias"}};

std::int64_t chatglm_kv_heads(ModelBuilder& draft, std::int64_t heads) {
  return draft.read.says({"multi_query_attention"}, false) ? draft.read.number({"multi_query_group_num"}, {1, 65'536}, 1) : heads;
}

/// Some biases of ChatGLM belong to all linear maps, some to query, key and value only.
void finish_chatglm(ModelBuilder& draft) {
  if (draft.read.overridden("qkv_bias") || !draft.out.layers.front().mlp.bias) return;
  for (Layer& layer : draft.out.layers) layer.attention.qkv_bias = true;
  draft.read.fact("qkv_bias", 1);
}

/// The activation xIELU has two learned numbers in each layer (Apertus, arXiv 2509.14233).
void finish_apertus(ModelBuilder& draft) {
  for (Layer& layer : draft.out.layers) layer.extras.push_back(vector_tensor("act_fn", TensorKind::mlp, Count{2}));
}

/// Some layers attend to the image instead of the text, with gates on what they add; eight further rows of the token table stand for it.
void finish_mllama(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const auto listed = read.numbers({"cross_attention_layers"}, {0, 10'000}).value_or(std::vector<std::int64_t>{3, 8, 13, 18, 23, 28, 33, 38});
  for (const std::int64_t i : listed) {
    if (static_cast<std::size_t>(i) >= draft.layers()) continue;
    Layer& layer = draft.out.layers[static_cast<std::size_t>(i)];
    if (layer.attention.query_heads == Count{0}) continue; // listed twice
    layer.cross = layer.attention;
    layer.cross.qk_norm = QkNorm::per_head;
    layer.attention = {};
    layer.extras.push_back(vector_tensor("cross_attn_gates", TensorKind::attention, Count{2}));
  }
  draft.out.extras.push_back(map_tensor("embed_image_tokens", TensorKind::embedding, Count{8}, draft.out.hidden_size));
}

/// Norms before the output map and before the map down (BitNet b1.58, arXiv 2504.12285).
void finish_bitnet(ModelBuilder& draft) {
  for (Layer& layer : draft.out.layers) {
    layer.extras.push_back(vector_tensor("attn_sub_norm", TensorKind::norms, draft.out.hidden_size));
    layer.extras.push_back(vector_tensor("ffn_sub_norm", TensorKind::norms, layer.mlp.intermediate_size));
  }
}

constexpr Family kFamilies[] = {
    {.type = "llama", .name = "Llama",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 11008, .vocab = 32000, .context = 2048},
     .qkv_bias = {.names = {"attention_bias", "qkv_bias"}}, .output_bias = kAttentionBias, .mlp_bias = kMlpBias},
    {.type = "mllama", .name = "Llama 3.2 Vision",
     .defaults = {.hidden = 4096, .layers = 40, .heads = 32, .kv_heads = 8, .mlp = 14336, .vocab = 128256, .context = 131072}, .finish = finish_mllama},
    {.type = "mistral", .name = "Mistral",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .mlp = 14336, .vocab = 32000, .context = 131072},
     .qkv_bias = kAttentionBias, .window = WindowRule::all_layers, .window_size = 4096},
    {.type = "ministral", .name = "Ministral",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .mlp = 14336, .vocab = 32000, .context = 131072},
     .window = WindowRule::all_layers, .window_size = 4096},
    {.type = "ministral3", .name = "Ministral 3",
     .defaults = {.hidden = 4096, .layers = 34, .heads = 32, .kv_heads = 8, .head_dim = 128, .mlp = 14336, .vocab = 131072, .context = 262144},
     .qkv_bias = kAttentionBias, .window = WindowRule::all_layers},
    {.type = "internlm", .name = "InternLM", .defaults = {.mlp = 11008, .vocab = 103168, .context = 2048}, .qkv_bias = {.names = {"bias"}, .standard = true},
     .output_bias = {.names = {"bias"}, .standard = true}},
    {.type = "internlm2", .name = "InternLM 2",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 11008, .vocab = 103168, .context = 2048},
     .qkv_bias = kBias, .output_bias = kBias, .fused = true},
    {.type = "internlm3", .name = "InternLM 3",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 11008, .vocab = 128512, .context = 32768},
     .qkv_bias = {.names = {"qkv_bias"}}, .output_bias = kBias, .mlp_bias = kBias},
    {.type = "baichuan", .name = "Baichuan", .defaults = {.mlp = 11008, .vocab = 125696, .context = 4096}, .fused = true},
    {.type = "granite", .name = "Granite",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 11008, .vocab = 32000, .context = 2048},
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .mlp_bias = kMlpBias},
    {.type = "smollm3", .name = "SmolLM 3",
     .defaults = {.hidden = 2048, .layers = 36, .heads = 16, .kv_heads = 4, .mlp = 11008, .vocab = 128256, .context = 32768},
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .mlp_bias = kMlpBias, .tied = true, .window = WindowRule::when_switched_on},
    {.type = "ernie4_5", .name = "ERNIE 4.5",
     .defaults = {.hidden = 1024, .layers = 18, .heads = 16, .kv_heads = 2, .head_dim = 128, .mlp = 3072, .vocab = 103424, .context = 131072},
     .qkv_bias = kUseBias, .output_bias = kUseBias, .mlp_bias = kUseBias, .tied = true},
    {.type = "paddleocr_vl", .name = "PaddleOCR-VL",
     .defaults = {.hidden = 1024, .layers = 18, .heads = 16, .kv_heads = 2, .head_dim = 128, .mlp = 3072, .vocab = 103424, .context = 131072},
     .qkv_bias = kUseBias, .output_bias = kUseBias, .mlp_bias = kUseBias, .tied = true},
    {.type = "muse_glimmer", .name = "Muse Glimmer",
     .defaults = {.hidden = 6656, .layers = 52, .heads = 32, .kv_heads = 2, .head_dim = 128, .mlp = 19968, .vocab = 202048, .context = 131072},
     .norms = 4, .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .caps_logits = true, .window = WindowRule::all_but_every_nth, .window_size = 2048,
     .window_pattern = 4, .finish = gate_attention},
    {.type = "phi3", .name = "Phi-3",
     .defaults = {.hidden = 3072, .layers = 32, .heads = 32, .mlp = 8192, .vocab = 32064, .context = 4096}, .fused = true,
     .window = WindowRule::all_layers},
    {.type = "phi3small", .name = "Phi-3-small", .defaults = {.kv_heads = 8, .mlp = 14336, .vocab = 100352, .context = 8192},
     .norm = NormKind::layernorm, .qkv_bias = kPresent, .output_bias = kPresent, .mlp_bias = kPresent, .tied = true, .fused = true},
    {.type = "phi", .name = "Phi",
     .defaults = {.hidden = 2048, .layers = 24, .heads = 32, .vocab = 51200, .context = 2048}, .norm = NormKind::layernorm, .norms = 1,
     .qk_norm = QkRule::layernorm_by_flag, .qkv_bias = kPresent, .output_bias = kPresent, .mlp_bias = kPresent, .head_bias = kPresent,
     .parallel = kPresent, .mlp = MlpKind::plain, .mlp_factor = 4, .activation = "gelu_new"},
    {.type = "glm", .name = "GLM-4",
     .defaults = {.hidden = 4096, .layers = 40, .heads = 32, .kv_heads = 2, .head_dim = 128, .mlp = 13696, .vocab = 151552, .context = 131072},
     .qkv_bias = kAttentionBias, .fused = true},
    {.type = "glm4", .name = "GLM-4-0414",
     .defaults = {.hidden = 4096, .layers = 40, .heads = 32, .kv_heads = 2, .head_dim = 128, .mlp = 13696, .vocab = 151552, .context = 131072},
     .norms = 4, .qkv_bias = kAttentionBias, .fused = true},
    {.type = "glm4v", .name = "GLM-4V",
     .defaults = {.hidden = 4096, .layers = 40, .heads = 32, .kv_heads = 2, .mlp = 13696, .vocab = 151552, .context = 32768},
     .norms = 4, .qkv_bias = {.names = {"attention_bias"}, .standard = true}, .fused = true},
    {.type = "glm_ocr", .name = "GLM-OCR",
     .defaults = {.hidden = 1536, .layers = 16, .heads = 16, .kv_heads = 8, .head_dim = 128, .mlp = 4608, .vocab = 59392, .context = 131072},
     .norms = 4, .qkv_bias = kAttentionBias, .fused = true, .prediction = true},
    {.type = "chatglm", .name = "ChatGLM", .defaults = {.mlp = 13696, .vocab = 65024, .context = 2048},
     .qkv_bias = {.names = {"add_qkv_bias"}}, .output_bias = {.names = {"add_bias_linear"}}, .mlp_bias = {.names = {"add_bias_linear"}},
     .fused = true, .kv_heads = chatglm_kv_heads, .finish = finish_chatglm},
    {.type = "exaone", .name = "EXAONE 3", .defaults = {.context = 2048}, .tied = true},
    {.type = "exaone4", .name = "EXAONE 4",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 16384, .vocab = 102400, .context = 2048}, .qk_norm = QkRule::per_head,
     .window = WindowRule::all_but_every_nth, .window_size = 4096, .window_pattern = 4},
    {.type = "minicpm", .name = "MiniCPM", .defaults = {.mlp = 11008, .vocab = 32000, .context = 2048}, .qkv_bias = kAttentionBias,
     .output_bias = kAttentionBias, .tied = true},
    {.type = "arcee", .name = "Arcee",
     .defaults = {.hidden = 2560, .layers = 32, .heads = 32, .mlp = 18432, .vocab = 32000, .context = 4096}, .qkv_bias = kAttentionBias,
     .output_bias = kAttentionBias, .mlp_bias = kMlpBias, .mlp = MlpKind::plain},
    {.type = "Yi", .name = "Yi", .defaults = {.mlp = 11008, .vocab = 64000, .context = 4096}},
    {.type = "aquila", .name = "Aquila", .defaults = {.mlp = 11008, .vocab = 100008, .context = 2048}},
    {.type = "xverse", .name = "XVERSE", .defaults = {.mlp = 13824, .vocab = 100278, .context = 8192}},
    {.type = "orion", .name = "Orion", .defaults = {.mlp = 15360, .vocab = 84608, .context = 4096}, .norm = NormKind::layernorm},
    {.type = "helium", .name = "Helium",
     .defaults = {.hidden = 2560, .layers = 24, .heads = 20, .head_dim = 128, .mlp = 7040, .vocab = 48000, .context = 4096},
     .qkv_bias = kAttentionBias, .mlp_bias = kMlpBias},
    {.type = "bitnet", .name = "BitNet",
     .defaults = {.hidden = 2560, .layers = 30, .heads = 20, .kv_heads = 5, .mlp = 6912, .vocab = 128256, .context = 2048},
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .tied = true, .finish = finish_bitnet},
    {.type = "hunyuan_v1_dense", .name = "Hunyuan dense",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 11008, .vocab = 290943, .context = 2048}, .qk_norm = QkRule::per_head_unless_off,
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias},
    {.type = "seed_oss", .name = "Seed-OSS",
     .defaults = {.hidden = 4096, .layers = 64, .heads = 80, .kv_heads = 8, .head_dim = 128, .mlp = 27648, .vocab = 155136, .context = 524288},
     .qkv_bias = {.names = {"attention_bias"}, .standard = true}, .output_bias = {.names = {"attention_out_bias"}}, .mlp_bias = kMlpBias},
    {.type = "olmo", .name = "OLMo",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 11008, .vocab = 50304, .context = 2048},
     .norm = NormKind::layernorm_no_weights, .qkv_bias = kAttentionBias, .output_bias = kAttentionBias},
    {.type = "olmo2", .name = "OLMo 2",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 11008, .vocab = 50304, .context = 2048}, .qk_norm = QkRule::full,
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias},
    {.type = "olmo3", .name = "OLMo 3",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 11008, .vocab = 50304, .context = 2048}, .qk_norm = QkRule::full,
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .window = WindowRule::all_but_every_nth, .window_size = 4096,
     .window_pattern = 4},
    {.type = "cohere", .name = "Command R",
     .defaults = {.hidden = 8192, .layers = 40, .heads = 64, .mlp = 22528, .vocab = 256000, .context = 8192},
     .norm = NormKind::layernorm_no_bias, .norms = 1, .qk_norm = QkRule::full_by_flag, .qkv_bias = kAttentionBias,
     .output_bias = kAttentionBias, .parallel = kPresent, .tied = true},
    {.type = "cohere2", .name = "Command R7B and A",
     .defaults = {.hidden = 8192, .layers = 40, .heads = 64, .mlp = 22528, .vocab = 256000, .context = 8192},
     .norm = NormKind::layernorm_no_bias, .norms = 1, .qk_norm = QkRule::full_by_flag, .qkv_bias = kAttentionBias,
     .output_bias = kAttentionBias, .parallel = kPresent, .tied = true, .window = WindowRule::all_but_every_nth, .window_size = 4096,
     .window_pattern = 4},
    {.type = "stablelm", .name = "StableLM",
     .defaults = {.hidden = 2560, .layers = 32, .heads = 32, .mlp = 6912, .vocab = 50304, .context = 4096}, .norm = NormKind::layernorm,
     .norms_in_parallel = 1, .qk_norm = QkRule::full_by_flag, .qkv_bias = {.names = {"use_qkv_bias"}},
     .parallel = {.names = {"use_parallel_residual"}}},
    {.type = "nemotron", .name = "Nemotron",
     .defaults = {.hidden = 6144, .layers = 32, .heads = 48, .mlp = 24576, .vocab = 256000, .context = 4096}, .norm = NormKind::layernorm,
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .mlp_bias = kMlpBias, .mlp = MlpKind::plain},
    {.type = "apertus", .name = "Apertus",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 14336, .vocab = 131072, .context = 65536},
     .qk_norm = QkRule::per_head_unless_off, .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .mlp_bias = kMlpBias,
     .mlp = MlpKind::plain, .finish = finish_apertus},
    {.type = "llada", .name = "LLaDA",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 12288, .vocab = 126464, .context = 4096},
     .qkv_bias = {.names = {"include_qkv_bias", "include_bias"}}, .output_bias = {.names = {"include_bias"}}, .mlp_bias = {.names = {"include_bias"}},
     .finish = look_both_ways},
};

} // namespace

std::span<const Family> families::llama_like() noexcept { return kFamilies; }

} // namespace plimsoll::io
