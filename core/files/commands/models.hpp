#pragma once
// Models as command lines name them: Hugging Face ids, folders, GGUF files, tags of Ollama.

#include "plimsoll/catalog/catalog.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io::commands {

struct NamedModel {
  const ModelRow* row = nullptr; ///< null where the catalogue has none of that name
  bool by_likeness = false;      ///< found by a part of the name, as a tuned version of a model of the catalogue
  std::string weights;           ///< format that the name states, e.g. "q4_k_m"; "" for none
  bool weights_assumed = false;  ///< the name tells the method, not its bits and groups
};

NamedModel model_named(const Catalog& catalog, std::string_view text);

} // namespace plimsoll::io::commands
