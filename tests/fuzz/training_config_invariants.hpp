#pragma once
// What must hold of any text that is read as a training configuration; "" when it does.

#include "plimsoll/catalog/catalog.hpp"

#include <string>
#include <string_view>

namespace plimsoll::fuzz {

/// As it is recognised: every issue has a remedy, every leaf is told of once, the result is JSON, and the request is answered.
std::string broken_by_training_config(const io::Catalog& catalog, std::string_view text);

/// By the reader of that format, whatever the text looks like.
std::string broken_by_reader(const io::Catalog& catalog, std::string_view format, std::string_view text);

} // namespace plimsoll::fuzz
