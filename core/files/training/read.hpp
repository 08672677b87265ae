#pragma once
// A tree that is known to have a format.

#include "files/training/format.hpp"
#include "plimsoll/files/training_config.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::configs {

/// Reads the tree as a file of that format, whatever its keys look like. `duplicates` are keys that stand twice in the
/// text, which has comments besides; `gpus` as read_training_config() has them.
TrainingConfig read_as(const Catalog& catalog, const Format& format, const Json& tree, const std::vector<std::string>& duplicates = {}, std::string_view text = {}, std::int64_t gpus = 0);

} // namespace plimsoll::io::configs
