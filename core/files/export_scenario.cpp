// A scenario as whichever text is asked for.
#include "plimsoll/files/manifest.hpp"
#include "plimsoll/files/timeline.hpp"
#include "plimsoll/files/training_config.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io {

ExportedCommand export_scenario(const Catalog& catalog, const Answer& answer, std::string_view to) {
  const auto engines = exportable_engines(), configs = exportable_configs(), manifests = exportable_manifests(), timelines = exportable_timelines();
  const auto names = [](const std::vector<std::string_view>& ids, std::string_view id) { return std::ranges::find(ids, id) != ids.end(); };
  if (names(configs, to)) return export_training_config(catalog, answer, to);
  if (names(timelines, to)) return export_timeline(answer, to);
  if (names(engines, to)) return export_command_line(catalog, answer, to);
  if (names(manifests, to.substr(0, to.find(':')))) return export_manifest(catalog, answer, to);
  std::vector<std::string> all{engines.begin(), engines.end()};
  all.insert(all.end(), configs.begin(), configs.end());
  all.insert(all.end(), manifests.begin(), manifests.end());
  all.insert(all.end(), timelines.begin(), timelines.end());
  ExportedCommand exported;
  exported.issues.push_back({Severity::error, "to", "Nothing can be written for " + quoted(to) + ".", "Write " + joined_with_or(all) + "."});
  return exported;
}

} // namespace plimsoll::io
