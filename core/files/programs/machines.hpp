#pragma once
// On which GPUs a text wants to be launched: labels of nodes (NVIDIA/k8s-device-plugin, docs/gpu-feature-discovery; cloud.google.com/kubernetes-engine,
// "Run GPUs"; karpenter.sh/docs/reference/instance-types; docs.coreweave.com), resources of SkyPilot (docs.skypilot.co, yaml-spec) and dstack
// (dstack.ai/docs/reference/dstack.yml), Ray's accelerator_type (docs.ray.io, LLMConfig), types of GPUs in #SBATCH lines (slurm.schedmd.com/gres.html), and
// the comment that export_manifest() writes where a form has no word for it.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/import.hpp"
#include "text/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::programs {

struct Machines {
  std::vector<std::string> gpus; ///< as the text names them: any of these
  std::string remarked;          ///< by a comment "# device=ID: ..."; "" for none
};

/// Of a document of a manifest.
void gpus_of(const Json& document, Machines& into);

/// Of #SBATCH lines and comments.
void gpus_of(std::string_view text, Machines& into);

/// That a name which several have is taken for the usual one.
Issue taken_for(std::string_view name, const DeviceRow& row, const std::vector<const DeviceRow*>& others);

/// Sets the device where one is meant, and asks where it may be several. What is launched stands above a comment.
void take_device(const Catalog& catalog, const Machines& machines, ImportedText& into);

} // namespace plimsoll::io::programs
