#pragma once
// Models as torchtune builds them, by the names of Python functions.

#include <string_view>

namespace plimsoll::io::configs {

/// A builder of torchtune/models that is a model of the catalogue.
struct TorchtuneBuilder {
  std::string_view id, module, name;
};

/// By the function's name; null for others.
const TorchtuneBuilder* torchtune_builder(std::string_view name) noexcept;
/// By the model's id in the catalogue; null where no builder makes it.
const TorchtuneBuilder* torchtune_builder_of(std::string_view id) noexcept;

/// The last word of a Python name.
std::string_view last_name(std::string_view name) noexcept;

} // namespace plimsoll::io::configs
