#pragma once
// Models as configuration files name them: Hugging Face ids and folders, builders of torchtune, flavours of torchtitan, recipes of NeMo.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/names.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io::configs {

/// By its name; where that is not known by the letters and digits of it alone, as in "llama3_1_8b" and "glm52".
NamedModel model_of_config(const Catalog& catalog, std::string_view text);

/// Its id in the catalogue, or the name as it is typed.
std::string id_of_config(const Catalog& catalog, std::string_view text);

/// The Hugging Face id of a model of the catalogue, its own id where it has none, "" for a model that is described.
std::string model_text(const Catalog& catalog, std::string_view id);

} // namespace plimsoll::io::configs
