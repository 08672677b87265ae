// Rows at experts between multiplications. NVIDIA/Megatron-LM, megatron/core/transformer/moe/experts.py, TEGroupedMLP, and token_dispatcher.py;
// Transformer Engine's grouped MLP (NVTE_CUTEDSL_FUSED_GROUPED_MLP) writes the activation, and its gradient, as the next product reads them.
#include "method/time/training/parts.hpp"

namespace plimsoll::timing {

namespace {

/// Bytes for each channel of a row that is permuted and comes back, forward and backward; of its casts, along rows and along columns, and its gradient's.
constexpr Count kPermuted{16}, kPermutedCasts{8};
/// Bytes for each channel of an expert: its activation reads what the first product made and writes, and does so again with gradients.
constexpr Count kGated{16}, kGatedCasts{12}, kPlain{10}, kPlainCasts{8};
/// Of those, what is left where the products themselves activate and cast: they read what the first one made, and write what the next one reads.
constexpr Count kGatedInProducts{8}, kPlainInProducts{4};
/// Experts with biases are clamped before they are gated, by kernels apart (weighted_bias_quick_geglu_impl), forward and backward; the bias of the first
/// product adds up its gradient. In 8 bits that is done while it is cast.
constexpr Count kClamped{36}, kBiasGradient{4};
/// Bytes for each channel of a row that a bias weighed by its router is added to expert by expert, in 32 bits: _apply_bias and what its gradients read and write.
constexpr Count kBiased{64};

} // namespace

Count channels_routed(const Scenario& scenario) noexcept {
  const bool casts = scenario.strategy.fp8 != Fp8::none, in_products = casts && scenario.implementation.experts == Fusion::in_products;
  Count channels;
  each_group(scenario.model, [&](const LayerGroup& group, Count layers) {
    const Moe& moe = group.moe;
    const bool gated = moe.kind == MlpKind::gated;
    const bool apart = moe.bias && !in_products;
    Count activated = in_products ? (gated ? kGatedInProducts : kPlainInProducts) : (gated ? kGated : kPlain) + (casts ? (gated ? kGatedCasts : kPlainCasts) : Count{0});
    if (apart) activated += (gated ? kClamped : Count{0}) + (casts ? Count{0} : kBiasGradient);
    const Count permuted = kPermuted + (casts ? kPermutedCasts : Count{0}) + (apart ? kBiased : Count{0});
    const Count bytes = permuted * width_at_experts(scenario.model, group) + activated * moe.expert_size;
    channels += ceil_div(layers * (moe.per_token * bytes), kPermuted + kPermutedCasts + kGated + kGatedCasts);
  });
  return channels;
}

} // namespace plimsoll::timing
