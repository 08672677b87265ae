#pragma once
// Results as JSON values. Amounts are integers in bytes; texts beside them come from the formatter.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/answer/costs.hpp"
#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/method/explain.hpp"
#include "text/issues_json.hpp"
#include "text/json.hpp"

namespace plimsoll::io {

/// A field's number as people write it: 0.95 of what is held as 950.
Json as_written(const Field& field, std::int64_t value);

/// {"verdict", "rest", "detail"} of an answer with its footprint; null where it has errors.
Json headline_result(const Answer& answer);
Json estimate_result(Answer answer);
Json component_result(const Catalog& catalog, const Component& component);
Json cost_result(const Catalog& catalog, const CostAnswer& answer, std::size_t most);
/// What an estimate says of its cost, without the formulas.
Json cost_summary(const CostAnswer& answer);
Json readings_result(const Answer& answer);
Json rules_result(const Catalog& catalog, const Scenario& scenario, const Estimate& estimate);
/// Of training: {"step", "learning", "job", "chinchilla_tokens"}, null where not known or not asked; null for serving.
Json training_time_result(const Scenario& scenario);
Json explanation_result(const Catalog& catalog, const Explanation& explanation);
Json catalog_result(const Catalog& catalog);
/// What can be asked for: ids and names, without what was published about each.
Json names_result(const Catalog& catalog);
Json fields_result(const Catalog& catalog);
/// `text` is the config that `imported` came from.
Json import_result(std::string_view text, const ImportedModel& imported, const Overrides& overrides);

} // namespace plimsoll::io
