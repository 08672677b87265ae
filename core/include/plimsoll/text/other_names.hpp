#pragma once
// What engines, trainers and other calculators call our inputs: nobody should have to guess which word is used here.

#include <string_view>

namespace plimsoll::io {

/// The input that people mean by this name, letter case and '-' for '_' ignored, e.g. "max_model_len" -> "context_tokens"; "" where
/// the name is nobody's.
std::string_view meant_by(std::string_view name);

/// What they mean by this text in that choice, in words for a remedy, e.g. method "qlora" -> "lora, with weight_dtype=nf4"; "" where
/// the text is nobody's.
std::string_view meant_by_choice(std::string_view field, std::string_view text);

} // namespace plimsoll::io
