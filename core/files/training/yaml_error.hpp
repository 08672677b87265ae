#pragma once
// Why a text is no YAML, in words: where, what stands there, and what to write instead.

#include <yaml.h>

#include <string>
#include <string_view>

namespace plimsoll::io::configs {

struct YamlError {
  std::string message, remedy; ///< sentences
};

/// Of a parser that has just failed on that text.
YamlError yaml_error(const yaml_parser_t& parser, std::string_view text);

} // namespace plimsoll::io::configs
