// Decoders with multi-head latent attention: DeepSeek-V2 (arXiv 2405.04434), V3 (arXiv 2412.19437), V3.2 with its sparse-attention
// indexer, Kimi K2, GLM-4.7-Flash and GLM-5, MiniCPM 3, Mistral Large 3, LongCat-Flash (arXiv 2509.01322).
#include "architectures/families/deepseek_v4.hpp"
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

/// What selects the tokens that sparse attention looks at: a low-rank query, one key, a LayerNorm, a weight for each head.
void add_indexer(Layer& layer, Count hidden, Count heads, Count size) {
  const Count input = layer.latent.query_rank > Count{0} ? layer.latent.query_rank : hidden;
  layer.latent.index_dim = size;
  layer.extras.push_back(map_tensor("indexer.wq_b", TensorKind::indexer, heads * size, input));
  layer.extras.push_back(map_tensor("indexer.wk", TensorKind::indexer, size, hidden));
  layer.extras.push_back(vector_tensor("indexer.k_norm", TensorKind::indexer, size, Count{2}));
  layer.extras.push_back(map_tensor("indexer.weights_proj", TensorKind::indexer, heads, hidden));
}

/// Indexers in the layers that do not share the selection of an earlier one; returns a prediction layer after the last.
Layer add_indexers(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  Layer predicted = draft.out.layers.back();
  if (predicted.latent.heads == Count{0}) return predicted;
  const Count heads = read.count("index_heads", {"index_n_heads"}, 0), size = read.count("index_head_dim", {"index_head_dim"}, 0);
  if (heads == Count{0}) return predicted;
  const auto kinds = layer_words(draft, {"indexer_types"}, draft.layers());
  for (std::size_t i = 0; i < draft.layers(); ++i)
    if (!kinds || by_layer(*kinds, i) == "full") add_indexer(draft.out.layers[i], draft.out.hidden_size, heads, size);
  if (!kinds || draft.layers() >= kinds->size() || (*kinds)[draft.layers()] == "full") add_indexer(predicted, draft.out.hidden_size, heads, size);
  return predicted;
}

/// The router's correction came with the method noaux_tc of DeepSeek-V3; files that name another method have none.
void read_correction(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  if (!read.has("topk_method") || read.overridden("correction_bias")) return;
  const bool corrected = read.text({"topk_method"}, "") == "noaux_tc";
  for (Layer& layer : draft.out.layers)
    if (layer.moe.experts > Count{0}) layer.moe.correction_bias = read.fact("correction_bias", corrected ? 1 : 0) != 0;
}

void build_latent(ModelBuilder& draft) {
  read_frame(draft);
  Layer layer = read_block(draft);
  const bool latent = draft.read.says({"use_mla"}, true); // the small DeepSeek-VL2 models do without
  if (latent) layer.latent = read_latent(draft);
  else layer.attention = read_attention(draft);
  read_layers(draft, layer);
  read_feed_forward(draft);
  read_correction(draft);
  const Layer predicted = add_indexers(draft);
  add_prediction(draft, predicted, read_prediction_layers(draft));
}

/// MiniCPM 3 has value heads of the usual size, whatever the others are.
void finish_minicpm3(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const LatentAttention first = draft.out.layers.front().latent;
  if (read.has("v_head_dim") || read.overridden("v_head_dim") || draft.hidden() % first.heads.value != 0) return;
  for (Layer& layer : draft.out.layers) layer.latent.value_dim = Count{read.fact("v_head_dim", draft.hidden() / first.heads.value)};
}

/// Two blocks of latent attention and two MLPs stand around one mixture of experts in each layer.
void build_longcat(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  layer.latent = read_latent(draft);
  layer.latent.copies = Count{2};
  layer.mlp.copies = Count{2};
  layer.mlp.intermediate_size = read_mlp_width(draft);
  layer.moe = read_moe(draft, draft.family.experts);
  layer.moe.zero_experts = read.count("zero_experts", {"zero_expert_num"}, 0);
  layer.moe.router_bias = read.flag("router_bias", {"router_bias"}, false);
  read_layers(draft, layer);
  if (layer.moe.per_token > layer.moe.experts) return;

  Layer predicted = layer; // one attention block, one MLP; five norms in all
  predicted.latent.copies = predicted.mlp.copies = Count{1};
  predicted.moe = {};
  predicted.norms = Count{2};
  add_prediction(draft, predicted, read_prediction_layers(draft));
}

constexpr Family deepseek(std::string_view type, std::string_view name, Defaults defaults, ExpertRule experts) {
  return {.type = type, .name = name, .defaults = defaults, .experts = experts, .build = build_latent};
}

constexpr ExpertRule kExperts{.has = true, .width = 2048, .shared = SharedRule::count_times_width, .correction = kPresent};

constexpr Family kFamilies[] = {
    deepseek("deepseek_v2", "DeepSeek-V2", {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 11008, .vocab = 32000, .context = 2048},
             {.has = true, .width = 1407, .shared = SharedRule::count_times_width}),
    deepseek("deepseek_v3", "DeepSeek-V3", {.hidden = 7168, .layers = 61, .heads = 128, .mlp = 18432, .vocab = 129280, .context = 4096}, kExperts),
    deepseek("deepseek_v32", "DeepSeek-V3.2", {.hidden = 7168, .layers = 61, .heads = 128, .mlp = 18432, .vocab = 129280, .context = 163840}, kExperts),
    deepseek("kimi_k2", "Kimi K2", {.hidden = 7168, .layers = 61, .heads = 64, .mlp = 18432, .vocab = 163840, .context = 131072}, kExperts),
    deepseek("glm4_moe_lite", "GLM-4.7-Flash", {.hidden = 2048, .layers = 47, .heads = 20, .mlp = 10240, .vocab = 154880, .context = 202752},
             {.has = true, .width = 1536, .shared = SharedRule::count_times_width, .correction = kPresent}),
    deepseek("glm_moe_dsa", "GLM-5", {.hidden = 6144, .layers = 78, .heads = 64, .mlp = 12288, .vocab = 154880, .context = 202752}, kExperts),
    deepseek("mistral4", "Mistral Small 4 and Large 3", {.hidden = 4096, .layers = 36, .heads = 32, .mlp = 12288, .vocab = 131072, .context = 1048576},
             {.has = true, .experts = 128, .per_token = 4, .width = 2048, .shared = SharedRule::count_times_width}),
    {.type = "minicpm3", .name = "MiniCPM 3", .defaults = {.mlp = 6400, .vocab = 73448, .context = 32768}, .tied = true,
     .finish = finish_minicpm3, .build = build_latent},
    {.type = "deepseek_v4", .name = "DeepSeek V4", .defaults = {.vocab = 129280, .context = 1048576}, .experts = kExperts, .build = build_deepseek_v4},
    {.type = "longcat_flash", .name = "LongCat-Flash", .defaults = {.vocab = 131072, .context = 131072}, .norms = 4,
     .experts = {.has = true, .correction = kPresent}, .build = build_longcat},
};

} // namespace

std::span<const Family> families::latent() noexcept { return kFamilies; }

} // namespace plimsoll::io
