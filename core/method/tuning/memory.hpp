#pragma once
// What adapters weigh and what they keep for the backward pass. Pure functions of one site, for
// those who walk the layers: tokens, formats and shares come from the caller.

#include "method/tuning/methods.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/profile.hpp"
#include "plimsoll/method/weight_scheme.hpp"

namespace plimsoll::tuning {

/// How adapters compute: bytes of one of their numbers, and whether each makes its own copy of its input.
struct Numbers {
  Bytes weight;      ///< of one trained number, its gradient and each optimizer state
  Bytes element;     ///< of one activation inside the adapter
  bool own_input = false; ///< false: the adapter saves the tensor that the layer has anyway
  bool input_kept = false; ///< the frozen map keeps that tensor already
  bool fused = false;      ///< TuningProfile::fused
  bool joint = false;      ///< adapters of queries, keys and values are one module: they drop their input once and fill up their output
};
/// `compute` is the size of the layer's activations, `autocast` whether operations cast. PEFT keeps adapters in fp32 beside 16-bit
/// weights unless told otherwise: the input is cast to fp32 without autocast, back to 16 bits under it.
Numbers numbers_of(const Tuning& tuning, Bytes compute, bool autocast) noexcept;

/// Of all adapters that are loaded; one of them trains, so that gradients and states are those of one.
Term adapter_weights(Count trainable, std::int64_t adapters, Bytes weight) noexcept;
/// A module that trains whole, `numbers` of it on this GPU: copies for all adapters that are loaded.
Term copied_module(Count numbers, std::int64_t adapters, Bytes size) noexcept;
/// Numbers of adapters that nobody trains.
Term adapter_frozen(Count numbers, std::int64_t adapters, Bytes size) noexcept;
Term adapter_gradients(Count trainable, Bytes weight) noexcept;

/// The fp32 copies that the optimizer steps in place of 16-bit adapters.
Term adapter_master(Count trainable, Bytes master) noexcept;
/// Copies of gradients that data parallelism keeps.
Term adapter_buckets(Count trainable, const Constant& copies, Bytes gradient) noexcept;

/// Kept by one site's modules in the adapter's format, and in the activations' format. 0 where is_covered() says no.
Term kept_by_adapters(const Tuning& tuning, const Site& site, Count tokens, const Numbers& numbers) noexcept;
Term kept_beside_adapters(const Tuning& tuning, const Site& site, Count tokens, Bytes compute) noexcept;
/// Tensors of input × input numbers, whatever the tokens: chains of rotations and reflections.
Term squares_kept(const Tuning& tuning, const Site& site, const Numbers& numbers, Bytes compute) noexcept;
/// Where the trained numbers of a sparse change stand in the weight. 0 for other methods.
Term indices_kept(const Tuning& tuning, Count trainable) noexcept;
/// adaption_prompt: what one group's layers keep of the attention to learned prompts: the queries made again, the softmax in fp32, its
/// cast and the gated scores. 0 for other methods.
Term prompt_attention(const Tuning& tuning, Count layers, Count heads, Count query_width, Count tokens, Bytes compute) noexcept;
/// prefix: the keys and values that a layer learned, for each of `sequences` sequences, and what attention makes of them. 0 for other methods.
Term prefixes_kept(const Tuning& tuning, Count layers, Count sequences, Count learned, Count attended, Bytes compute) noexcept;
/// bottleneck: what the adapters after attention and MLP keep. 0 for other methods.
Term bottleneck_kept(const Tuning& tuning, Count layers, Count hidden, Count tokens, const Numbers& numbers) noexcept;
/// tokens: the embedding table with the trained rows put in, made anew in every forward pass. 0 for other methods.
Term token_table(const Tuning& tuning, const Model& model, Bytes compute) noexcept;
/// A mask of one byte per number and the dropped input, for methods that read their input. 0 without dropout.
Term adapter_dropout(const Tuning& tuning, const Site& site, Count tokens, const Numbers& numbers) noexcept;

/// While a forward pass runs through one adapted map; nothing of it stays.
Term dora_norm_workspace(const Site& site, const Numbers& numbers, Bytes compute) noexcept;
Term adapter_sum_workspace(const Site& site, Count tokens, const Numbers& numbers) noexcept;

/// QLoRA: parameters on one GPU, left in 16 bits, that prepare_model_for_kbit_training casts to fp32.
Count parameters_not_quantised(const Model& model, const StoredWeights& weights, const Strategy& strategy, const Stage& stage) noexcept;
Term kbit_upcast(Count parameters) noexcept;
/// `numbers` of the model's own weights that train, each in a format that takes `more` bytes than those that are frozen.
Term trained_upcast(Count numbers, Bytes more) noexcept;
/// The largest quantised matrix inside layers, dequantised while its backward pass runs; `copies` of it while one is cast to another.
Term dequantised_workspace(const Model& model, const StoredWeights& weights, const Strategy& strategy, const Constant& copies, Bytes compute) noexcept;
/// The same of a quantised output head; 0 where it is not.
Term dequantised_head(const Model& model, const StoredWeights& weights, const Strategy& strategy, const Constant& copies, Bytes compute) noexcept;
/// What dequantising the head takes in the forward pass beyond the `tokens` × `bytes_per_logit` that the loss makes afterwards.
Term dequantised_head_forward(const Term& head, Count vocab, Count tokens, const Constant& bytes_per_logit) noexcept;

} // namespace plimsoll::tuning
