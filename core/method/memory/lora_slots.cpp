// Adapters that are served beside the weights. An engine takes room for the largest rank in every linear map when it starts, so that
// adapters come and go without allocation. Hu et al., LoRA, 2021 (arXiv 2106.09685); Chen et al., Punica, 2023 (arXiv 2310.18547).
#include "method/memory/serving.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kSlots{"slots", "adapters", "on the GPU at once", "lora_slots"};
constexpr SymbolText kRank{"rank", "channels", "for which each slot has room", "lora_rank"};
constexpr SymbolText kElement{"element", "bytes", "size of one number of an adapter: that of an activation", "weight_dtype"};

// vllm-project/vllm, vllm/lora/layers/base_linear.py, create_lora_weights: lora_a_stacked has rank × input numbers for each slot and
// slice, lora_b_stacked output × rank. Input and output are this GPU's: of a column-parallel map the whole input, of a row-parallel one
// the whole output. sgl-project/sglang, python/sglang/srt/lora/mem_pool.py has the same shapes.
constexpr Formula kLayerSlots{[] { return FormulaText{.id = "memory.weights.lora",
                              .label = "LoRA slots",
                              .unit = "bytes",
                              .text = "layers * slots * rank * channels * element",
                              .citation = "vllm_lora",
                              .basis = Basis::published,
                              .symbols = {{{"layers", "layers", "layers of this kind", "layers"},
                                           kSlots,
                                           kRank,
                                           {"channels", "channels", "that the linear maps of one layer read and write on this GPU, together", ""},
                                           kElement}}}; }};

// vllm/lora/layers/vocal_parallel_embedding.py and logits_processor.py: neither is divided among GPUs.
constexpr Formula kTableSlots{[] { return FormulaText{.id = "memory.weights.lora_tables",
                              .label = "LoRA slots of embedding and head",
                              .unit = "bytes",
                              .text = "slots * rank * 2 * (vocabulary + hidden) * element",
                              .citation = "vllm_lora",
                              .basis = Basis::published,
                              .symbols = {{kSlots,
                                           kRank,
                                           {"vocabulary", "tokens", "in the vocabulary", "vocab_size"},
                                           {"hidden", "channels", "width of the model", "hidden_size"},
                                           kElement}}}; }};

bool is_adapted(const Tensor& tensor) noexcept {
  switch (tensor.kind) {
    case TensorKind::attention:
    case TensorKind::mlp:
    case TensorKind::router:
    case TensorKind::experts:
    case TensorKind::shared_experts: return tensor.matrix;
    default: return false;
  }
}

/// Inputs and outputs of all maps of one layer.
Count channels_of(const Scenario& scenario, const LayerGroup& group) noexcept {
  Count channels;
  for (const ModelTensor& part : scenario.model.tensors) {
    if (scenario.model.group_of(part) != &group || !is_adapted(part.tensor)) continue;
    const TensorShare share = tensor_share(part.tensor, scenario.strategy);
    channels += part.tensor.copies * (share.columns + share.rows);
  }
  return channels;
}

} // namespace

Term lora_slots(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept {
  const Count slots{scenario.serving.lora_slots}, rank{scenario.serving.lora_rank}, channels = channels_of(scenario, group);
  const Bytes element = scenario.weights.compute_bytes;
  return make_term(kLayerSlots, layers * (slots * (rank * (channels * element))),
                   {layers.value, slots.value, rank.value, channels.value, element.value}, {.group = &group});
}

Term lora_table_slots(const Scenario& scenario) noexcept {
  const Count slots{scenario.serving.lora_slots}, rank{scenario.serving.lora_rank};
  const Count vocabulary = scenario.model.vocab_size, hidden = scenario.model.hidden_size;
  const Bytes element = scenario.weights.compute_bytes;
  Term term = make_term(kTableSlots, slots * (rank * (Count{2} * ((vocabulary + hidden) * element))),
                        {slots.value, rank.value, vocabulary.value, hidden.value, element.value});
  term.low = 0; // models without embedding_modules have none
  return term;
}

} // namespace plimsoll::memory
