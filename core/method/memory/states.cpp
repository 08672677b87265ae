// The rule that decides most of it: an optimizer keeps its states in the dtype of the parameters it is given
// (torch/optim/adam.py, zeros_like of the parameter). Pure bf16 AdamW is 2 + 2 + 4 = 8 bytes per parameter, fp32 16.
#include "method/memory/quantised_blocks.hpp"
#include "method/memory/states.hpp"

#include "method/parameters/kinds.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kParameters{"parameters", "parameters", "of this kind that this GPU keeps, counted as the Parameters tree shows", ""};

constexpr Formula kWeights{[] { return FormulaText{.id = "memory.weights",
                           .label = "Weights",
                           .unit = "bytes",
                           .text = "parameters * bytes_per_parameter",
                           .citation = "dtype_sizes",
                           .basis = Basis::counted,
                           .symbols = {{kParameters, {"bytes_per_parameter", "bytes", "size of one weight", "weight_dtype"}}}}; }};

// A layout of blocks: numbers share scales, so that a row takes whole blocks.
constexpr Formula kStored{[] { return FormulaText{
    .id = "memory.weights",
    .label = "Weights",
    .unit = "bytes",
    .text = "tensors * (rows * ceil_div(columns, block) * block_bytes + scales)",
    .citation = "weight_formats",
    .basis = Basis::published,
    .symbols = {{{"tensors", "tensors", "of this shape and layout: layers × copies", ""},
                 {"rows", "rows", "of one tensor on this GPU", ""},
                 {"columns", "columns", "of one tensor on this GPU, padded where the layout pads", ""},
                 {"block", "numbers", "that are stored together", "weight_dtype"},
                 {"block_bytes", "bytes", "of one block, its scales included", "weight_dtype"},
                 {"scales", "bytes", "kept per row, column, tile or tensor besides", "weight_dtype"}}}}; }};

// The same where blocks run over the whole tensor.
constexpr Formula kStoredFlat{[] { return FormulaText{
    .id = "memory.weights",
    .label = "Weights",
    .unit = "bytes",
    .text = "tensors * (ceil_div(rows * columns, block) * block_bytes + scales)",
    .citation = "weight_formats",
    .basis = Basis::published,
    .symbols = kStored.written().symbols}; }};

constexpr Formula kStoredShard{[] { return FormulaText{.id = "memory.weights",
                               .label = "Weights",
                               .unit = "bytes",
                               .text = "ceil_div(stored, gpus)",
                               .citation = "weight_formats",
                               .basis = Basis::published,
                               .symbols = {{{"stored", "bytes", "of this tensor in its layout", "weight_dtype"},
                                            {"gpus", "GPUs", "that divide it among them", "sharding"}}}}; }};

// vllm-project/vllm, vllm/model_executor/layers/rotary_embedding: cos_sin_cache is a buffer of the module that memory profiling counts.
constexpr Formula kRotary{[] { return FormulaText{
    .id = "memory.weights.rotary",
    .label = "Rotary table",
    .unit = "bytes",
    .text = "positions * channels * element",
    .citation = "vllm_rotary",
    .basis = Basis::published,
    .symbols = {{{"positions", "tokens", "the longest context that the model was made for", "max_context"},
                 {"channels", "channels", "of a head that turn with its position; one table for each different number", "head_dim"},
                 {"element", "bytes", "size of one activation", "weight_dtype"}}}}; }};

constexpr Formula kTables{[] { return FormulaText{
    .id = "memory.weights.tables",
    .label = "Tables in the file",
    .unit = "bytes",
    .text = "tables",
    .citation = "weight_formats",
    .basis = Basis::published,
    .symbols = {{{"tables", "bytes", "rotary factors that the file holds beside the parameters", "weight_dtype"}}}}; }};

constexpr Formula kAutocast{[] { return FormulaText{
    .id = "memory.weights.autocast_copies",
    .label = "bf16 copies held by autocast",
    .unit = "bytes",
    .text = "parameters * bytes_per_copy",
    .citation = "pytorch_autocast",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "of matrices on this GPU whose copy is alive", ""},
                 {"bytes_per_copy", "bytes", "size of one bf16 number", "precision"}}}}; }};

constexpr Formula kMaster{[] { return FormulaText{
    .id = "memory.optimizer.master",
    .label = "Master weights",
    .unit = "bytes",
    .text = "parameters * bytes_per_parameter",
    .citation = "megatron_buffers",
    .basis = Basis::published,
    .symbols = {{kParameters, {"bytes_per_parameter", "bytes", "size of one number that the optimizer steps", "precision"}}}}; }};

constexpr Formula kGradients{[] { return FormulaText{
    .id = "memory.gradients",
    .label = "Gradients",
    .unit = "bytes",
    .text = "parameters * bytes_per_parameter",
    .citation = "pytorch_autograd",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "of this kind whose gradient exists at this moment", ""},
                 {"bytes_per_parameter", "bytes", "size of one gradient: that of the weight", "precision"}}}}; }};

constexpr Formula kWorkingGradient{[] { return FormulaText{
    .id = "memory.gradients.working",
    .label = "Gradient being computed",
    .unit = "bytes",
    .text = "hidden * channels * bytes_per_parameter",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{{"hidden", "channels", "width of the model", "hidden_size"},
                 {"channels", "channels", "intermediate channels of this GPU: of the widest MLP matrix", "intermediate_size"},
                 {"bytes_per_parameter", "bytes", "size of one gradient", "precision"}}}}; }};

constexpr Formula kTiedCopies{[] { return FormulaText{
    .id = "memory.gradients.tied_copies",
    .label = "Extra gradient copy of the tied embedding",
    .unit = "bytes",
    .text = "copies * parameters * bytes_per_parameter",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{{"copies", "", "the embedding's gradient and, without autocast, the sum of both, beside the head's", "precision"},
                 {"parameters", "parameters", "of the table that is both embedding and head", "tied_embeddings"},
                 {"bytes_per_parameter", "bytes", "size of one gradient", "precision"}}}}; }};

constexpr Formula kCastGradients{[] { return FormulaText{
    .id = "memory.gradients.cast",
    .label = "Gradients cast for the optimizer",
    .unit = "bytes",
    .text = "parameters * bytes_per_parameter",
    .citation = "megatron_mixed_precision",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "that this GPU steps", ""}, {"bytes_per_parameter", "bytes", "size of one fp32 number", ""}}}}; }};

constexpr Formula kFp8Copies{[] { return FormulaText{
    .id = "memory.weights.fp8_copies",
    .label = "fp8 copies of weights",
    .unit = "bytes",
    .text = "parameters * bytes_per_copy",
    .citation = "te_fp8",
    .basis = Basis::measured,
    .symbols = {{{"parameters", "parameters", "of matrices that are multiplied in fp8", ""},
                 {"bytes_per_copy", "bytes", "the copy, and its transpose where the GPU multiplies fp8 in one layout only", "fp8"}}}}; }};

constexpr Formula kBlockCopies{[] { return FormulaText{
    .id = "memory.weights.fp8_copies",
    .label = "Copies of weights in blocks with scales",
    .unit = "bytes",
    .text = "ceil_div(parameters, block) * copies * block_bytes",
    .citation = "te_recipes",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "of matrices that are multiplied in 8 or 4 bits", ""},
                 {"block", "", "numbers that share a scale", "fp8_recipe"},
                 {"copies", "", "the copy and its transpose, each with scales of its own", "fp8"},
                 {"block_bytes", "bytes", "of one block with its scale", "fp8_recipe"}}}}; }};

Term of_parameters(const Formula& formula, const Term& parameters, Count count, Bytes each) noexcept {
  return make_term(formula, count * each, {count.value, each.value}, {.of = parameters.formula, .group = parameters.group});
}

} // namespace

RegimeBytes state_bytes(const Strategy& strategy) noexcept {
  RegimeBytes bytes = precision_bytes(strategy.precision);
  if (strategy.master_remainders && bytes.master > Bytes{0}) bytes.master = bytes.master - bytes.weight;
  return bytes;
}

Bytes gradient_bytes(const Scenario& scenario) noexcept {
  const RegimeBytes bytes = precision_bytes(scenario.strategy.precision);
  GradientDtype dtype = scenario.strategy.gradient_dtype;
  if (dtype == GradientDtype::profile && bytes.master > Bytes{0}) dtype = scenario.profile.training.states.master_gradient;
  switch (dtype) {
    case GradientDtype::fp32: return Bytes{4};
    case GradientDtype::half: return bytes.compute;
    case GradientDtype::profile: break;
  }
  return bytes.gradient;
}

Bytes gathered_bytes(Precision precision) noexcept {
  const RegimeBytes bytes = precision_bytes(precision);
  return autocasts(precision) ? bytes.weight : bytes.compute;
}

namespace {

/// Whether weights are gathered for the passes.
bool gathers_weights(const Strategy& strategy) noexcept {
  return strategy.sharding == Sharding::parameters || strategy.precision == Precision::sharded_bf16 || strategy.offload == Offload::parameters;
}

} // namespace

bool goes_by_unit(const Scenario& scenario) noexcept {
  return gathers_weights(scenario.strategy) && scenario.profile.training.states.sharding.method != ShardingMethod::buckets;
}

StatePlan state_plan(const Scenario& scenario) noexcept {
  const Strategy& strategy = scenario.strategy;
  const StateProfile& profile = scenario.profile.training.states;
  const bool gathers = gathers_weights(strategy);
  const bool buckets = profile.sharding.method == ShardingMethod::buckets;
  const bool offloads = strategy.offload != Offload::none;
  StatePlan plan;
  plan.by_unit = goes_by_unit(scenario);
  plan.by_matrix = gathers && buckets;
  plan.host_weights = strategy.offload == Offload::parameters;
  plan.host_states = offloads;
  plan.host_master = offloads && (plan.host_weights || profile.sharding.offloads_master);
  plan.host_gradients = offloads && (plan.host_weights || profile.sharding.offloads_gradients);
  plan.nvme_weights = plan.host_weights && strategy.nvme == Nvme::parameters;
  plan.nvme_states = offloads && strategy.nvme != Nvme::none;
  // DeepSpeed: stage 3 keeps its shard of gradients from the start; BF16_Optimizer, which steps fp32 gradients, all of them.
  const bool accumulates_fp32 = strategy.gradient_dtype == GradientDtype::fp32 && strategy.sharding < Sharding::gradients;
  plan.preallocated = !plan.host_gradients && (profile.preallocated_gradients || (buckets && (plan.by_matrix || accumulates_fp32)));
  // Stages 1 and 2 copy gradients into a bucket, which the first one of every backward pass makes.
  plan.buckets = buckets && strategy.sharding != Sharding::none && (plan.by_matrix || !accumulates_fp32);
  plan.whole_gradients = plan.by_unit && profile.accumulates_whole && scenario.workload.micro_batches > 1;
  // Stage 1 keeps what is left after the reduction, which accumulation puts off to the last micro-batch.
  plan.divides_gradients = (strategy.sharding > Sharding::optimizer && !plan.whole_gradients) ||
                           (plan.buckets && strategy.sharding == Sharding::optimizer && scenario.workload.micro_batches == 1);
  return plan;
}

StateShares::StateShares(const Scenario& scenario, const StatePlan& plan) noexcept
    : divides_(scenario.strategy.sharding != Sharding::none), divides_weights_(scenario.strategy.sharding == Sharding::parameters),
      divides_gradients_(plan.divides_gradients) {
  if (!divides_) return;
  dense_shards_ = shard_count(TensorKind::mlp, scenario.strategy);
  expert_shards_ = shard_count(TensorKind::experts, scenario.strategy);
}

StateShare state_share(const Scenario& scenario, TensorKind kind, Count held) noexcept { return StateShares{scenario, state_plan(scenario)}.of(kind, held); }

Term weights(const Term& parameters, Count count, Bytes per_parameter) noexcept {
  return of_parameters(kWeights, parameters, count, per_parameter);
}

Term master_weights(const Term& parameters, Count count, Bytes per_parameter) noexcept {
  return of_parameters(kMaster, parameters, count, per_parameter);
}

Term stored_weights(const Model& model, const StoredWeights& weights, const StoredTensor& stored, const Strategy& strategy) noexcept {
  const ModelTensor& part = model.tensors[stored.tensor];
  const WeightFormat& format = weights.formats[stored.format];
  const StoredPart& payload = format.parts.front();
  const TensorShare share = tensor_share(part.tensor, stored.rows, stored.columns, strategy);
  Tensor alike = part.tensor; // those of its copies that have this format
  alike.copies = stored.copies;
  const Count tensors = stored.layers * copies_per_gpu(alike, strategy);
  const Count columns = ceil_div(share.columns, format.pad_columns) * format.pad_columns;
  const Count block = payload.columns > Count{0} ? payload.columns : max(columns, Count{1});
  const Bytes one = stored_bytes(format, share.rows, share.columns);
  const Count blocks = payload.flat ? ceil_div(share.rows * columns, block) : share.rows * ceil_div(columns, block);
  const Bytes rest = one - blocks * payload.bytes;
  Term term = make_term(payload.flat ? kStoredFlat : kStored, tensors * one,
                        {tensors.value, share.rows.value, columns.value, block.value, payload.bytes.value, rest.value});
  const Term kind = parameters::kind_term(part.tensor.kind, model.group_of(part), Count{0});
  term.of = kind.formula;
  term.group = kind.group;
  term.tensor = &part.tensor;
  term.variant = format.id;
  return term;
}

Term stored_shard(const Term& whole, TensorKind kind, const Strategy& strategy) noexcept {
  const Count shards = shard_count(kind, strategy);
  Term term = make_term(kStoredShard, ceil_div(whole.count(), shards), {whole.amount, shards.value});
  term.of = whole.of;
  term.group = whole.group;
  term.tensor = whole.tensor;
  term.variant = whole.variant;
  return term;
}

Term rotary_table(const Scenario& scenario) noexcept {
  const Bytes each = scenario.weights.compute_bytes, table = rotary_table_bytes(scenario.model, each);
  const Count positions = max(scenario.model.max_context, Count{1}), channels{rotary_table_bytes(scenario.model, Bytes{1}).value / positions.value};
  return make_term(kRotary, table, {positions.value, channels.value, each.value});
}

Term weight_tables(Bytes bytes) noexcept { return make_term(kTables, bytes, {bytes.value}); }

Term autocast_copies(const Term& parameters, Count count, Bytes each) noexcept { return of_parameters(kAutocast, parameters, count, each); }

Term gradients(const Term& parameters, Count count, Bytes per_parameter) noexcept {
  return of_parameters(kGradients, parameters, count, per_parameter);
}

Term working_gradient(const Scenario& scenario, const LayerGroup& group) noexcept {
  const MlpShare share = mlp_share(group, scenario.strategy);
  const Count h = scenario.model.hidden_size, f = max(max(share.intermediate, share.shared), share.expert);
  const Bytes each = gradient_bytes(scenario);
  return make_term(kWorkingGradient, h * (f * each), {h.value, f.value, each.value});
}

Term tied_gradient_copies(const Term& embedding, const Scenario& scenario, Bytes each) noexcept {
  const Count copies{autocasts(scenario.strategy.precision) ? 1 : 2};
  return make_term(kTiedCopies, copies * (embedding.count() * each), {copies.value, embedding.amount, each.value});
}

Term cast_gradients(Count parameters) noexcept { return make_term(kCastGradients, parameters * Bytes{4}, {parameters.value, 4}); }

Term fp8_copies(const Term& parameters, const Fp8Profile& profile, Fp8Recipe recipe) noexcept {
  if (scales_blocks(recipe)) {
    const QuantisedBlock block = block_of_weights(recipe);
    const Count blocks = ceil_div(parameters.count(), block.numbers), each{profile.copies.value};
    Term term = make_term(kBlockCopies, blocks * (each * block.bytes), {parameters.amount, block.numbers.value, each.value, block.bytes.value});
    term.of = parameters.formula;
    term.group = parameters.group;
    return term;
  }
  return with_provenance(of_parameters(kFp8Copies, parameters, parameters.count(), Bytes{profile.of_tensor.value}), profile.of_tensor);
}

} // namespace plimsoll::memory
