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

/// The words behind an engine's command line that say where it shall run ("vllm serve … on 2 L4"), put to what the command said, which stands. Words that
/// name nothing stay without effect, as a program's prompt is, unless they begin with "on" or "with": then they are refused as those of a line are.
void read_behind(const Catalog& catalog, std::string_view words, ImportedText& into);

} // namespace plimsoll::io::programs
