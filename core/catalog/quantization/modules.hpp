#pragma once
// Names of modules in checkpoints, as lists of exceptions use them: "lm_head", "model.layers.0.mlp.gate", "re:.*self_attn.*".

#include "plimsoll/method/weight_scheme.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Tensors that such a text means.
struct Modules {
  std::uint32_t kinds = 0;              ///< one bit per TensorKind; never 0
  std::vector<std::string> names;       ///< none = any
  std::optional<std::uint16_t> layer;   ///< none = every layer
};

/// Empty when a part of the text is no name of a module that models here have.
std::optional<Modules> modules_of(std::string_view text);

/// Rules that give the modules of such texts that format, one for each kind and name, with all layers that were listed. Texts that
/// are not understood are appended to `unknown`.
std::vector<WeightRule> rules_for(const std::vector<std::string>& texts, std::size_t format, std::vector<std::string>& unknown);

} // namespace plimsoll::io
