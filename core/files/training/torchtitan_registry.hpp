#pragma once
// torchtitan's registries of configurations: modules of Python, a function for each, which --module and --config choose
// (pytorch/torchtitan, torchtitan/models/*/config_registry.py, since 2026).

#include "text/json.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::configs {

struct RegisteredConfig {
  std::string name;
  std::size_t line = 1;
  Json tree;          ///< as a file of torchtitan has it; no object where the function is not followed
  std::string error;  ///< why it is none
  std::string module; ///< that the function takes what it begins with from, "" where it takes nothing
};

/// Empty where the text is no such module.
std::vector<RegisteredConfig> registered_configs(std::string_view text);

} // namespace plimsoll::io::configs
