#pragma once
// The configuration files that start training: what people have becomes a request, and a scenario becomes a file. DeepSpeed, Accelerate
// (with FSDP), transformers' TrainingArguments, Axolotl, LLaMA-Factory, TRL, LitGPT, torchtune, torchtitan, Megatron-LM's arguments and the
// overrides of NeMo and Megatron Bridge.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/request/request.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// What is read of one file; longer ones are refused with an issue.
inline constexpr std::size_t kMostConfigBytes = 256 << 10;

struct TrainingConfig {
  bool ok = false;        ///< a format was recognised, and nothing that matters is left unread: what follows holds
  std::string format;     ///< its id, e.g. "llama_factory"
  std::string name;       ///< as people write it, e.g. "LLaMA-Factory"
  std::string source;     ///< where its keys are documented: a repository and a path in it
  Request request;        ///< a training task, a profile, and what the keys say
  std::int64_t read = 0;  ///< keys that became inputs, or say what the estimate takes anyway
  std::int64_t harmless = 0;       ///< keys without an effect on memory, such as a seed
  std::vector<std::string> unread; ///< names of keys that may matter and are not in the estimate; each has an issue that says what it does
  bool asks_gpus = false;  ///< the launcher says how many GPUs there are, and nobody told
  std::vector<std::string> assumed; ///< sentences: what the file does not say and its program takes by itself
  Issues issues;
};

/// Whether the text is such a file. Any bytes are fine.
bool is_training_config(std::string_view text);

/// Whether it is one, or a text in the syntax of one that cannot be read to its end: read_training_config() says what is wrong with it.
bool may_be_training_config(std::string_view text);

/// Reads JSON, YAML, TOML, a command line or lines of key=value, told by their content. Every leaf key of the file is read, counted as
/// harmless or named in `unread`. Never throws on any text; what is too long, too deep or not well-formed is an issue.
/// `gpus` are those that somebody told beside the file, which then divide among replicas and take the global batch; 0 where nobody did. A
/// recognised file that asks for something else than training that is covered has an error, with its format and fields beside.
TrainingConfig read_training_config(const Catalog& catalog, std::string_view text, std::int64_t gpus = 0);

/// The same with a catalogue that is loaded when it is needed: for readers of files of any kind.
TrainingConfig read_training_config(std::string_view text);

/// {"ok", "kind": "training_config", "format", "name", "source", "issues", "fields", "parameters": null, "query", "questions", "read", "harmless",
/// "unread", "assumed"}.
std::string training_config_json(const TrainingConfig& config);

/// The formats that export_training_config() writes: "deepspeed", "accelerate", "trainer", "axolotl", "llama_factory", "ms_swift",
/// "trl", "torchtune", "torchtitan", "megatron" and "nemo".
std::vector<std::string_view> exportable_configs();

/// The scenario as such a file. Comments in it (in JSON a list under "_comment") name every input that somebody who reads the file with
/// read_training_config() would not get back. `answer` must be ok and about training; anything else is an issue.
ExportedCommand export_training_config(const Catalog& catalog, const Answer& answer, std::string_view format);

/// A command line of an inference engine or a configuration file of training, whichever `to` names.
ExportedCommand export_scenario(const Catalog& catalog, const Answer& answer, std::string_view to);

} // namespace plimsoll::io
