// Number formats: of weights, gradients and states.
#include "method/fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

constexpr Choice kRegimes[] = {
    {"bf16", value(Precision::bf16), "pure bf16", "Weights, gradients and optimizer states in bf16."},
    {"mixed_bf16", value(Precision::mixed_bf16), "mixed bf16", "fp32 weights, gradients and states; autocast computes in bf16."},
    {"fp32", value(Precision::fp32), "fp32", "Everything in fp32."},
    {"mixed_fp16", value(Precision::mixed_fp16), "mixed fp16", "fp32 weights, gradients and states; autocast computes in fp16."},
    {"master_bf16", value(Precision::master_bf16), "bf16 with master weights",
     "bf16 weights beside an fp32 copy that the optimizer steps (Megatron-LM, DeepSpeed, FSDP)."},
    {"master_fp16", value(Precision::master_fp16), "fp16 with master weights", "fp16 weights beside an fp32 copy that the optimizer steps."},
    {"sharded_bf16", value(Precision::sharded_bf16), "fp32 shards, bf16 computation",
     "fp32 weights, gradients and states; layers compute on bf16 copies, gathered one by one (FSDP)."},
};
constexpr Choice kGradientDtypes[] = {
    {"profile", value(GradientDtype::profile), "as the framework does", "What the framework does for this precision."},
    {"fp32", value(GradientDtype::fp32), "fp32", "4 bytes per gradient."},
    {"half", value(GradientDtype::half), "16 bits", "2 bytes per gradient, in the format of the computation."},
};
constexpr Choice kMomentDtypes[] = {
    {"parameter", value(MomentDtype::parameter), "as what is stepped", "The format of the parameters that the optimizer steps: fp32 beside master weights."},
    {"half", value(MomentDtype::half), "16 bits", "2 bytes per moment (--exp-avg-dtype and --exp-avg-sq-dtype bf16 of Megatron-LM)."},
};
constexpr Choice kFp8s[] = {
    {"none", value(Fp8::none), "none", "Multiply in 16 bits."},
    {"compute", value(Fp8::compute), "multiplications", "Weights stay in their format; operands are multiplied in fp8, kept or cast anew as the framework does."},
    {"parameters", value(Fp8::parameters), "weights too", "Weights are kept in fp8 between the passes."},
    {"gathered", value(Fp8::gathered), "multiplications and gathers", "Multiplications in fp8, and sharded matrices are gathered in fp8 (torchao)."},
};

constexpr Choice kRecipes[] = {
    {"tensor", value(Fp8Recipe::tensor), "by tensor", "One scale for each tensor, found when it is cast (current scaling)."},
    {"block", value(Fp8Recipe::block), "by block", "One fp32 scale for each 128 numbers of an activation, and each 128 × 128 of a weight (DeepSeek-V3)."},
    {"mxfp8", value(Fp8Recipe::mxfp8), "MXFP8", "One byte of scale for each 32 numbers."},
    {"nvfp4", value(Fp8Recipe::nvfp4), "NVFP4", "4 bits, and one byte of scale for each 16 numbers."},
    {"delayed", value(Fp8Recipe::delayed), "by tensor, delayed", "One scale for each tensor, from the largest values of former steps (delayed scaling)."},
};

bool multiplies_in_few_bits(const Inputs& inputs) { return inputs.strategy.fp8 != Fp8::none; }

bool has_master(const Inputs& inputs) {
  return inputs.strategy.precision == Precision::master_bf16 || inputs.strategy.precision == Precision::master_fp16;
}

bool is_adam_of_master(const Inputs& inputs) {
  const Optimizer optimizer = inputs.strategy.optimizer;
  return has_master(inputs) && (optimizer == Optimizer::adamw_fused || optimizer == Optimizer::adamw_foreach || optimizer == Optimizer::adamw_forloop);
}

/// Weights that train have the format of the precision.
bool is_stored(const Inputs& inputs) { return !trains(inputs.workload.task) || freezes(inputs.workload.task, inputs.tuning); }

using Training = Rows<Topic::strategy, kTraining, &Inputs::strategy>;

constexpr Field precision() {
  Field field = Training::choice<&Strategy::precision>("precision", "precision", kRegimes, "Number formats of weights, gradients and optimizer states.");
  field.former = "regime";
  field.defaults = {value(Precision::bf16), value(Precision::bf16), value(Precision::mixed_bf16)};
  return field;
}

constexpr std::array kFields = {
    Field{.name = "weight_dtype",
          .topic = Topic::strategy,
          .kind = FieldKind::id,
          .label = "weights",
          .unit = "",
          .help = "How the weights are stored while they are served, or frozen beside what trains: a number format, or a quantisation such as "
                  "q4_k_m, nf4 or fp8_block.",
          .tasks = kServing | kFinetuning,
          .needs = {is_stored, "Choose a tuning method that freezes the weights, such as lora"}},
    precision(),
    advanced(Training::choice<&Strategy::gradient_dtype>("gradient_dtype", "gradients", kGradientDtypes,
                                                         "Number format in which gradients are accumulated.")),
    needing({is_adam_of_master, "Choose adamw_fused as optimizer and master_bf16 as precision"},
            advanced(Training::choice<&Strategy::moment_dtype>("moment_dtype", "moments", kMomentDtypes, "Number format of Adam's two moments."))),
    needing({is_adam_of_master, "Choose adamw_fused as optimizer and master_bf16 as precision"},
            advanced(Training::flag<&Strategy::master_remainders>("master_remainders", "remainders of master weights",
                                                                  "Of fp32 master weights only the 16 bits are kept that the bf16 weights lack (Megatron-LM's precision-aware optimizer)."))),
    advanced(Training::choice<&Strategy::fp8>("fp8", "fp8", kFp8s, "Whether matrix multiplications run in 8-bit floating point, and what is kept for that.")),
    needing({multiplies_in_few_bits, "Set fp8 to compute or parameters"},
            advanced(Training::choice<&Strategy::fp8_recipe>("fp8_recipe", "fp8 recipe", kRecipes, "How operands in 8 or 4 bits are scaled (Transformer Engine)."))),
};

} // namespace

std::span<const Field> precision() noexcept { return rows_of<kFields>(); }
std::span<const Texts> precision_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
