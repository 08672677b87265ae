#pragma once

#include "plimsoll/catalog/catalog.hpp"

#include <vector>

namespace plimsoll::io {

/// The models that are compiled in, as the build has made a table of core/catalog/data/models: no JSON is read.
std::vector<ModelRow> built_in_models();

} // namespace plimsoll::io
