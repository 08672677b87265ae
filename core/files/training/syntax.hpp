#pragma once
// Command lines and lines of key=value as trees.

#include "files/training/yaml.hpp"

#include <string_view>

namespace plimsoll::io::configs {

/// "--key value" of every command in the text: '_' in names becomes '-', an option without a value is true, several values are a list,
/// $NAME and ${NAME} stand for what NAME=… said before. Words that belong to no option are left out.
ParsedTree parse_arguments(std::string_view text);

/// Every word key=value with a dotted name, as Hydra takes them, with or without + in front. Values are read as YAML.
ParsedTree parse_overrides(std::string_view text);

} // namespace plimsoll::io::configs
