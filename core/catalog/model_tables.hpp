#pragma once
// The models of the catalogue as architectures/tables/compile.cpp wrote them.

#include <span>
#include <string_view>

namespace plimsoll::data {

/// Gives the bytes of one model's table: a page that loads the program in parts gets those that its questions ask for first.
using ModelTable = std::string_view (*)() noexcept;

/// In the order of the catalogue: ModelRow::place.
std::span<const ModelTable> model_tables() noexcept;

} // namespace plimsoll::data
