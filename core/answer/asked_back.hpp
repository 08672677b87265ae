#pragma once
// Questions back about names that do not tell one thing.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/issue.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io {

/// A name of several models is asked back with them; one of none with the nearest, where a word is shared. `others`: what else may be done.
Issue which_model(const Catalog& catalog, std::string_view field, const std::string& text, const std::string& others);

/// Likewise for the field "device".
Issue which_device(const Catalog& catalog, const std::string& text);

} // namespace plimsoll::io
