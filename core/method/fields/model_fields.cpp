// The facts of a model. Their defaults are those of the chosen model: a value here changes one fact of it. Which facts a model
// has is the matter of its family (core/architectures).
#include "method/fields/tables.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace plimsoll::tables {

namespace {

constexpr std::int64_t value(auto enumerator) { return static_cast<std::int64_t>(enumerator); }

constexpr Choice kMlpKinds[] = {
    {"gated", value(MlpKind::gated), "gated", "Gate, up and down matrices (SwiGLU, GeGLU)."},
    {"plain", value(MlpKind::plain), "plain", "Up and down matrices (GELU, ReLU)."},
};
constexpr Choice kNorms[] = {
    {"rmsnorm", value(NormKind::rmsnorm), "RMSNorm", "One weight vector."},
    {"layernorm", value(NormKind::layernorm), "LayerNorm", "Weight and bias vectors."},
    {"layernorm_no_bias", value(NormKind::layernorm_no_bias), "LayerNorm without bias", "One weight vector."},
    {"rmsnorm_zero_centered", value(NormKind::rmsnorm_zero_centered), "RMSNorm, 1 + weight", "One weight vector; training keeps more (Gemma)."},
    {"layernorm_no_weights", value(NormKind::layernorm_no_weights), "LayerNorm without weights", "No parameters (OLMo 1)."},
};
constexpr Choice kActivations[] = {
    {"native", value(Activation::native), "one operation", "SiLU, GELU or ReLU of the framework."},
    {"gelu_new", value(Activation::gelu_new), "GELU in Python", "The tanh approximation, operation by operation (GPT-2, Phi)."},
};
constexpr Choice kQkNorms[] = {
    {"none", value(QkNorm::none), "none", "Queries and keys are used as they are."},
    {"per_head", value(QkNorm::per_head), "per head", "One norm of head size for queries, one for keys."},
    {"full", value(QkNorm::full), "full", "A weight for each channel of each head (OLMo 2, Command R+)."},
    {"per_head_layernorm", value(QkNorm::per_head_layernorm), "per head, with biases", "A LayerNorm of head size for queries, one for keys."},
};

constexpr std::int64_t kWide = 1'048'576;       ///< channels of a vector
constexpr std::int64_t kHeads = 65'536;
constexpr std::int64_t kTokens = 100'000'000;
constexpr std::int64_t kMostLayers = 10'000;

using Text = std::string_view;

constexpr Field number(Text name, Text label, Text unit, std::int64_t min, std::int64_t max, Text help) {
  return {.name = name, .topic = Topic::model, .kind = FieldKind::integer, .label = label, .unit = unit, .help = help, .advanced = true, .min = min, .max = max};
}
constexpr Field flag(Text name, Text label, Text help, TaskSet tasks = kAllTasks) {
  return {.name = name, .topic = Topic::model, .kind = FieldKind::flag, .label = label, .unit = "", .help = help, .tasks = tasks, .advanced = true};
}
constexpr Field choice(Text name, Text label, std::span<const Choice> choices, Text help, TaskSet tasks = kAllTasks) {
  return {.name = name, .topic = Topic::model, .kind = FieldKind::choice, .label = label, .unit = "", .help = help, .tasks = tasks, .advanced = true, .choices = choices};
}

constexpr std::array kRows = {
    // Every family
    number("hidden_size", "hidden size", "channels", 1, kWide, "Width of the residual stream."),
    number("layers", "layers", "layers", 1, kMostLayers, "Transformer layers; in encoder-decoders those of the decoder."),
    number("query_heads", "query heads", "heads", 1, kHeads, "Attention heads of queries per layer."),
    number("kv_heads", "KV heads", "heads", 1, kHeads,
           "Heads of keys and values per layer; fewer than query heads is grouped-query attention, one is multi-query."),
    number("head_dim", "head size", "channels", 1, kHeads, "Channels of one attention head."),
    number("intermediate_size", "MLP width", "channels", 1, 16'777'216, "Intermediate channels of the MLP."),
    number("vocab_size", "vocabulary", "tokens", 1, 67'108'864, "Rows of the embedding table."),
    number("max_context", "longest context", "tokens", 0, kTokens, "Tokens the model was made for; 0 where unknown."),
    number("learned_positions", "position table", "rows", 0, kTokens, "Rows of a learned position table; 0 for rotary or none."),
    number("sliding_layers", "window layers", "layers", 0, kMostLayers, "How many of the attention layers look back over a sliding window only."),
    number("sliding_window", "window", "tokens", 0, kTokens, "Tokens that a sliding-window layer looks back."),
    number("norms_per_layer", "norms", "per layer", 0, 8, "Norms of the full width in each layer."),
    choice("mlp_kind", "MLP", kMlpKinds, "Gated MLPs have three matrices, plain ones two."),
    choice("norm", "norm", kNorms, "RMSNorm has one vector, LayerNorm two."),
    choice("qk_norm", "query/key norm", kQkNorms, "Whether queries and keys are normalised, and with how many weights."),
    choice("activation", "activation", kActivations,
           "How the MLP's non-linearity is written: it decides what training keeps, not the parameters.", kTraining),
    flag("qkv_bias", "QKV biases", "Biases on the query, key and value projections."),
    flag("output_bias", "output bias", "A bias on the attention output projection."),
    flag("mlp_bias", "MLP biases", "Biases on the MLP matrices, those of experts included."),
    flag("head_bias", "head bias", "A bias on the output head."),
    flag("caps_logits", "capped logits", "Logits go through a scaled tanh (Gemma 2)."),
    flag("caps_scores", "capped scores", "Attention's scores go through a scaled tanh before the softmax (Gemma 2)."),
    flag("tied_embeddings", "tied embeddings", "The output head is the embedding table."),
    flag("parallel_block", "parallel block", "Attention and MLP read the same norm."),
    flag("fused_projections", "fused projections",
         "Query, key and value are one matrix, and so are gate and up. It decides what autocast keeps, not the parameters.", kTraining),
    number("embedding_size", "embedding width", "channels", 1, kWide, "Width of the token table where it differs from the hidden size."),
    // Kinds of attention
    number("attention_chunk", "attention chunk", "tokens", 0, kTokens, "Tokens of a chunk that chunked-attention layers do not look beyond."),
    number("full_attention_interval", "full attention every", "layers", 1, kMostLayers,
           "Every so many layers one looks at the whole context; the others have a window or a recurrent state."),
    number("window_query_heads", "window query heads", "heads", 1, kHeads, "Query heads of sliding-window layers where they differ."),
    number("window_kv_heads", "window KV heads", "heads", 1, kHeads, "KV heads of sliding-window layers where they differ."),
    number("global_kv_heads", "global KV heads", "heads", 1, kHeads, "KV heads of full-attention layers where they differ."),
    number("global_head_dim", "global head size", "channels", 1, kHeads, "Head size of full-attention layers where it differs."),
    number("kv_shared_layers", "KV-sharing layers", "layers", 0, kMostLayers, "Last layers that attend to the cache of earlier ones and keep none."),
    flag("keys_are_values", "keys are values", "Full-attention layers make keys and values with one matrix."),
    flag("attention_gate", "attention gate", "A gate from the hidden state on the attention output."),
    flag("attention_sinks", "attention sinks", "One learned number per query head that attention may fall back on."),
    number("q_lora_rank", "query rank", "channels", 0, kWide, "Rank of the low-rank query map of latent attention; 0 for one full matrix."),
    number("kv_lora_rank", "KV rank", "channels", 1, kWide, "Channels of the vector that latent attention caches."),
    number("qk_nope_head_dim", "head size without position", "channels", 0, kHeads, "Channels per head without rotary position, in latent attention."),
    number("qk_rope_head_dim", "head size with position", "channels", 0, kHeads, "Channels per head with rotary position, in latent attention."),
    number("v_head_dim", "value head size", "channels", 1, kHeads, "Channels of one value head where they differ from those of keys."),
    number("index_heads", "indexer heads", "heads", 0, kHeads, "Heads of the indexer that selects what sparse attention looks at."),
    number("index_head_dim", "indexer head size", "channels", 0, kHeads, "Channels of one indexer head."),
    // Mixture of experts
    number("experts", "experts", "experts", 0, 65'536, "Experts in each expert layer; 0 for none."),
    number("experts_per_token", "experts per token", "experts", 0, 65'536, "Experts that the router picks for one token."),
    number("expert_size", "expert width", "channels", 1, 16'777'216, "Intermediate channels of one expert."),
    number("shared_expert_size", "shared expert width", "channels", 0, 16'777'216, "Intermediate channels of all shared experts together; 0 for none."),
    number("dense_layers", "dense layers", "layers", 0, kMostLayers, "First layers that have an ordinary MLP instead of experts."),
    number("expert_interval", "experts every", "layers", 1, kMostLayers, "Every so many layers one has experts."),
    number("zero_experts", "identity experts", "experts", 0, 65'536, "Choices of the router that have no parameters and return their input."),
    number("expert_latent_size", "expert input width", "channels", 0, kWide, "Narrower width on which the experts work; 0 for the hidden size."),
    flag("router_bias", "router bias", "A bias on the router's map."),
    flag("correction_bias", "router correction", "One number per expert that only steers which experts are picked."),
    flag("shared_expert_gate", "shared-expert gate", "A gate from the hidden state on the shared expert."),
    // State spaces, linear attention, convolutions
    number("ssm_inner", "state-space channels", "channels", 1, 16'777'216, "Channels of the state space."),
    number("ssm_state_size", "state size", "per channel", 1, kHeads, "Numbers of recurrent state per channel."),
    number("ssm_heads", "state-space heads", "heads", 1, kHeads, "Heads of a Mamba-2 layer."),
    number("ssm_head_dim", "state-space head size", "channels", 1, kHeads, "Channels of one Mamba-2 head."),
    number("ssm_groups", "state-space groups", "groups", 1, kHeads, "Groups of heads that share the input and output maps of the state."),
    number("conv_kernel", "convolution taps", "tokens", 1, 1024, "Tokens that the causal convolution sees."),
    number("dt_rank", "time-step rank", "channels", 1, kWide, "Rank of Mamba's time-step map."),
    number("linear_key_heads", "linear key heads", "heads", 1, kHeads, "Key heads of linear attention."),
    number("linear_value_heads", "linear value heads", "heads", 1, kHeads, "Value heads of linear attention."),
    number("linear_key_dim", "linear key size", "channels", 1, kHeads, "Channels of a key head of linear attention."),
    number("linear_value_dim", "linear value size", "channels", 1, kHeads, "Channels of a value head of linear attention."),
    // Encoders, further tables, further layers
    number("encoder_layers", "encoder layers", "layers", 0, kMostLayers, "Layers of the encoder of an encoder-decoder."),
    number("encoder_tokens", "encoder tokens", "tokens", 0, kTokens, "Tokens of the encoder's sequence where the model fixes them, as Whisper's 1,500 for 30 seconds; 0 for those of the context."),
    number("relative_buckets", "relative positions", "buckets", 0, 65'536, "Rows of the table of relative-position biases."),
    number("token_types", "token types", "rows", 0, 65'536, "Rows of the table of token types."),
    flag("pooler", "pooler", "A map on the first token's vector, as BERT's."),
    number("per_layer_input_size", "per-layer input", "channels", 0, kWide, "Channels that each layer gets from a token table of its own."),
    number("per_layer_vocab_size", "per-layer vocabulary", "tokens", 1, 67'108'864, "Rows of the token tables of the layers."),
    number("laurel_rank", "LAuReL rank", "channels", 1, kWide, "Rank of the learned augmented residual map."),
    number("altup_inputs", "AltUp streams", "streams", 1, 1024, "Copies of the residual stream that are kept and mixed."),
    number("residual_streams", "residual streams", "streams", 1, 1024, "Streams of hyper-connections."),
    number("adapter_rank", "adapter rank", "channels", 0, kWide, "Rank of the adapters that each use of a shared block has."),
    number("shared_blocks", "shared blocks", "blocks", 0, kMostLayers, "Attention and MLP blocks that several layers share."),
    number("prediction_layers", "prediction layers", "layers", 0, kMostLayers, "Layers for multi-token prediction; not counted among the language model's parameters."),
};
static_assert(kRows.size() <= kMostFacts);

template <std::size_t Index> std::int64_t get_fact(const Inputs& inputs) { return inputs.facts.values[Index]; }
template <std::size_t Index> void set_fact(Inputs& inputs, std::int64_t fact) { inputs.facts.values[Index] = fact; }

template <std::size_t... Index> constexpr auto with_accessors(std::index_sequence<Index...>) {
  auto rows = kRows;
  ((rows[Index].get = get_fact<Index>, rows[Index].set = set_fact<Index>), ...);
  return rows;
}

constexpr auto kFields = with_accessors(std::make_index_sequence<kRows.size()>{});

} // namespace

std::span<const Field> model() noexcept { return rows_of<kFields>(); }
std::span<const Texts> model_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
