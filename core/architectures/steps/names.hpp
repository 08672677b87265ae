#pragma once
// The names under which files of different families state the same fact, best first.

#include <initializer_list>

namespace plimsoll::io::names {

using List = std::initializer_list<const char*>;

inline constexpr List kHidden{"hidden_size", "n_embd", "d_model", "n_embed", "dim"};
inline constexpr List kLayers{"num_hidden_layers", "n_layer", "n_layers", "num_layers"};
inline constexpr List kHeads{"num_attention_heads", "n_head", "n_heads", "num_heads"};
inline constexpr List kKvHeads{"num_key_value_heads", "num_kv_heads", "n_head_kv", "attn_config.kv_n_heads", "multi_query_group_num", "num_attention_groups", "n_kv_heads"};
inline constexpr List kHeadDim{"head_dim", "attention_head_dim", "kv_channels", "d_kv"};
inline constexpr List kMlp{"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "d_ff", "ff_intermediate_size", "intermediate_dim", "dense_intermediate_size", "mlp_hidden_size"};
inline constexpr List kVocab{"padded_vocab_size", "vocab_size"};
inline constexpr List kContext{"max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "seq_length", "model_max_length", "n_ctx"};
inline constexpr List kTied{"tie_word_embeddings", "tie_embedding", "tie_embeddings", "weight_tying"};
inline constexpr List kActivation{"hidden_act", "activation_function", "hidden_activation", "activation"};
inline constexpr List kWindow{"sliding_window", "sliding_window_size", "window_size"};
inline constexpr List kExperts{"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts", "ffn_config.moe_num_experts"};
inline constexpr List kPicked{"num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_topk", "moe_top_k", "moe_k",
                              "top_k_experts", "num_selected_experts", "ffn_config.moe_top_k"};
inline constexpr List kExpertWidth{"moe_intermediate_size", "expert_ffn_hidden_size"};
inline constexpr List kSharedCount{"n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"};
inline constexpr List kSharedWidth{"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "share_expert_dim", "shared_intermediate_size"};
inline constexpr List kDenseFirst{"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index", "dense_mlp_idx"};
inline constexpr List kPrediction{"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"};

} // namespace plimsoll::io::names
