#pragma once
// One flag for each row of the field tables, spelled like the field with '-' for '_'.

#include "plimsoll/request/request.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::cli {

/// "--context-tokens" of "context_tokens".
std::string flag_of(std::string_view field);

/// The scenario as the command line states it.
struct ScenarioOptions {
  std::vector<std::string> texts; ///< one per field, in their order
  std::vector<CLI::Option*> flags; ///< one per field; null where an option of that name means something else
  std::string query;       ///< positional: a URL's query, the line that starts an engine, a file, or a model; before the flags
  std::vector<std::string> words; ///< positional: what follows it without quotes, "h100" of "llama-3.1-8b h100"
  io::Request others;      ///< flags under other names than ours, as take_other_names() found them
  std::string config_path; ///< --config: a config.json, its address, or "-" for standard input
  bool offline = false;    ///< addresses are not fetched: what was before is taken
  bool json = false;
};

void add_scenario_options(CLI::App& command, ScenarioOptions& options);

/// Takes flags like "--tp 8", "--max-model-len=32768" and "--memory-permille 900" out of the words of a command line: names that are but
/// other names of our inputs. `words` begin with the subcommand; of those that ask about no scenario nothing is taken.
io::Request take_other_names(std::vector<std::string>& words);

/// What a word in place of a query says: "model=llama-3-8b&batch=4", "vllm serve …", the path or address of a file that `import` reads, or a model.
io::Request request_of_text(const std::string& text, Issues& issues, bool offline = false);

/// Where the model of a request is an address: the model that stands there in its place.
void take_model_at_address(io::Request& request, Issues& issues, bool offline);

/// Query, then config file, then flags: the later one wins.
io::Request request_of(const ScenarioOptions& options, Issues& issues);

} // namespace plimsoll::cli
