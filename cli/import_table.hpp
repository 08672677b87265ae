#pragma once

#include "plimsoll/files/model_file.hpp"

#include <string>

namespace plimsoll::cli {

/// What a model file says, as a table for people: totals, groups of layers with their share, number formats.
std::string import_table(const io::ModelFile& file);

} // namespace plimsoll::cli
