#include "fields/tables.hpp"

namespace plimsoll::tables {

namespace {

constexpr std::int64_t value(auto enumerator) { return static_cast<std::int64_t>(enumerator); }

constexpr Choice kCacheDtypes[] = {
    {"fp32", value(Dtype::fp32), "fp32", "4 bytes per number."},
    {"bf16", value(Dtype::bf16), "bf16", "2 bytes per number."},
    {"fp16", value(Dtype::fp16), "fp16", "2 bytes per number."},
    {"fp8", value(Dtype::fp8), "fp8", "1 byte per number, with one scale per tensor."},
};
constexpr Choice kRegimes[] = {
    {"bf16", value(Regime::bf16), "pure bf16", "Weights, gradients and optimizer states in bf16."},
    {"mixed_bf16", value(Regime::mixed_bf16), "mixed bf16", "fp32 weights, gradients and states; autocast computes in bf16."},
    {"fp32", value(Regime::fp32), "fp32", "Everything in fp32."},
};
constexpr Choice kOptimizers[] = {
    {"adamw_fused", value(Optimizer::adamw_fused), "AdamW, fused", "Two states per parameter; the step makes no copies."},
    {"adamw_foreach", value(Optimizer::adamw_foreach), "AdamW, foreach",
     "Two states per parameter; the step makes one more list of that size."},
    {"sgd_momentum", value(Optimizer::sgd_momentum), "SGD with momentum", "One state per parameter; the foreach step copies it."},
    {"sgd", value(Optimizer::sgd), "SGD", "No states."},
};
constexpr Choice kRecomputes[] = {
    {"none", value(Recompute::none), "none", "Keep every activation."},
    {"full", value(Recompute::full), "full", "Keep each layer's input and run the layer again in the backward pass."},
};

constexpr Field kFields[] = {
    {.name = "weight_dtype",
     .topic = Topic::strategy,
     .kind = FieldKind::id,
     .label = "weights",
     .unit = "",
     .help = "How the weights are stored as they are served: a number format, or a quantisation such as q4_k_m, nf4 or fp8_block.",
     .tasks = kServing},
    {.name = "kv_dtype",
     .topic = Topic::strategy,
     .kind = FieldKind::choice,
     .label = "KV cache",
     .unit = "",
     .help = "Number format of cached keys and values.",
     .tasks = kServing,
     .defaults = {value(Dtype::bf16), value(Dtype::bf16), value(Dtype::bf16)},
     .choices = kCacheDtypes,
     .get = get<&Inputs::strategy, &Strategy::kv_dtype>,
     .set = set<&Inputs::strategy, &Strategy::kv_dtype>},
    {.name = "regime",
     .topic = Topic::strategy,
     .kind = FieldKind::choice,
     .label = "precision",
     .unit = "",
     .help = "Number formats of weights, gradients and optimizer states. The states take the format of the weights.",
     .tasks = kTraining,
     .defaults = {value(Regime::bf16), value(Regime::bf16), value(Regime::mixed_bf16)},
     .choices = kRegimes,
     .get = get<&Inputs::strategy, &Strategy::regime>,
     .set = set<&Inputs::strategy, &Strategy::regime>},
    {.name = "optimizer",
     .topic = Topic::strategy,
     .kind = FieldKind::choice,
     .label = "optimizer",
     .unit = "",
     .help = "What it remembers per parameter, and what its step makes on the way.",
     .tasks = kTraining,
     .defaults = {value(Optimizer::adamw_fused), value(Optimizer::adamw_fused), value(Optimizer::adamw_fused)},
     .choices = kOptimizers,
     .get = get<&Inputs::strategy, &Strategy::optimizer>,
     .set = set<&Inputs::strategy, &Strategy::optimizer>},
    {.name = "recompute",
     .topic = Topic::strategy,
     .kind = FieldKind::choice,
     .label = "recompute",
     .unit = "",
     .help = "Activation checkpointing: memory against about a third more compute.",
     .tasks = kTraining,
     .defaults = {value(Recompute::none), value(Recompute::none), value(Recompute::none)},
     .choices = kRecomputes,
     .get = get<&Inputs::strategy, &Strategy::recompute>,
     .set = set<&Inputs::strategy, &Strategy::recompute>},
    {.name = "tensor_parallel",
     .topic = Topic::strategy,
     .kind = FieldKind::integer,
     .label = "tensor",
     .unit = "GPUs",
     .help = "GPUs that share one replica by splitting heads and MLP channels.",
     .min = 1,
     .max = 1024,
     .defaults = {1, 1, 1},
     .get = get<&Inputs::strategy, &Strategy::tensor_parallel>,
     .set = set<&Inputs::strategy, &Strategy::tensor_parallel>},
    {.name = "data_parallel",
     .topic = Topic::strategy,
     .kind = FieldKind::integer,
     .label = "data",
     .unit = "replicas",
     .help = "Copies of the model that work on different sequences. When training, they average gradients.",
     .min = 1,
     .max = 65536,
     .defaults = {1, 1, 1},
     .get = get<&Inputs::strategy, &Strategy::data_parallel>,
     .set = set<&Inputs::strategy, &Strategy::data_parallel>},
};

} // namespace

std::span<const Field> strategy() noexcept { return kFields; }

} // namespace plimsoll::tables
