#pragma once
// Trees as the text of a file. Comments stand in front.

#include "text/json.hpp"

#include <string>
#include <vector>

namespace plimsoll::io::configs {

/// JSON has no comments: they are a list under "_comment".
std::string print_json(const Json& tree, const std::vector<std::string>& comments);
std::string print_yaml(const Json& tree, const std::vector<std::string>& comments);
std::string print_toml(const Json& tree, const std::vector<std::string>& comments);
/// key=value, one a line, names of nested keys with dots.
std::string print_overrides(const Json& tree, const std::vector<std::string>& comments);
/// --key value, one a line; true is an option without a value.
std::string print_arguments(const Json& tree, std::string_view command, const std::vector<std::string>& comments);

/// Sets the value of a dotted name, making sections on the way.
void put(Json& tree, std::string_view path, Json value);

} // namespace plimsoll::io::configs
