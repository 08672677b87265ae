#pragma once
// A scenario as the file that launches it on somebody's machines: Kubernetes and what builds on it, batch systems, clouds, containers.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/command_line.hpp"

#include <string_view>
#include <vector>

namespace plimsoll::io {

/// The formats that export_manifest() writes: "kubernetes", "leaderworkerset", "kserve", "llm_d", "dynamo", "ray_serve", "compose", "modelfile",
/// "slurm", "skypilot" and "dstack".
std::vector<std::string_view> exportable_manifests();

/// The scenario in that format. Serving takes the engine of its profile, or the one behind a colon: "kubernetes:sglang"; training the framework of its
/// profile, on "slurm", "skypilot" and "dstack". Comments in the text name every input that somebody who imports it would not get back.
ExportedCommand export_manifest(const Catalog& catalog, const Answer& answer, std::string_view to);

} // namespace plimsoll::io
