// Read from the model classes of transformers (src/transformers/models/<model_type>), and checked against the published
// parameter counts in tests/published.
#include "io/huggingface/families.hpp"

namespace plimsoll::io {

namespace {

constexpr Family kFamilies[] = {
    {.model_type = "llama",
     .name = "Llama",
     .qkv_bias = BiasRule::attention_bias_flag,
     .output_bias = BiasRule::attention_bias_flag,
     .mlp_bias = BiasRule::mlp_bias_flag},
    {.model_type = "mistral", .name = "Mistral", .window = WindowRule::all_layers},
    {.model_type = "qwen2", .name = "Qwen2", .qkv_bias = BiasRule::present, .window = WindowRule::when_switched_on},
    {.model_type = "qwen3",
     .name = "Qwen3",
     .qk_norm = QkNorm::per_head,
     .qkv_bias = BiasRule::attention_bias_flag,
     .output_bias = BiasRule::attention_bias_flag,
     .window = WindowRule::when_switched_on,
     .default_head_dim = 128},
    {.model_type = "gemma",
     .name = "Gemma",
     .norm = NormKind::rmsnorm_zero_centered,
     .qkv_bias = BiasRule::attention_bias_flag,
     .output_bias = BiasRule::attention_bias_flag,
     .tied_by_default = true,
     .default_head_dim = 256},
    {.model_type = "gemma2",
     .name = "Gemma 2",
     .norm = NormKind::rmsnorm_zero_centered,
     .norms_per_layer = 4,
     .qkv_bias = BiasRule::attention_bias_flag,
     .output_bias = BiasRule::attention_bias_flag,
     .tied_by_default = true,
     .window = WindowRule::every_second,
     .default_head_dim = 256,
     .default_window = 4096},
    {.model_type = "gemma3_text",
     .name = "Gemma 3",
     .norm = NormKind::rmsnorm_zero_centered,
     .norms_per_layer = 4,
     .qk_norm = QkNorm::per_head,
     .qkv_bias = BiasRule::attention_bias_flag,
     .output_bias = BiasRule::attention_bias_flag,
     .tied_by_default = true,
     .window = WindowRule::all_but_every_nth,
     .default_query_heads = 8,
     .default_kv_heads = 4,
     .default_head_dim = 256,
     .default_vocab_size = 262208,
     .default_max_context = 131072,
     .default_window = 4096,
     .default_window_pattern = 6},
    {.model_type = "gpt2",
     .name = "GPT-2",
     .mlp_kind = MlpKind::plain,
     .default_activation = "gelu_new",
     .norm = NormKind::layernorm,
     .qkv_bias = BiasRule::present,
     .output_bias = BiasRule::present,
     .mlp_bias = BiasRule::present,
     .tied_by_default = true,
     .learned_positions = true,
     .fused_projections = true,
     .mlp_width_factor = 4},
    {.model_type = "phi",
     .name = "Phi",
     .mlp_kind = MlpKind::plain,
     .default_activation = "gelu_new",
     .norm = NormKind::layernorm,
     .norms_per_layer = 1,
     .qkv_bias = BiasRule::present,
     .output_bias = BiasRule::present,
     .mlp_bias = BiasRule::present,
     .head_bias = true,
     .parallel_block = true,
     .mlp_width_factor = 4},
    {.model_type = "phi3", .name = "Phi-3", .fused_projections = true, .window = WindowRule::all_layers},
};

} // namespace

const Family* find_family(std::string_view model_type) noexcept {
  if (model_type == "gemma3") model_type = "gemma3_text"; // the outer type of the multimodal files
  for (const Family& family : kFamilies)
    if (family.model_type == model_type) return &family;
  return nullptr;
}

std::vector<std::string_view> family_types() {
  std::vector<std::string_view> types;
  for (const Family& family : kFamilies) types.push_back(family.model_type);
  return types;
}

} // namespace plimsoll::io
