#include "files/programs/candidates.hpp"

#include "files/programs/manifests.hpp"
#include "files/scripts/marks.hpp"
#include "files/scripts/slurm.hpp"

#include <utility>

namespace plimsoll::io::programs {

namespace {

/// srun starts as many tasks as sbatch was told, where it is not told itself.
void take_tasks(scripts::Launch& launch, const std::vector<scripts::Setting>& slurm) {
  if (!launch.launcher.empty() || !launch.nodes.empty() || !launch.per_node.empty() || !launch.processes.empty()) return;
  for (const auto& [name, value] : slurm) {
    if (name == "SLURM_NNODES") launch.nodes = value;
    if (name == "SLURM_NTASKS_PER_NODE") launch.per_node = value;
  }
  if (launch.per_node.empty() || launch.per_node == "1") launch.nodes.clear(), launch.per_node.clear(); // one task may start others by itself
}

void add_script(Candidates& into, std::string_view text, const std::vector<scripts::Setting>& given, const std::vector<scripts::NamedText>& texts) {
  scripts::Script script = scripts::follow(text, given, texts);
  const std::vector<scripts::Setting> slurm = scripts::slurm_settings(text);
  for (const scripts::ShellCommand& command : script.commands) {
    Candidate candidate{scripts::launch_of(command), {}};
    candidate.program = program_of(candidate.launch);
    if (candidate.program.purpose == Purpose::trains) take_tasks(candidate.launch, slurm);
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
