#pragma once
// The arithmetic of one token: floating-point operations, a multiplication and an addition each counting one. Per token, on average
// over a sequence, of the whole model: not divided among GPUs.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace plimsoll {

/// Of one token of training. Recomputed work is hardware's, not the model's: MFU leaves it out, HFU counts it.
struct TokenWork {
  Count model;      ///< forward and backward passes
  Count recomputed; ///< forward passes that run again in the backward pass; 0 without
};

/// `scenario` of training, from inputs without validate() errors. Saturates like every Count.
TokenWork token_work(const Scenario& scenario) noexcept;

/// How others count the work of a token. They differ by up to a factor of four at long sequences, so that an MFU means nothing without
/// its convention.
enum class WorkConvention : unsigned char {
  six_n,                ///< 6 per active parameter
  six_n_attention,      ///< and full attention: PaLM (arXiv 2204.02311, appendix B), MosaicML's llm-foundry
  torchtitan,           ///< and full attention, without the embedding table: torchtitan, MaxText
  megatron,             ///< and causal attention, without the embedding table: Megatron-Bridge
  frozen,               ///< 4 per parameter without the embedding table: Megatron-Bridge's LoRA
  korthikanti,          ///< 72 layers hidden² and full attention, with the head: Korthikanti et al. (arXiv 2205.05198), equation 7
};
inline constexpr std::size_t kWorkConventions = 6;

struct WorkConventionText {
  WorkConvention convention;
  std::string_view id;    ///< e.g. "torchtitan"
  std::string_view label;
};
std::span<const WorkConventionText, kWorkConventions> work_conventions() noexcept;

/// What a training token comes to by a convention, from the figures that all of them use.
struct WorkFigures {
  Count parameters; ///< all of them, of mixtures of experts those that one token meets
  Count vocabulary, hidden, layers;
  Count context;    ///< tokens of a sequence
};
WorkFigures work_figures(const Scenario& scenario) noexcept;
Term convention_work(WorkConvention convention, const WorkFigures& figures) noexcept;

} // namespace plimsoll
