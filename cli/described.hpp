#pragma once
// The command line as its parser has it, for what is written from it: completions of shells and the manual page.

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace plimsoll::cli {

struct DescribedOption {
  std::string flag;  ///< "--context-tokens"
  std::string help;
  std::string value; ///< what it takes: "NUMBER"; "" where it takes nothing
  std::string group;
  std::vector<std::string> values; ///< all that it takes, where that is a list
  std::string listed;              ///< what `plimsoll catalog` lists its values under; "" where it does not
};

struct DescribedCommand {
  std::string name, help;
  std::vector<DescribedOption> options;
  std::vector<DescribedOption> words; ///< without a name, in their order; the name stands as the flag
};

std::vector<DescribedCommand> commands_of(const CLI::App& app);

/// Of "bash", "zsh" or "fish".
std::string completion_of(const std::vector<DescribedCommand>& commands, const std::string& shell);

/// For man(1).
std::string manual_of(const std::vector<DescribedCommand>& commands, const std::string& about, const std::string& version);

} // namespace plimsoll::cli
