// Activation checkpointing.
#include "method/fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

constexpr Choice kRecomputes[] = {
    {"none", value(Recompute::none), "none", "Keep every activation."},
    {"full", value(Recompute::full), "full", "Keep each layer's input and run the layer again in the backward pass."},
    {"selective", value(Recompute::selective), "some modules", "Run only some modules of each layer again, by themselves the core of attention: softmax and its dropout."},
    {"block", value(Recompute::block), "some layers", "Full for the first layers of each stage; the others keep everything."},
    {"every_k", value(Recompute::every_k), "every so many layers", "Full for one layer of every so many."},
    {"sqrt", value(Recompute::sqrt), "square root", "Keep an input for every segment of about the square root of the number of layers."},
    {"per_op", value(Recompute::per_op), "by operation", "Keep the outputs of attention and of every second matrix multiplication (torchtitan)."},
    {"offloaded", value(Recompute::offloaded), "full, offloaded", "Full, with the kept inputs in the host's memory."},
};

constexpr Choice kNoOffload[] = {{"none", 0, "none", "Everything that layers keep stays on the device."}};
constexpr Choice kActivationOffloads[] = {
    {"none", value(ActivationOffload::none), "nothing", "Layers keep what they keep on the device."},
    {"kept", value(ActivationOffload::kept), "all they keep", "All that layers keep waits in the host's memory: whole layers but the last (Megatron-LM, verl), or each saved tensor (torchtune, TRL)."},
};
constexpr Choice kRecomputeModules[] = {
    {"core_attn", kRecomputeCoreAttention, "core of attention", "Scores, softmax and its dropout; a fused kernel computes them again by itself."},
    {"mla_up_proj", kRecomputeLatentUp, "latent up-projections", "Queries, keys and values that latent attention expands."},
    {"layernorm", kRecomputeNorms, "norms", "Outputs of norms that stand apart from the maps which read them."},
    {"mlp", kRecomputeMlp, "MLP", "Dense MLPs whole."},
    {"moe", kRecomputeExperts, "experts", "Layers of experts whole: router, exchange, experts."},
    {"shared_experts", kRecomputeSharedExperts, "shared experts", "Shared experts whole."},
    {"moe_act", kRecomputeExpertActivation, "activation of experts", "What experts compute between their maps."},
};
constexpr Choice kOffloadModules[] = {
    {"attn_norm", kOffloadAttentionNorm, "norm before attention", "What the norm before attention reads."},
    {"qkv_linear", kOffloadQueryKeyValue, "query, key, value", "What the maps to queries, keys and values read."},
    {"core_attn", kOffloadCoreAttention, "core of attention", "Queries, keys and values, and scores where they are kept."},
    {"attn_proj", kOffloadAttentionOutput, "output of attention", "What the output map of attention reads."},
    {"mlp_norm", kOffloadMlpNorm, "norm before the MLP", "What the norm before the MLP reads."},
    {"expert_fc1", kOffloadExperts, "experts", "Rows that experts receive."},
    {"moe_act", kOffloadExpertActivation, "activation of experts", "What the activation of experts reads."},
};

bool keeps_layers(const Inputs& inputs) { return inputs.strategy.recompute == Recompute::none && inputs.strategy.offload_modules == 0; }
bool offloads_some(const Inputs& inputs) { return moves_kept(inputs.strategy) || (inputs.strategy.offload_modules != 0 && treats_modules_apart(inputs.strategy)); }
bool takes_modules(const Inputs& inputs) { return inputs.strategy.recompute == Recompute::selective; }
bool keeps_modules(const Inputs& inputs) { return inputs.strategy.recompute == Recompute::selective || inputs.strategy.recompute == Recompute::none; }
bool counts_layers(const Inputs& inputs) {
  const Recompute recompute = inputs.strategy.recompute;
  return recompute == Recompute::full || recompute == Recompute::block || recompute == Recompute::every_k || recompute == Recompute::offloaded;
}

using Row = Rows<Topic::strategy, kTraining, &Inputs::strategy>;

constexpr std::array kFields = {
    Row::choice<&Strategy::recompute>("recompute", "recompute", kRecomputes, "Activation checkpointing: memory against up to a third more compute."),
    needing({counts_layers, "Choose full, block, every_k or offloaded as recompute"},
            Row::number<&Strategy::recompute_layers>("recompute_layers", "recomputed layers", "layers", 1, 10'000,
                                                     "With full: layers of a segment, whose first input is kept. With block: layers of each stage "
                                                     "that run again. With every_k: one of so many.")),
    needing({takes_modules, "Choose selective as recompute"},
            of_parts(kRecomputeModules, Row::choice<&Strategy::recompute_modules>("recompute_modules", "recomputed modules", std::span{kRecomputeModules}.first(1),
                                                                                  "Modules of each layer that run again in the backward pass: any of core_attn, mla_up_proj, "
                                                                                  "layernorm, mlp, moe, shared_experts and moe_act, joined by commas."))),
    needing({keeps_modules, "Choose none or selective as recompute"},
            of_parts(kOffloadModules, advanced(Row::choice<&Strategy::offload_modules>("offload_modules", "modules offloaded", kNoOffload,
                                                                                       "Modules whose inputs wait in the host's memory for the backward pass: any of attn_norm, qkv_linear, "
                                                                                       "core_attn, attn_proj, mlp_norm, expert_fc1 and moe_act, joined by commas.")))),
    needing({keeps_layers, "Choose none as recompute and as offload_modules"},
            advanced(Row::choice<&Strategy::activation_offload>("activation_offload", "activations offloaded", kActivationOffloads,
                                                                "What of layers that do not run again waits in the host's memory for the backward pass."))),
    needing({offloads_some, "Choose kept as activation_offload, or modules as offload_modules"},
            advanced(Row::number<&Strategy::offload_layers>("offload_layers", "layers offloaded", "layers", 0, 10'000,
                                                            "The first so many layers, whose activations wait in the host's memory; 0: as many as the framework can."))),
};

} // namespace

std::span<const Field> recompute() noexcept { return rows_of<kFields>(); }
std::span<const Texts> recompute_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
