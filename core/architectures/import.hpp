#pragma once
// A config as an architecture, before a model is made of it.

#include "plimsoll/architectures/huggingface.hpp"

namespace plimsoll::io {

/// What import_huggingface_config() reads: all of `imported` but its model, which is made of what is returned; empty when an error stands in `imported.issues`.
std::optional<Architecture> read_architecture(std::string_view text, const Overrides& overrides, ImportedModel& imported);

} // namespace plimsoll::io
