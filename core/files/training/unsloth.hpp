#pragma once
// Scripts and notebooks that train with Unsloth, as a tree.

#include "text/json.hpp"

#include <string_view>

namespace plimsoll::io::configs {

/// "load", "adapter" and "trainer" hold what from_pretrained, get_peft_model and the trainer are called with; arguments of the trainer's
/// configuration stand at the top. Null where the text does not load a model with Unsloth.
Json unsloth_tree(std::string_view text);

} // namespace plimsoll::io::configs
