// One command line that starts an engine: the first of a text.
#include "plimsoll/files/command_line.hpp"

#include "files/commands/read.hpp"
#include "files/programs/candidates.hpp"
#include "plimsoll/files/import.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

using programs::Candidate;

const Candidate* first_engine(const std::vector<Candidate>& all) {
  const auto at = std::ranges::find_if(all, [](const Candidate& one) { return one.program.engine != nullptr; });
  return at == all.end() ? nullptr : &*at;
}

} // namespace

bool is_command_line(std::string_view text) {
  if (text.size() > kMostCommandBytes || text.find('\0') != std::string_view::npos) return false;
  return first_engine(programs::candidates_in(text).all) != nullptr;
}

CommandLine read_command_line(const Catalog& catalog, std::string_view text) {
  CommandLine line;
  const auto refuse = [&](std::string message, std::string remedy) {
    line.issues.push_back({Severity::error, "", std::move(message), std::move(remedy)});
    return std::move(line);
  };
  if (text.size() > kMostCommandBytes) return refuse("The command line is longer than " + std::to_string(kMostCommandBytes) + " bytes.", "Give the line that starts the engine, and nothing else.");
  if (text.find('\0') != std::string_view::npos) return refuse("The command line holds a zero byte.", "Give it as text.");
  const programs::Candidates found = programs::candidates_in(text);
  const Candidate* const one = first_engine(found.all);
  if (one == nullptr)
    return refuse("This is no command line that starts an engine which is known.",
                  "Give one that begins with vllm serve, python -m sglang.launch_server, llama-server, trtllm-serve, lmdeploy serve or ollama run.");
  return commands::read_engine(catalog, *one->program.engine, one->launch.words, one->program.first, one->launch.environment);
}

CommandLine read_command_line(std::string_view text) {
  return read_command_line(own_catalog(), text);
}

} // namespace plimsoll::io
