#pragma once
// YAML files as trees. libyaml reads them; scalars become values by the rules of PyYAML (YAML 1.1), which is what all the projects
// read their files with: yes and on are true, 1e-5 without a dot is a text.

#include "text/json.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::configs {

struct ParsedTree {
  Json value;
  bool ok = false;
  std::string error;                   ///< a sentence with line and column
  std::string remedy;                  ///< what to do about it; "" where the sentence says it
  std::vector<std::string> duplicates; ///< keys that stand twice in one section: the last value counts
};

/// What is refused before it becomes a tree; more nesting than 64 levels is refused too, and so are aliases of long texts. An alias
/// counts as the values that it stands for, so that a small file makes no huge tree.
struct TreeLimits {
  std::size_t bytes = std::size_t{256} << 10;
  std::size_t values = 10'000;
};

/// A text of one document. Never throws.
ParsedTree parse_yaml(std::string_view text, TreeLimits limits = {});

} // namespace plimsoll::io::configs
