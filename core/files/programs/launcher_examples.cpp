#include "files/programs/launcher_examples.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::io::programs {

namespace {

/// huggingface/trl, examples/accelerate_configs and trl/accelerate_configs: keys that have an effect; every file is for bf16.
struct Example {
  std::string_view name, type;
  unsigned processes, stage; ///< stage of ZeRO, or version of FSDP
};
constexpr std::array kExamples{Example{"single_gpu", "NO", 1, 0},          Example{"multi_gpu", "MULTI_GPU", 8, 0},       Example{"deepspeed_zero1", "DEEPSPEED", 8, 1},
                               Example{"deepspeed_zero2", "DEEPSPEED", 8, 2}, Example{"deepspeed_zero3", "DEEPSPEED", 8, 3}, Example{"zero1", "DEEPSPEED", 8, 1},
                               Example{"zero2", "DEEPSPEED", 8, 2},        Example{"zero3", "DEEPSPEED", 8, 3},           Example{"fsdp1", "FSDP", 8, 1},
                               Example{"fsdp2", "FSDP", 8, 2}};

/// The name without folder and ending, where the folder is TRL's.
std::string_view name_in_folder(std::string_view path) {
  constexpr std::string_view kFolder = "accelerate_configs/", kEnding = ".yaml";
  const std::size_t at = path.rfind(kFolder);
  if (at == std::string_view::npos || !path.ends_with(kEnding)) return {};
  const std::string_view owner = path.substr(0, at);
  if (!owner.ends_with("examples/") && !owner.ends_with("trl/")) return {}; // other projects have a folder of that name too
  path.remove_prefix(at + kFolder.size());
  return path.substr(0, path.size() - kEnding.size());
}

} // namespace

Json launcher_example(std::string_view path) {
  Json tree = Json::object();
  const auto* const example = std::ranges::find(kExamples, name_in_folder(path), &Example::name);
  if (example == kExamples.end()) return tree;
  tree["distributed_type"] = example->type;
  tree["mixed_precision"] = "bf16";
  tree["num_processes"] = example->processes;
  if (example->type == "DEEPSPEED") tree["deepspeed_config"] = Json{{"zero_stage", example->stage}};
  if (example->type == "FSDP") tree["fsdp_config"] = Json{{"fsdp_version", example->stage}, {"fsdp_reshard_after_forward", example->stage == 1 ? Json("FULL_SHARD") : Json(true)}};
  return tree;
}

Issue read_as_published(std::string_view path) {
  return {Severity::note, "", quoted(path) + " is read as it comes with TRL.", "Give your own file beside the command where it differs."};
}

} // namespace plimsoll::io::programs
