#pragma once
// A model that people describe themselves, as far as a request says it.

#include "plimsoll/request/request.hpp"

#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Whether it names no model of the catalogue but the custom one, or a config alone.
bool describes_model(const Request& request);

/// Those of custom_model_sizes() that the request does not state. A model whose layers all have experts needs no intermediate_size.
std::vector<std::string_view> unstated_sizes(const Request& request);

} // namespace plimsoll::io
