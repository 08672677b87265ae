#pragma once
// TensorKind by the name that data files use: the name in the code.

#include "plimsoll/method/tensor.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace plimsoll::io {

inline constexpr std::array<std::string_view, kTensorKinds> kKindNames{
    "embedding", "positions", "attention", "indexer",  "recurrence", "mlp",  "router", "experts",   "shared_experts",
    "adapters",  "norms",     "final_norm", "head",    "pooler",     "vision", "audio", "prediction",
    "prediction_experts"};

constexpr std::optional<TensorKind> kind_named(std::string_view name) noexcept {
  const auto at = std::ranges::find(kKindNames, name);
  if (at == kKindNames.end()) return std::nullopt;
  return static_cast<TensorKind>(at - kKindNames.begin());
}

static_assert(kind_named("shared_experts") == TensorKind::shared_experts && kind_named("prediction") == TensorKind::prediction);

} // namespace plimsoll::io
