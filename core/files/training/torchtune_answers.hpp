#pragma once
// torchtune's recipes that learn from answers of their own.

#include "files/training/request_builder.hpp"

#include <string_view>

namespace plimsoll::io::configs {

/// PPO's and GRPO's recipes: the roles of models, and what a step is made of. False where the file is neither.
bool read_torchtune_answers(Document& document, RequestBuilder& draft);

/// Their keys without effect on memory or time; names as in Format::harmless.
std::string_view torchtune_answers_harmless() noexcept;

} // namespace plimsoll::io::configs
