#include "files/programs/candidates.hpp"

#include "files/programs/manifests.hpp"
#include "files/scripts/marks.hpp"

#include <utility>

namespace plimsoll::io::programs {

namespace {

void add_script(Candidates& into, std::string_view text, const std::vector<scripts::Setting>& given, const std::vector<scripts::NamedText>& texts) {
  scripts::Script script = scripts::follow(text, given, texts);
  for (const scripts::ShellCommand& command : script.commands) {
    Candidate candidate{scripts::launch_of(command), {}};
    candidate.program = program_of(candidate.launch);
    constexpr std::size_t kMostOthers = 8;
    if (candidate.program.purpose != Purpose::other) into.all.push_back(std::move(candidate));
    else if (into.others.size() < kMostOthers && !candidate.launch.words.empty()) into.others.push_back(scripts::shown(candidate.launch.words[0]));
  }
  for (scripts::NamedText& file : script.written) into.written.push_back(std::move(file));
  for (std::string& file : script.missing) into.missing.push_back(std::move(file));
  into.whole = into.whole && script.whole;
}

} // namespace

Candidates candidates_in(std::string_view text, const std::vector<scripts::Setting>& given, const std::vector<scripts::NamedText>& texts) {
  Candidates found;
  Described described = containers_in(text);
  found.manifest = described.is;
  found.off = std::move(described.off);
  found.machines = std::move(described.machines);
  gpus_of(text, found.machines);
  if (!described.is) {
    add_script(found, text, given, texts);
    return found;
  }
  for (const std::string& line : described.lines) add_script(found, line, given, texts);
  return found;
}

} // namespace plimsoll::io::programs
