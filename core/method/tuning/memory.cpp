// huggingface/peft: tuners_utils.py, cast_adapter_dtype, keeps adapters of 16-bit models in fp32; lora/layer.py casts each adapted
// map's input to the adapter's dtype, so that every adapter saves a copy of its own; utils/other.py, prepare_model_for_kbit_training,
// casts what is not quantised to fp32. bitsandbytes, autograd/_functions.py, MatMul4Bit.backward dequantises the whole weight.
#include "method/tuning/memory.hpp"

#include "method/term.hpp"
#include "plimsoll/method/parameters.hpp"

namespace plimsoll::tuning {

namespace {

constexpr SymbolText kTrained{"parameters", "parameters", "that the tuning method trains", ""};
constexpr SymbolText kTokens{"tokens", "tokens", "of all sequences of a micro-batch, padding included", "batch"};
constexpr SymbolText kModules{"modules", "modules", "adapted maps of this kind in these layers", ""};
constexpr SymbolText kInput{"input", "channels", "that one of them reads on this GPU", ""};
constexpr SymbolText kOutput{"output", "channels", "that one of them writes on this GPU", ""};
constexpr SymbolText kElement{"element", "bytes", "size of one number that is kept", ""};

constexpr Formula kWeights{[] { return FormulaText{.id = "memory.weights.tuning",
                           .label = "Adapters",
                           .unit = "bytes",
                           .text = "adapters * parameters * size",
                           .citation = "peft_adapter_dtype",
                           .basis = Basis::published,
                           .symbols = {{{"adapters", "", "loaded at once", ""}, kTrained, {"size", "bytes", "of one trained number", ""}}}}; }};
constexpr Formula kCopied{[] { return FormulaText{.id = "memory.weights.modules_to_save",
                          .label = "Copies of modules that train whole",
                          .unit = "bytes",
                          .text = "adapters * parameters * size",
                          .citation = "peft_modules_to_save",
                          .basis = Basis::published,
                          .symbols = {{{"adapters", "", "loaded at once: each has copies of its own", "adapters"},
                                       {"parameters", "parameters", "of the module, on this GPU", "modules_to_save"},
                                       {"size", "bytes", "of one number: as it is stored, or cast to fp32", "precision"}}}}; }};
constexpr Formula kFrozenNumbers{[] { return FormulaText{.id = "memory.weights.tuning_frozen",
                                 .label = "Adapters' frozen matrices",
                                 .unit = "bytes",
                                 .text = "adapters * numbers * size",
                                 .citation = "peft_adapter_dtype",
                                 .basis = Basis::published,
                                 .symbols = {{{"adapters", "", "loaded at once", ""},
                                              {"numbers", "numbers", "beside the weights that nobody trains", ""},
                                              {"size", "bytes", "of one of them", ""}}}}; }};
constexpr Formula kGradients{[] { return FormulaText{.id = "memory.gradients.tuning",
                             .label = "Gradients of adapters",
                             .unit = "bytes",
                             .text = "parameters * size",
                             .citation = "pytorch_autograd",
                             .basis = Basis::published,
                             .symbols = {{kTrained, {"size", "bytes", "of one gradient: that of its parameter", ""}}}}; }};
constexpr Formula kMaster{[] { return FormulaText{.id = "memory.optimizer.tuning_master",
                          .label = "Master copies of adapters",
                          .unit = "bytes",
                          .text = "parameters * size",
                          .citation = "megatron_buffers",
                          .basis = Basis::published,
                          .symbols = {{kTrained, {"size", "bytes", "of one number that the optimizer steps", "precision"}}}}; }};
constexpr Formula kBuckets{[] { return FormulaText{.id = "memory.buffers.tuning",
                           .label = "All-reduce buckets of adapters",
                           .unit = "bytes",
                           .text = "copies * parameters * size",
                           .citation = "pytorch_ddp",
                           .basis = Basis::published,
                           .symbols = {{{"copies", "", "of all gradients that the profile's data parallelism keeps", "profile"}, kTrained,
                                        {"size", "bytes", "of one gradient", ""}}}}; }};

constexpr Formula kKept{[] { return FormulaText{
    .id = "memory.activations.tuning",
    .label = "Kept by adapters",
    .unit = "bytes",
    .text = "modules * (tokens * (inputs * input + outputs * output + inner) + weights * input * output) * element",
    .citation = "peft_saved",
    .basis = Basis::published,
    .symbols = {{kModules,
                 kTokens,
                 {"inputs", "", "copies of its input that one adapter keeps in this format", ""},
                 kInput,
                 {"outputs", "", "tensors of the width of its output, likewise", ""},
                 kOutput,
                 {"inner", "numbers", "kept between its own matrices for each token", ""},
                 {"weights", "", "tensors of the size of the adapted weight, whatever the tokens", ""},
                 kElement}}}; }};

constexpr Formula kSquares{[] { return FormulaText{.id = "memory.activations.tuning_squares",
                           .label = "Rotations kept by adapters",
                           .unit = "bytes",
                           .text = "modules * squares * side * side * element",
                           .citation = "peft_saved",
                           .basis = Basis::published,
                           .symbols = {{kModules, {"squares", "", "matrices that one adapter keeps", ""},
                            {"side", "channels", "of its input, or of the smaller one of input and output", ""}, kElement}}}; }};

constexpr Formula kIndices{[] { return FormulaText{.id = "memory.activations.tuning_indices",
                           .label = "Places of sparse changes",
                           .unit = "bytes",
                           .text = "parameters * index",
                           .citation = "peft_saved",
                           .basis = Basis::published,
                           .symbols = {{kTrained, {"index", "bytes", "of one number's row and column, all copies", ""}}}}; }};

constexpr Formula kPromptAttention{[] { return FormulaText{
    .id = "memory.activations.prompt_attention",
    .label = "Attention to learned prompts",
    .unit = "bytes",
    .text = "layers * tokens * (query_width * compute + heads * prompts * (softmax + 2 * compute))",
    .citation = "peft_saved",
    .basis = Basis::published,
    .symbols = {{{"layers", "layers", "that attend to prompts", ""},
                 kTokens,
                 {"query_width", "channels", "of the queries on this GPU", ""},
                 {"compute", "bytes", "size of one activation", ""},
                 {"heads", "heads", "on this GPU", ""},
                 {"prompts", "tokens", "learned vectors per layer", ""},
                 {"softmax", "bytes", "of one fp32 number", ""}}}}; }};

// Learned keys and values in the activations' format, and the part of attention's keys and values that is made of them.
constexpr Formula kPrefixes{[] { return FormulaText{
    .id = "memory.activations.prefixes",
    .label = "Learned keys and values",
    .unit = "bytes",
    .text = "layers * sequences * prefixes * (learned + attended) * compute",
    .citation = "peft_prefix",
    .basis = Basis::published,
    .symbols = {{{"layers", "layers", "that attend to them", ""},
                 {"sequences", "sequences", "of one micro-batch", "batch"},
                 {"prefixes", "tokens", "in front of every sequence", "virtual_tokens"},
                 {"learned", "channels", "of keys and values on this GPU", "kv_heads"},
                 {"attended", "channels", "of keys and values repeated for all query heads", "query_heads"},
                 {"compute", "bytes", "size of one of them", "precision"}}}}; }};

// Houlsby et al. 2019 (arXiv 1902.00751), section 2.1: one after attention and one after the MLP; each keeps its input, and what stands
// before and after its nonlinearity.
constexpr Formula kBottleneck{[] { return FormulaText{
    .id = "memory.activations.bottleneck",
    .label = "Bottleneck adapters",
    .unit = "bytes",
    .text = "layers * adapters * tokens * (hidden + 2 * rank) * element",
    .citation = "bottleneck_adapters",
    .basis = Basis::published,
    .symbols = {{{"layers", "layers", "with adapters", ""},
                 {"adapters", "", "of one layer: after attention and after the MLP", ""},
                 kTokens,
                 {"hidden", "channels", "width of the model", "hidden_size"},
                 {"rank", "channels", "between the two matrices", "rank"},
                 kElement}}}; }};

constexpr Formula kTokenTable{[] { return FormulaText{.id = "memory.activations.token_table",
                              .label = "Embedding with trained rows",
                              .unit = "bytes",
                              .text = "parameters * compute",
                              .citation = "peft_saved",
                              .basis = Basis::published,
                              .symbols = {{{"parameters", "parameters", "of the embedding table", ""}, {"compute", "bytes", "size of one of them", ""}}}}; }};

constexpr Formula kDropout{[] { return FormulaText{
    .id = "memory.activations.tuning_dropout",
    .label = "Dropout before adapters",
    .unit = "bytes",
    .text = "modules * tokens * input * (mask + copies * element)",
    .citation = "peft_saved",
    .basis = Basis::published,
    .symbols = {{kModules, kTokens, kInput, {"mask", "bytes", "of one number's mask", ""},
                 {"copies", "", "dropped inputs besides the one counted with the adapter", ""}, kElement}}}; }};

constexpr Formula kDora{[] { return FormulaText{
    .id = "memory.activations.dora_norm",
    .label = "Weight norm of DoRA",
    .unit = "bytes",
    .text = "adapter * input * input + (adapter + 3 * compute) * input * output",
    .citation = "peft_dora",
    .basis = Basis::published,
    .symbols = {{{"adapter", "bytes", "size of one number of the adapter: the identity matrix and its image", ""},
                 kInput,
                 {"compute", "bytes", "size of one number of the weight: the image cast, the weight's copy, their sum", ""},
                 kOutput}}}; }};

constexpr Formula kSum{[] { return FormulaText{.id = "memory.activations.tuning_sum",
                       .label = "Adapter output and its sum",
                       .unit = "bytes",
                       .text = "tokens * 2 * output * element",
                       .citation = "peft_saved",
                       .basis = Basis::published,
                       .symbols = {{kTokens, kOutput, kElement}}}; }};

constexpr Formula kUpcast{[] { return FormulaText{
    .id = "memory.weights.kbit_upcast",
    .label = "16-bit parameters cast to fp32",
    .unit = "bytes",
    .text = "parameters * (upcast - stored)",
    .citation = "peft_kbit",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "that are not quantised: embeddings, head, norms", ""},
                 {"upcast", "bytes", "of one fp32 number", ""},
                 {"stored", "bytes", "of one 16-bit number", ""}}}}; }};

constexpr Formula kTrainedUpcast{[] { return FormulaText{
    .id = "memory.weights.trained_upcast",
    .label = "Trained layers cast to fp32",
    .unit = "bytes",
    .text = "parameters * more",
    .citation = "llama_factory_freeze",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "of the layers that train, on this GPU", "trained_layers"},
                 {"more", "bytes", "that one takes beside its frozen format", "precision"}}}}; }};

std::int64_t inner_of(const Tuning& tuning, const Site& site, const Kept& kept) noexcept {
  return kept.inner == nullptr ? 0 : kept.inner(tuning, site).value;
}

/// The numbers of `kept` in one format.
Term kept_in(const Site& site, Count tokens, std::int64_t inputs, std::int64_t outputs, std::int64_t inner, std::int64_t weights,
             Bytes element) noexcept {
  const Count per_token = Count{inputs} * site.input + Count{outputs} * site.output + Count{inner};
  const Count numbers = site.modules * (tokens * per_token + Count{weights} * (site.input * site.output));
  return make_term(kKept, numbers * element,
                   {site.modules.value, tokens.value, inputs, site.input.value, outputs, site.output.value, inner, weights, element.value});
}

/// A scale of the input instead of the output: IA3 on the map out of the MLP.
bool scales_input(const Tuning& tuning, const Site& site) noexcept {
  return tuning.method == TuningMethod::ia3 && (site.targets & kTargetDown) != 0;
}

constexpr std::uint32_t kJoint = kTargetQuery | kTargetKey | kTargetValue;

/// Whether the site's adapter is a part of one module for queries, keys and values. Lightning-AI/litgpt, litgpt/lora.py, LoRAQKVLinear.
bool is_joint(const Site& site, const Numbers& numbers) noexcept { return numbers.joint && (site.targets & kJoint) != 0; }

/// Copies of the input that the method needs: none when the matrix that reads it is frozen.
std::int64_t input_copies(const Tuning& tuning, const Site& site, const Kept& kept) noexcept {
  if (scales_input(tuning, site)) return 1;
  return tuning.frozen_half == FrozenHalf::down ? 0 : kept.input_adapter;
}

} // namespace

Numbers numbers_of(const Tuning& tuning, Bytes compute, bool autocast) noexcept {
  const bool half = tuning.adapter_dtype == AdapterDtype::half;
  const Bytes weight{half ? 2 : 4};
  const Bytes element = autocast ? compute : weight;
  return {.weight = weight, .element = element, .own_input = autocast || element != compute};
}

Term adapter_weights(Count trainable, std::int64_t adapters, Bytes weight) noexcept {
  return make_term(kWeights, Count{adapters} * (trainable * weight), {adapters, trainable.value, weight.value});
}

Term copied_module(Count numbers, std::int64_t adapters, Bytes size) noexcept {
  return make_term(kCopied, Count{adapters} * (numbers * size), {adapters, numbers.value, size.value});
}

Term adapter_frozen(Count numbers, std::int64_t adapters, Bytes size) noexcept {
  return make_term(kFrozenNumbers, Count{adapters} * (numbers * size), {adapters, numbers.value, size.value});
}

Term adapter_gradients(Count trainable, Bytes weight) noexcept {
  return make_term(kGradients, trainable * weight, {trainable.value, weight.value});
}

Term adapter_master(Count trainable, Bytes master) noexcept {
  return make_term(kMaster, trainable * master, {trainable.value, master.value});
}

Term adapter_buckets(Count trainable, const Constant& copies, Bytes gradient) noexcept {
  return make_term(kBuckets, Count{copies.value} * (trainable * gradient), {copies.value, trainable.value, gradient.value}, {.provenance = &copies});
}

Term kept_by_adapters(const Tuning& tuning, const Site& site, Count tokens, const Numbers& numbers) noexcept {
  const Kept& kept = row_of(tuning.method).kept;
  // Without a copy of its own an adapter keeps the layer's tensor, which counts once for all that read it.
  // unsloth/kernels/fast_lora.py: LoRA_MLP keeps what its gate and up maps made, and makes the input of the down map of it again.
  const bool remade = numbers.fused && (site.targets & kTargetDown) != 0;
  const bool counted = numbers.own_input || (!site.shared_input && !numbers.input_kept && !remade);
  // Put into its place among zeros, an output is kept for the gradient's shape. PyTorch, tools/autograd/derivatives.yaml, index_copy.
  const bool filled_up = is_joint(site, numbers) && (tuning.targets & kJoint) != kJoint;
  return kept_in(site, tokens, counted ? input_copies(tuning, site, kept) : 0, kept.output_adapter + (filled_up ? 1 : 0), numbers.fused ? 0 : inner_of(tuning, site, kept),
                 kept.weights_adapter, numbers.element);
}

Term kept_beside_adapters(const Tuning& tuning, const Site& site, Count tokens, Bytes compute) noexcept {
  const Kept& kept = row_of(tuning.method).kept;
  return kept_in(site, tokens, site.shared_input ? 0 : kept.input_compute, scales_input(tuning, site) ? 0 : kept.output_compute, 0,
                 kept.weights_compute, compute);
}

Term squares_kept(const Tuning& tuning, const Site& site, const Numbers& numbers, Bytes compute) noexcept {
  const Kept& kept = row_of(tuning.method).kept;
  const Count squares = kept.squares == nullptr ? Count{0} : kept.squares(tuning);
  const Count side = kept.squares_smaller ? min(site.input, site.output) : site.input;
  const Bytes element = kept.squares_compute ? compute : numbers.weight;
  return make_term(kSquares, (site.modules * (squares * (side * side))) * element, {site.modules.value, squares.value, side.value, element.value});
}

Term indices_kept(const Tuning& tuning, Count trainable) noexcept {
  const Bytes index{row_of(tuning.method).index_bytes};
  return make_term(kIndices, trainable * index, {trainable.value, index.value});
}

Term prompt_attention(const Tuning& tuning, Count layers, Count heads, Count query_width, Count tokens, Bytes compute) noexcept {
  constexpr Bytes kSoftmax{4};
  const bool attends = tuning.method == TuningMethod::adaption_prompt;
  const Count prompts{attends ? tuning.virtual_tokens : 0}, adapted = attends ? layers : Count{0};
  const Bytes per_token = query_width * compute + (heads * prompts) * (kSoftmax + Count{2} * compute);
  return make_term(kPromptAttention, (adapted * tokens) * per_token,
                   {adapted.value, tokens.value, query_width.value, compute.value, heads.value, prompts.value, kSoftmax.value});
}

Term prefixes_kept(const Tuning& tuning, Count layers, Count sequences, Count learned, Count attended, Bytes compute) noexcept {
  const Count prefixes{tuning.method == TuningMethod::prefix ? tuning.virtual_tokens : 0}, prefixed = prefixes > Count{0} ? layers : Count{0};
  return make_term(kPrefixes, prefixed * (sequences * (prefixes * ((learned + attended) * compute))),
                   {prefixed.value, sequences.value, prefixes.value, learned.value, attended.value, compute.value});
}

Term bottleneck_kept(const Tuning& tuning, Count layers, Count hidden, Count tokens, const Numbers& numbers) noexcept {
  const Count adapted = tuning.method == TuningMethod::bottleneck ? layers : Count{0}, rank{tuning.rank};
  constexpr Count kAdapters{2};
  return make_term(kBottleneck, adapted * (kAdapters * (tokens * ((hidden + Count{2} * rank) * numbers.element))),
                   {adapted.value, kAdapters.value, tokens.value, hidden.value, rank.value, numbers.element.value});
}

Term token_table(const Tuning& tuning, const Model& model, Bytes compute) noexcept {
  const Count table = tuning.method == TuningMethod::tokens ? count_parameters(model, TensorKind::embedding) : Count{0};
  return make_term(kTokenTable, table * compute, {table.value, compute.value});
}

Term adapter_dropout(const Tuning& tuning, const Site& site, Count tokens, const Numbers& numbers) noexcept {
  const bool drops = tuning.adapter_dropout && row_of(tuning.method).kept.input_adapter > 0;
  // The dropped input takes the place of the copy; where adapters share the layer's tensor it comes on top for all but the first, and
  // for all where the frozen map keeps that tensor. Adapters that are one module drop its input once.
  const bool again = site.shared_input && is_joint(site, numbers);
  const bool on_top = !numbers.own_input && (site.shared_input || numbers.input_kept);
  const std::int64_t mask = drops && !again ? 1 : 0, copies = drops && !again && on_top ? 1 : 0;
  const Bytes per_number = Bytes{mask} + Count{copies} * numbers.element;
  return make_term(kDropout, (site.modules * (tokens * site.input)) * per_number,
                   {site.modules.value, tokens.value, site.input.value, mask, copies, numbers.element.value});
}

Term dora_norm_workspace(const Site& site, const Numbers& numbers, Bytes compute) noexcept {
  const Bytes bytes = (site.input * site.input) * numbers.weight + (site.input * site.output) * (numbers.weight + Count{3} * compute);
  return make_term(kDora, bytes, {numbers.weight.value, site.input.value, compute.value, site.output.value});
}

Term adapter_sum_workspace(const Site& site, Count tokens, const Numbers& numbers) noexcept {
  const Count added = numbers.fused ? Count{0} : tokens;
  return make_term(kSum, (added * (Count{2} * site.output)) * numbers.element, {added.value, site.output.value, numbers.element.value});
}

Count parameters_not_quantised(const Model& model, const StoredWeights& weights, const Strategy& strategy, const Stage& stage) noexcept {
  Count total;
  for (const StoredTensor& stored : weights.tensors) {
    const WeightFormat& format = weights.formats[stored.format];
    const ModelTensor& part = model.tensors[stored.tensor];
    if (!in_language_model(part.tensor.kind) || !is_plain(format) || format.parts[0].bytes != Bytes{2}) continue;
    const LayerGroup* const group = model.group_of(part);
    if (group == nullptr && !holds(stage, part.tensor.kind, model.tied_embeddings)) continue;
    const TensorShare share = tensor_share(part.tensor, stored.rows, stored.columns, strategy);
    const Count layers = group == nullptr ? stored.layers : min(stored.layers, stage.held(*group));
    total += layers * (stored.copies * (share.rows * share.columns));
  }
  return total;
}

Term trained_upcast(Count numbers, Bytes more) noexcept { return make_term(kTrainedUpcast, numbers * more, {numbers.value, more.value}); }

Term kbit_upcast(Count parameters) noexcept {
  constexpr Bytes kUpcastTo{4}, kStored{2};
  return make_term(kUpcast, parameters * (kUpcastTo - kStored), {parameters.value, kUpcastTo.value, kStored.value});
}

} // namespace plimsoll::tuning
