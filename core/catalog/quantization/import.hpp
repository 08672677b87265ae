#pragma once
// For importers that have the config parsed already: see plimsoll/catalog/quantization.hpp.

#include "plimsoll/catalog/quantization.hpp"
#include "text/json.hpp"

namespace plimsoll::io {

/// `path` is where the object stands, for the fields of issues: "quantization_config".
ImportedScheme import_quantization(const WeightCatalog& catalog, const Json& config, std::string_view dtype,
                                   std::string_view path = "quantization_config");

} // namespace plimsoll::io
