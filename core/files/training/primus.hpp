#pragma once
// Experiments of Primus (AMD-AGI/Primus, examples/*/configs): which program it drives, with a model by its file and overrides of defaults.

#include "files/training/format.hpp"

#include <optional>
#include <string>

namespace plimsoll::io::configs {

/// Megatron-LM's arguments out of such an experiment.
const Format& primus() noexcept;

struct PrimusRun {
  const Format* format = nullptr; ///< of the program that is driven; null where nobody reads it
  Json tree;                      ///< as that format's file would have it
  std::string error, remedy;      ///< why nobody does
};
/// Nothing where the tree is no experiment.
std::optional<PrimusRun> primus_run(const Json& tree);

} // namespace plimsoll::io::configs
