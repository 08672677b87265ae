#pragma once
// A question in a line, as people put it: "Qwen3 32B on an RTX 4090, 32k, 4 users", a name alone, an address at Hugging Face or Ollama, the
// link of an estimate.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/import.hpp"

#include <string_view>

namespace plimsoll::io::programs {

/// What is read of such a line; what follows is refused with an issue.
inline constexpr std::size_t kMostSentenceBytes = 2048;

/// True where the text is one of these: `into` then has kind "question" with what was read. What is named ambiguously is asked back with what it may
/// be; words that say nothing known, but for those that change nothing, are named in an error: `into` is not ok. Never throws on any text.
bool read_sentence(const Catalog& catalog, std::string_view text, ImportedText& into);

} // namespace plimsoll::io::programs
