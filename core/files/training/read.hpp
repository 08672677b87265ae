#pragma once
// A tree that is known to have a format.

#include "files/training/format.hpp"
#include "plimsoll/files/training_config.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::configs {

/// Reads the tree as a file of that format, whatever its keys look like. `duplicates` are keys that stand twice in the
/// text, which has comments besides.
TrainingConfig read_as(const Catalog& catalog, const Format& format, const Json& tree, const std::vector<std::string>& duplicates = {}, std::string_view text = {});

} // namespace plimsoll::io::configs
