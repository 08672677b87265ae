// Number formats, optimizer and recomputation that do not go together.
#include "method/validate/checks.hpp"

#include <algorithm>

namespace plimsoll::checks {

void training(const Inputs& inputs, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  const auto layers = static_cast<std::int64_t>(inputs.model.pattern.size());
  if (strategy.fp8 != Fp8::none && strategy.precision == Precision::fp32)
    refuse(findings, "fp8", [&] {
      return Words{"Multiplication in fp8 needs a computation in 16 bits, and the precision is fp32.",
                   "Choose a precision with bf16 or fp16, or none as fp8."};
    });
  const Rates& rates = inputs.hardware.rates;
  if (strategy.fp8 != Fp8::none && rates.of(Arithmetic::bf16) > 0 && rates.of(Arithmetic::fp8) == 0)
    refuse(findings, "fp8", [&] { return Words{inputs.hardware.name + " does not multiply in fp8.", "Choose none as fp8, or a device whose matrix units have fp8."}; });
  if (strategy.fp8 != Fp8::none && strategy.fp8_recipe == Fp8Recipe::nvfp4 && rates.of(Arithmetic::fp8) > 0 && rates.of(Arithmetic::fp4) == 0)
    refuse(findings, "fp8_recipe", [&] { return Words{inputs.hardware.name + " does not multiply in 4 bits.", "Choose another fp8_recipe, or a device whose matrix units have fp4."}; });
  if (strategy.fp8 == Fp8::parameters && strategy.fp8_recipe == Fp8Recipe::nvfp4)
    refuse(findings, "fp8", [&] { return Words{"Weights that are kept in 4 bits between the passes are not covered.", "Set fp8 to compute."}; });
  if (strategy.optimizer_in_backward && inputs.workload.micro_batches > 1)
    refuse(findings, "optimizer_in_backward", [&] {
      return Words{"Gradients that are used and freed in the backward pass cannot accumulate over " + number(inputs.workload.micro_batches) + " micro-batches.",
                   "Set micro_batches to 1, or let the optimizer step after the backward pass."};
    });
  if (sends_signs(strategy.optimizer) && strategy.sharding != Sharding::none) // deepspeedai/DeepSpeed, deepspeed/runtime/engine.py, _configure_basic_optimizer
    refuse(findings, "sharding", [] { return Words{"Optimizers that exchange signs do not work with ZeRO.", "Set sharding to none, or choose another optimizer."}; });
  if (strategy.nvme != Nvme::none && (strategy.offload == Offload::none || strategy.sharding != Sharding::parameters || freezes(inputs.workload.task, inputs.tuning)))
    refuse(findings, "nvme", [&] {
      return Words{"States and weights lie on NVMe drives only where weights are divided, offloaded, and all of them train.",
                   "Set sharding to parameters and offload to optimizer or parameters, or nvme to none."};
    });
  else if (strategy.nvme == Nvme::parameters && strategy.offload != Offload::parameters)
    refuse(findings, "nvme", [&] { return Words{"Weights that stay on the device do not lie on NVMe drives.", "Set offload to parameters, or nvme to optimizer."}; });
  if (strategy.recompute != Recompute::none && strategy.recompute_layers > layers)
    refuse(findings, "recompute_layers", [&] {
      return Words{number(strategy.recompute_layers) + " layers are more than the " + number(layers) + " of the model.",
                   "Write at most " + number(layers) + "."};
    });
}

void modules(const Inputs& inputs, const ModuleProfile& profile, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  if (!treats_modules_apart(strategy)) return;
  const bool again = strategy.recompute == Recompute::selective && strategy.recompute_modules != kRecomputeCoreAttention;
  if (!profile.chosen && again)
    refuse(findings, "recompute_modules", [] { return Words{"The framework runs no other module again than the core of attention.", "Choose megatron as profile, or core_attn."}; });
  if (!profile.chosen && strategy.offload_modules != 0)
    refuse(findings, "offload_modules", [] { return Words{"The framework moves no single modules' inputs to the host.", "Choose megatron as profile, or none as offload_modules."}; });
  if ((strategy.offload_modules & kOffloadAttentionOutput) != 0 && (strategy.offload_modules & kOffloadCoreAttention) == 0)
    refuse(findings, "offload_modules", [] { return Words{"What the output map of attention reads leaves the device only together with what its core reads.", "Add core_attn, or leave attn_proj out."}; });
  const bool latent = std::ranges::any_of(inputs.model.groups, [](const LayerGroup& group) { return group.expands_vectors(); });
  if (again && (strategy.recompute_modules & kRecomputeLatentUp) != 0 && !latent)
    refuse(findings, "recompute_modules", [&] { return Words{inputs.model.name + " has no latent attention whose projections could run again.", "Leave mla_up_proj out."}; });
}

// Megatron-LM, megatron/core/transformer/transformer_config.py, __post_init__; TransformerEngine, transformer_engine/pytorch/cpu_offload.py,
// get_cpu_offload_context: the last layer is not offloaded. FSDP, which the others' layers are units of, knows no stages.
void activation_offload(const Inputs& inputs, const OffloadProfile& profile, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  if (strategy.recompute == Recompute::offloaded && !profile.inputs)
    refuse(findings, "recompute", [] { return Words{"The framework leaves the inputs of layers that run again on the device.", "Choose full as recompute, or another profile."}; });
  if (!moves_kept(strategy)) return;
  const auto layers = static_cast<std::int64_t>(inputs.model.pattern.size());
  if (profile.kept == KeptOffload::none)
    refuse(findings, "activation_offload", [] { return Words{"The framework does not move all that layers keep to the host.", "Choose megatron, torchtune, hf_trainer or verl as profile, or none as activation_offload."}; });
  else if (strategy.pipeline_parallel > 1)
    refuse(findings, "activation_offload", [] { return Words{"Layers of a pipeline's stage do not leave what they keep to the host.", "Set pipeline_parallel to 1, or choose modules as offload_modules."}; });
  else if (profile.kept == KeptOffload::layers && strategy.offload_layers >= layers)
    refuse(findings, "offload_layers", [&] { return Words{"The last layer stays on the device.", "Write at most " + number(layers - 1) + "."}; });
}

} // namespace plimsoll::checks
