#pragma once
// What serving holds besides the weights.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <optional>

namespace plimsoll::memory {

/// Keys and values in one term, or each in its own where their formats differ.
struct CacheTerms {
  Term first;
  std::optional<Term> values;

  Bytes bytes() const noexcept { return values ? first.bytes() + values->bytes() : first.bytes(); }
  template <class Sink> void each(Sink&& sink) const {
    sink(first);
    if (values) sink(*values);
  }
};

/// Keys and values of `layers` layers of the group for so many sequences, in whole pages.
CacheTerms kv_cache(const Scenario& scenario, const LayerGroup& group, Count layers, Count sequences) noexcept;
/// Keys and values of the encoder's tokens that the decoder attends to.
Term cross_kv_cache(const Scenario& scenario, const LayerGroup& group, Count layers, Count sequences) noexcept;
/// What recurrences remember of every sequence.
Term recurrent_state(const Scenario& scenario, const LayerGroup& group, Count layers, Count sequences) noexcept;
/// Keys and values of one token in one layer; 0 in layers without attention.
Bytes kv_cache_of_layer(const Scenario& scenario, const LayerGroup& group) noexcept;
/// Keys and values of one token in so many of the group's layers.
CacheTerms kv_cache_per_token(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;

/// Whether one token more makes the layer's cache grow, where its window is not full yet or it has none.
bool grows(const Scenario& scenario, const Attention& attention) noexcept;
/// Whether an indexer's keys are cached beside the group's latent vectors.
bool indexes(const Scenario& scenario, const LayerGroup& group) noexcept;
/// Those keys, as kv_cache() and kv_cache_per_token().
Term index_keys(const Scenario& scenario, const LayerGroup& group, Count layers, Count sequences) noexcept;
Term index_keys_per_token(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;

/// Room for adapters in the maps of `layers` layers of the group.
Term lora_slots(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
/// The same of the embedding table and the output head, which only some models of an engine have.
Term lora_table_slots(const Scenario& scenario) noexcept;

/// The activations alive in one forward pass over `tokens` tokens, in the group's widest layer.
Term forward_workspace(const Scenario& scenario, const LayerGroup& group, Count tokens) noexcept;
/// Channels that one token has in a pass through a layer of the group, on one GPU.
struct PassWidths {
  Bytes element;
  Count hidden;
  Count queries, keys_values, output, recurrent; ///< of attention, or a recurrence
  Count mlp_tensors, channels;                   ///< alive at once in the MLP, and how wide each is
  Count routed;                                  ///< copies sent to experts
};
PassWidths pass_widths(const Scenario& scenario, const LayerGroup& group) noexcept;
/// The same in an inference engine, where the caller of a layer keeps its input besides.
Term engine_pass(const PassWidths& widths, Count tokens) noexcept;
/// Tokens of one prefill pass: prefill_tokens, or all there are.
Count prefill_pass_tokens(const Scenario& scenario, const LayerGroup& group) noexcept;
/// Tokens of one sequence's images or sound.
Term media_tokens(const Tower& tower, const Media& media) noexcept;
/// The pass of an engine that reads that many tokens of prompts, or that of a tower where it takes more: towers run before the language model
/// reads what they made.
Term prompt_pass(const Scenario& scenario, const PassWidths& widths, Count tokens) noexcept;
Term logits(const Scenario& scenario, Count sequences) noexcept;
Term sampler(const Scenario& scenario, Count sequences) noexcept;
/// The one buffer in which ggml computes all its graphs: PassBuffers::graph and ::scratch.
Term graph_buffer(const Scenario& scenario, const Stage& stage) noexcept;
/// What a later stage of a pipeline receives, and what towers made and waits to be read.
std::optional<Term> stage_inputs(const Scenario& scenario, const Stage& stage) noexcept;
std::optional<Term> encoder_outputs(const Scenario& scenario, const Stage& stage) noexcept;
/// Copies of a layer group's experts beside those of this GPU, which take `stored` bytes.
Term redundant_experts(const Scenario& scenario, const LayerGroup& group, Bytes stored) noexcept;
/// What DeepEP takes to exchange rows of experts, where it is used.
std::optional<Term> deepep_buffers(const Scenario& scenario) noexcept;
/// `whole` × seen / all, rounded down; 0 <= seen <= all.
Bytes part_of(Bytes whole, Bytes seen, Bytes all) noexcept;
/// What of a tensor stays on the GPU where the host keeps `away` of it.
Term weights_left(const Term& stored, Bytes away) noexcept;
/// Weights that the host keeps of all GPUs of a replica, `away` of each; caches that it keeps.
Term weights_on_host(const Scenario& scenario, Bytes away) noexcept;
std::optional<Term> cache_on_host(const Scenario& scenario) noexcept;
/// Tokens that the latter holds, `each` bytes on each GPU.
Term tokens_on_host(const Scenario& scenario, Bytes each) noexcept;
/// The same on drives.
std::optional<Term> cache_on_drives(const Scenario& scenario) noexcept;
Term tokens_on_drives(const Scenario& scenario, Bytes each) noexcept;
/// Further copies of what the graph reads, where several GPUs work one after the other.
std::optional<Term> input_copies(const Scenario& scenario) noexcept;
/// What the host's memory has of it: what the graph reads, and the logits that come out.
Term graph_inputs(const Scenario& scenario) noexcept;
Term graph_outputs(const Scenario& scenario) noexcept;

/// What of a model file goes through the system's page cache: tensors that GPUs get, and those that the host alone has.
Term page_cache(Bytes gpus, Bytes host) noexcept;

/// What captured passes take.
std::optional<Term> cuda_graphs(const Scenario& scenario) noexcept;

/// What the engine's rule leaves for the cache of one GPU. `weights` and `passes` are what it holds besides.
Term cache_pool(const Scenario& scenario, Bytes weights, const Term& passes) noexcept;
/// The passes of a profile run: `live` activations, or logits with what sampling makes of them, whichever need more.
Term profiled_passes(const Scenario& scenario, const Term& live, const Term& logits, const Term& sampler) noexcept;
/// Whole pages that fit in the pool, `page_bytes` each over all layers.
Term cache_blocks(const Scenario& scenario, Bytes pool, Bytes page_bytes) noexcept;
Term cache_tokens(const Scenario& scenario, Count blocks) noexcept;
/// Sequences of the whole context that fit at once; `sequence_bytes` of cache each.
Term cache_sequences(Bytes pool, Bytes sequence_bytes) noexcept;

} // namespace plimsoll::memory
