// {"hf_id", "name", "family", "config", "params_total_published", "params_active_published", "published_is_rounded",
// "diff_explained": [{"what", "amount"}]}: the config through the importer, the counts against the published ones.
#include "io/accuracy/rows.hpp"
#include "plimsoll/io/huggingface.hpp"
#include "plimsoll/io/request.hpp"
#include "plimsoll/parameters.hpp"

#include <utility>

namespace plimsoll::io::accuracy {

namespace {

bool matches(const Json& row) { return row.contains("config") && row.contains("params_total_published"); }

std::int64_t explained_difference(const Json& row) {
  Count sum;
  const auto terms = row.find("diff_explained");
  if (terms == row.end() || !terms->is_array()) return 0;
  for (const Json& term : *terms)
    if (term.is_object()) sum += Count{number_of(term, "amount").value_or(0)};
  return sum.value;
}

std::string first_error(const Issues& issues) {
  for (const Issue& issue : issues)
    if (issue.severity == Severity::error) return issue.message;
  return "The config could not be read.";
}

void compare_model(const Json& row, std::vector<Comparison>& into) {
  Comparison total;
  total.id = text_of(row, "hf_id").empty() ? text_of(row, "name") : text_of(row, "hf_id");
  total.group = text_of(row, "family").empty() ? text_of(row, "model_type") : text_of(row, "family");
  total.unit = "parameters";
  Comparison active = total;
  total.metric = "params_total";
  total.measured = number_of(row, "params_total_published");
  total.explained = explained_difference(row);
  const auto rounded = row.find("published_is_rounded");
  total.measured_is_rounded = rounded != row.end() && rounded->is_boolean() && rounded->get<bool>();
  active.metric = "params_active";
  active.measured = number_of(row, "params_active_published");
  active.measured_is_rounded = true; // makers round, and differ in whether they count embedding and head

  const std::string config = dump(row.at("config"));
  const ImportedModel imported = import_huggingface_config(config);
  if (imported.model) {
    total.modelled = active.modelled = true;
    total.predicted = total.low = total.high = count_parameters(*imported.model).value;
    active.predicted = active.low = active.high = count_active_parameters(*imported.model).value;
    total.scenario = active.scenario = to_query(request_of_config(config));
  } else {
    total.reason = active.reason = first_error(imported.issues);
  }
  into.push_back(std::move(total));
  into.push_back(std::move(active));
}

} // namespace

Schema models() { return {"models", matches, compare_model, nullptr}; }

} // namespace plimsoll::io::accuracy
