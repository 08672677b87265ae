#pragma once
// Numbers that are told by the words beside them: lengths of prompts and answers, layers on the GPU, formats of the cache.

#include "files/programs/sentence_phrases.hpp"
#include "files/programs/sentence_words.hpp"

#include <string_view>
#include <vector>

namespace plimsoll::io::programs {

/// The input that a word beside a number means, by our name or another that people use: "rank", "epochs", "tp"; "" of other words, and of a model's own
/// facts, which a line does not change.
std::string_view field_beside(std::string_view word);

/// Takes the format of the cache: "KV cache in FP8", "q8_0 kv".
Told take_caches(std::vector<Word>& words);

/// Takes amounts that several words tell ("20 layers on the GPU", "4k in 500 out", "images of 1024x1024"), and numbers without an effect on what is estimated
/// ("learning rate 1e-5").
Told take_amounts(std::vector<Word>& words);

} // namespace plimsoll::io::programs
