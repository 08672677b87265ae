#pragma once
// Vocabularies of tokenizers by name.

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll::io::programs {

/// Tokens of the vocabulary before any padding: of a number, or of a tokenizer that is known: "gpt2", "llama2", "llama3". Nothing for others.
std::optional<std::int64_t> vocabulary_of(std::string_view text);

} // namespace plimsoll::io::programs
