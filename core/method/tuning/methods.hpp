#pragma once
// One row per tuning method: what trains beside one target, what trains once for the model, and what the forward pass keeps.

#include "method/tuning/sites.hpp"

#include <array>
#include <string_view>

namespace plimsoll::tuning {

/// What methods without targets, and parts that targets share, depend on.
struct Whole {
  const Model& model;
  Count sites;       ///< targets in the model, every layer counted
  Count layers;
  Count cached;      ///< channels of keys and values of one token in all layers
  Count key_width;   ///< channels of the keys of one token in the first layer that has attention
};

/// What the backward pass needs of one target, in multiples of its input and output; bytes per number depend on the format:
/// `adapter` copies have the one that the adapter computes in, `compute` copies that of the activations.
struct Kept {
  bool known = false;           ///< false: not read in the source yet; such a method's activations are not predicted
  std::int64_t input_adapter = 0;
  std::int64_t input_compute = 0;
  std::int64_t output_adapter = 0;
  std::int64_t output_compute = 0;
  Count (*inner)(const Tuning&, const Site&) noexcept = nullptr; ///< further numbers per token in the adapter's format; null = 0
  std::int64_t weights_adapter = 0; ///< tensors of the size of the weight, whatever the tokens
  std::int64_t weights_compute = 0;
  Count (*squares)(const Tuning&) noexcept = nullptr; ///< tensors of input × input numbers in the adapter's format, likewise; null = 0
  bool squares_compute = false;  ///< those squares have the activations' format
  bool squares_smaller = false;  ///< their side is the smaller one of input and output
};

struct Method {
  TuningMethod method;
  std::string_view id;
  std::string_view name;
  std::string_view peft_type;
  std::string_view source; ///< under src/peft/tuners of huggingface/peft, or the paper
  Count (*beside)(const Tuning&, const Site&) noexcept; ///< numbers that train beside all modules of one site; null = none
  Count (*once)(const Tuning&, const Whole&) noexcept;  ///< numbers that train once; null = none
  Kept kept{};
  Count (*frozen)(const Tuning&, const Site&) noexcept = nullptr; ///< further numbers beside a site that nobody trains; null = none
  std::int64_t index_bytes = 0; ///< per trained number: its row and column, stored and again for the backward pass
};

/// What trains once for the whole model, whatever the number of GPUs.
Count trained_once(const Model& model, const Tuning& tuning) noexcept;

/// In the order of TuningMethod.
const std::array<Method, kTuningMethods>& methods() noexcept;
const Method& row_of(TuningMethod method) noexcept;

} // namespace plimsoll::tuning
