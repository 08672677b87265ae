#pragma once
// TOML files as trees, by toml++.

#include "files/training/yaml.hpp"

#include <string_view>

namespace plimsoll::io::configs {

/// Refuses texts beyond the limits, and more than 64 levels of nesting. Never throws.
ParsedTree parse_toml(std::string_view text, TreeLimits limits = {});

} // namespace plimsoll::io::configs
