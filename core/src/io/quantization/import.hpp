#pragma once
// For importers that have the config parsed already: see plimsoll/io/quantization.hpp.

#include "io/json.hpp"
#include "plimsoll/io/quantization.hpp"

namespace plimsoll::io {

/// `path` is where the object stands, for the fields of issues: "quantization_config".
ImportedScheme import_quantization(const WeightCatalog& catalog, const Json& config, std::string_view dtype,
                                   std::string_view path = "quantization_config");

} // namespace plimsoll::io
