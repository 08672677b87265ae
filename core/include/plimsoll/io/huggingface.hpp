#pragma once
// Hugging Face config.json -> ModelSpec. Trusts nothing in the file.

#include "plimsoll/issue.hpp"
#include "plimsoll/model.hpp"

#include <optional>
#include <string_view>

namespace plimsoll::io {

struct ImportedModel {
  std::optional<ModelSpec> model; ///< empty when an error stands in `issues`
  Issues issues;                  ///< fields are JSON paths, e.g. "text_config.hidden_size"
};

/// `text` is the whole file, at most 4 MiB. Families: see families() in core/src/io/huggingface. Nested text_config is followed;
/// a field that is absent takes the default of its model class. Notes tell what is not counted (vision towers, quantisation).
ImportedModel import_huggingface_config(std::string_view text);

} // namespace plimsoll::io
