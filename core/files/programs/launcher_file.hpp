#pragma once
// What `accelerate launch` sets for the program that it starts, as the program's own keys: transformers' Trainer reads both alike
// (huggingface/accelerate, src/accelerate/commands/launch.py and utils/launch.py; huggingface/transformers, src/transformers/training_args.py).

#include "files/scripts/variables.hpp"
#include "text/json.hpp"

#include <string>
#include <vector>

namespace plimsoll::io::programs {

/// Options of the command over the file's keys.
Json accelerate_tree(const Json& file, const std::vector<scripts::Setting>& told);

/// Writes what the launcher says into a tree of TrainingArguments: "fsdp" and "fsdp_config", or "deepspeed", and the precision where the tree has none.
void add_launcher(Json& tree, const Json& accelerate);

/// Processes in all; "" where it does not say.
std::string processes_of(const Json& accelerate);

} // namespace plimsoll::io::programs
