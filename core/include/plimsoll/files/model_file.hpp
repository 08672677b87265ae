#pragma once
// What a model file says, whichever kind it is, as people read it: what the command line and the app show after reading one.

#include "plimsoll/files/questions.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/request/request.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Some of the parameters, by what they belong to.
struct ModelFilePart {
  std::string label{}; ///< e.g. "Attention", or a tensor's name within its layer
  std::string dtype{}; ///< of a tensor; "" in a config.json
  Count parameters{0};
  Bytes bytes{0};    ///< in the file; 0 in a config.json
};

/// Layers that are alike, or what stands outside layers (layers == 0).
struct ModelFileGroup {
  std::string label{};
  Count layers{0};
  Count parameters{0};
  Bytes bytes{0};
  std::vector<ModelFilePart> parts{};
};

struct ModelFile {
  std::string_view kind{}; ///< "config", "safetensors", "safetensors_index", "gguf", "command_line", "training_config", "log" or "unknown"
  bool ok = false;         ///< no errors: what follows holds
  std::string title{};     ///< e.g. "Qwen3-MoE, config.json" or "GGUF, llama, Q4_K_M"
  Count parameters{0};     ///< of the language model
  std::optional<Count> active_parameters{}; ///< that one token meets, where the file tells
  std::vector<ModelFilePart> components{};  ///< beside the language model: towers, prediction layers
  Bytes bytes{0};                         ///< of all tensors of a file of weights
  std::vector<DtypeTotal> by_dtype{};       ///< of such a file, most bytes first
  std::vector<ModelFileGroup> groups{};
  Request request{}; ///< model=custom and what tells it, or what a command line or a training configuration says; without entries when the file does not hold a whole model
  Issues issues{};   ///< errors say why it is not ok, notes what is not counted
  std::vector<OpenQuestion> questions{}; ///< what a text names that is one of several, or none
};

/// Gives `bytes` what read_model_file() needs of a file of that size, and no more. `read(to, count)` puts up to `count` further
/// bytes at `to` and gives how many they were; false when they end before the header does.
bool read_header(std::string& bytes, std::uint64_t file_size, const std::function<std::size_t(char* to, std::size_t count)>& read);

/// Reads a file of any kind, recognised by its content. `bytes` are its first, as many as header_bytes_needed() says or all;
/// `file_size` the size of the whole in bytes; `name` the file's name, if known. Trusts nothing, never throws on any input.
ModelFile read_model_file(std::string_view bytes, std::uint64_t file_size, std::string_view name = {});

/// The same of the files of one model, whose weights are summed; of others than weights the first is read.
ModelFile read_model_files(std::span<const ImportFile> files);

/// "86.9 %": what `part` is of `whole`; "" when there is no whole.
std::string share_text(Count part, Count whole);

} // namespace plimsoll::io
