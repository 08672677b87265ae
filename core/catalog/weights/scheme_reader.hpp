#pragma once
// core/catalog/data/weights/*.json -> WeightScheme. Malformed data throws std::runtime_error or Json::exception: a defect of the build.

#include "catalog/weights/pattern.hpp"
#include "plimsoll/method/weight_scheme.hpp"
#include "text/json.hpp"

#include <map>
#include <string>

namespace plimsoll::io {

using FormatsById = std::map<std::string, WeightFormat, std::less<>>;

/// The rows under "formats" of a file.
void add_formats(const Json& file, FormatsById& formats);

/// A row of "schemes" of that file with its numbers. Its formats are the default one, those of its rules, and their fallbacks.
WeightScheme scheme_of(const Json& file, const Json& row, const Arguments& arguments, const FormatsById& formats);

} // namespace plimsoll::io
