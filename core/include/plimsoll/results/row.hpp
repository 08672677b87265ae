#pragma once
// An answer as one row of a table: flat, the same columns in every row, so that a million of them are a data frame.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/method/solve.hpp"
#include "plimsoll/request/request.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// What one column says; its unit is the end of its name.
struct RowColumn {
  std::string_view name, about;
};
std::span<const RowColumn> row_columns() noexcept;

/// {"input.FIELD": …, "query", "ok", …}: `inputs` first, then row_columns(); null where nothing is known. With Judge::process the footprint is
/// added to the answer where it is missing, which takes far longer than the estimate; without, columns of the process are null.
std::string row_json(Answer& answer, Judge judge, std::span<const Entry> inputs = {});

/// The same as RFC 4180 writes it, without the end of the line; null is empty.
std::string row_csv(Answer& answer, Judge judge, std::span<const Entry> inputs = {});
/// Its head, for inputs of these names.
std::string row_csv_head(std::span<const std::string> inputs);

} // namespace plimsoll::io
