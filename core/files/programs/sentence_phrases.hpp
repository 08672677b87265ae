#pragma once
// Words that say how a model is trained, divided or kept ("full fine-tune", "GRPO", "zero 3"), and inputs with their values ("tp=2").

#include "files/programs/sentence_words.hpp"

#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io::programs {

using Told = std::vector<std::pair<std::string, std::string>>; ///< inputs and their values, in the order in which they are told

/// Takes phrases, the longest first: a "full fine-tune" is more than a "fine-tune". No model is called by these words alone.
Told take_phrases(std::vector<Word>& words);

/// Takes inputs with their values, by our names or others that people use.
Told take_settings(std::vector<Word>& words);

} // namespace plimsoll::io::programs
