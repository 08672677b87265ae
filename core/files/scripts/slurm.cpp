#include "files/scripts/slurm.hpp"

#include <algorithm>
#include <optional>

namespace plimsoll::io::scripts {

namespace {

/// The whole number that ends an option's text: "8", "h100:8" of --gres=gpu:h100:8.
std::string number_in(std::string_view text) {
  const std::size_t end = text.find_last_of("0123456789");
  if (end == std::string_view::npos) return "";
  const std::size_t begin = text.substr(0, end + 1).find_last_not_of("0123456789") + 1;
  return end + 1 - begin > 6 ? "" : std::string{text.substr(begin, end + 1 - begin)};
}

struct Option {
  std::string_view name, letter, sets;
};
constexpr Option kOptions[]{{"--nodes", "-N", "SLURM_NNODES"}, {"--ntasks", "-n", "SLURM_NTASKS"}, {"--ntasks-per-node", "", "SLURM_NTASKS_PER_NODE"},
                            {"--gpus-per-node", "", "SLURM_GPUS_PER_NODE"}, {"--gres", "", "SLURM_GPUS_PER_NODE"}, {"--gpus", "-G", "SLURM_GPUS"}};

} // namespace

std::vector<Setting> slurm_settings(std::string_view script) {
  std::vector<Setting> settings;
  const auto value = [&](std::string_view name) -> std::string {
    const auto at = std::ranges::find(settings, name, &Setting::first);
    return at == settings.end() ? "" : at->second;
  };
  for (std::size_t at = script.find("#SBATCH"); at != std::string_view::npos; at = script.find("#SBATCH", at + 7)) {
    if (at > 0 && script[at - 1] != '\n') continue; // "##SBATCH" is a comment
    std::string_view line = script.substr(at + 7, script.find('\n', at) - at - 7);
    line = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    line = line.substr(0, line.find(" #"));
    for (const Option& option : kOptions) {
      const std::string_view name = line.starts_with(option.name) ? option.name : !option.letter.empty() && line.starts_with(option.letter) ? option.letter : std::string_view{};
      if (name.empty() || (name.size() > 2 && line.size() > name.size() && line[name.size()] != '=' && line[name.size()] != ' ')) continue;
      if (option.name == "--gres" && line.find("gpu") == std::string_view::npos) continue;
      if (const std::string number = number_in(line.substr(name.size())); !number.empty() && settings.size() < 64) settings.emplace_back(option.sets, number);
    }
  }
  if (const std::string nodes = value("SLURM_NNODES"); !nodes.empty()) settings.emplace_back("SLURM_JOB_NUM_NODES", nodes);
  if (const std::string gpus = value("SLURM_GPUS_PER_NODE"); !gpus.empty()) settings.emplace_back("SLURM_GPUS_ON_NODE", gpus);
  return settings;
}

} // namespace plimsoll::io::scripts
