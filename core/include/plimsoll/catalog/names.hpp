#pragma once
// Models and devices as people write them: Hugging Face ids and folders, tags of Ollama, files, a family with a size; "16xH100",
// "A100 80GB", "M3 Max 128GB". Names are compared by word: another size or another version is another thing, never a neighbour's.

#include "plimsoll/catalog/catalog.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

struct NamedModel {
  const ModelRow* row = nullptr; ///< null where the catalogue has none of that name, or several
  bool by_likeness = false;      ///< found by a part of the name, as a tuned version of a model of the catalogue
  std::string weights;           ///< format that the name states, e.g. "q4_k_m"; "" for none
  bool weights_assumed = false;  ///< the name tells the method, not its bits and groups
  std::vector<const ModelRow*> candidates; ///< without a row: those that the name fits, the likeliest first; empty where it fits none
};

/// Never throws on any text. Without a row `weights` says nothing.
NamedModel model_named(const Catalog& catalog, std::string_view text);

/// What it means that a model was found by likeness, said of the input that names it.
Issue built_alike(std::string_view field, std::string_view typed, const ModelRow& row);

/// The weight format that a word for it states ("awq", "fp8", "4bit", "q4_k_m"), as model_named() reads it in names; "" for none.
std::string weights_named(const Catalog& catalog, std::string_view text);

struct NamedDevice {
  const DeviceRow* row = nullptr;
  std::int64_t count = 0;                   ///< of "16xH100"; 0 where the name tells none
  std::vector<const DeviceRow*> candidates; ///< all that the name fits; with a row, those besides it
};

/// Likewise for devices.
NamedDevice device_named(const Catalog& catalog, std::string_view text);

/// Programs by their id, their name, or what else people call them (`called` of a profile), letters and digits compared: "llama.cpp", "TRL".
/// Those of that id or name first; several where the word is one program's name in training and another's in serving.
std::vector<const Catalog::ProfileRow*> profiles_named(const Catalog& catalog, std::string_view text);

} // namespace plimsoll::io
