#pragma once
// Results as JSON values. Amounts are integers in bytes; texts beside them come from the formatter.

#include "io/json.hpp"
#include "plimsoll/explain.hpp"
#include "plimsoll/io/answer.hpp"

namespace plimsoll::io {

Json issues_result(const Issues& issues);
Json estimate_result(const Answer& answer);
Json explanation_result(const Catalog& catalog, const Explanation& explanation);
Json catalog_result(const Catalog& catalog);
Json fields_result(const Catalog& catalog);

} // namespace plimsoll::io
